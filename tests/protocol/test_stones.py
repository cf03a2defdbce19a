"""Colours and turns as stones come and go, and which stones belong to nobody once a line of a
continuous game is finished."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Point, Rule, Stone
from protocol.messages import Refusal
from protocol.stones import Stones, finished_lines

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


def played(*squares: tuple[int, int]) -> Stones:
    """A game of alternating moves."""
    stones = Stones(15, 15)
    for x, y in squares:
        stones.put(Point(x, y), stones.to_move)
    return stones


def colours(stones: Stones) -> list[Stone]:
    return list(stones.placed.values())


@pytest.mark.parametrize(
    ("kinds", "own"),
    [
        *((kinds, BLACK) for kinds in ("", "12", "21", "3")),
        *((kinds, WHITE) for kinds in ("2", "212", "221", "32")),
        # Other numbers are a free set-up: the first stone is Black's.
        *((kinds, BLACK) for kinds in ("1", "112", "313")),
        *((kinds, WHITE) for kinds in ("211", "22", "3222")),
    ],
)
def test_our_colour_in_a_board(kinds: str, own: Stone) -> None:
    entries = [(x, 0, int(kind)) for x, kind in enumerate(kinds)]
    stones = Stones.from_entries(15, 15, entries)
    assert stones.to_move is own
    meaning = {"1": own, "2": own.opponent, "3": WALL}
    assert colours(stones) == [meaning[kind] for kind in kinds]


@pytest.mark.parametrize(
    ("before", "steps", "to_move"),
    [
        *(([], f"0 1 2 3 {back}", turn) for back, turn in [("-3", WHITE), ("-3 -2", BLACK)]),
        # In another order the numbers of stones decide.
        *(([], f"0 1 2 3 {back}", turn) for back, turn in [("-2", BLACK), ("-2 -3", BLACK)]),
        *(([], f"0 1 2 3 -{first}", turn) for first, turn in [("1", WHITE), ("2 -3 -0", BLACK)]),
        # In a free set-up, here with three stones of Black alone, numbers say nothing.
        *(([0, 1, 2], f"3 4 {back}", turn) for back, turn in [("-4", WHITE), ("-4 -3", BLACK)]),
    ],
)
def test_taking_back_gives_the_turn_back(before: list[int], steps: str, to_move: Stone) -> None:
    stones = Stones.from_entries(15, 15, [(x, 0, 1) for x in before])
    for step in steps.split():
        point = Point(abs(int(step)), 0)
        stones.take_back(point) if step[0] == "-" else stones.put(point, stones.to_move)
    assert stones.to_move is to_move


def test_an_empty_board_is_like_a_new_one() -> None:
    stones = played((0, 0), (1, 0), (2, 0))
    for x in (1, 0, 2):
        stones.take_back(Point(x, 0))
    assert stones.is_empty and stones == Stones(15, 15)


def test_walls_have_no_turn() -> None:
    stones = played((0, 0))
    stones.put(Point(5, 5), WALL)
    assert stones.to_move is WHITE
    before = stones.copy()
    with pytest.raises(Refusal, match="5,5 is of a finished line"):
        stones.take_back(Point(5, 5))
    assert stones == before


def test_stones_that_become_walls_leave_the_turn_as_it_is() -> None:
    stones = played((0, 0), (0, 1), (1, 0), (1, 1), (2, 0))
    stones.wall_in([Point(0, 0), Point(1, 0), Point(2, 0)])
    assert stones.to_move is WHITE
    assert colours(stones) == [WALL, WHITE, WALL, WHITE, WALL]
    stones.put(Point(5, 5), WHITE)
    stones.take_back(Point(5, 5))
    assert stones.to_move is WHITE
    assert len(list(stones.free())) == 15 * 15 - 5
    assert next(stones.free()) == Point(3, 0)


# -- finished lines


SIGNS = {"X": BLACK, "O": WHITE, "#": WALL}


def board(row: str) -> Stones:
    """A row of the board, everything else empty; a lower-case sign is the last stone."""
    stones = Stones(15, 15)
    for x, sign in enumerate(row):
        if sign != ".":
            stones.placed[Point(x, 7)] = SIGNS[sign.upper()]
    return stones


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
    stones = board(row)
    point = Point(next(x for x, sign in enumerate(row) if sign.islower()), 7)
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
