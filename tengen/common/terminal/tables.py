"""Tables of texts and numbers. Where a table is too wide for the terminal, names and lines of moves
are shortened, and numbers never: a table of numbers alone may be wider than the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console

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
