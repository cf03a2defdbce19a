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
    "random": Entry("baselines.random_mover:RandomMover", "any empty point, by chance"),
    "weights": Entry("baselines.weights:Weights", "a table of twenty rows that touch the point"),
    "score": Entry("baselines.score:ScoreMap", "rows stopped and rows made, one of the highest"),
    "minimax-basic": Entry("baselines.minimax:Basic", "pattern scores: attack, or defend"),
    "foresight-low": Entry("baselines.windows:Low", "fours, then the best sum of windows of five"),
    "simple": Entry("baselines.simple:Simple", "rows made and rows stopped, one move deep"),
    "lines": Entry("baselines.lines:Lines", "the winning lines through a point, added up"),
    "foresight": Entry("baselines.foresight:Foresight", "tables of shapes, and forced moves ahead"),
    "minimax": Entry("baselines.minimax:Minimax", "pattern scores, four plies of five moves"),
    "foresight-high": Entry("baselines.windows:High", "as foresight-low, and open threes too"),
    "alphabeta": Entry("baselines.minimax:AlphaBeta", "the moves of minimax, from fewer positions"),
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
