"""Pictures of boards in text, read and drawn.

A picture has one line for each row and one character for each cell, with any number of spaces
between the characters:

    X black   O white   # wall   . empty   ! and ? empty, and marked

Lines of the form `key: value` may stand before the rows. The keys are free, except that `rule` is
the number or name of the rule (0 when absent). An empty line ends a picture; a file may hold
several.
The caller decides what the marks mean (in tests/positions, `!` must be found and `?` must not).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tengen.rules.names import read_rule
from tengen.rules.referee import BLACK, EMPTY, WALL, WHITE, Cell, Referee

_SIGNS = {"X": BLACK, "O": WHITE, "#": WALL, ".": EMPTY, "!": EMPTY, "?": EMPTY}
_PICTURE_SIGNS = frozenset(_SIGNS)
_STONE_SIGNS = {EMPTY: ".", BLACK: "X", WHITE: "O", WALL: "#"}


@dataclass(frozen=True)
class Drawing:
    """A position read from a picture.

    stones  black and white cells, row by row, as (x, y, colour): a picture has no move order.
    marked  the cells drawn `!`;  cleared  the cells drawn `?`.
    header  the `key: value` lines.
    """

    width: int
    height: int
    rule: int
    stones: tuple[tuple[int, int, int], ...]
    walls: tuple[Cell, ...]
    marked: frozenset[Cell]
    cleared: frozenset[Cell]
    header: Mapping[str, str] = field(default_factory=dict)

    def referee(self) -> Referee:
        """A referee with the stones of the picture on its board."""
        board = Referee(self.width, self.height, self.rule, self.walls)
        for x, y, colour in self.stones:
            board.play(x, y, colour)
        return board


def read_drawing(text: str) -> Drawing:
    """Reads the one picture in `text`; ValueError if there is none or more than one."""
    drawings = list(read_drawings(text))
    if len(drawings) != 1:
        raise ValueError(f"expected one picture, found {len(drawings)}")
    return drawings[0]


def read_drawings(text: str) -> Iterator[Drawing]:
    """Reads all pictures in `text`, in order; ValueError, naming the line, if one is bad."""
    header: dict[str, str] = {}
    rows: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        row = "".join(line.split())
        if not row:
            if rows:
                yield _drawing(header, rows)
                header, rows = {}, []
        elif _PICTURE_SIGNS.issuperset(row):
            if rows and len(row) != len(rows[0]):
                raise ValueError(f"line {number}: {len(row)} cells in a row of {len(rows[0])}")
            rows.append(row)
        elif ":" in line and not rows:
            key, _, value = line.partition(":")
            header[key.strip()] = value.strip()
        else:
            raise ValueError(f"line {number}: neither a row of a board nor `key: value`")


def looks_like_picture(text: str) -> bool:
    """True if the text has a line that can be a row of a picture."""
    rows = ("".join(line.split()) for line in text.splitlines())
    return any(row and _PICTURE_SIGNS.issuperset(row) for row in rows)


def _drawing(header: dict[str, str], rows: list[str]) -> Drawing:
    cells = [(x, y, sign) for y, row in enumerate(rows) for x, sign in enumerate(row)]
    rule = header.get("rule", "0")
    known = rule.isascii() and rule.isdecimal()
    return Drawing(
        width=len(rows[0]),
        height=len(rows),
        rule=int(rule) if known else read_rule(rule),
        stones=tuple((x, y, _SIGNS[sign]) for x, y, sign in cells if sign in "XO"),
        walls=tuple((x, y) for x, y, sign in cells if sign == "#"),
        marked=frozenset((x, y) for x, y, sign in cells if sign == "!"),
        cleared=frozenset((x, y) for x, y, sign in cells if sign == "?"),
        header=header,
    )


def draw(board: Referee) -> str:
    """The picture of a board, with its rule, readable by `read_drawing`."""
    rows = (
        " ".join(_STONE_SIGNS[board.cell(x, y)] for x in range(board.width))
        for y in range(board.height)
    )
    return f"rule: {board.rule}\n" + "\n".join(rows) + "\n"
