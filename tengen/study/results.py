"""What the engine and programs answer: moves, values, lines. Each prints itself in one line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine.model import Defences as CoreDefences
from engine.model import Info, ProofNode, Status, win_chance
from engine.model import Line as CoreLine
from engine.model import Score as Score
from engine.model import Solution as CoreSolution
from engine.model import Wins as CoreWins
from tengen.game.played import Report as Report
from tengen.game.position import COLOURS, Colour, Point
from tengen.game.referee import BLACK, COLOUR_NAMES, WHITE, Cell
from tengen.game.values import Record, counted

if TYPE_CHECKING:
    from engine.breakdown import Breakdown

# Moves of a line that a table shows.
_LINE_PLIES = 8
SIDE_NAMES: dict[Colour, str] = {COLOURS[side]: COLOUR_NAMES[side] for side in (BLACK, WHITE)}


class Move(Point):
    """A move that a program or the engine has chosen: a point, with what is known about it.

    elapsed_s  the time it took, from the request to the answer.
    report     what was reported last: value, depth, nodes; None = nothing.
    messages   the texts of the MESSAGE lines that came before the answer, of the last 2000.
    """

    __slots__ = ("elapsed_s", "messages", "report")
    elapsed_s: float
    report: Report | None
    messages: tuple[str, ...]

    @classmethod
    def of(
        cls, point: Point, elapsed_s: float, report: Report | None, messages: tuple[str, ...] = ()
    ) -> Move:
        """The point as a move."""
        move = super().__new__(cls, *point.__getnewargs__())
        assert isinstance(move, Move)
        move.elapsed_s, move.report, move.messages = elapsed_s, report, messages
        return move


@dataclass(frozen=True)
class Line:
    """A move with its value and what is expected after it.

    score        for the side to move, in hundredths of a stone, or the stones until the end
                 (`score.mate_plies`, negative for a loss).
    depth_plies  the iteration that the value is from.
    pv           the principal variation, the move itself first.
    """

    score: Score
    depth_plies: int
    pv: tuple[Point, ...]

    @property
    def move(self) -> Point:
        """The move."""
        return self.pv[0]

    @property
    def win_chance(self) -> float:
        """The chance of the side to move to win, 0 to 1; a draw counts as half a win."""
        return win_chance(self.score)

    def __str__(self) -> str:
        return (
            f"{self.move:3} {score_text(self.score):>5}  {self.win_chance:4.0%}"
            f"  depth {self.depth_plies}  {' '.join(self.pv)}"
        )


@dataclass(frozen=True)
class Analysis:
    """What a search has found.

    lines    the best moves, the best first, as many as were asked for and the position has. Of
             moves that a symmetry exchanges only one is there.
    nodes    stones made; elapsed_s, the time it took.
    """

    lines: tuple[Line, ...]
    nodes: int
    elapsed_s: float

    @property
    def move(self) -> Point:
        """The best move."""
        return self.lines[0].move

    @property
    def score(self) -> Score:
        """The value of the position for the side to move, that of the best move."""
        return self.lines[0].score

    @property
    def win_chance(self) -> float:
        """The chance of the side to move to win, 0 to 1."""
        return self.lines[0].win_chance

    @property
    def depth_plies(self) -> int:
        """The iteration that the value is from."""
        return self.lines[0].depth_plies

    @property
    def pv(self) -> tuple[Point, ...]:
        """The principal variation, the best move first."""
        return self.lines[0].pv

    def __str__(self) -> str:
        return f"{self.lines[0]}  ({self.nodes:,} nodes, {self.elapsed_s:.1f} s)"


WIN, NO_WIN, UNKNOWN = "win", "no win", "unknown"
_STATUS = {Status.WIN: WIN, Status.NO_WIN: NO_WIN, Status.UNKNOWN: UNKNOWN}
# The attacker's moves that the solver tries, by its methods.
THREATS = {
    "vct": "by fours, threes and moves that threaten to win by fours",
    "threes": "by fours and threes",
    "vcf": "by fours",
}


@dataclass(frozen=True)
class Solution:
    """Whether the side to move wins. It is true if the side wins.

    status       "win", "no win" or "unknown" (a limit was met). Of the solver "no win" is a proof
                 that none of the `moves_tried` wins (another may); of the full search it says that
                 the other side wins.
    line         the moves of the win against the longest defence, or what the full search expects.
    plies        stones of both colours until the five, at most; None without a win.
    nodes        stones made; elapsed_s, the time it took.
    limit        of the solver's "unknown": "time", "nodes", "stop", "moves" (no win is so short),
                 or "budget", the most that the solver spends on one threat by fours; else None.
    proof        of a win by the solver: a tree with an answer to every defence.
    score        the value that the full search has found; None of the solver.
    moves_tried  the attacker's moves that the solver tried: "vct", fours, threes and moves that
                 threaten to win by fours; "threes", fours and threes; "vcf", fours. None of the
                 full search.
    is_shortest  it is proved that no win by these moves has fewer stones of the attacker's.
    """

    status: str
    line: tuple[Point, ...]
    plies: int | None
    nodes: int
    elapsed_s: float
    limit: str | None = None
    proof: ProofNode | None = field(default=None, repr=False, compare=False)
    score: Score | None = None
    moves_tried: str | None = None
    is_shortest: bool = False

    @property
    def is_win(self) -> bool:
        """Does the side to move win?"""
        return self.status == WIN

    @property
    def mate_plies(self) -> int | None:
        """Stones until the win of the side to move, below zero until its loss; None without."""
        return self.plies if self.score is None else self.score.mate_plies

    def __bool__(self) -> bool:
        return self.is_win

    def __str__(self) -> str:
        if self.is_win:
            return f"win, a five with stone {self.plies} at the latest: {' '.join(self.line)}"
        if self.status == NO_WIN and self.moves_tried:
            return f"no win {THREATS[self.moves_tried]}"
        return f"{self.status} ({self.limit})" if self.limit else self.status


class Wins(tuple[Solution, ...]):
    """A win by each first move that begins one, the shortest first.

    unknown  the first moves that the limits left undecided.
    """

    unknown: tuple[Point, ...]

    def __new__(cls, wins: Iterable[Solution], unknown: Iterable[Point] = ()) -> Wins:
        self = super().__new__(cls, wins)
        self.unknown = tuple(unknown)
        return self


@dataclass(frozen=True)
class Defences:
    """The moves against the win that the opponent would have, if it were the opponent's turn. It is
    neither true nor false: without a win to defend against no move is needed.

    threat   that win.
    moves    the moves after which the opponent has no win by threats any more: each stops every win
             that the solver finds, not only this one. Some may be bad for other reasons.
    unknown  those that the limits left undecided.
    refuted  the win after every other move that could have spoilt the threat, by that move. A move
             that stands in none of these changes nothing about the threat.
    """

    threat: Solution
    moves: tuple[Point, ...]
    unknown: tuple[Point, ...]
    refuted: Mapping[Point, Solution]

    def __bool__(self) -> bool:
        raise TypeError("Defences are neither true nor false; ask for threat.is_win or for moves")

    def __str__(self) -> str:
        if not self.threat.is_win:
            return f"no win to defend against: {self.threat}"
        return f"{counted(len(self.moves), 'defence')}: {' '.join(self.moves)}"


@dataclass(frozen=True)
class Explanation:
    """The value of a position without any search, for the side to move, in hundredths of a stone.

    value      the value, and `net`, the name of the net it is from; None = the table of patterns.
    cells      what each empty point adds to it.
    breakdown  all of its parts (`engine.breakdown.Breakdown`).
    """

    value: int
    net: str | None
    cells: Mapping[str, int]
    breakdown: Breakdown = field(repr=False)

    @property
    def win_chance(self) -> float:
        """The chance of the side to move to win, 0 to 1."""
        return win_chance(Score(self.value))

    def __str__(self) -> str:
        best = sorted(self.cells, key=lambda point: -self.cells[point])[:3]
        cells = ", ".join(f"{point} {self.cells[point]:+}" for point in best)
        source = "the table" if self.net is None else f"net {self.net}"
        return f"{self.value:+} ({self.win_chance:.0%}) by {source}; the most from {cells}"


def score_text(score: Score) -> str:
    """A score with its sign: `+35`, `-M4`."""
    return str(score) if score.mate_plies is not None else f"{score.value:+}"


def percent(chance: float) -> str:
    """A chance as people read it."""
    return f"{chance * 100:.0f} %"


def line_text(pv: Sequence[Point]) -> str:
    """The first moves of a line, as tables show it."""
    return " ".join(pv[:_LINE_PLIES]) + " ..." * (len(pv) > _LINE_PLIES)


def score_record(score: Score) -> Record:
    """A value: in centi-stones or as the stones until the win, the other one null."""
    is_mate = score.mate_plies is not None
    return {
        "value": None if is_mate else score.value,
        "mate_plies": score.mate_plies,
        "win_chance": round(win_chance(score), 4),
    }


def cells_of(points: Iterable[Point]) -> list[Cell]:
    """The points as pairs from zero at the top left, as in JSON."""
    return [(point.x, point.y) for point in points]


def points_of(cells: Iterable[tuple[int, int]], height: int) -> tuple[Point, ...]:
    """The cells as points of a board of this height."""
    return tuple(Point(x, y, height) for x, y in cells)


def analysis_of(info: Info, height: int) -> Analysis:
    """What a search of a board of this height has said."""
    lines = info.lines or (CoreLine(info.score, info.depth_plies, info.seldepth_plies, info.pv),)
    return Analysis(
        tuple(Line(each.score, each.depth_plies, points_of(each.pv, height)) for each in lines),
        info.nodes,
        info.time_ms / 1000,
    )


def solution_of(found: CoreSolution, height: int, method: str) -> Solution:
    """What the solver has said of a board of this height; `method` is that of its limits."""
    return Solution(
        _STATUS[found.status],
        points_of(found.line, height),
        found.plies,
        found.nodes,
        found.elapsed_us / 1e6,
        found.limit,
        found.proof,
        moves_tried=method,
        is_shortest=found.is_shortest,
    )


def wins_of(found: CoreWins, height: int, method: str) -> Wins:
    """The wins that the solver has found, the shortest first."""
    wins = [solution_of(each, height, method) for each in found.wins]
    wins.sort(key=lambda win: (win.plies or 0, cells_of(win.line)))
    return Wins(wins, points_of(found.unknown, height))


def defences_of(found: CoreDefences, height: int, method: str) -> Defences:
    """The defences that the solver has found, likewise."""
    return Defences(
        solution_of(found.threat, height, method),
        points_of(found.moves, height),
        points_of(found.unknown, height),
        {
            Point(x, y, height): solution_of(win, height, method)
            for (x, y), win in found.refuted.items()
        },
    )
