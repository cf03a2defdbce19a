"""How long to search: the limits of Engine.think() and of the threat solver. `engine.model` has
these values too, and callers take them from there."""

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


class SolveLimits(_SolveLimitsFields):
    """How long to search for a win by threats. None means: no limit of that kind.

    nodes    stones made, all kinds of search together.
    time_ms  from the call.
    moves    the attacker's stones, the five included.
    method   "vct": fours, threes and moves that threaten to win by them; "threes": fours and
             threes; "vcf": fours only. With `moves`, every first move tried is a direct threat.

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
