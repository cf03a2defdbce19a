"""The table of shapes: how lines are read, and that stones update it."""

from __future__ import annotations

import random

import pytest

from tengen.game.rules.referee import BLACK, WHITE, Cell, Referee
from tengen.opponents.shapes import REACH, Shapes, ShapeTable, run_through_middle
from tests.opponents.players import drawn

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
    """Is everything in the table as the board says?"""
    for colour in (BLACK, WHITE):
        expected = [0] * len(table.worth[colour])
        for x, y in board.empties():
            lines = [_number(_line(board, (x, y), step, colour)) for step in DIRECTIONS]
            assert table.shapes[colour][table.cell_at(x, y)] == lines
            expected[table.cell_at(x, y)] = _sum((lines[0], lines[1], lines[2], lines[3]))
        assert table.worth[colour] == expected


@pytest.mark.parametrize("size", [(5, 5), (9, 6), (7, 15)])
def test_stones_that_come_and_go(size: tuple[int, int]) -> None:
    rng = random.Random(f"{size}")
    board = Referee(*size, 0, [(2, 3), (4, 4)])
    for i, cell in enumerate(rng.sample(board.empties(), 4)):
        board.play(*cell, 1 + i % 2)
    table = ShapeTable(board, _number, (_sum, _sum))
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


def test_cells_are_numbers_and_back() -> None:
    board, _ = drawn("""
    X . . . . #
    . . . . . .
    . . . . . .
    . . . . . .
    . . . . . O
    """)
    table = ShapeTable(board, _number, (_sum, _sum))
    assert [table.xy(cell) for cell in table.empties] == board.empties()
    assert all(table.xy(table.cell_at(x, y)) == (x, y) for x in range(6) for y in range(5))
    assert not any(
        table.is_empty(table.cell_at(x, y)) for x, y in [(0, 0), (5, 0), (5, 4), (-1, 0)]
    )


def test_each_colour_has_its_own_judge() -> None:
    board = Referee(5, 5, 0)
    table = ShapeTable(board, lambda line: line.count("x"), (sum, lambda shapes: -max(shapes)))
    cell = table.cell_at(2, 2)
    table.play(table.cell_at(1, 2), WHITE)
    assert (table.worth[BLACK][cell], table.worth[WHITE][cell]) == (4, -2)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (".....x.....", (1, ".....", ".....")),
        ("..#xxxx.x..", (4, "#..", ".x..")),
        ("x.xx.x#....", (1, ".xx.x", "#....")),
        ("xxxxxxxxxxx", (11, "", "")),
    ],
)
def test_the_row_through_the_middle(line: str, found: tuple[int, str, str]) -> None:
    assert run_through_middle(line) == found
