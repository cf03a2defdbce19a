"""The opponents by name: a line about each, and how to create one.

The module of a brain is imported only when the brain is created, so that listing names is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

from protocol.brain import Brain


class Entry(NamedTuple):
    """One opponent.

    factory  "module:callable"; the callable takes the seed and returns a brain
    idea     how it chooses its move, in one line that can be read without the others
    """

    factory: str
    idea: str


# The weakest first; docs/LADDER.md has the ratings, whose intervals often overlap.
BRAINS: dict[str, Entry] = {
    "random": Entry("tengen.opponents.random_mover:RandomMover", "any empty point, at random"),
    "weights": Entry(
        "tengen.opponents.weights:Weights", "weights for the rows of stones that touch a point"
    ),
    "score": Entry("tengen.opponents.score:ScoreMap", "scores for rows blocked and rows made"),
    "minimax-basic": Entry(
        "tengen.opponents.minimax:Basic", "pattern scores, one move deep: attack or defend"
    ),
    "foresight-low": Entry(
        "tengen.opponents.windows:Low", "fours, then the best sum over windows of five"
    ),
    "simple": Entry("tengen.opponents.simple:Simple", "rows made and rows blocked, one move deep"),
    "lines": Entry("tengen.opponents.lines:Lines", "a sum over the winning lines through a point"),
    "foresight": Entry(
        "tengen.opponents.foresight:Foresight", "shapes of points, and forced moves ahead"
    ),
    "minimax": Entry(
        "tengen.opponents.minimax:Minimax", "pattern scores, four plies deep, five moves a ply"
    ),
    "foresight-high": Entry(
        "tengen.opponents.windows:High",
        "fours and open threes, then sums over windows of five",
    ),
    "alphabeta": Entry(
        "tengen.opponents.minimax:AlphaBeta",
        "minimax with alpha-beta pruning, four plies deep",
    ),
}


def create(name: str, seed: int = 0) -> Brain:
    """A new brain of that name, one of BRAINS; `seed` seeds its random choices."""
    module, _, attribute = BRAINS[name].factory.partition(":")
    brain: Brain = getattr(import_module(module), attribute)(seed)
    return brain
