"""Thinks about the own moves of a recorded game again, on a clock that counts nodes.

The engine runs as in a game: with the same limits, its table kept from move to move, and the time
left going down by what each move took. Only the clock differs. It advances by the nodes of the
search, so many a second, so the result is the same on every machine, and a match of 1,000 seconds
takes as long as its nodes take. The engine's answers do not matter: the recorded move is played.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.api import Engine
from engine.model import Limits
from engine.params import PARAMS
from tengen.game.record.time_control import TimeControl
from tengen.lab.timing.games import OneSide

# Own moves that tournaments are planned for.
MOVES = 40
# Nodes of a simulated second: a hundredth of what a real one has, and still depth 10 and more.
SPEED_NPS = 5000
# The search looks at its clock so often, the least that the parameter allows, because a simulated
# second has far fewer nodes than a real one.
_POLL_NODES = 16
# The VCF search before the first iteration has a budget of nodes, which in play is over in a few
# hundredths of a second; here it gets the nodes of so long a time.
_ROOT_VCF_S = 0.04
_ROOT_VCF = next(row for row in PARAMS if row.name == "vcf_root_nodes")


@dataclass(frozen=True)
class TimedMove:
    """One own move.

    number         of the own moves of this game, from one.
    stones         on the board before it.
    time_ms        it took.
    left_ms        of the match before it; None without a match limit.
    depth_plies    finished iterations; 0 = answered without a search.
    nodes          of the search.
    is_over        it took longer than the turn limit, or than was left of the match.
    """

    number: int
    stones: int
    time_ms: int
    left_ms: int | None
    depth_plies: int
    nodes: int
    is_over: bool


@dataclass(frozen=True)
class TimedSide:
    """All own moves of one player in one game, in order."""

    side: OneSide
    moves: tuple[TimedMove, ...]


def simulate(side: OneSide, control: TimeControl, speed_nps: int, moves: int) -> TimedSide:
    """Thinks about the first own moves, at most so many, of one player.

    control    the time that the player is given for the game.
    speed_nps  nodes of a simulated second.
    """
    return TimedSide(side, tuple(_timed_moves(side, control, speed_nps, moves)))


def _timed_moves(
    side: OneSide, control: TimeControl, speed_nps: int, moves: int
) -> Iterator[TimedMove]:
    engine = Engine()
    engine.use_node_clock(speed_nps)
    engine.set_parameter("poll_nodes", _POLL_NODES)
    root_vcf_nodes = max(_ROOT_VCF.low, round(_ROOT_VCF_S * speed_nps))
    engine.set_parameter("vcf_root_nodes", min(root_vcf_nodes, _ROOT_VCF.default))
    engine.set_parameter("vcf_long_nodes", 0)
    turn_ms, left_ms = _ms(control.turn_s), _ms(control.match_s)
    for number, position in enumerate(side.positions[:moves], start=1):
        engine.set_position(position)
        info = engine.think(Limits(turn_ms=turn_ms, left_ms=left_ms)).info
        limits = [limit for limit in (turn_ms, left_ms) if limit is not None]
        yield TimedMove(
            number,
            len(position.stones),
            info.time_ms,
            left_ms,
            info.depth_plies,
            info.nodes,
            info.time_ms > min(limits),
        )
        if left_ms is not None:
            left_ms += round(control.increment_s * 1000) - info.time_ms


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)
