"""A number for a position that is the same for its eight images and for any order of its moves.

Each stone has a random number of 64 bits in each image of the board. A position is the exclusive or
of its stones' numbers, image by image, and its key the least of the results. All eight images are
in one integer, so that a move is one operation. The random numbers are from a fixed seed: keys are
kept in files.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b

from tengen.game.openings import image, symmetries
from tengen.game.referee import BLACK, WALL, WHITE, Cell, Stone

# Where a game ended, in place of the cell of the next move.
NO_MOVE = -1
# A step of a tree: x, y, colour and flags. Steps are in the order of the tree, first child before
# next sibling; SIBLING: another step comes in the same position later; LEAF: none comes after it.
Step = tuple[int, int, int, int]
SIBLING, LEAF = 128, 64
_IMAGES = 8
_EACH = struct.Struct(f"<{_IMAGES}q")


def _random(*parts: object) -> bytes:
    return blake2b(" ".join(map(str, parts)).encode(), digest_size=8).digest()


class Keys:
    """The keys of positions of one board size and rule.

    Cells are numbers here, width * y + x; a move belongs to an image of the position, so that the
    same move in another image is the same number.
    """

    def __init__(self, width: int, height: int, rule: int) -> None:
        self.width = width
        numbers = [symmetries(width, height)[n % len(symmetries(width, height))] for n in range(8)]
        cells = [(x, y) for y in range(height) for x in range(width)]
        # By image, for each cell its place there; an image of a board that is not square has the
        # same size, one of a square too.
        self._places = [
            [y * width + x for x, y in image(cells, number, width, height)] for number in numbers
        ]
        self._empty = int.from_bytes(_random(width, height, rule) * _IMAGES, "little")
        self._white_moves = int.from_bytes(_random("white to move") * _IMAGES, "little")
        self._stones: dict[int, list[int]] = {}
        for colour in (BLACK, WHITE, WALL):
            own = [_random(colour, cell) for cell in range(len(cells))]
            self._stones[colour] = [
                int.from_bytes(b"".join(own[places[cell]] for places in self._places), "little")
                for cell in range(len(cells))
            ]

    def along(
        self, setup: Iterable[Stone], steps: Iterable[Step], side: int
    ) -> Iterator[tuple[int, int]]:
        """For each step of a game or a tree the key of the position before it and the move, and for
        each last position its key and NO_MOVE; `side` is to move where there are no steps."""
        width, stones, white = self.width, self._stones, self._white_moves
        both = self._empty
        for x, y, colour in setup:
            both ^= stones[colour][y * width + x]
        branches: list[int] = []
        colour = 0
        for x, y, colour, flags in steps:
            cell = y * width + x
            yield self._keyed(both if colour == BLACK else both ^ white, cell)
            if flags & SIBLING:
                branches.append(both)
            both ^= stones[colour][cell]
            if flags & LEAF:
                yield self._keyed(both ^ white if colour == BLACK else both, NO_MOVE)
                both = branches.pop() if branches else both
        if not colour:
            yield self._keyed(both if side == BLACK else both ^ white, NO_MOVE)

    def _keyed(self, both: int, cell: int) -> tuple[int, int]:
        keys = _EACH.unpack(both.to_bytes(8 * _IMAGES, "little"))
        key = min(keys)
        if cell == NO_MOVE:
            return key, cell
        if keys.count(key) == 1:
            return key, self._places[keys.index(key)][cell]
        # An image that is the position itself: moves that it exchanges are one.
        return key, min(
            places[cell] for places, own in zip(self._places, keys, strict=True) if own == key
        )

    def of(self, stones: Iterable[Stone], side: int) -> int:
        """The key of a position with these stones, where `side` is to move."""
        [(key, _)] = self.along(stones, (), side)
        return key

    def moves(self, stones: Iterable[Stone], side: int, cells: Iterable[Cell]) -> dict[int, Cell]:
        """These cells by the number that `along` has for such a move; of several that the position
        does not tell apart, the first one."""
        both = self._empty if side == BLACK else self._empty ^ self._white_moves
        for x, y, colour in stones:
            both ^= self._stones[colour][y * self.width + x]
        found: dict[int, Cell] = {}
        for x, y in cells:
            found.setdefault(self._keyed(both, y * self.width + x)[1], (x, y))
        return found


@lru_cache(maxsize=64)
def keys_for(width: int, height: int, rule: int) -> Keys:
    """The keys of positions of that size and rule."""
    return Keys(width, height, rule)
