"""Boards, tables and progress bars in the terminal.

A board has columns with letters, rows with numbers from the bottom, stones with or without the
numbers of their moves, marks, and colours where they are wanted. Everything that colours show is
also shown by signs. Where a table is too wide, names and lines of moves are shortened, and numbers
never: a table of numbers alone may be wider than the terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from engine.text import column_letter
from tengen.game.referee import BLACK, WALL, WHITE, Cell


@dataclass(frozen=True)
class Signs:
    """One character each."""

    black: str
    white: str
    empty: str
    star: str
    forbidden: str
    wall: str = "#"
    hint: str = "!"
    last: tuple[str, str] = ("[", "]")
    winning: str = "*"

    def stone(self, colour: int) -> str:
        """The sign of BLACK, WHITE or WALL."""
        return {BLACK: self.black, WHITE: self.white, WALL: self.wall}[colour]


UNICODE = Signs("●", "○", "·", "+", "×")
ASCII = Signs("X", "O", ".", "+", "f")


@dataclass(frozen=True)
class Palette:
    """A rich style for each thing on the board."""

    board: str
    black: str
    white: str
    black_number: str
    white_number: str
    mark: str
    winning: str

    def stone(self, colour: int, is_number: bool) -> str:
        """The style of BLACK, WHITE or WALL, or of a number alone that stands for the stone."""
        if colour == WALL:
            return self.board
        if is_number:
            return self.black_number if colour == BLACK else self.white_number
        return self.black if colour == BLACK else self.white


_WOOD, _YELLOW = " on rgb(214,176,112)", " on yellow"
TRUE_COLOURS = Palette(
    f"grey30{_WOOD}", f"bold black{_WOOD}", f"bold bright_white{_WOOD}",
    "bright_white on rgb(20,20,20)", "black on rgb(250,250,250)",
    f"bold rgb(170,0,0){_WOOD}", "bold black on rgb(120,220,120)",
)  # fmt: skip
# For terminals with sixteen colours: the nearest ones to those above cannot be told apart.
SIXTEEN_COLOURS = Palette(
    f"black{_YELLOW}", f"bold black{_YELLOW}", f"bold bright_white{_YELLOW}",
    "bright_white on black", "black on white",
    f"bold red{_YELLOW}", "bold black on green",
)  # fmt: skip


@dataclass(frozen=True)
class Diagram:
    """What a board shows.

    stones   BLACK, WHITE or WALL by cell.
    numbers  of the moves, by the cells of their stones.
    marks    what stands on some cells instead of the empty sign or the stone.
    tints    rich styles of some marks and empty cells, instead of those of a palette.
    last     the last move, in brackets.
    winning  the winning line; a star stands before each of its stones.
    stars    empty cells marked for orientation, as on printed boards.
    """

    width: int
    height: int
    stones: Mapping[Cell, int]
    numbers: Mapping[Cell, int] = field(default_factory=dict)
    marks: Mapping[Cell, str] = field(default_factory=dict)
    tints: Mapping[Cell, str] = field(default_factory=dict)
    last: Cell | None = None
    winning: Collection[Cell] = ()
    stars: Collection[Cell] = ()


@dataclass(frozen=True)
class Layout:
    """How wide the board is drawn.

    digits       of the numbers on the stones, 0 = no numbers; longer ones lose their first digits.
    has_signs    the stone's sign stands before its number.
    is_spaced    a column between the cells, for brackets and stars.
    mark_length  of the longest mark.
    """

    digits: int = 0
    has_signs: bool = True
    is_spaced: bool = True
    mark_length: int = 1

    @property
    def cell_width(self) -> int:
        """Characters of a cell."""
        return max(self.digits + self.has_signs if self.digits else 1, self.mark_length)

    def board_width(self, columns: int) -> int:
        """Characters of a row, with the numbers of the rows on both sides."""
        between = columns + 1 if self.is_spaced else 2
        return 2 + between + columns * self.cell_width + 3


def signs_for(encoding: str, only_ascii: bool = False) -> Signs:
    """The signs that an encoding has."""
    return UNICODE if encoding.lower().startswith("utf") and not only_ascii else ASCII


def palette_for(console: Console) -> Palette | None:
    """The colours that a console can show; None if it shows none."""
    if console.color_system is None or console.no_color:
        return None
    return SIXTEEN_COLOURS if console.color_system in ("standard", "windows") else TRUE_COLOURS


def star_points(width: int, height: int) -> Iterator[Cell]:
    """The points that printed boards mark: the centre and, on boards large enough, the 4-4 points
    in the corners."""
    if width % 2 and height % 2:
        yield width // 2, height // 2
    if min(width, height) >= 13:
        for x in (3, width - 4):
            for y in (3, height - 4):
                yield x, y


def draw_board(
    diagram: Diagram, layout: Layout, signs: Signs = ASCII, palette: Palette | None = None
) -> Text:
    """The rows from the top, then the letters of the columns, with line feeds between the lines and
    none at the end."""
    drawing = _Drawing(diagram, layout, signs, palette)
    text = Text(no_wrap=True, overflow="ignore")
    for y in range(diagram.height):
        # A new style only where it changes, not for each cell.
        for style, run in groupby(drawing.row(y), key=lambda part: part[1]):
            text.append("".join(part for part, _ in run), style)
    return text.append(drawing.letters())


class _Drawing:
    """One board being drawn, in parts of (characters, style)."""

    def __init__(
        self, diagram: Diagram, layout: Layout, signs: Signs, palette: Palette | None
    ) -> None:
        self._diagram = diagram
        self._layout = layout
        self._signs = signs
        self._palette = palette

    def row(self, y: int) -> Iterator[tuple[str, str]]:
        width = self._diagram.width
        label = str(self._diagram.height - y)
        yield label.rjust(2), ""
        for x in range(width):
            if self._layout.is_spaced or x == 0:
                yield self._gap((x - 1, y), (x, y))
            yield self._cell((x, y))
        yield self._gap((width - 1, y), (width, y))
        yield f" {label}\n", ""

    def letters(self) -> str:
        cell, is_spaced = self._layout.cell_width, self._layout.is_spaced
        return "  " + "".join(
            column_letter(x).rjust(cell + (is_spaced or x == 0)) for x in range(self._diagram.width)
        )

    def _gap(self, left: Cell, right: Cell) -> tuple[str, str]:
        """The sign between two cells: a bracket, a star, or a blank. A star replaces a closing
        bracket, so that every winning stone is marked."""
        diagram, signs, palette = self._diagram, self._signs, self._palette
        sign = ""
        if self._layout.is_spaced:
            if right == diagram.last:
                sign = signs.last[0]
            elif right in diagram.winning:
                sign = signs.winning
            elif left == diagram.last:
                sign = signs.last[1]
        if sign:
            return sign, palette.mark if palette else ""
        return " ", palette.board if palette else ""

    def _cell(self, cell: Cell) -> tuple[str, str]:
        diagram, palette = self._diagram, self._palette
        width = self._layout.cell_width
        if cell in diagram.marks:
            return diagram.marks[cell].rjust(width), self._tint(cell)
        colour = diagram.stones.get(cell)
        if colour is None:
            sign = self._signs.star if cell in diagram.stars else self._signs.empty
            return sign.rjust(width), self._tint(cell)
        number = ""
        if self._layout.digits and cell in diagram.numbers:
            number = str(diagram.numbers[cell])[-self._layout.digits :]
        has_sign = self._layout.has_signs or not number
        shown = (self._signs.stone(colour) if has_sign else "") + number
        if palette is None:
            return shown.rjust(width), ""
        if cell in diagram.winning:
            return shown.rjust(width), palette.winning
        return shown.rjust(width), palette.stone(colour, bool(number))

    def _tint(self, cell: Cell) -> str:
        """The style of a mark or of an empty cell."""
        diagram, palette = self._diagram, self._palette
        if palette is None:
            return ""
        return diagram.tints.get(cell, palette.mark if cell in diagram.marks else palette.board)


_GAP = 2  # blanks between columns
_LEAST = 4  # characters that are left of a text


def print_table(
    console: Console,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    texts: Sequence[int],
    *,
    left: Sequence[int] = (),
    is_ruled: bool = False,
    bold: Sequence[int] = (),
) -> None:
    """Prints a table.

    heads     of the columns; all empty = no line of them.
    texts     the columns, from 0, that stand at the left and can be shortened; the others are
              numbers.
    left      further columns that stand at the left.
    is_ruled  a line under the heads, and blank lines around the table.
    bold      the rows, from 0, that stand out.
    """
    widths = [max(map(cell_len, column)) for column in zip(heads, *rows, strict=True)]
    while sum(widths) + _GAP * (len(widths) - 1) > console.width:
        widest = max(texts, key=widths.__getitem__, default=0)
        if widest not in texts or widths[widest] <= _LEAST:
            break
        widths[widest] -= 1

    def put(cells: Sequence[str], style: str) -> None:
        parts = [
            _shortened(cell, width) if i in (*texts, *left) else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        line = (" " * _GAP).join(parts).rstrip()
        console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)

    if is_ruled:
        console.print()
    if any(heads):
        put(heads, "bold")
    if is_ruled:
        rule = "─" if console.encoding.lower().startswith("utf") else "-"
        put([rule * width for width in widths], "")
    for number, row in enumerate(rows):
        put(row, "bold" if number in bold else "")
    if is_ruled:
        console.print()


def _shortened(text: str, width: int) -> str:
    if cell_len(text) <= width:
        return set_cell_size(text, width)
    return set_cell_size(text, width - 2) + ".."


def counting_bar() -> Progress:
    """A bar on stderr with how many are done and the time so far; it disappears at the end, and is
    not shown where stderr is not a terminal."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    return _passing(*columns, TimeElapsedColumn())


def timed_bar(console: Console, transient: bool = False) -> Progress:
    """A bar with the time so far and the time left, not shown where the console is no terminal."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        transient=transient,
        disable=not console.is_terminal,
    )


def working_sign(most_s: float | None) -> Progress:
    """A sign on stderr that something is at work, with what it has found and the time so far, for a
    task without a count; it disappears at the end, and is not shown where stderr is not a terminal.

    most_s   how long it takes at most; None = that is not known.
    """
    limit = [] if most_s is None else [TextColumn(f"of {most_s:g} s")]
    said = TextColumn("{task.description}", markup=False)
    return _passing(SpinnerColumn(), TimeElapsedColumn(), *limit, said)


def _passing(*columns: ProgressColumn) -> Progress:
    console, is_shown = Console(stderr=True), sys.stderr.isatty()
    return Progress(*columns, console=console, transient=True, disable=not is_shown)


def print_line(console: Console, line: str | Text) -> None:
    """Prints one line unchanged: not wrapped, and without reading markup in names."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)
