"""Colours and turns as stones come and go."""

from __future__ import annotations

import pytest

from engine.model import Placed, Point, Position, Rule, Stone
from protocol.messages import Refusal
from protocol.stones import Stones

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


def played(*squares: tuple[int, int]) -> Stones:
    """A game of alternating moves."""
    stones = Stones(15, 15)
    for x, y in squares:
        stones.put(Point(x, y), stones.to_move)
    return stones


def colours(stones: Stones) -> list[Stone]:
    return list(stones.placed.values())


def test_moves_alternate_with_black_first() -> None:
    stones = played((7, 7), (8, 8), (9, 9))
    assert colours(stones) == [BLACK, WHITE, BLACK]
    assert stones.to_move is WHITE
    assert stones.position(Rule.RENJU) == Position(
        15, 15, Rule.RENJU, (Placed(7, 7, BLACK), Placed(8, 8, WHITE), Placed(9, 9, BLACK)), WHITE
    )


@pytest.mark.parametrize("point", [Point(-1, 0), Point(0, -1), Point(15, 0), Point(0, 12)])
def test_off_the_board(point: Point) -> None:
    with pytest.raises(Refusal, match="off the board: the squares are 0,0 to 14,11"):
        Stones(15, 12).put(point, BLACK)


@pytest.mark.parametrize(
    ("kinds", "own"),
    [
        ([], BLACK),
        ([2], WHITE),
        ([1, 2], BLACK),
        ([2, 1], BLACK),
        ([2, 1, 2], WHITE),
        ([2, 2, 1], WHITE),
        ([3], BLACK),
        ([3, 2], WHITE),
        # Other numbers are a free set-up: the first stone is Black's.
        ([1], BLACK),
        ([1, 1, 2], BLACK),
        ([2, 1, 1], WHITE),
        ([2, 2], WHITE),
        ([3, 1, 3], BLACK),
        ([3, 2, 2, 2], WHITE),
    ],
)
def test_our_colour_in_a_board(kinds: list[int], own: Stone) -> None:
    entries = [(x, 0, kind) for x, kind in enumerate(kinds)]
    stones = Stones.from_entries(15, 15, entries)
    assert stones.to_move is own
    meaning = {1: own, 2: own.opponent, 3: WALL}
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
