"""The opponents that look no further than the next stone: values worked by hand, and the rules by
which they choose."""

from __future__ import annotations

import pytest

from engine.text import point_name, read_moves
from tengen.game.referee import BLACK, DIRECTIONS, WHITE, Cell, Referee, opponent_of
from tengen.opponents.tables import (
    line_sums,
    open_three,
    score,
    weight,
    window_gains,
)
from tests.opponents.players import drawn, move_of

WALLS = "# # # # # # # #\n" * 2
EMPTY = ". . . . . . . .\n" * 2

# -- weights


def test_opposite_directions_are_added_and_the_best_axis_counts() -> None:
    board, _ = drawn("""
    . . . . . . .
    . . . O . . .
    . X X . X . .
    . . . O . . .
    . . . . . . .
    """)
    # For White: 11 and 1 in the row make 430; 2 and 2 in the column make 16.
    assert weight(board, 3, 2, WHITE) == 410 + 20
    assert weight(board, 3, 2, BLACK) == max(80 + 8, 20 + 20)


def test_the_centre_where_nothing_touches_anything() -> None:
    for name in ("weights", "lines", "foresight"):
        assert move_of(name, Referee(20, 9, 0)) == (10, 4)
    assert move_of("weights", Referee(7, 7, 0, [(3, 3)])) == (0, 0)


# -- score


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        # Below the three: it touches three of O's with an open end on the far side (110); the
        # other diagonal has X at (4,3), one own stone (10); two axes more of nothing (5 each).
        ((3, 4), 2 * (110 + 5 + 10 + 5 + 5)),
        # Right of the two: two own stones and then O, so one end of the row is open (25);
        # beside it nothing touches in the other three axes.
        ((6, 3), 2 * (25 + 5 + 5 + 5)),
        # Left of the three's last stone: one of O's in the row (10 for it, 5 for no own stone);
        # diagonally upwards another one of O's.
        ((2, 3), 2 * ((10 + 5) + (10 + 5) + 5 + 5)),
    ],
)
def test_a_score_worked_by_hand(cell: Cell, value: int) -> None:
    """For X. Each axis counts twice; without own stones it adds 5 each time."""
    board, _ = drawn("""
    . . . . . . . . .
    . . . O . . . . .
    . . . O . . . . .
    . . . O X X . . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    assert score(board, *cell, BLACK) == value


# -- lines


def test_sums_worked_by_hand() -> None:
    # One row of eight cells is all there is. Of its four lines only 0-4 is of one colour, with two
    # of Black's stones; 1-5 holds both, 2-6 too, and 3-7 is White's.
    board, _ = drawn(WALLS + ". X X . . O . .\n" + WALLS)
    black = {(0, 2): (0, 420), (3, 2): (200, 420), (4, 2): (200, 420), (6, 2): (200, 0),
             (7, 2): (200, 0)}  # fmt: skip
    assert line_sums(board, BLACK) == black
    assert line_sums(board, WHITE)[3, 2] == (400, 220)


# -- windows


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
            if 3 not in window and not (own and other):
                total += own * 2**own - other * 2**other
    return total


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


@pytest.mark.parametrize(
    ("row", "points"),
    [
        (". . X X X . . .", [(1, 2), (0, 2), (5, 2)]),
        (". X X . X . . .", [(3, 2), (0, 2), (5, 2)]),
        (". X . X X . O .", [(2, 2), (0, 2), (5, 2)]),
        ("O . X X X . O .", []),
        (". # . X X X . #", []),
    ],
)
def test_open_threes_have_three_points(row: str, points: list[Cell]) -> None:
    board, _ = drawn(EMPTY + row + "\n" + EMPTY)
    assert open_three(board, BLACK) == points
    assert open_three(board, WHITE) == []


# -- simple


# Positions that tournaments test entrants with, one or more for each rule.
@pytest.mark.parametrize(
    ("rules", "moves", "answers"),
    [
        ((0, 1, 4, 8, 9), "h8h9i8i9j8j9k8k9", "g8 l8"),
        ((1,), "h8h9i8h10g8h11j13h12g14h14i15", "f8 j8"),
        ((8, 9), "h8f8g8f9i8f7j8l8", "f5 f6 f10 f11"),
    ],
)
def test_entrance_questions(rules: tuple[int, ...], moves: str, answers: str) -> None:
    for rule in rules:
        board = Referee(15, 15, rule)
        cells = read_moves(moves, 15, 15)
        for i, cell in enumerate(cells):
            board.play(*cell, 1 + i % 2)
        cell = move_of("simple", board, 1 + len(cells) % 2)
        assert point_name(cell, 15) in answers.split(), rule
