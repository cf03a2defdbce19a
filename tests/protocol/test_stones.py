"""Colours and turns as stones come and go, and which stones belong to nobody once a line of a
continuous game is finished."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Point, Rule, Stone
from protocol.stones import DIRECTIONS, Stones, finished_lines
from tengen.game.referee import Referee

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


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
    assert list(stones.placed.values()) == [meaning[kind] for kind in kinds]


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
    stones = Stones(15, 15).after(Point(x, 0) for x in range(3))
    for x in (1, 0, 2):
        stones.take_back(Point(x, 0))
    assert stones.is_empty and stones == Stones(15, 15)


@given(st.lists(st.sampled_from([BLACK, WHITE, WALL, None]), min_size=11, max_size=11), st.data())
def test_finished_lines_are_the_rows_that_win_alone(
    row: list[Stone | None], data: st.DataObject
) -> None:
    """By the referee; a stone that is forbidden finishes its line too."""
    colour = data.draw(st.sampled_from([BLACK, WHITE]))
    dx, dy = data.draw(st.sampled_from(DIRECTIONS))
    row[5] = colour
    cells = [Point(10 + dx * i, 10 + dy * i) for i in range(-5, 6)]
    stones = Stones(21, 21)
    stones.placed = {cell: stone for cell, stone in zip(cells, row, strict=True) if stone}
    low, high = 5, 5
    while low > 0 and row[low - 1] is colour:
        low -= 1
    while high < 10 and row[high + 1] is colour:
        high += 1
    walls = [(x, y) for (x, y), stone in stones.placed.items() if stone is WALL]
    for rule in Rule:
        referee = Referee(21, 21, rule, walls)
        for cell, stone in stones.placed.items():
            if stone is not WALL and cell != cells[5]:
                referee.play(*cell, stone)
        wins = referee.makes_win(*cells[5], colour)
        wanted = set(cells[low : high + 1]) if wins else set()
        assert finished_lines(stones, cells[5], rule) == wanted, rule


def test_two_lines_at_once() -> None:
    stones = Stones(9, 9)
    squares = {Point(4, y) for y in range(5)} | {Point(x, 8 - x) for x in range(4, 9)}
    stones.placed = dict.fromkeys(squares, BLACK)
    assert finished_lines(stones, Point(4, 4), Rule.STANDARD) == squares
