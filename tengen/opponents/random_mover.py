"""The floor of the ladder: any empty point, each as likely as any other.

It loses to everything that has an idea, and shows what a program without one scores.
"""

from __future__ import annotations

from tengen.opponents.brain import Baseline, Choice, Clock, chance
from tengen.rules.referee import Referee


class RandomMover(Baseline):
    """Plays an empty point by chance. Known weakness: it is not looking."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """All empty points, shuffled by the seed and the position."""
        cells = board.empties()
        chance(self.seed, board).shuffle(cells)
        return Choice(cells)
