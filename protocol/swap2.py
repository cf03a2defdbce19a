"""SWAP2BOARD: three stages in which the players agree on the first stones and on who is Black.

No stone: put down three, black, white, black. Three stones: take Black, stay White and move, or put
down a white and a black stone and let the opponent choose. Five stones: take Black, or stay White
and move.

The opening that is put down is the most balanced one that searches find. A side is chosen by the
value of the opening. Where that is too near 0 to tell the sides apart, two stones are added: the
opponent prepared the three, and then has to judge five.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.model import Info, Limits, Point, Rule
from protocol.blocks import STAGES
from protocol.brain import Brain
from protocol.coords import format_point
from protocol.openings import Judge, drift, find_balanced
from protocol.reply import Refusal

# Values nearer to 0 do not tell which side is better, in hundredths of a stone.
UNCLEAR = 20
# The part of the time and nodes that the three stones of the opponent are judged in.
_JUDGING = 0.6


class Answer(NamedTuple):
    """The answer to SWAP2BOARD and in other openings.

    stones  to put down, in order; empty when colours are swapped.
    remark  why, for people.
    fifths  how many fifth moves Black has to offer after this fourth move; 0 in other openings.
    """

    stones: tuple[Point, ...]
    remark: str
    fifths: int = 0

    @property
    def is_swap(self) -> bool:
        """True when we take Black."""
        return not self.stones

    def __str__(self) -> str:
        return " ".join(map(format_point, self.stones)) or "SWAP"


class Question(NamedTuple):
    """SWAP2BOARD with its stones, on a board; it thinks in the place of a brain.

    seed  decides which openings are drawn where nodes limit the answer.
    """

    brain: Brain
    width: int
    height: int
    rule: Rule
    stones: tuple[Point, ...]
    seed: int = 0
    word: str = "SWAP2BOARD"

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Answer:
        """Answer within the limits. With a limit of nodes alone the same question gets the same
        answer; without one the stones put down differ from game to game. `on_info` is not called.
        """
        judge = Judge(self.brain, self.width, self.height, self.rule, limits, self.seed)
        if not self.stones:
            return _placed(*find_balanced(judge, (), 3), added=3)
        if len(self.stones) == 3:
            return self._answer_three(judge)
        return choose(judge, self.stones)

    def _answer_three(self, judge: Judge) -> Answer:
        turn_ms, nodes = judge.turn_ms, judge.nodes
        until_ms = None if turn_ms is None else round(_JUDGING * turn_ms)
        nodes = None if nodes is None else round(_JUDGING * nodes)
        judged = judge.judge(self.stones, nodes, until_ms)
        if abs(judged.value) <= UNCLEAR:
            found = find_balanced(judge, self.stones, 5)
            if found.value is not None and abs(found.value) <= UNCLEAR:
                return _placed(*found, added=2)
        return _chosen(judged.value, judged.move)


def check_count(count: int) -> None:
    """Refusal when SWAP2BOARD cannot have so many stones."""
    if count not in STAGES:
        raise Refusal(f"SWAP2BOARD with {count} stones: send none, three or five")


def choose(judge: Judge, stones: tuple[Point, ...]) -> Answer:
    """Swap, or White's best move, by the value of an opening with White to move."""
    judged = judge.judge(stones)
    return _chosen(judged.value, judged.move)


def is_black_better(info: Info) -> bool:
    """By what White's search after Black's first stone has seen, where White may swap."""
    if info.score.mate_plies is not None:
        return info.score.mate_plies < 0
    return info.score.value < drift(1, info.nodes)


def swap_lines(move: Point, is_analysis: bool) -> tuple[str, ...]:
    """The answer of White who swaps. The front end that knows this rule asks by YXNBEST, and waits
    for White's best move too, which it does not play."""
    return ("SWAP", format_point(move)) if is_analysis else ("SWAP",)


def _chosen(value: int, move: Point) -> Answer:
    if value < 0:
        return Answer((), f"White's value is {value}, so Black is better")
    return Answer((move,), f"White's value is {value}, so White is better")


def _placed(stones: tuple[Point, ...], value: int | None, *, added: int) -> Answer:
    told = "not searched" if value is None else f"{value}"
    return Answer(stones[-added:], f"White's value with these stones is {told}")
