"""Which stones of a continuous game belong to nobody once a line is finished."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Point, Rule, Stone
from protocol.stones import Stones, finished_lines

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL
SIGNS = {"X": BLACK, "O": WHITE, "#": WALL}


def board(row: str) -> Stones:
    """A row of the board, everything else empty; a lower-case sign is the last stone."""
    stones = Stones(15, 15)
    for x, sign in enumerate(row):
        if sign != ".":
            stones.placed[Point(x, 7)] = SIGNS[sign.upper()]
    return stones


def last(row: str) -> Point:
    return Point(next(x for x, sign in enumerate(row) if sign.islower()), 7)


@pytest.mark.parametrize(
    ("row", "rules"),
    [
        (".XXxXX.", "freestyle standard renju caro caro_exact"),
        ("XXXXx", "freestyle standard renju caro caro_exact"),
        ("OXXXXxO", "freestyle standard renju"),
        ("#XXXXxO", "freestyle standard renju caro caro_exact"),
        (".XXXXxX.", "freestyle caro"),
        (".OOOOoO.", "freestyle renju caro"),
        ("XOOOOoOX", "freestyle renju caro"),
        (".XXxX.", ""),
        (".XXx#XX", ""),
        (".XXxOXX", ""),
    ],
)
def test_lines_by_rule(row: str, rules: str) -> None:
    stones, point = board(row), last(row)
    for rule in Rule:
        found = finished_lines(stones, point, rule)
        colour = stones.placed[point]
        whole = {place for place, stone in stones.placed.items() if stone is colour}
        assert found == (whole if rule.name.lower() in rules.split() else set()), rule


def test_two_lines_at_once() -> None:
    stones = Stones(9, 9)
    squares = {Point(4, y) for y in range(5)} | {Point(x, 8 - x) for x in range(4, 9)}
    for point in squares:
        stones.placed[point] = BLACK
    assert finished_lines(stones, Point(4, 4), Rule.STANDARD) == squares
    assert finished_lines(stones, Point(8, 0), Rule.STANDARD) == {
        Point(x, 8 - x) for x in range(4, 9)
    }


@given(st.lists(st.sampled_from([BLACK, WHITE, WALL, None]), min_size=11, max_size=11))
def test_only_rows_of_one_colour_are_lines(row: list[Stone | None]) -> None:
    stones = Stones(11, 11)
    for y, stone in enumerate(row):
        if stone is not None:
            stones.placed[Point(3, y)] = stone
    stones.placed[Point(3, 5)] = WHITE
    found = finished_lines(stones, Point(3, 5), Rule.FREESTYLE)
    assert all(stones.placed[point] is WHITE for point in found)
    low = high = 5
    while low > 0 and row[low - 1] is WHITE:
        low -= 1
    while high < 10 and row[high + 1] is WHITE:
        high += 1
    assert len(found) == (high - low + 1 if high - low >= 4 else 0)
