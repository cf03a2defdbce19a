"""How long to search, and how strongly: the limits of Engine.think() and of the threat solver, and
the one table of what each level of strength sees. `engine.model` has these values too, and callers
take them from there.

Levels go from 1, a beginner, to MAX_LEVEL, the whole engine; a strength, as managers send it, from
0 to MAX_STRENGTH. A weak level is not made to play bad moves: it sees less, and plays the best move
of what it sees. Its search is small, values are blurred, and it overlooks some moves.
The numbers were set by matches of neighbouring levels (docs/ledger/).
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import NamedTuple

MAX_LINES = 64

# The threats that a solver may use, from most to fewest: see SolveLimits.
METHODS = ("vct", "threes", "vcf")


class _LimitsFields(NamedTuple):
    turn_ms: int | None = None
    match_ms: int | None = None
    left_ms: int | None = None
    nodes: int | None = None
    depth_plies: int | None = None
    started_ns: int | None = None
    mate_plies: int | None = None
    is_analysis: bool = False
    lines: int = 1
    is_ponder: bool = False
    excluded: tuple[tuple[int, int], ...] = ()
    increment_ms: int | None = None


class Limits(_LimitsFields):
    """How long to think. None means: no limit of that kind.

    turn_ms      limit for this move; 0 = answer at once.
    match_ms     limit for the whole game; counts only where left_ms is None.
    left_ms      what is left of the match time; may be zero or negative.
    nodes        stones made in any search, VCF included; 0 = answer at once.
    depth_plies  last iteration of iterative deepening.
    started_ns   `time.perf_counter_ns()` when the command was read; None = now.
    mate_plies   the search ends early only at a forced win of at most so many stones; None = at any
                 forced win.
    is_analysis  the value matters as much as the move: a position with only one move is searched.
    lines        1 to 64: so many of the best moves are searched, each for its exact value
                 (Info.lines). Four lines take about three times as many nodes as one.
    is_ponder    the search takes place in the opponent's time, for a position in which the opponent
                 has played the expected move: it has no clock until Engine.ponder_hit(), and does
                 not end before that or Engine.request_stop(). A limit of nodes or depth holds from
                 the start.
    excluded     points (x, y) that are not played, whatever follows from that; points off the board
                 have no effect. The opponent can play them, and so can the search later in a line.
    increment_ms what the match time grows by after each own move; None = by nothing.
    If neither time nor nodes nor depth is limited, the engine takes 5 seconds.

    Raises ValueError for a limit that is not a whole number or out of range, naming the field.
    """

    __slots__ = ()

    def __new__(
        cls,
        turn_ms: int | None = None,
        match_ms: int | None = None,
        left_ms: int | None = None,
        nodes: int | None = None,
        depth_plies: int | None = None,
        started_ns: int | None = None,
        mate_plies: int | None = None,
        is_analysis: bool = False,
        lines: int = 1,
        is_ponder: bool = False,
        excluded: Iterable[tuple[int, int]] = (),
        increment_ms: int | None = None,
    ) -> Limits:
        return super().__new__(
            cls,
            _limit("turn_ms", turn_ms, 0),
            _limit("match_ms", match_ms, 1),
            _limit("left_ms", left_ms),
            _limit("nodes", nodes, 0),
            _limit("depth_plies", depth_plies, 1),
            _limit("started_ns", started_ns),
            _limit("mate_plies", mate_plies, 1),
            is_analysis,
            _line_count(lines),
            is_ponder,
            _points(excluded),
            _limit("increment_ms", increment_ms, 0),
        )


class _SolveLimitsFields(NamedTuple):
    nodes: int | None = None
    time_ms: int | None = None
    moves: int | None = None
    method: str = "vct"
    shortest: bool = False


class SolveLimits(_SolveLimitsFields):
    """How long to search for a win by threats. None means: no limit of that kind.

    nodes    stones made, all kinds of search together.
    time_ms  from the call.
    moves    the attacker's stones, the five included.
    method   "vct": fours, threes and moves that threaten to win by fours; "threes": fours and
             threes; "vcf": fours only. With "vct" a few first moves are tried besides that
             threaten to win by threes.
    shortest use what is left of the limits to shorten the win; else a win is shortened with as many
             nodes as it has taken, 30,000 at most (parameter solver_short_nodes).

    Raises ValueError for a limit that is not a whole number or is too small, naming the field, and
    for a method that does not exist.
    """

    __slots__ = ()

    def __new__(
        cls,
        nodes: int | None = None,
        time_ms: int | None = None,
        moves: int | None = None,
        method: str = "vct",
        shortest: bool = False,
    ) -> SolveLimits:
        if method not in METHODS:
            expected = ", ".join(map(repr, METHODS))
            raise ValueError(f"method {method!r} is not known; expected one of {expected}")
        return super().__new__(
            cls,
            _limit("nodes", nodes, 0),
            _limit("time_ms", time_ms, 0),
            _limit("moves", moves, 1),
            method,
            shortest,
        )


def _limit(field: str, value: object, least: int | None = None) -> int | None:
    """The value of a limit; ValueError naming the field when it is not a valid limit."""
    if value is None:
        return None
    try:
        number = None if isinstance(value, bool) else index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or (least is not None and number < least):
        wanted = "a whole number" if least is None else f"a whole number from {least}"
        raise ValueError(
            f"{field}={value!r} is not a limit; expected {wanted}, or None for no limit"
        )
    return number


def _points(value: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The points that a search excludes; ValueError for anything but pairs of whole numbers."""
    try:
        return tuple([(index(x), index(y)) for x, y in value])
    except (TypeError, ValueError):
        raise ValueError(f"excluded={value!r} are not points; expected pairs x, y") from None


def _line_count(value: object) -> int:
    """A number of lines; ValueError when there cannot be so many."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MAX_LINES:
        raise ValueError(
            f"lines={value!r} is not a number of lines; expected a whole number from 1 to"
            f" {MAX_LINES}"
        )
    return value


# -- levels of strength


MAX_LEVEL = 10
MAX_STRENGTH = 100
MAX_SEED = 2**31 - 1


class Sight(NamedTuple):
    """What a level below MAX_LEVEL sees.

    nodes             most nodes of a search.
    depth_plies       last iteration of it.
    noise             centi-stones: the largest error of a static value; 75 % are at most half.
    unseen_quiet      permille of the quiet moves that are not considered, drawn at every move.
    unseen_threats    the same for moves that make or stop a three or more.
    unseen_fives      permille: how often a five, to make or to stop, is overlooked.
    vcf_leaf_nodes    budget of the search for wins by fours at a leaf.
    vcf_root_nodes    the same at the root.
    """

    nodes: int
    depth_plies: int
    noise: int
    unseen_quiet: int
    unseen_threats: int
    unseen_fives: int
    vcf_leaf_nodes: int
    vcf_root_nodes: int


# By level, from 1. A level sees at least as much as the one before it, in every column.
_SIGHTS = (
    Sight(20, 1, 700, 925, 905, 560, 0, 0),
    Sight(30, 1, 650, 893, 850, 350, 0, 0),
    Sight(40, 1, 540, 830, 760, 0, 0, 0),
    Sight(60, 1, 430, 690, 560, 0, 0, 0),
    Sight(100, 2, 305, 490, 350, 0, 0, 0),
    Sight(150, 3, 222, 330, 200, 0, 0, 0),
    Sight(350, 4, 158, 215, 72, 0, 0, 50),
    Sight(1_050, 7, 93, 136, 15, 0, 6, 400),
    Sight(2_600, 12, 62, 93, 5, 0, 12, 1_500),
)


def check_seed(seed: int) -> int:
    """The seed; ValueError for anything but a whole number from 0 to MAX_SEED."""
    return _checked("seed", seed, 0, MAX_SEED)


def level_of(strength: int) -> int:
    """The level of a strength: those below MAX_STRENGTH are divided evenly among the levels below
    MAX_LEVEL. ValueError for anything but a whole number from 0 to MAX_STRENGTH."""
    strength = _checked("strength", strength, 0, MAX_STRENGTH)
    return 1 + strength * (MAX_LEVEL - 1) // MAX_STRENGTH


def strength_of(level: int) -> int:
    """The least strength of a level; ValueError for anything but a whole number from 1 to
    MAX_LEVEL."""
    return -((_checked("level", level, 1, MAX_LEVEL) - 1) * -MAX_STRENGTH // (MAX_LEVEL - 1))


def sight_of(strength: int) -> Sight | None:
    """What is seen at a strength; None = all, the whole engine."""
    level = level_of(strength)
    return None if level == MAX_LEVEL else _SIGHTS[level - 1]


def _checked(name: str, value: int, low: int, high: int) -> int:
    try:
        number = -1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = -1
    if not low <= number <= high:
        raise ValueError(
            f"{name} {value!r} does not exist; expected a whole number from {low} to {high}"
        )
    return number
