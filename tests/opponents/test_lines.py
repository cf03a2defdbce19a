"""The winning lines: how many there are, what they are worth, and which point is played."""

from __future__ import annotations

import pytest

from tengen.game.rules.referee import BLACK, WHITE, Referee
from tengen.opponents.lines import MAKING, STOPPING, line_sums, stones_of, winning_lines
from tests.opponents.players import drawn, move_of


def test_572_lines_on_15x15() -> None:
    assert len(winning_lines(15, 15)) == 572


@pytest.mark.parametrize(("width", "height"), [(5, 5), (6, 5), (5, 9), (12, 7), (20, 20), (22, 22)])
def test_the_number_of_lines_on_any_board(width: int, height: int) -> None:
    lines = winning_lines(width, height)
    w, h = width - 4, height - 4
    assert len(lines) == height * w + width * h + 2 * w * h
    assert len({frozenset(line) for line in lines}) == len(lines)
    for line in lines:
        (x0, y0), (x1, y1) = line[0], line[1]
        assert line == tuple((x0 + i * (x1 - x0), y0 + i * (y1 - y0)) for i in range(5))
        assert all(0 <= x < width and 0 <= y < height for x, y in line)


def test_the_published_worth_of_a_line() -> None:
    assert STOPPING[1:] == (200, 400, 2000, 10000)
    assert MAKING[1:] == (220, 420, 2200, 20000)


def test_a_worked_position() -> None:
    # One row of seven cells is all there is; its three lines are columns 0-4, 1-5 and 2-6, and
    # walls shut everything else.
    board, _ = drawn("""
    # # # # # # #
    # # # # # # #
    . X X . . O .
    # # # # # # #
    # # # # # # #
    """)
    # Only 0-4 is alive, with two of Black's stones; the others hold both colours.
    assert line_sums(board, BLACK) == {
        (0, 2): (0, 420), (3, 2): (0, 420), (4, 2): (0, 420), (6, 2): (0, 0),
    }  # fmt: skip
    assert line_sums(board, WHITE) == {
        (0, 2): (400, 0), (3, 2): (400, 0), (4, 2): (400, 0), (6, 2): (0, 0),
    }  # fmt: skip


def test_a_line_with_a_wall_is_nobodys() -> None:
    board, _ = drawn("""
    . X X X X
    . . . . .
    . . # . .
    . . . . .
    . . . . .
    """)
    line = ((2, 0), (2, 1), (2, 2), (2, 3), (2, 4))
    assert stones_of(board, line, BLACK) == (1, 0, True)
    assert line_sums(board, BLACK)[2, 1] == (0, 0)
    assert line_sums(board, BLACK)[0, 0] == (0, 20000)


def test_the_larger_sum_decides_then_the_other_then_the_column() -> None:
    board, drawing = drawn("""
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . ! O O ? . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    """)
    sums = line_sums(board, BLACK)
    marked, cleared = *drawing.marked, *drawing.cleared
    assert sums[marked] == sums[cleared] == max(sums.values())
    assert move_of("lines", board) == marked


def test_the_centre_of_an_empty_board() -> None:
    assert move_of("lines", Referee(15, 15, 0)) == (7, 7)
    assert move_of("lines", Referee(20, 9, 0), WHITE) == (10, 4)
