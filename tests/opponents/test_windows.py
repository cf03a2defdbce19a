"""Windows of five: their sums, fours and open threes, at the low and the high level."""

from __future__ import annotations

import pytest

from tengen.game.rules.referee import BLACK, DIRECTIONS, WHITE, Cell, Referee, opponent_of
from tengen.opponents.windows import WORTH, fifth_cells, open_three, window_gains
from tests.opponents.players import drawn, move_of


def _value(board: Referee, colour: int) -> int:
    """The worth of a position, from its wording: all windows, afresh."""
    total = 0
    for x, y in [(x, y) for x in range(board.width) for y in range(board.height)]:
        for dx, dy in DIRECTIONS:
            end = (x + 4 * dx, y + 4 * dy)
            if not (0 <= end[0] < board.width and 0 <= end[1] < board.height):
                continue
            window = [board.cell(x + i * dx, y + i * dy) for i in range(5)]
            own, other = window.count(colour), window.count(opponent_of(colour))
            if 3 in window or (own and other):
                continue
            total += own * 2**own - other * 2**other
    return total


def test_a_window_is_worth_n_times_two_to_the_n() -> None:
    assert WORTH == (0, 2, 8, 24, 64, 160)


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_gains_are_what_the_whole_position_gains(side: int) -> None:
    board, _ = drawn("""
    . . . . . . . .
    . . O . X . . .
    . . X X O # . .
    . . . X O . . .
    . O . . . X . .
    . . . . . . . .
    """)
    before = _value(board, side)
    for cell, gain in window_gains(board, side).items():
        board.play(*cell, side)
        assert _value(board, side) - before == gain, cell
        board.undo()


@pytest.mark.parametrize("name", ["foresight-low", "foresight-high"])
def test_an_own_four_then_the_opponents(name: str) -> None:
    both, drawing = drawn("""
    . . . . . . . . .
    . O O O . O . . .
    . . . . . . . . .
    . . . X . . . . .
    . . . . X . . . .
    . . . . . X . . .
    . . . . . . X . .
    . . . . . . . ! .
    . . . . . . . . .
    """)
    # Two cells complete the diagonal; of its windows the first in row order decides.
    assert fifth_cells(both, BLACK) == [(2, 2), (7, 7)]
    assert move_of(name, both) == (2, 2)
    assert move_of(name, both, WHITE) == (4, 1)
    assert fifth_cells(both, WHITE) == [(4, 1)]
    four, drawing = drawn("""
    . . . . . . . . .
    . O O O ! O X . .
    . . . . . . . . .
    . . X . X X . . .
    . . . . . . . . .
    """)
    assert {move_of(name, four)} == drawing.marked


@pytest.mark.parametrize(
    ("row", "points"),
    [
        (". . X X X . . .", [(1, 2), (0, 2), (5, 2)]),
        (". X X . X . . .", [(3, 2), (0, 2), (5, 2)]),
        (". X . X X . O .", [(2, 2), (0, 2), (5, 2)]),
        ("O . X X X . O .", []),
        ("X X X . . . . .", []),
        (". # . X X X . #", []),
    ],
)
def test_open_threes_have_three_points(row: str, points: list[Cell]) -> None:
    empty = ". . . . . . . .\n"
    board, _ = drawn(empty * 2 + row + "\n" + empty * 2)
    assert open_three(board, BLACK) == points
    assert open_three(board, WHITE) == []


def test_the_high_level_extends_its_own_three_before_it_answers_one() -> None:
    board, drawing = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . . O O . O . . .
    . . . . . . . . .
    . . . . . . . . .
    . . X ! X X . . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    assert {move_of("foresight-high", board)} == drawing.marked


def test_the_high_level_answers_at_the_best_of_three_points() -> None:
    board, drawing = drawn("""
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . X . . . .
    . . ! O O ! O ! . . .
    . . . . X . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """)
    gains = window_gains(board, BLACK)
    assert set(open_three(board, WHITE)) == drawing.marked
    assert move_of("foresight-high", board) == max(drawing.marked, key=gains.__getitem__)


@pytest.mark.parametrize("name", ["foresight-low", "foresight-high"])
def test_the_first_move_is_random_in_the_middle_seven_by_seven(name: str) -> None:
    played = {move_of(name, Referee(15, 15, 0), seed=seed) for seed in range(60)}
    assert len(played) > 20
    assert all(4 <= x <= 10 and 4 <= y <= 10 for x, y in played)
    assert min(x for x, _ in played) == 4 and max(x for x, _ in played) == 10
    assert move_of(name, Referee(15, 15, 0), seed=9) == move_of(name, Referee(15, 15, 0), seed=9)
    assert all(
        Referee(5, 6, 0).legal(*move_of(name, Referee(5, 6, 0), seed=seed)) for seed in range(9)
    )
