"""What the timed moves of many games have in common: shares of the time, by move and by phase."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.params import PARAMS
from tengen.game.record.time_control import TimeControl
from tengen.lab.timing.simulate import TimedMove, TimedSide

# Own moves are shown in groups of so many.
GROUP = 5
_DEFAULTS = {row.name: row.default for row in PARAMS}
# The stones on the board where the phases of timeman.pyx begin and end.
EARLY, LATE = _DEFAULTS["early_stones"], _DEFAULTS["late_stones"]


@dataclass(frozen=True)
class Spread:
    """How many values there are, the lowest, the median and the highest."""

    count: int
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class Part:
    """Some of the moves.

    name      which.
    time_ms   of a move.
    used      the share of the time that a player has used after the last of these moves; None
              where the moves of a player do not follow each other from the first.
    of_all    the share of these moves in the time of all moves.
    """

    name: str
    time_ms: Spread
    used: Spread | None
    of_all: float


@dataclass(frozen=True)
class Use:
    """How the time of one time control is used.

    used      the share of the match time that players have used at the end; of the turn limits of
              their moves together where there is no match limit.
    used_long the same of players with all the moves that were asked for; None if there is none.
    turns     the share of its turn limit that a move uses; None without such a limit.
    over      moves over their limits.
    """

    control: TimeControl
    speed_nps: int
    sides: tuple[TimedSide, ...]
    used: Spread
    used_long: Spread | None
    turns: Spread | None
    over: int
    by_move: tuple[Part, ...]
    by_phase: tuple[Part, ...]


def spread(values: Iterable[float]) -> Spread:
    """The spread of some values, at least one."""
    found = sorted(values)
    return Spread(len(found), found[0], statistics.median(found), found[-1])


def use_of(
    control: TimeControl, speed_nps: int, sides: Sequence[TimedSide], long_moves: int
) -> Use:
    """How the players in `sides`, at least one, each with at least one move, use their time.

    long_moves  own moves of the players that `used_long` is about.
    """
    moves = [move for side in sides for move in side.moves]
    long = [side for side in sides if len(side.moves) >= long_moves]
    turn_ms = (control.turn_s or 0) * 1000
    return Use(
        control,
        speed_nps,
        tuple(sides),
        spread(_used(control, side.moves) for side in sides),
        spread(_used(control, side.moves) for side in long) if long else None,
        spread(move.time_ms / turn_ms for move in moves) if turn_ms else None,
        sum(move.is_over for move in moves),
        tuple(_by_move(control, sides)),
        tuple(_by_phase(moves)),
    )


def use_record(use: Use) -> dict[str, Any]:
    """The same as plain values, with every move."""
    record = asdict(use)
    record["sides"] = [
        {
            "game": side.side.name,
            "colour": side.side.colour.name.lower(),
            "moves": [asdict(move) for move in side.moves],
        }
        for side in use.sides
    ]
    return record


def _used(control: TimeControl, moves: Sequence[TimedMove]) -> float:
    """The share of the time that a player has used after these first moves."""
    if control.match_s:
        given_s = control.match_s + control.increment_s * (len(moves) - 1)
    else:
        given_s = (control.turn_s or 0) * len(moves)
    return sum(move.time_ms for move in moves) / 1000 / given_s if given_s else 0.0


def _by_move(control: TimeControl, sides: Sequence[TimedSide]) -> Iterable[Part]:
    all_ms = sum(move.time_ms for side in sides for move in side.moves)
    for first in range(0, max(len(side.moves) for side in sides), GROUP):
        there = [side for side in sides if len(side.moves) > first]
        times = [move.time_ms for side in there for move in side.moves[first : first + GROUP]]
        yield Part(
            f"{first + 1}-{first + GROUP}",
            spread(times),
            spread(_used(control, side.moves[: first + GROUP]) for side in there),
            sum(times) / all_ms if all_ms else 0.0,
        )


def _by_phase(moves: Sequence[TimedMove]) -> Iterable[Part]:
    all_ms = sum(move.time_ms for move in moves)
    phases = {
        f"under {EARLY} stones": range(EARLY),
        f"{EARLY} to {LATE - 1} stones": range(EARLY, LATE),
        f"{LATE} stones and more": range(LATE, 1000),
    }
    for name, stones in phases.items():
        times = [move.time_ms for move in moves if move.stones in stones]
        if times:
            yield Part(name, spread(times), None, sum(times) / all_ms if all_ms else 0.0)
