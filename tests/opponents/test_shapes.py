"""The table of shapes that the opponents with foresight share: stones update it."""

from __future__ import annotations

import random

import pytest

from tengen.game.referee import BLACK, WHITE, Cell, Referee
from tengen.opponents.shapes import REACH, Shapes, ShapeTable, run_through_middle

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))


def _number(line: str) -> int:
    """A line as a number, so that any two lines differ."""
    assert len(line) == 2 * REACH + 1 and line[REACH] == "x"
    return int("".join(str(".x#".index(sign)) for sign in line), 3)


def _sum(shapes: Shapes) -> int:
    return sum((i + 1) * shape for i, shape in enumerate(shapes))


def _line(board: Referee, cell: Cell, step: Cell, colour: int) -> str:
    """The line around a point, straight from the board."""
    signs = {0: ".", colour: "x"}
    cells = [(cell[0] + i * step[0], cell[1] + i * step[1]) for i in range(-REACH, REACH + 1)]
    line = [signs.get(board.cell(x, y), "#") for x, y in cells]
    line[REACH] = "x"
    return "".join(line)


def _check(table: ShapeTable, board: Referee) -> None:
    """Is everything in the table as the board says? White's judge is another one than Black's."""
    for colour, sign in ((BLACK, 1), (WHITE, -1)):
        expected = [0] * len(table.worth[colour])
        for x, y in board.empties():
            lines = [_number(_line(board, (x, y), step, colour)) for step in DIRECTIONS]
            cell = table.cell_at(x, y)
            assert table.xy(cell) == (x, y) and table.is_empty(cell)
            assert table.shapes[colour][cell] == lines
            expected[cell] = sign * _sum((lines[0], lines[1], lines[2], lines[3]))
        assert table.worth[colour] == expected


@pytest.mark.parametrize("size", [(5, 5), (9, 6), (7, 15)])
def test_stones_that_come_and_go(size: tuple[int, int]) -> None:
    rng = random.Random(f"{size}")
    board = Referee(*size, 0, [(2, 3), (4, 4)])
    for i, cell in enumerate(rng.sample(board.empties(), 4)):
        board.play(*cell, 1 + i % 2)
    table = ShapeTable(board, _number, (_sum, lambda shapes: -_sum(shapes)))
    _check(table, board)
    tried: list[Cell] = []
    for _ in range(40):
        if tried and rng.random() < 0.45:
            table.undo(table.cell_at(*tried.pop()))
            board.undo()
        else:
            cell, colour = rng.choice(board.empties()), rng.choice((BLACK, WHITE))
            tried.append(cell)
            table.play(table.cell_at(*cell), colour)
            board.play(*cell, colour)
        _check(table, board)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (".....x.....", (1, ".....", ".....")),
        ("..#xxxx.x..", (4, "#..", ".x..")),
        ("xxxxxxxxxxx", (11, "", "")),
    ],
)
def test_the_row_through_the_middle(line: str, found: tuple[int, str, str]) -> None:
    assert run_through_middle(line) == found
