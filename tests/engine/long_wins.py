"""Boards with one long win by fours, put together by chance.

Each four needs the stone of the four before it, and each has one block. No other five cells in a
row ever have three stones of the attacker while the rest of them is open, and cells that take no
part are walls, so there are few other wins.
"""

from __future__ import annotations

import random

from engine.model import Placed, Position, Rule, Stone
from tengen.game.rules.proof import Node
from tests.engine.positions import Cell

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
_EXACT = (Rule.STANDARD, Rule.RENJU, Rule.CARO_EXACT)
_STEPS_BACK = 12


class _Chain:
    """The fours so far.

    own      the attacker's stones: with which four each comes, 0 for those on the board
    blocks   the replies, likewise
    steps    of each four: its cell, its blocks and all cells that were taken for it
    """

    def __init__(self, size: int, rule: Rule, start: Cell) -> None:
        self.size = size
        self.is_exact = rule in _EXACT
        self.own = {start: 0}
        self.blocks: dict[Cell, int] = {}
        self.steps: list[tuple[Cell, list[Cell], list[Cell]]] = []

    @property
    def last(self) -> Cell:
        """The stone that the next four needs."""
        return self.steps[-1][0] if self.steps else next(iter(self.own))

    def extend(self, rnd: random.Random) -> bool:
        """Adds a four with a stone of the last one; False where there is no room."""
        x, y = self.last
        rows = [
            self._row((x - back * dx, y - back * dy), (dx, dy), 5)
            for dx, dy in _DIRECTIONS
            for back in range(5)
        ]
        rnd.shuffle(rows)
        for row in sorted(rows, key=lambda row: sum(map(self._is_free, row))):
            free = [cell for cell in row if self._is_free(cell)]
            if len(free) >= 2 and self.blocks.keys().isdisjoint(row):
                rnd.shuffle(free)
                if self._add([row], free[0], free[1:2], free[2:]):
                    return True
        return False

    def end(self, rnd: random.Random) -> bool:
        """Adds an open four in the same way, which two blocks cannot stop."""
        x, y = self.last
        for dx, dy in _DIRECTIONS:
            for back in range(1, 5):
                row = self._row((x - back * dx, y - back * dy), (dx, dy), 6)
                free = [cell for cell in row[1:5] if self._is_free(cell)]
                if not free or not self.blocks.keys().isdisjoint(row):
                    continue
                if self._is_free(row[0]) and self._is_free(row[5]):
                    rnd.shuffle(free)
                    if self._add([row, row[:5], row[1:]], free[0], [row[0], row[5]], free[1:]):
                        return True
        return False

    def back(self) -> None:
        """Takes the last four away."""
        for cell in self.steps.pop()[2]:
            self.own.pop(cell, None)
            self.blocks.pop(cell, None)

    def _add(
        self, rows: list[list[Cell]], move: Cell, blocks: list[Cell], stones: list[Cell]
    ) -> bool:
        """Adds a four, unless a row of five but for these becomes one that is not harmless."""
        number = len(self.steps) + 1
        self.own |= dict.fromkeys(stones, 0) | {move: number}
        self.blocks |= dict.fromkeys(blocks, number)
        self.steps.append((move, blocks, [move, *blocks, *stones]))
        if all(map(self._is_harmless, self._rows_at(self.steps[-1][2], rows))):
            return True
        self.back()
        return False

    def _is_free(self, cell: Cell) -> bool:
        return cell not in self.own and cell not in self.blocks

    def _row(self, cell: Cell, step: Cell, length: int) -> list[Cell]:
        """So many cells from `cell` on; empty where they leave the board."""
        cells = [(cell[0] + i * step[0], cell[1] + i * step[1]) for i in range(length)]
        return cells if all(0 <= n < self.size for end in cells for n in end) else []

    def _rows_at(self, cells: list[Cell], but: list[list[Cell]]) -> list[list[Cell]]:
        """Every row of five, and where fives are exact of six, with one of the cells."""
        return [
            found
            for length in (5, 6)[: 1 + self.is_exact]
            for x, y in cells
            for dx, dy in _DIRECTIONS
            for back in range(length)
            if (found := self._row((x - back * dx, y - back * dy), (dx, dy), length)) not in but
        ]

    def _is_harmless(self, row: list[Cell]) -> bool:
        """False where the row makes another four possible, or a five too long."""
        own = sorted(self.own[cell] for cell in row if cell in self.own)
        least = 3 if len(row) == 5 else 5
        if len(own) < least or any(map(self._is_free, row)):
            return True
        return any(self.blocks.get(cell, len(self.steps) + 1) <= own[least - 1] for cell in row)


def long_win(size: int, rule: Rule, side: Stone, fours: int, seed: int) -> tuple[Position, Node]:
    """A position that `side`, which is to move, wins with so many fours, and its proof. The last
    four cannot be blocked. The referee has not seen it: a block may make five, a four be a foul."""
    rnd = random.Random(f"{size}/{rule}/{side}/{fours}/{seed}")
    chain = _Chain(size, rule, (rnd.randrange(size), rnd.randrange(size)))
    while len(chain.steps) < fours:
        is_last = len(chain.steps) == fours - 1
        if not (chain.end(rnd) if is_last else chain.extend(rnd)):
            for _ in range(min(len(chain.steps), rnd.randint(1, _STEPS_BACK))):
                chain.back()
    node = Node(chain.steps[-1][1][1], {})
    for move, (block, *_), _ in reversed(chain.steps):
        node = Node(move, {block: node}, Node(block, {}))
    placed = [Placed(x, y, side) for (x, y), number in chain.own.items() if not number]
    taken = chain.own.keys() | chain.blocks.keys()
    placed += [
        Placed(x, y, Stone.WALL) for y in range(size) for x in range(size) if (x, y) not in taken
    ]
    return Position(size, size, rule, placed, side), node
