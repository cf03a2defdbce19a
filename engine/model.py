"""The values that the engine and its callers exchange: positions, limits, results.

Coordinates are `(x, y)` pairs counted from zero at the top left, x to the right, y downwards.
`Position.from_moves` and `Position.from_text` also read points as people write them: `h8` is column
h, row 8 counted from the bottom.

The values are named tuples, not dataclasses: importing those alone would take a good part of the
program's start, which managers charge to the first move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import total_ordering
from math import exp
from operator import index
from typing import NamedTuple

from engine.limits import MAX_LEVEL as MAX_LEVEL
from engine.limits import MAX_LINES as MAX_LINES
from engine.limits import MAX_SEED as MAX_SEED
from engine.limits import MAX_STRENGTH as MAX_STRENGTH
from engine.limits import Limits as Limits
from engine.limits import SolveLimits as SolveLimits
from engine.limits import level_of as level_of
from engine.limits import strength_of as strength_of

# The scale at which the values and nets are fitted to the results of games. Values predict these
# best so, and the margins of the search are in centi-stones.
CENTISTONES_OF_A_LOGIT = 220.0

MIN_SIZE = 5
MAX_SIZE = 22


class Rule(IntEnum):
    """What wins and what is forbidden; the values are those of `INFO rule`.

    FREESTYLE  five or more wins.
    STANDARD   exactly five wins; six or more does not.
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
    """What can be on a cell. The engine's boards use the same numbers."""

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


class _PositionFields(NamedTuple):
    width: int
    height: int
    rule: Rule = Rule.FREESTYLE
    stones: tuple[Placed, ...] = ()
    side_to_move: Stone = Stone.BLACK


class Position(_PositionFields):
    """A board as the engine needs it.

    stones        everything on the board in the order it was placed, walls included: `Placed`, or
                  plain (x, y, stone) with a Stone or its number, in any sequence. Colours need
                  not alternate (a manager may set up any position).
    rule          a Rule, its number or its name.
    side_to_move  BLACK or WHITE, or their number.

    Raises ValueError for anything else, a size that no board has and an item of `stones` that is
    not a stone. `Engine.set_position` checks whether the stones fit on the board.
    """

    __slots__ = ()

    def __new__(
        cls,
        width: int,
        height: int,
        rule: Rule | int | str = Rule.FREESTYLE,
        stones: Iterable[Placed | tuple[int, int, int]] = (),
        side_to_move: Stone | int = Stone.BLACK,
    ) -> Position:
        check_size(width, height)
        # By way of a list: tuple() of an iterator leaves memory behind until a garbage collection.
        placed = tuple([_placed(stone) for stone in stones])
        return super().__new__(cls, width, height, rule_of(rule), placed, _colour(side_to_move))

    def name_of(self, point: tuple[int, int]) -> str:
        """`h8` for a point of this board: the column's letter, the row counted from the bottom."""
        from engine.text import point_name

        return point_name(point, self.height)

    @classmethod
    def from_moves(
        cls,
        moves: str | Iterable[str | tuple[int, int]],
        size: int | tuple[int, int] = 15,
        rule: Rule | int | str = Rule.FREESTYLE,
    ) -> Position:
        """The position after moves in turn, Black's first.

        moves  a text such as "h8 i9", "h8i9" or "7,7 8,6", or a sequence of such points and of
               pairs of numbers. `h8` counts rows from the bottom, `7,7` and (7, 7) count from zero
               at the top left.
        size   a number, or (width, height).
        rule   a Rule, its number or its name.

        Raises ValueError, with what was read and what was expected, for anything else, a point off
        the board and a point that is played twice.
        """
        from engine.text import read_moves

        width, height = (size, size) if isinstance(size, int) else size
        check_size(width, height)
        cells = read_moves(moves, width, height)
        stones = [Placed(x, y, Stone(1 + number % 2)) for number, (x, y) in enumerate(cells)]
        return cls(width, height, rule_of(rule), stones, Stone(1 + len(stones) % 2))

    @classmethod
    def from_text(
        cls,
        text: str,
        size: int | tuple[int, int] | None = None,
        rule: Rule | int | str | None = None,
    ) -> Position:
        """The position that a text describes, by a list of moves or by a picture:

            rule: renju
            to move: white
            . . . . .
            . . X . .
            . O X . .
            . . . . .
            . . . . .

        X Black, O White, # wall, . empty (`!` and `?` are marks on empty cells). Blanks between the
        signs, row numbers and column letters can be left out. The lines above can also give the
        `size` (15 or 20x15) of a list of moves; lines with other keys are comments. Without `to
        move` the numbers of stones decide: Black is to move when they are equal, White when there
        is one more black stone. docs/STUDY.md has the whole grammar.

        size, rule  for a text without them; the default is 15 and freestyle.

        Raises ValueError, with what was read and what was expected, for a text that is neither, an
        argument that contradicts the text, and numbers of stones that leave the turn open.
        """
        from engine.text import read_position

        written = read_position(text, (size, size) if isinstance(size, int) else size)
        if (said := written.rule) is not None and rule is not None and rule_of(rule) != said:
            raise ValueError(
                f"rule: {rule_of(rule).name.lower()} was asked for, but the text says"
                f" {Rule(said).name.lower()}"
            )
        stones = [Placed(x, y, Stone(stone)) for x, y, stone in written.stones]
        rule = rule_of(said or rule or Rule.FREESTYLE)
        return cls(written.width, written.height, rule, stones, Stone(written.side))


@total_ordering
class Score:
    """A value from the side to move's view: either centi-stones or a mate distance.

    `mate_plies` > 0: the side to move completes a five with the mate_plies-th stone from now;
    < 0: the opponent does. In renju Black is lost where every empty point is forbidden, which is
    counted as a five with the second stone. Better scores compare greater: a faster win above a
    slower one, any win above any plain value, a slower loss above a faster one.
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


def win_chance(score: Score) -> float:
    """The chance of the side that the score belongs to, from 0 to 1; a draw counts as half a win.
    A mate is certain."""
    if score.mate_plies is not None:
        return 1.0 if score.mate_plies > 0 else 0.0
    # No value of the engine is large enough for an overflow.
    return 1 / (1 + exp(-score.value / CENTISTONES_OF_A_LOGIT))


class Line(NamedTuple):
    """One of the best moves with what follows.

    score            exact after depth_plies iterations; a mate is a proof.
    depth_plies      the iteration that the score is from; 0 for a move found without search.
    seldepth_plies   the longest line searched for it in that iteration.
    pv               the principal variation, the move itself first.
    """

    score: Score
    depth_plies: int
    seldepth_plies: int
    pv: tuple[Point, ...]


class Info(NamedTuple):
    """A report of the search: after each finished iteration, and once for the move played.

    depth_plies      the finished iteration; 0 for a move found without search.
    seldepth_plies   the longest line searched.
    nodes            stones made so far; speed_nps = nodes per second; time_ms since the start.
    pv               the principal variation, the move itself first.
    lines            the best moves, as many as Limits.lines asks for, the best first: the first
                     line has the score and pv of the report, and equal ones come in the order in
                     which the search found them. There are fewer where the position has fewer
                     moves: of moves that a symmetry of the position exchanges only one is listed,
                     of those that leave the opponent a five or an open four none, and after a limit
                     within the first iteration only those found by then.
    """

    depth_plies: int
    seldepth_plies: int
    score: Score
    nodes: int
    speed_nps: int
    time_ms: int
    pv: tuple[Point, ...]
    lines: tuple[Line, ...] = ()


class Root(NamedTuple):
    """The moves of a position while it is searched.

    move  the one under search; None between searches, and where no move has been searched yet.
    lost  those that are proved to lose, by this search so far or, after its end, by the last one.
    """

    move: Point | None
    lost: tuple[Point, ...]


class Result(NamedTuple):
    """The move to play, with the last report that belongs to it (`info.pv[0] == move`).

    In the lines of an interrupted search, some may be from the iteration that was interrupted, and
    others from the one before: Line.depth_plies tells.
    """

    move: Point
    info: Info

    @property
    def lines(self) -> tuple[Line, ...]:
        """The best moves, as in Info.lines; the first one is `move`."""
        return self.info.lines


class VcfCount(NamedTuple):
    """VCF searches of one kind: how many, those that won, those that met a limit, their stones."""

    searches: int
    wins: int
    limits: int
    nodes: int


class SearchStats(NamedTuple):
    """Where the nodes of a search went: what its nodes were, how they ended, what moves did.

    pv_nodes, cut_nodes, all_nodes   nodes by what is expected: a value within the window, a
                                     fail-high, a fail-low
    leaves                           of these, leaves
    wins ... multi_cuts              nodes that ended without a move, by the reason
    moves                            stones of the search itself, without those of VCF searches
    skips                            nodes whose late moves were skipped
    reduced, again, again_pv         moves searched less deep at first, of these searched again, and
                                     moves searched again with the full window
    fail_highs, first_move           nodes that failed high by a move, of these by the first one
    leaf_vcf, razor_vcf, root_vcf    VCF searches by where they were made
    iteration_nodes                  all nodes up to the end of each finished iteration
    """

    pv_nodes: int
    cut_nodes: int
    all_nodes: int
    leaves: int
    wins: int
    table_cuts: int
    razor_cuts: int
    futility_cuts: int
    multi_cuts: int
    moves: int
    skips: int
    reduced: int
    again: int
    again_pv: int
    fail_highs: int
    first_move: int
    leaf_vcf: VcfCount
    razor_vcf: VcfCount
    root_vcf: VcfCount
    iteration_nodes: tuple[int, ...]

    @property
    def vcf_nodes(self) -> int:
        """All stones of VCF searches."""
        return self.leaf_vcf.nodes + self.razor_vcf.nodes + self.root_vcf.nodes


class Status(IntEnum):
    """A solver's verdict on a position.

    WIN      the side to move wins by threats; there is a proof.
    NO_WIN   none of its threats wins: all moves that SolveLimits.method names were searched to
             the end. A quieter move may still win.
    UNKNOWN  a limit was reached first.
    """

    WIN = 1
    NO_WIN = 0
    UNKNOWN = -1


class ProofNode(NamedTuple):
    """A won position with the winner to move, who plays `move`.

    If that makes a five, the proof ends: no replies, `otherwise` None. Else the win goes on with
    `replies[reply]` where the opponent's reply is one of these, and with `otherwise` after any
    other reply that the rule allows. One node can be part of a tree several times, so that
    visiting every path takes much longer than visiting every node.
    """

    move: tuple[int, int]
    replies: Mapping[tuple[int, int], ProofNode]
    otherwise: ProofNode | None = None


class Solution(NamedTuple):
    """What solve() has found.

    plies  stones of both colours until the five, against the longest defence of the proof.
    line   the proof's longest line, without the last stones where every reply loses alike.
    proof  for a WIN, else None.
    limit  for UNKNOWN, what was met: "time", "nodes", "moves" (there is no win so short), "stop",
           or "budget", the most that the solver spends on one threat by fours; else None.
    is_shortest  of a WIN: no win by these moves has fewer stones of the attacker's.
    """

    status: Status
    plies: int | None
    line: tuple[Point, ...]
    nodes: int
    elapsed_us: int
    proof: ProofNode | None
    limit: str | None = None
    is_shortest: bool = False


class Wins(NamedTuple):
    """What solve_all() has found.

    wins     by each first move that begins one, in the order in which they were found.
    unknown  the first moves that the limits left undecided.
    """

    wins: tuple[Solution, ...]
    unknown: tuple[Point, ...]


class Defences(NamedTuple):
    """What defences() has found.

    threat   how the opponent would win if it were the opponent's turn.
    moves    the moves after which the opponent no longer wins so, if `threat` is a WIN; some of
             them may be bad for other reasons.
    unknown  the moves that the limits left undecided.
    refuted  the win after every other move that could have spoilt the threat. A move that stands
             in none of these changes nothing about the threat.
    """

    threat: Solution
    moves: tuple[Point, ...]
    unknown: tuple[Point, ...]
    refuted: dict[Point, Solution]


def rule_of(rule: Rule | int | str) -> Rule:
    """The rule of that number or name (`4`, `"4"`, `"renju"`); ValueError when there is none."""
    if isinstance(rule, Rule):
        return rule
    from engine.text import read_rule

    return Rule(read_rule(str(rule)))


def _placed(item: object) -> Placed:
    """An item of Position.stones as a Placed."""
    if type(item) is Placed and type(item.stone) is Stone:
        return item
    if isinstance(item, tuple | list) and len(item) == 3:
        try:
            x, y, stone = item
            return Placed(index(x), index(y), Stone(stone))
        except (TypeError, ValueError):
            pass
    raise ValueError(
        f"{item!r} is not a stone; expected Placed(x, y, stone) or (x, y, stone), the stone being"
        " Stone.BLACK or 1, Stone.WHITE or 2, Stone.WALL or 3"
    )


def _colour(side: int) -> Stone:
    """Position.side_to_move as a Stone."""
    if side in (Stone.BLACK, Stone.WHITE):
        return Stone(side)
    raise ValueError(f"{side!r} is not to move; expected Stone.BLACK or 1, or Stone.WHITE or 2")


def check_size(width: int, height: int) -> None:
    """ValueError when there is no board of that size."""
    try:
        if all(MIN_SIZE <= index(side) <= MAX_SIZE for side in (width, height)):
            return
    except TypeError:
        pass
    from engine.text import size_fault  # here, to keep it out of start-up

    raise ValueError(size_fault(width, height))


def check_position(position: Position) -> Position:
    """The position, read again (`_replace` checks nothing), if its stones fit on the board;
    ValueError with the reason if not."""
    position = Position(*position)
    seen = set()
    for x, y, _ in position.stones:
        if not (0 <= x < position.width and 0 <= y < position.height):
            raise ValueError(f"{x},{y} is off the {position.width}x{position.height} board")
        if (x, y) in seen:
            raise ValueError(f"two stones on {x},{y}")
        seen.add((x, y))
    return position
