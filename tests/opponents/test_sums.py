"""The opponents that add up what stones make of a point, as published: weights, score, lines, and
the two levels of windows."""

from __future__ import annotations

import pytest

from tengen.game.referee import BLACK, DIRECTIONS, WHITE, Cell, Referee, opponent_of
from tengen.opponents import score, weights
from tengen.opponents.lines import line_sums, winning_lines
from tengen.opponents.windows import fifth_cells, open_three, window_gains
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
    assert weights.weight(board, 3, 2, WHITE) == 410 + 20
    assert weights.weight(board, 3, 2, BLACK) == max(80 + 8, 20 + 20)


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
    assert score.score_map(board, BLACK)[cell] == value


# -- lines


@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 5), (5, 9), (12, 7), (15, 15)])
def test_the_number_of_lines_on_any_board(width: int, height: int) -> None:
    lines = winning_lines(width, height)
    w, h = width - 4, height - 4
    assert (
        len(lines) == len({frozenset(line) for line in lines}) == height * w + width * h + 2 * w * h
    )
    for line in lines:
        (x0, y0), (x1, y1) = line[0], line[1]
        assert line == tuple((x0 + i * (x1 - x0), y0 + i * (y1 - y0)) for i in range(5))
        assert all(0 <= x < width and 0 <= y < height for x, y in line)


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


@pytest.mark.parametrize("name", ["foresight-low", "foresight-high"])
def test_an_own_four_then_the_opponents(name: str) -> None:
    board, _ = drawn("""
    . . . . . . . . .
    . O O O . O . . .
    . . . . . . . . .
    . . . X . . . . .
    . . . . X . . . .
    . . . . . X . . .
    . . . . . . X . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    # Two cells complete the diagonal; of its windows the first in row order decides.
    assert fifth_cells(board, BLACK) == [(2, 2), (7, 7)]
    assert move_of(name, board) == (2, 2)
    assert move_of(name, board, WHITE) == (4, 1)
    board.undo()
    assert move_of(name, board) == (4, 1)


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


def test_the_high_level_extends_its_own_three_before_it_answers_at_the_best_point() -> None:
    board, drawing = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . ? O O ? O ? . .
    . . . . . . . . .
    . . . . . . . . .
    . . X ! X X . . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    assert {move_of("foresight-high", board)} == drawing.marked
    for _ in range(3):
        board.undo()
    gains = window_gains(board, BLACK)
    assert move_of("foresight-high", board) == max(drawing.cleared, key=gains.__getitem__)


@pytest.mark.parametrize("name", ["foresight-low", "foresight-high"])
def test_the_first_move_is_random_in_the_middle_seven_by_seven(name: str) -> None:
    played = {move_of(name, Referee(15, 15, 0), seed=seed) for seed in range(60)}
    assert {x for x, _ in played} == {y for _, y in played} == set(range(4, 11))
