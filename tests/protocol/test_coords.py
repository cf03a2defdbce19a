"""Coordinates as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Point
from protocol.coords import format_point, name_point, parse_integer, parse_integers, parse_point


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
