"""The opponents by name: what there is, what each does in one line, and how to make one.

A brain is made only when it is asked for, so that a list of names costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from protocol.brain import Brain


class Entry(NamedTuple):
    """One opponent.

    factory  "module:callable"; the callable takes the seed and returns a brain
    idea     how it chooses its move, in one line that needs no other: the order changes
    """

    factory: str
    idea: str


# From weak to strong; docs/LADDER.md has the ratings. Neighbours are often within the error.
BRAINS: dict[str, Entry] = {
    "random": Entry("tengen.opponents.random_mover:RandomMover", "any empty point, by chance"),
    "weights": Entry(
        "tengen.opponents.weights:Weights", "a table of twenty rows that touch the point"
    ),
    "score": Entry(
        "tengen.opponents.score:ScoreMap", "rows stopped and rows made, one of the highest"
    ),
    "minimax-basic": Entry("tengen.opponents.minimax:Basic", "pattern scores: attack, or defend"),
    "foresight-low": Entry(
        "tengen.opponents.windows:Low", "fours, then the best sum of windows of five"
    ),
    "simple": Entry("tengen.opponents.simple:Simple", "rows made and rows stopped, one move deep"),
    "lines": Entry("tengen.opponents.lines:Lines", "the winning lines through a point, added up"),
    "foresight": Entry(
        "tengen.opponents.foresight:Foresight", "tables of shapes, and forced moves ahead"
    ),
    "minimax": Entry(
        "tengen.opponents.minimax:Minimax", "pattern scores, four plies of five moves"
    ),
    "foresight-high": Entry(
        "tengen.opponents.windows:High", "as foresight-low, and open threes too"
    ),
    "alphabeta": Entry(
        "tengen.opponents.minimax:AlphaBeta", "the moves of minimax, from fewer positions"
    ),
}


def create(name: str, seed: int = 0) -> Brain:
    """A new brain of that name; `seed` decides where it leaves something to chance.

    ValueError names what there is when there is none of that name.
    """
    if name not in BRAINS:
        raise ValueError(f"there is no opponent {name!r}; there are {', '.join(BRAINS)}")
    module, _, attribute = BRAINS[name].factory.partition(":")
    brain: Brain = getattr(import_module(module), attribute)(seed)
    return brain
