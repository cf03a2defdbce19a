"""The lines that people read, and coordinates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Info, Point, Score
from protocol.messages import (
    MAX_LINE,
    About,
    clip,
    format_info,
    format_point,
    name_point,
    parse_integer,
    parse_integers,
    parse_point,
    quote,
)
from tests.protocol.conversation import REPORT


def test_the_report() -> None:
    info = Info(12, 20, Score(-35), 123456, 400000, 308, (Point(7, 7), Point(7, 6), Point(0, 14)))
    assert format_info(info, 15) == (
        "MESSAGE Depth 12-20 | Eval -35 | Node 123456 | Speed 400000 | Time 308ms | H8 H9 A1"
    )


def test_mates_in_the_report() -> None:
    for plies, text in ((5, "+M5"), (-8, "-M8")):
        info = Info(3, 9, Score(0, plies), 1, 1, 0, (Point(0, 0),))
        assert f"| Eval {text} |" in format_info(info, 15)


def test_a_long_line_of_moves_loses_whole_moves() -> None:
    squares = tuple(Point(x, y) for y in range(22) for x in range(22))
    text = format_info(Info(99, 99, Score(1), 10**15, 10**9, 10**9, squares), 22)
    assert len(text) <= MAX_LINE
    assert REPORT.fullmatch(text)
    assert len(text) > MAX_LINE - 8


def test_about() -> None:
    assert str(About("A", "1.0", "B", "C", "D", "E")) == (
        'name="A", version="1.0", author="B", country="C", www="D", email="E"'
    )
    assert str(About("A", "1.0", "B", www="D")) == 'name="A", version="1.0", author="B", www="D"'


def test_quote() -> None:
    assert quote(" abc ") == '"abc"'
    assert quote("\x00\xff\t|") == '"???|"'
    assert quote("x" * 41) == '"' + "x" * 40 + '..."'


@given(st.text())
def test_clipped_text_is_printable_and_short(text: str) -> None:
    for result in (clip(text * 50), quote(text * 50)):
        assert result.isascii() and (result.isprintable() or not result)
        assert len(result) <= MAX_LINE


# -- coordinates


@given(st.builds(Point, st.integers(-10, 10**9), st.integers(-10, 10**9)))
def test_what_is_written_is_read(point: Point) -> None:
    assert parse_point(format_point(point)) == point


@pytest.mark.parametrize(
    ("point", "height", "name"),
    [((7, 7), 15, "H8"), ((0, 0), 15, "A15"), ((21, 0), 22, "V22"), ((0, 21), 22, "A1")],
)
def test_names_count_rows_from_the_bottom(point: tuple[int, int], height: int, name: str) -> None:
    assert name_point(Point(*point), height) == name


@pytest.mark.parametrize("text", ["0", "-1", "+7", "007", "123456789012345678"])
def test_integers(text: str) -> None:
    assert parse_integer(text) == int(text)
    assert parse_integers(f"{text},2,3", 3) == (int(text), 2, 3)
    assert parse_integers(f"{text},2", 3) is None


@pytest.mark.parametrize(
    "text", ["", "-", "1_0", "1.0", " 1", "1 ", "\xb2", "\u0661", "0x10", "1e3", "9" * 19, "1\n"]
)
def test_what_is_no_integer(text: str) -> None:
    assert parse_integer(text) is None
    assert parse_point(f"{text},1") is parse_point(f"1,{text}") is None
