"""All lines that were on the board since a game began, and Black's chance in each position.

A node is a move after another node; the root, number 0, is the position before the first move. A
number stays that of its node for as long as the tree lives.
"""

from __future__ import annotations

from collections.abc import Sequence

from tengen.game.record.tree import Node, stone_in
from tengen.game.rules.referee import Cell, opponent_of
from tengen.people.sitting.game import Game

# Nodes of a file that are shown.
_MOST_OF_FILE = 2000


class Tree:
    """The lines of one game."""

    def __init__(self) -> None:
        # By number: the node before it, and the move.
        self._nodes: list[tuple[int, Cell]] = [(0, (-1, -1))]
        self._numbers: dict[tuple[int, Cell], int] = {}
        self._chances: dict[int, float] = {}

    def add(self, cells: Sequence[Cell]) -> int:
        """The number of the position after these moves, which from now on belong to the tree."""
        node = 0
        for cell in cells:
            key = (node, (cell[0], cell[1]))
            if key not in self._numbers:
                self._nodes.append(key)
                self._numbers[key] = len(self._nodes) - 1
            node = self._numbers[key]
        return node

    def add_file(self, game: Game) -> None:
        """Adds the lines of the file that a game is from, as far as they can be shown: a large file
        has too many."""
        origin = game.origin
        if origin is None or origin.root is None or origin.before:
            return
        waiting: list[tuple[Node, tuple[Cell, ...]]] = [(origin.root, ())]
        for _ in range(_MOST_OF_FILE):
            if not waiting:
                return
            node, cells = waiting.pop()
            stone = stone_in(node, game.height)
            if stone is not None:
                x, y, colour = stone
                turn = opponent_of(game.first) if len(cells) % 2 else game.first
                is_free = (x, y) not in cells and (x, y) not in {s[:2] for s in game.setup}
                if not (is_free and colour == turn and x < game.width and 0 <= y < game.height):
                    continue
                cells = (*cells, (x, y))
                self.add(cells)
            waiting += [(child, cells) for child in reversed(node.children)]

    def set_chance(self, cells: Sequence[Cell], chance: float) -> None:
        """Black's chance to win after these moves, from 0 to 1, as it is known now."""
        self._chances[self.add(cells)] = round(chance, 4)

    def nodes(self) -> list[list[int | float | None]]:
        """From number 1 on: the node before it, the move's column and row, and Black's chance to
        win after it, None where it is not known. The first move after a node that was made is its
        main line."""
        return [
            [before, cell[0], cell[1], self._chances.get(number)]
            for number, (before, cell) in enumerate(self._nodes)
            if number
        ]

    @property
    def root_chance(self) -> float | None:
        """Black's chance before the first move; None where it is not known."""
        return self._chances.get(0)
