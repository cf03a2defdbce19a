"""The words the engine and its callers share: plain values, no behaviour beyond their own meaning.

Coordinates are `(x, y)` pairs counted from zero at the top left, x to the right, y downwards.

The values are named tuples, not dataclasses: the import of those alone would be a good part of
the program's start, and managers bill that to the first move.
"""

from __future__ import annotations

from enum import IntEnum
from functools import total_ordering
from typing import NamedTuple

MIN_SIZE = 5
MAX_SIZE = 22


class Rule(IntEnum):
    """What wins and what is forbidden; the values are those of `INFO rule`.

    FREESTYLE  five or more wins.
    STANDARD   exactly five wins, six or more is nothing.
    RENJU      Black wins with exactly five and must not make an overline, a double four or a
               double three; White wins with five or more.
    CARO       six or more wins; five wins unless opponent stones stand at both ends.
    CARO_EXACT exactly five wins, unless opponent stones stand at both ends.
    """

    FREESTYLE = 0
    STANDARD = 1
    RENJU = 4
    CARO = 8
    CARO_EXACT = 9


class Stone(IntEnum):
    """What can stand on a cell. The numbers are load-bearing: `3 - colour` is the other colour."""

    BLACK = 1
    WHITE = 2
    WALL = 3

    @property
    def opponent(self) -> Stone:
        """The other colour; a wall has none (ValueError)."""
        if self is Stone.WALL:
            raise ValueError("a wall has no opponent")
        return Stone(3 - self)


class Point(NamedTuple):
    """A cell of the board, column `x` and row `y` from the top left."""

    x: int
    y: int


class Placed(NamedTuple):
    """One stone (or wall) on the board."""

    x: int
    y: int
    stone: Stone


class Position(NamedTuple):
    """A board as the engine needs it.

    stones        everything on the board in the order it was placed, walls included. Colours need
                  not alternate (a manager may set up any position).
    side_to_move  BLACK or WHITE.
    """

    width: int
    height: int
    rule: Rule = Rule.FREESTYLE
    stones: tuple[Placed, ...] = ()
    side_to_move: Stone = Stone.BLACK


@total_ordering
class Score:
    """A value from the side to move's view: either centi-stones or a mate distance.

    `mate_plies` > 0: the side to move completes a five with the mate_plies-th stone from now;
    < 0: the opponent does. Better scores compare greater: a faster win above a slower one, any
    win above any plain value, a slower loss above a faster one.
    """

    __slots__ = ("mate_plies", "value")

    def __init__(self, value: int = 0, mate_plies: int | None = None) -> None:
        self.value = value
        self.mate_plies = mate_plies

    def _key(self) -> tuple[int, int]:
        if self.mate_plies is None:
            return (0, self.value)
        return (1, -self.mate_plies) if self.mate_plies > 0 else (-1, -self.mate_plies)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __lt__(self, other: Score) -> bool:
        return self._key() < other._key()

    def __repr__(self) -> str:
        return f"Score({self.value}, {self.mate_plies})"

    def __neg__(self) -> Score:
        if self.mate_plies is None:
            return Score(-self.value)
        return Score(0, -self.mate_plies)

    def __str__(self) -> str:
        if self.mate_plies is None:
            return str(self.value)
        return f"+M{self.mate_plies}" if self.mate_plies > 0 else f"-M{-self.mate_plies}"


class Limits(NamedTuple):
    """How long to think. None everywhere means: no limit of that kind.

    turn_ms      limit for this move; 0 = answer at once.
    match_ms     limit for the whole game (only informative once left_ms is known).
    left_ms      what is left of the match time; may be zero or negative.
    nodes        stones made in any search, VCF included.
    depth_plies  last iteration of iterative deepening.
    started_ns   `time.monotonic_ns()` when the command was read; None = now.
    threads      search threads.
    mate_plies   a forced win is good enough only if it is no longer than this; None = any is.
    is_analysis  the value is wanted as much as the move: also the only move is searched.
    If neither time nor nodes nor depth is limited the engine takes 5 seconds.
    """

    turn_ms: int | None = None
    match_ms: int | None = None
    left_ms: int | None = None
    nodes: int | None = None
    depth_plies: int | None = None
    started_ns: int | None = None
    threads: int = 1
    mate_plies: int | None = None
    is_analysis: bool = False


class Info(NamedTuple):
    """A report of the search: after each finished iteration, and once for the move played.

    depth_plies      the finished iteration; 0 for a move found without search.
    seldepth_plies   the longest line looked at.
    nodes            stones made so far; speed_nps = nodes per second; time_ms since the start.
    pv               the principal variation, the move itself first.
    """

    depth_plies: int
    seldepth_plies: int
    score: Score
    nodes: int
    speed_nps: int
    time_ms: int
    pv: tuple[Point, ...]


class Result(NamedTuple):
    """The move to play, with the last report that belongs to it (`info.pv[0] == move`)."""

    move: Point
    info: Info


class Status(IntEnum):
    """What a solver has found out about a position.

    WIN      the side to move wins by threats, and the proof is there.
    NO_WIN   all its threats (fours, threes, moves that threaten a win by fours) were searched to
             their end without a limit being met: none wins. A quieter move may still win.
    UNKNOWN  a limit came first.
    """

    WIN = 1
    NO_WIN = 0
    UNKNOWN = -1


class SolveLimits(NamedTuple):
    """How long to look for a win by threats. None: no limit of that kind.

    nodes    stones made, all kinds of search together.
    time_ms  from the call.
    moves    the attacker's stones, the five included.
    method   "vct": fours, threes and moves that threaten to win by them; "threes": fours and
             threes; "vcf": fours only. With `moves` no first move without a direct threat is tried.
    """

    nodes: int | None = None
    time_ms: int | None = None
    moves: int | None = None
    method: str = "vct"


class ProofNode(NamedTuple):
    """A won position, its winner to move: he plays `move`.

    If that makes a five it is all: no replies, `otherwise` None. Else the win goes on with
    `replies[reply]` where the opponent's reply is one of these, and with `otherwise` after any
    other reply that the rule allows. One node may stand at several places of a tree, so that
    walking all of it can take much longer than it is large.
    """

    move: Point
    replies: dict[Point, ProofNode]
    otherwise: ProofNode | None


class Solution(NamedTuple):
    """What solve() has found.

    plies  stones until the five, both colours, against the longest defence of the proof.
    line   the proof's longest line; its last stones are left out where any reply loses alike.
    proof  for a WIN, else None.
    """

    status: Status
    plies: int | None
    line: tuple[Point, ...]
    nodes: int
    elapsed_us: int
    proof: ProofNode | None


class Defences(NamedTuple):
    """What defences() has found.

    threat   how the opponent would win if he were to move.
    moves    the moves after which he does not any more, if `threat` is a WIN; not all of them
             need be good for something else.
    unknown  the moves about which the limits left a doubt.
    """

    threat: Solution
    moves: tuple[Point, ...]
    unknown: tuple[Point, ...]


def proof_record(node: ProofNode) -> dict[str, object]:
    """A proof as it is written to JSON:
    `{"move": [x, y], "replies": [{"move": [x, y], "then": {...}}, ...], "otherwise": {...}}`."""
    return {
        "move": list(node.move),
        "replies": [
            {"move": list(reply), "then": proof_record(then)}
            for reply, then in node.replies.items()
        ],
        "otherwise": None if node.otherwise is None else proof_record(node.otherwise),
    }
