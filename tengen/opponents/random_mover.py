"""Plays any empty point, each with the same probability.

It is the weakest opponent, and the ratings of the ladder are counted from it.
"""

from __future__ import annotations

from tengen.game.referee import Referee
from tengen.opponents.brain import Baseline, Choice, Clock, chance


class RandomMover(Baseline):
    """Plays a random empty point. Known weakness: it ignores the stones on the board."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """All empty points, shuffled by the seed and the position."""
        cells = board.empties()
        chance(self.seed, board).shuffle(cells)
        return Choice(cells)
