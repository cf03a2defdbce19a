"""Checks 91 to 97: whole games, and positions under each rule; the leagues of Gomocup.

The positions named "the judge's" are those of the organisers' public tool for testing entries.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from engine.text import RULE_NAMES, point_name
from tengen.arena.check.conversation import Conversation, Failure, Skip
from tengen.arena.check.moves import stones_in_turn
from tengen.arena.check.registry import Group, check
from tengen.game.record.numbers import counted
from tengen.game.referee import (
    BLACK,
    CARO,
    CARO_EXACT,
    FREESTYLE,
    RENJU,
    RULES,
    STANDARD,
    WHITE,
    Cell,
    Referee,
    opponent_of,
)

_POINT = re.compile(r"([a-t])(\d\d?)")
_MAX_MOVES = 60
_MAX_GAME_S = 8.0


@dataclass(frozen=True)
class League:
    """A league: its rule, the side of its board, its limits. `word` is the rule in the name of a
    program."""

    name: str
    rule: int
    word: str
    size: int
    turn_ms: int = 30_000
    match_ms: int = 180_000


LEAGUES = (
    League("freestyle 20", FREESTYLE, "freestyle", 20),
    League("fast", FREESTYLE, "freestyle", 20, turn_ms=5_000, match_ms=120_000),
    League("freestyle 15", FREESTYLE, "freestyle", 15),
    League("standard", STANDARD, "standard", 15),
    League("renju", RENJU, "renju", 15),
    League("caro (rule 8)", CARO, "caro", 15),
    League("caro (rule 9)", CARO_EXACT, "caro", 15),
)

# Says what is wrong with the move (x, y) of a colour on a board; empty if nothing is.
Judge = Callable[[Referee, Cell, int], str]


@dataclass(frozen=True)
class SanityPosition:
    """A position with a clear answer.

    moves     the stones in the order of play, Black first: column letter, row counted from 1 at
              the top, as the organisers write them.
    expected  the answer in words.
    rules     where it is asked.
    """

    title: str
    moves: str
    expected: str
    judge: Judge
    rules: tuple[int, ...]

    @property
    def cells(self) -> list[Cell]:
        """The stones, counted from zero."""
        return _cells(self.moves)


def judge_move(board: Referee, cell: Cell, colour: int) -> str:
    """What is against the rules in a move, which is not on the board yet; empty if nothing is."""
    if not board.legal(*cell):
        return "where no stone may be put"
    foul = board.foul(*cell) if colour == BLACK else None
    return f"a foul ({foul})" if foul else ""


def expect_good(
    board: Referee, cell: Cell, colour: int, expected: str, judge: Judge = judge_move
) -> None:
    """Failure for a move that is against the rules, or not what the judge wants."""
    if fault := judge_move(board, cell, colour) or judge(board, cell, colour):
        raise Failure(expected, f"{point_name(cell, board.height)}, {fault}")


def _makes_five(board: Referee, cell: Cell, colour: int) -> str:
    return "" if board.makes_win(*cell, colour) else "which does not win"


def _stops_five(board: Referee, cell: Cell, colour: int) -> str:
    board.play(*cell, colour)
    try:
        other = opponent_of(colour)
        wins = any(board.makes_win(*empty, other) for empty in board.empties())
    finally:
        board.undo()
    return "which lets the opponent make five" if wins else ""


def _one_of(names: str) -> Judge:
    cells = _cells(names)
    return lambda board, cell, colour: "" if cell in cells else "which is another point"


def _cells(names: str) -> list[Cell]:
    return [(ord(x) - ord("a"), int(y) - 1) for x, y in _POINT.findall(names)]


POSITIONS = (
    SanityPosition(
        "a five to make (the judge's)",
        "h8h9i8i9j8j9k8k9",
        "a move that makes five",
        _makes_five,
        RULES,
    ),
    SanityPosition(
        "a five to block",
        # White, to move, has closed one end of Black's four.
        "h8g8i8h10j8j10k8",
        "a move that stops Black's five",
        _stops_five,
        RULES,
    ),
    SanityPosition(
        "a five to block instead of making six",
        # Black, to move: d5 makes six, which wins nothing in these rules and is a foul in renju.
        "a5h12b5i12c5j12e5k12f5b10g12n3",
        "a move that stops White's five",
        _stops_five,
        (STANDARD, RENJU, CARO_EXACT),
    ),
    SanityPosition(
        "an open three to stop, an overline not to count (the judge's)",
        "h8h9i8h10g8h11j13h12g14h14i15",
        "a point that stops the open three",
        _one_of("f8j8"),
        (STANDARD,),
    ),
    SanityPosition(
        "a foul not to make (the judge's)",
        "h8h9i7i9h10i6i11i12",
        "any point but the foul",
        judge_move,
        (RENJU,),
    ),
    SanityPosition(
        "an open three to stop, a closed five not to count (the judge's)",
        "h8f8g8f9i8f7j8l8",
        "a point that stops the open three",
        _one_of("f5f6f10f11"),
        (CARO, CARO_EXACT),
    ),
)


def set_up(position: SanityPosition, size: int, rule: int) -> tuple[Referee, int]:
    """The position on a board of this size, and the colour to move."""
    board = Referee(size, size, rule)
    colour = BLACK
    for cell in position.cells:
        board.play(*cell, colour)
        colour = opponent_of(colour)
    return board, colour


@check(91, Group.MANDATORY, "a whole game, moving first")
def first_player(c: Conversation) -> str:
    """The referee judges each move. The opponent only plays beside the last stone, so a program
    that tries to win soon makes a five."""
    return _play_game(c, BLACK)


@check(92, Group.MANDATORY, "a whole game, moving second")
def second_player(c: Conversation) -> str:
    """The same with the other colour, by TURN alone."""
    return _play_game(c, WHITE)


def _rule_check(number: int, rule: int) -> None:
    def script(c: Conversation) -> None:
        _play_rule(c, rule)

    script.__doc__ = (
        f"Each league of Gomocup has its rule. Under INFO rule {rule} the program must complete a"
        " five, stop the opponent's, and find a good move in the positions that the test scripts"
        " of Gomocup send before a program is admitted." + _WHAT_ELSE.get(rule, "")
    )
    check(number, Group.MANDATORY, f"rule {rule}: {RULE_NAMES[rule]}")(script)


_WHAT_ELSE = {
    STANDARD: " A row of six does not win.",
    RENJU: " As Black it must not play a forbidden point.",
    CARO: " A five with an opponent's stone at both ends does not win.",
    CARO_EXACT: " A five with an opponent's stone at both ends does not win, nor does a six.",
}
for _number, _rule in enumerate(RULES, start=93):
    _rule_check(_number, _rule)


def _play_rule(c: Conversation, rule: int) -> None:
    if rule not in c.settings.rules:
        raise Skip("not among --rules")
    if c.knowledge.size < 15:
        raise Skip("the positions need a board of 15x15")
    for position in POSITIONS:
        if rule in position.rules:
            _ask(c, rule, position)


def _ask(c: Conversation, rule: int, position: SanityPosition) -> None:
    """Sends a position and judges the move."""
    c.start()
    c.rule(rule)
    c.board(stones_in_turn(position.cells))
    (move,) = c.stones - set(position.cells)
    board, colour = set_up(position, c.width, rule)
    expected = f"{position.expected} under rule {rule}"
    if rule != FREESTYLE:
        expected += " (--rules leaves out rules that a program does not play)"
    expect_good(board, move, colour, expected, position.judge)


def _play_game(c: Conversation, colour: int) -> str:
    """A game under rule 0 against an opponent that plays beside the last stone."""
    c.start()
    size = c.knowledge.size
    board = Referee(size, size, FREESTYLE)
    deadline = time.perf_counter() + _MAX_GAME_S
    last = (size // 2, size // 2)
    if colour == BLACK:
        last = c.begin()
        board.play(*last, colour)
    while time.perf_counter() < deadline and len(board.stones()) < _MAX_MOVES:
        reply = beside(board, last)
        board.play(*reply, opponent_of(colour))
        if board.winner() or board.is_full():
            return f"lost after {counted(len(board.stones()), 'stone')}"
        last = c.turn(reply)
        # `expect_move` has checked that the cell is empty; the referee checks it independently.
        if not board.legal(*last):
            raise Failure("a legal move", point_name(last, size))
        board.play(*last, colour)
        if board.winner():
            return f"won after {counted(len(board.stones()), 'stone')}"
    return f"stopped after {counted(len(board.stones()), 'stone')}"


def beside(board: Referee, last: Cell) -> Cell:
    """The empty cell nearest to the last stone; of several, the first in reading order."""
    x, y = last
    return min(
        board.empties(),
        key=lambda cell: (max(abs(cell[0] - x), abs(cell[1] - y)), cell[1], cell[0]),
    )


def block_five(board: Referee, colour: int) -> Cell | None:
    """The first cell where `colour` would win, None if there is none."""
    wins = (cell for cell in board.empties() if board.makes_win(*cell, colour))
    return next(wins, None)
