"""Openings: the first moves of a game, given and not searched.

The file format is Piskvork's and Gomocup's: one opening per line, offsets `dx,dy` from the centre
cell (width // 2, height // 2), black first:

    0,0, 1,-1, -3,2, 2,2

Blanks may follow the commas; empty lines are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from match.referee import BLACK, WHITE, Cell, Referee

SYMMETRIES = 8
_MAX_OFFSET = 50


@dataclass(frozen=True)
class Opening:
    """Moves as offsets from the centre cell, black first; `source` says where it comes from."""

    offsets: tuple[Cell, ...]
    source: str = "built in"

    def place(self, width: int, height: int) -> tuple[Cell, ...]:
        """The moves as cells of a board; ValueError if one falls off it."""
        cells = tuple((width // 2 + dx, height // 2 + dy) for dx, dy in self.offsets)
        for x, y in cells:
            if not (0 <= x < width and 0 <= y < height):
                raise ValueError(f"opening {self.source}: does not fit on a {width}x{height} board")
        return cells


def transformed(opening: Opening, symmetry: int) -> Opening:
    """The opening turned or mirrored about the centre cell; `symmetry` from 0 (as it is) to 7."""

    def image(dx: int, dy: int) -> Cell:
        if symmetry & 1:
            dx = -dx
        if symmetry & 2:
            dy = -dy
        return (dy, dx) if symmetry & 4 else (dx, dy)

    return Opening(tuple(image(dx, dy) for dx, dy in opening.offsets), opening.source)


def read_openings(text: str, source: str) -> list[Opening]:
    """Reads a file's text; ValueError, naming `source` and the line, for a line that is no list
    of pairs, holds a cell twice or an offset beyond 50, or if there is no opening at all."""
    openings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            where = f"{source}, line {number}"
            openings.append(Opening(_read_offsets(line, where), where))
    if not openings:
        raise ValueError(f"{source}: holds no opening")
    return openings


def load_openings(path: Path) -> list[Opening]:
    """Reads an openings file. ValueError in one line if it cannot be read or is not one."""
    try:
        return read_openings(path.read_text(encoding="ascii"), str(path))
    except UnicodeDecodeError:
        raise ValueError(f"{path}: is not an openings file (offsets such as 0,0, 1,-1)") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None


def _read_offsets(line: str, where: str) -> tuple[Cell, ...]:
    try:
        numbers = [int(word) for word in line.strip().rstrip(",").split(",")]
    except ValueError:
        raise ValueError(f"{where}: expected offsets such as 0,0, 1,-1") from None
    if len(numbers) % 2:
        raise ValueError(f"{where}: an odd count of numbers")
    if any(abs(number) > _MAX_OFFSET for number in numbers):
        raise ValueError(f"{where}: an offset beyond {_MAX_OFFSET}")
    offsets = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    if len(set(offsets)) < len(offsets):
        raise ValueError(f"{where}: the same cell twice")
    return offsets


def check_openings(openings: Iterable[Opening], width: int, height: int, rule: int) -> None:
    """ValueError if an opening does not fit on the board in all eight ways, already ends the
    game, or has a foul in it."""
    for opening in openings:
        for symmetry in range(SYMMETRIES):
            board = Referee(width, height, rule)
            for i, (x, y) in enumerate(transformed(opening, symmetry).place(width, height)):
                colour = WHITE if i % 2 else BLACK
                if colour == BLACK and (foul := board.foul(x, y)) is not None:
                    raise ValueError(f"opening {opening.source}: move {i + 1} is a {foul}")
                board.play(x, y, colour)
                if board.winner():
                    raise ValueError(f"opening {opening.source}: move {i + 1} wins")
        if board.is_full():
            raise ValueError(f"opening {opening.source}: leaves no empty cell")


# Loose stones near the centre that neither side has much of an advantage in, under any rule: drawn
# at random, and kept where a few seconds of search gave a value near zero for all of them.
_BUILT_IN = (
    "1,-2, 2,0, -3,-2, -1,-3, 2,2",
    "1,1, 1,0, -3,-2, -1,3, 2,1",
    "0,-3, 0,3, -2,3, -1,0",
    "-3,3, 1,3, 2,1, 2,-1, 2,0",
    "-3,1, 0,-2, 3,3, 3,-3, 1,-3, -3,-2",
    "-3,3, -1,3, -3,-1, -2,-2, 1,3",
    "-1,3, 3,2, -2,-2, -1,-1, 0,0",
    "-3,1, -2,3, 2,3, -2,1",
    "2,-3, -2,3, 1,3, 0,3",
    "-1,0, 2,0, 3,1, 1,2, 0,0",
)
# For boards too small for those; their balance is by eye.
_BUILT_IN_SMALL = ("0,0, 1,-1, -1,-2, -2,1", "0,0, -1,0, 2,1, 1,-2")


def built_in_openings(width: int, height: int) -> list[Opening]:
    """A few openings that fit on the board in all eight ways; on boards with a side under 7 the
    only one is the empty board."""
    side = min(width, height)
    if side < 7:
        return [Opening(())]
    lines = _BUILT_IN if side >= 9 else _BUILT_IN_SMALL
    return [Opening(_read_offsets(line, "built in"), "built in") for line in lines]
