"""Tables: at every width the numbers are whole, and what is too long is a name."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from tengen.common.console import print_table

Rows = Sequence[tuple[str, ...]]
HEADS = ("program", "limits", "points", "won")
ROWS = [("a name of some forty characters and more", "turn=1", "1,234.5", "+209"),
        ("b", "nodes=20,000 threads=2", "-3", "5")]  # fmt: skip


def _lines(width: int, heads: tuple[str, ...], rows: Rows, texts: tuple[int, ...],
           is_ruled: bool = False) -> list[str]:  # fmt: skip
    out = io.StringIO()
    print_table(Console(file=out, width=width), heads, rows, texts, is_ruled=is_ruled)
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", range(20, 201))
def test_numbers_are_whole_at_every_width(width: int) -> None:
    head, *rows = _lines(width, HEADS, ROWS, (0, 1))
    for line, row in zip(rows, ROWS, strict=True):
        assert line.split()[-2:] == list(row[2:])
    assert head.split()[-2:] == list(HEADS[2:])
    # Only where numbers and four letters of each name do not fit is a line too long.
    assert max(map(len, [head, *rows])) <= max(width, 4 + 4 + 7 + 4 + 3 * 2)
    if width >= 90:
        assert rows[0].startswith(ROWS[0][0])


NAMES, NUMBERS = st.text("ab 界", max_size=30), st.integers().map(str)


@given(
    st.lists(st.tuples(NAMES, NAMES, NUMBERS, NUMBERS, NUMBERS), min_size=1),
    st.integers(20, 200),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_the_columns_stand_under_each_other(
    rows: Sequence[tuple[str, ...]], width: int, is_ruled: bool
) -> None:
    heads = ("", "name", "x", "y", "z")
    lines = _lines(width, heads, rows, (0, 1), is_ruled=is_ruled)
    body = lines[3:-1] if is_ruled else lines[1:]
    assert [line.split()[-3:] for line in body] == [list(row[2:]) for row in rows]
    assert len({cell_len(line) for line in body}) == 1
