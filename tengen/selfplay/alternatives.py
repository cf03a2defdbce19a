"""The second and the third best move, for the moves that are played by chance."""

from __future__ import annotations

from engine.api import Engine
from engine.model import Limits, Point

# How much worse than the best move they may be, in centi-stones.
MARGIN = 40
_LINES = 3


def alternatives(engine: Engine, best: Point, nodes: int) -> list[Point]:
    """Of the three best moves those that are not `best` and within MARGIN of the first, by a search
    of so many nodes in the position on the engine's board. None of them loses by force, and there
    is none where one of them wins by force."""
    lines = engine.think(Limits(nodes=nodes, lines=_LINES)).lines
    if not lines or lines[0].score.mate_plies is not None:
        return []
    least = lines[0].score.value - MARGIN
    return [
        line.pv[0]
        for line in lines
        if line.pv[0] != best and line.score.mate_plies is None and line.score.value >= least
    ][: _LINES - 1]
