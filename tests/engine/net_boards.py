"""Boards with stones at random, for tests of nets."""

from __future__ import annotations

import random

from tests.engine.probe import ProbeBoard

SIZES = ((5, 5), (6, 9), (9, 6), (15, 15), (20, 20), (22, 22), (22, 5))


class Table:
    """A board with stones played at random: mostly near others, now and then the wrong colour."""

    def __init__(self, width: int, height: int, rule: int, rng: random.Random) -> None:
        cells = [(x, y) for x in range(width) for y in range(height)]
        self.walls = rng.sample(cells, rng.choice((0, 0, 3)))
        self.size = (width, height)
        self.rng = rng
        self.board = ProbeBoard(width, height, rule, self.walls)
        self.stones: list[tuple[int, int, int]] = []
        self.side = 1

    def all(self) -> dict[tuple[int, int], int]:
        return {**dict.fromkeys(self.walls, 3), **{(x, y): c for x, y, c in self.stones}}

    def make(self) -> None:
        empty = self.board.empties()
        near = []
        if self.stones:
            x, y, _ = self.rng.choice(self.stones[-8:])
            near = [p for p in empty if max(abs(p[0] - x), abs(p[1] - y)) <= 2]
        x, y = self.rng.choice(near if near and self.rng.random() < 0.9 else empty)
        colour = self.side if self.rng.random() < 0.9 else 3 - self.side
        self.board.make(x, y, colour)
        self.stones.append((x, y, colour))
        self.side = 3 - colour

    def undo(self) -> None:
        self.board.undo()
        self.side = self.stones.pop()[2]
        self.board.set_side(self.side)

    def wander(self, steps: int) -> None:
        """Makes and takes back stones."""
        for _ in range(steps):
            back = self.stones and (self.rng.random() < 0.4 or not self.board.empties())
            self.undo() if back else self.make()
