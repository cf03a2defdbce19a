"""Points as people at a board write and read them.

`h8` is a column letter, from the left, and a row number, from the bottom, as on a printed board.
`7,7` is the column and the row counted from zero at the top left, as in the protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tengen.rules.referee import Cell

_NAME = re.compile(r"([a-z])(\d{1,9})", re.ASCII | re.IGNORECASE)
_PAIR = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})", re.ASCII)


def column_letter(x: int) -> str:
    """The letter of a column, counted from zero at the left."""
    return chr(ord("a") + x)


def point_name(cell: Cell, height: int) -> str:
    """`h8` for a cell, counted from zero at the top left, of a board with so many rows."""
    x, y = cell
    return f"{column_letter(x)}{height - y}"


def point_names(cells: Iterable[Cell], height: int) -> str:
    """Several of them, with blanks between."""
    return " ".join(point_name(cell, height) for cell in cells)


def centre_name(width: int, height: int) -> str:
    """A point that every board has, for examples."""
    return point_name((width // 2, height // 2), height)


def is_point(text: str) -> bool:
    """Is the text written like a point, on whatever board?"""
    return _NAME.fullmatch(text) is not None or _PAIR.fullmatch(text) is not None


def read_point(text: str, width: int, height: int) -> Cell:
    """The cell that `h8` or `7,7` means on a board; ValueError, saying what is accepted, if it is
    none or not on the board."""
    if name := _NAME.fullmatch(text):
        x, y = ord(name[1].lower()) - ord("a"), height - int(name[2])
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(
                f"{text} is not on the board: the columns are a to {column_letter(width - 1)},"
                f" the rows 1 to {height}"
            )
    elif pair := _PAIR.fullmatch(text):
        x, y = int(pair[1]), int(pair[2])
        if not (0 <= x < width and 0 <= y < height):
            raise ValueError(
                f"{text} is not on the board: counted from the top left, the columns are"
                f" 0 to {width - 1}, the rows 0 to {height - 1}"
            )
    else:
        raise ValueError(f"{text} is no point; expected such as {centre_name(width, height)}")
    return x, y
