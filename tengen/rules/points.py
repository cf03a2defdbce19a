"""Points of a board: how people write them, and how programs do.

    h8     what people type and see: the letter of the column, from the left, and the number of the
           row, counted from the bottom, as on a printed board
    7,7    what programs exchange: column and row, both counted from zero at the top left, as in the
           protocol

Both are read wherever a point is typed. Files of other programs that write points in their own way
(sgf, psq, openings of c-gomoku-cli) are read in tengen/record/.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tengen.rules.referee import Cell

_NAME = re.compile(r"([a-z])(\d{1,9})", re.ASCII | re.IGNORECASE)
_PAIR = re.compile(r"(-?\d{1,9})\s*,\s*(-?\d{1,9})", re.ASCII)
# A list of points of one kind. Names may follow each other directly; pairs need a separator.
_NAMES = re.compile(r"\s*(?:[a-z]\d{1,9}[\s;,]*)+", re.ASCII | re.IGNORECASE)
_PAIRS = re.compile(rf"\s*{_PAIR.pattern}(?:[\s;]+{_PAIR.pattern})*[\s;]*", re.ASCII)


def column_letter(x: int) -> str:
    """The letter of a column, counted from zero at the left."""
    return chr(ord("a") + x)


def point_name(cell: Cell, height: int) -> str:
    """`h8` for a cell of a board with `height` rows."""
    x, y = cell
    return f"{column_letter(x)}{height - y}"


def point_names(cells: Iterable[Cell], height: int) -> str:
    """`h8 i9` for several cells."""
    return " ".join(point_name(cell, height) for cell in cells)


def name_or_pair(cell: Cell, width: int, height: int) -> str:
    """`h8` for a cell of the board, `-1,3` for one that is not on it."""
    x, y = cell
    return point_name(cell, height) if 0 <= x < width and 0 <= y < height else pair_text(cell)


def centre_name(width: int, height: int) -> str:
    """The name of the centre, as an example of a point that is on the board."""
    return point_name((width // 2, height // 2), height)


def pair_text(cell: Cell) -> str:
    """`7,7` for a cell."""
    return f"{cell[0]},{cell[1]}"


def is_point(text: str) -> bool:
    """True if the text is one point, on a board of any size."""
    return _NAME.fullmatch(text) is not None or _PAIR.fullmatch(text) is not None


def are_points(text: str) -> bool:
    """True if the text is one point or several, all written in the same way, on a board of any
    size."""
    return _NAMES.fullmatch(text) is not None or _PAIRS.fullmatch(text) is not None


def read_point(text: str, width: int, height: int) -> Cell:
    """The cell that `h8` or `7,7` names on a board of that size. ValueError if the text is not a
    point, or a point that is not on the board."""
    if name := _NAME.fullmatch(text):
        x, y = ord(name[1].lower()) - ord("a"), height - int(name[2])
        expected = (
            f"try {centre_name(width, height)} (columns a to {column_letter(width - 1)},"
            f" rows 1 to {height} from the bottom)"
        )
    elif pair := _PAIR.fullmatch(text):
        x, y = int(pair[1]), int(pair[2])
        expected = (
            f"try {pair_text((width // 2, height // 2))} (x,y from 0,0 at the top left"
            f" to {pair_text((width - 1, height - 1))})"
        )
    else:
        raise ValueError(f"{_shown(text)} is not a point; try {_examples(width, height)}")
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"{_shown(text)} is not a point on this board; {expected}")
    return x, y


def read_points(text: str, width: int, height: int) -> list[Cell]:
    """The cells of a list such as `h8i9g7`, `h8 i9 g7` or `7,7 8,8 6,6`, in order. ValueError as
    for `read_point`, and for a cell that is in the list twice."""
    pattern = _NAME if _NAMES.fullmatch(text) else _PAIR if _PAIRS.fullmatch(text) else None
    if pattern is None:
        raise ValueError(f"{_shown(text)} is not a list of points; try h8i9 or 7,7 8,8")
    cells: list[Cell] = []
    for found in pattern.finditer(text):
        cell = read_point(found[0], width, height)
        if cell in cells:
            raise ValueError(f"{_shown(found[0])} is in the list twice")
        cells.append(cell)
    return cells


def _examples(width: int, height: int) -> str:
    return f"{centre_name(width, height)} or {pair_text((width // 2, height // 2))}"


def _shown(text: str) -> str:
    """The text in quotes, or its beginning."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 30 else f"{line[:27]}...")
