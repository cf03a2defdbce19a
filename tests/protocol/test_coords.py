"""Coordinates as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import MAX_SIZE, Point
from protocol.coords import (
    format_point,
    name_point,
    parse_integer,
    parse_integers,
    parse_point,
)

squares = st.builds(Point, st.integers(0, MAX_SIZE - 1), st.integers(0, MAX_SIZE - 1))


@given(squares)
def test_what_is_written_is_read(point: Point) -> None:
    assert parse_point(format_point(point)) == point


def test_names_count_rows_from_the_top() -> None:
    assert name_point(Point(7, 7), 15) == "H8"
    assert name_point(Point(0, 0), 15) == "A15"
    assert name_point(Point(21, 0), 22) == "V22"
    assert name_point(Point(0, 21), 22) == "A1"


@given(squares, squares)
def test_names_are_unique(a: Point, b: Point) -> None:
    assert (name_point(a, 22) == name_point(b, 22)) == (a == b)


@pytest.mark.parametrize("text", ["0", "-1", "+7", "007", "123456789012345678"])
def test_integers(text: str) -> None:
    assert parse_integer(text) == int(text)


@pytest.mark.parametrize(
    "text", ["", "-", "1_0", "1.0", " 1", "1 ", "\xb2", "\u0661", "0x10", "1e3", "9" * 19, "1\n"]
)
def test_what_is_no_integer(text: str) -> None:
    assert parse_integer(text) is None


@pytest.mark.parametrize("text", ["", ",", "7", "7,", ",7", "7,7,7", "7 7", "7;7", "h8", "7,x"])
def test_what_is_no_point(text: str) -> None:
    assert parse_point(text) is None


def test_points_need_not_be_on_any_board() -> None:
    assert parse_point("-1,999999") == Point(-1, 999999)


def test_several_integers() -> None:
    assert parse_integers("1,2,3", 3) == (1, 2, 3)
    assert parse_integers("1,2", 3) is None


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    parse_point(text)
    parse_integer(text)
