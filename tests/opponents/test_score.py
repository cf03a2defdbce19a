"""The score map: a worked position by hand, and chance among the highest."""

from __future__ import annotations

import pytest

from tengen.game.rules.referee import BLACK, WHITE, Referee
from tengen.opponents.score import count, score_map
from tests.opponents.players import drawn, move_of

# Worked by hand for X, who is to move. Of the eight directions each axis counts twice, and every
# axis without own stones adds 5 each time.
WORKED = """
. . . . . . . . .
. . . O . . . . .
. . . O . . . . .
. . . O X X . . .
. . . . . . . . .
. . . . . . . . .
"""


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        # Below the three: it touches three of O's with an open end on the far side (110); the
        # other diagonal has X at (4,3), one own stone (10); two axes more of nothing (5 each).
        ((3, 4), 2 * (110 + 5 + 10 + 5 + 5)),
        # Right of the two: two own stones and then O, so one end of the row is open (25);
        # beside it nothing touches in the other three axes.
        ((6, 3), 2 * (25 + 5 + 5 + 5)),
        # Far from everything: four times nothing, twice.
        ((8, 5), 2 * 4 * 5),
        # Left of the three's last stone: one of O's in the row (10 for it, 5 for no own stone);
        # diagonally upwards another one of O's.
        ((2, 3), 2 * ((10 + 5) + (10 + 5) + 5 + 5)),
    ],
)
def test_a_worked_position(cell: tuple[int, int], score: int) -> None:
    board, _ = drawn(WORKED)
    assert score_map(board, BLACK)[cell] == score


def test_stones_and_open_ends_are_counted_on_both_sides() -> None:
    board, _ = drawn("""
    . X X . X O . . . .
    X X X X . X X X X X
    . . # X . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    """)
    assert count(board, 3, 0, 1, 0, BLACK) == (3, 1)
    assert count(board, 3, 0, -1, 0, BLACK) == (3, 1)
    assert count(board, 3, 0, 1, 0, WHITE) == (0, 0)
    # Four on either side, and no more; what is behind them is not looked at.
    assert count(board, 4, 1, 1, 0, BLACK) == (8, 0)
    # A wall is no open end.
    assert count(board, 4, 2, 1, 0, BLACK) == (1, 1)


def test_the_first_row_and_column_count() -> None:
    board, drawing = drawn("""
    ! O O O O X .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    . . . . . . .
    """)
    assert {move_of("score", board)} == drawing.marked


def test_the_seed_chooses_among_the_highest() -> None:
    board, _ = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    scores = score_map(board, WHITE)
    highest = {cell for cell, score in scores.items() if score == max(scores.values())}
    played = {move_of("score", board, WHITE, seed) for seed in range(16)}
    assert 1 < len(played) and played <= highest
    assert [move_of("score", board, WHITE, 7)] * 3 == [
        move_of("score", board, WHITE, 7) for _ in range(3)
    ]


def test_the_map_of_an_empty_board_is_flat() -> None:
    assert set(score_map(Referee(6, 5, 0), BLACK).values()) == {40}
