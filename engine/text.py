"""Reads what people write about a position: points, lists of moves, and pictures of a board.

    h8     column h, row 8 counted from the bottom left, as on a printed board
    7,7    column and row counted from zero at the top left, as programs exchange them

Plain values in and out; engine.model makes positions of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

Cell = tuple[int, int]

_NAME = re.compile(r"([A-Za-z])([0-9]{1,9})")
_PAIR = re.compile(r"([-+]?[0-9]{1,9})[ \t]*,[ \t]*([-+]?[0-9]{1,9})")
_BETWEEN = re.compile(r"[\s;]*")
# No comma after a pair: `7,7,8` is not a pair.
_AFTER_PAIR = re.compile(r"(?![^\s;])")
_AFTER_NAME = re.compile(r"(?![0-9])[ \t]*,?")
_HEADER = re.compile(r"\s*([A-Za-z][A-Za-z _-]*?)\s*:\s*(.*?)\s*")
_ROW = re.compile(r"\s*(?:[0-9]{1,2}(?=\s))?([XO.#!?\s]+?)(?:\s[0-9]{1,2})?\s*")

# What stands on a cell, numbered as engine.model.Stone; `!` and `?` are marks on empty cells.
SIGNS = {".": 0, "!": 0, "?": 0, "X": 1, "O": 2, "#": 3}


class Drawing(NamedTuple):
    """A text about a position, taken apart.

    header  the `key: value` lines, keys in lower case with single blanks.
    rows    the rows of a picture from the top, the stones numbered as in SIGNS; none without one.
    moves   the text of the other lines.
    """

    header: dict[str, str]
    rows: tuple[tuple[int, ...], ...]
    moves: str


def point_name(x: int, y: int, height: int) -> str:
    """`h8` for a cell of a board with `height` rows."""
    return f"{chr(ord('a') + x)}{height - y}"


def read_point(text: str, width: int, height: int) -> Cell:
    """The cell that `h8` or `7,7` names; ValueError for any other text and off the board."""
    text = text.strip()
    if name := _NAME.fullmatch(text):
        x, y = ord(name[1].lower()) - ord("a"), height - int(name[2])
        rest = f"{_centre(width, height)}; the last column is {chr(ord('a') + width - 1)}"
        rest += f", rows are 1 to {height} from the bottom"
    elif pair := _PAIR.fullmatch(text):
        x, y = int(pair[1]), int(pair[2])
        rest = f"{width // 2},{height // 2}; x,y go from 0,0 at the top left to"
        rest += f" {width - 1},{height - 1}"
    else:
        raise ValueError(
            f"{_shown(text)} is not a point; try {_centre(width, height)} or"
            f" {width // 2},{height // 2}"
        )
    if not (0 <= x < width and 0 <= y < height):
        raise ValueError(f"{_shown(text)} is not on this {width}x{height} board; try {rest}")
    return x, y


def split_moves(text: str) -> list[str]:
    """The points of a list such as `h8i9g7`, `h8 i9 g7` or `7,7 8,8`, still as text; ValueError
    quoting what is not a point."""
    found = []
    at = _end(_BETWEEN.match(text, 0))
    while at < len(text):
        point = _NAME.match(text, at)
        after = _AFTER_NAME if point else _AFTER_PAIR
        point = point or _PAIR.match(text, at)
        end = after.match(text, point.end()) if point else None
        if point is None or end is None:
            raise ValueError(
                f"{_shown(text[at:])} is not a list of moves; expected points such as h8 i9 or"
                " 7,7 8,6 with blanks between them"
            )
        found.append(point[0])
        at = _end(_BETWEEN.match(text, end.end()))
    return found


def read_moves(moves: str | Iterable[str | Cell], width: int, height: int) -> list[Cell]:
    """The cells of a list of moves: a text, or a sequence of `h8`, `7,7` and pairs of numbers.

    ValueError for what is not a point, a point off the board, and a point that is played twice.
    """
    cells: list[Cell] = []
    for number, move in enumerate(split_moves(moves) if isinstance(moves, str) else moves, 1):
        try:
            cell = read_point(_as_text(move), width, height)
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
        if cell in cells:
            raise ValueError(
                f"move {number}: {_shown(_as_text(move))} is occupied by move"
                f" {cells.index(cell) + 1}; expected an empty point"
            )
        cells.append(cell)
    return cells


def take_apart(text: str) -> Drawing:
    """The header lines, the picture and the moves of a text; ValueError, naming the line, for a
    row of another length and for a line of another kind after a row."""
    header: dict[str, str] = {}
    rows: list[tuple[int, ...]] = []
    moves: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or _is_letters(line):
            continue
        if field := _HEADER.fullmatch(line):
            header[" ".join(re.split(r"[\s_-]+", field[1].lower()))] = field[2]
        elif row := _ROW.fullmatch(line):
            signs = "".join(row[1].split())
            if rows and len(signs) != len(rows[0]):
                raise ValueError(
                    f"line {number}: {_shown(line)} is a row of {len(signs)} cells, the rows above"
                    f" it have {len(rows[0])}"
                )
            rows.append(tuple(SIGNS[sign] for sign in signs))
        elif rows:
            raise ValueError(
                f"line {number}: {_shown(line)} is not a row of a board; expected one sign for each"
                " cell: X Black, O White, . empty, # wall"
            )
        else:
            moves.append(line)
    if rows and moves:
        raise ValueError(
            f"{_shown(moves[0])} is above the picture of a board; expected `key: value` lines"
            " and rows, or a list of moves"
        )
    return Drawing(header, tuple(rows), "\n".join(moves))


def read_size(text: str) -> Cell:
    """(width, height) of `15` or `20x15`; ValueError for any other text."""
    size = re.fullmatch(r"\s*([0-9]{1,3})\s*(?:[xX*,]\s*([0-9]{1,3})\s*)?", text)
    if size is None:
        raise ValueError(f"size: {_shown(text)} is not a board size; expected 15 or 20x15")
    return int(size[1]), int(size[2] or size[1])


def _as_text(move: object) -> str:
    if isinstance(move, str):
        return move
    if isinstance(move, tuple | list) and len(move) == 2:
        return f"{move[0]},{move[1]}"
    raise ValueError(f"{_shown(repr(move))} is not a point; expected 'h8', '7,7' or (7, 7)")


def _is_letters(line: str) -> bool:
    """True for the letters of the columns, above or below a picture."""
    letters = line.lower().split()
    return len(letters) > 1 and letters == [chr(ord("a") + i) for i in range(len(letters))]


def _centre(width: int, height: int) -> str:
    return point_name(width // 2, height // 2, height)


def _end(match: re.Match[str] | None) -> int:
    assert match is not None  # the pattern matches everywhere
    return match.end()


def _shown(text: str) -> str:
    """The beginning of a text, in quotes."""
    line = " ".join(text.split())
    return repr(line if len(line) <= 30 else f"{line[:27]}...")
