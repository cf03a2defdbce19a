"""Boards in text; tables, whose numbers are whole at every width."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from tengen.common.console import (
    ASCII,
    SIXTEEN_COLOURS,
    TRUE_COLOURS,
    UNICODE,
    Diagram,
    Layout,
    draw_board,
    palette_for,
    print_table,
    signs_for,
    star_points,
)
from tengen.game.referee import BLACK, WALL, WHITE

# From the top left: a wall, and below the stones of two moves.
STONES = {(0, 0): WALL, (1, 1): BLACK, (3, 2): WHITE}


def test_letters_numbers_stones_and_stars() -> None:
    diagram = Diagram(5, 6, STONES, stars={(1, 1), (4, 5)}, last=(3, 2))
    assert draw_board(diagram, Layout()).plain == (
        " 6 # . . . .  6\n"
        " 5 . X . . .  5\n"
        " 4 . . .[O].  4\n"
        " 3 . . . . .  3\n"
        " 2 . . . . .  2\n"
        " 1 . . . . +  1\n"
        "   a b c d e"
    )


def test_marks_of_several_characters_stand_instead_of_a_cell() -> None:
    marks = {(0, 1): "12", (1, 1): "!", (4, 4): "100"}
    diagram = Diagram(5, 5, STONES, marks=marks)
    rows = draw_board(diagram, Layout(mark_length=3), UNICODE).plain.splitlines()
    assert rows[1] == " 4  12   !   ·   ·   ·  4"
    assert rows[4] == " 1   ·   ·   ·   · 100  1"
    assert rows[5] == "     a   b   c   d   e"
    assert len({len(row) for row in rows[:5]}) == 1


@pytest.mark.parametrize(
    ("last", "row"),
    [
        ((0, 0), " 1[X*X*X*X*X  1"),
        ((2, 0), " 1*X*X[X*X*X  1"),
        ((4, 0), " 1*X*X*X*X[X] 1"),
    ],
)
def test_every_stone_of_a_winning_row_is_marked(last: tuple[int, int], row: str) -> None:
    """By a star, or as the last move, wherever that stands in the row."""
    cells = [(x, 0) for x in range(5)]
    diagram = Diagram(5, 1, dict.fromkeys(cells, BLACK), last=last, winning=cells)
    assert draw_board(diagram, Layout()).plain.splitlines()[0] == row


@pytest.mark.parametrize(
    ("layout", "row"),
    [
        (Layout(2), " 3   .   .  X7   .[O12] 3"),
        (Layout(2, has_signs=False), " 3  .  .  7  .[12] 3"),
        (Layout(1), " 3  .  . X7  .[O2] 3"),
        (Layout(), " 3 . . X .[O] 3"),
        (Layout(is_spaced=False), " 3 ..X.O  3"),
    ],
)
def test_layouts(layout: Layout, row: str) -> None:
    stones = {(2, 2): BLACK, (4, 2): WHITE}
    diagram = Diagram(5, 5, stones, numbers={(2, 2): 7, (4, 2): 12}, last=(4, 2))
    shown = draw_board(diagram, layout).plain.splitlines()[2]
    assert shown == row
    assert len(shown) == layout.board_width(5) - 1  # the widest row number has two digits


def test_colours_say_nothing_that_signs_do_not() -> None:
    diagram = Diagram(5, 5, STONES, last=(3, 2), winning=[(1, 1)], marks={(4, 4): "!"})
    plain = draw_board(diagram, Layout())
    coloured = draw_board(diagram, Layout(), ASCII, TRUE_COLOURS)
    assert plain.plain == coloured.plain and not plain.spans
    styles = {coloured.plain[span.start : span.end]: str(span.style) for span in coloured.spans}
    assert styles["!"] == styles["["] == styles["*"] == TRUE_COLOURS.mark
    assert styles["X"] == TRUE_COLOURS.winning and styles["O"] == TRUE_COLOURS.white


def test_signs_and_colours_of_a_terminal() -> None:
    assert signs_for("UTF-8") is UNICODE and signs_for("utf-8", only_ascii=True) is ASCII
    assert signs_for("latin-1") is ASCII
    for system, palette in (
        ("truecolor", TRUE_COLOURS), ("256", TRUE_COLOURS), ("standard", SIXTEEN_COLOURS),
    ):  # fmt: skip
        console = Console(force_terminal=True, color_system=system, no_color=False)  # type: ignore[arg-type]
        assert palette_for(console) is palette
    assert palette_for(Console(force_terminal=True, no_color=True)) is None
    assert palette_for(Console(color_system=None)) is None


def test_star_points() -> None:
    assert set(star_points(15, 15)) == {(7, 7), (3, 3), (3, 11), (11, 3), (11, 11)}
    assert list(star_points(7, 9)) == [(3, 4)] and list(star_points(8, 8)) == []


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
def test_the_columns_stand_under_each_other(
    rows: Sequence[tuple[str, ...]], width: int, is_ruled: bool
) -> None:
    heads = ("", "name", "x", "y", "z")
    lines = _lines(width, heads, rows, (0, 1), is_ruled=is_ruled)
    body = lines[3:-1] if is_ruled else lines[1:]
    assert [line.split()[-3:] for line in body] == [list(row[2:]) for row in rows]
    assert len({cell_len(line) for line in body}) == 1
