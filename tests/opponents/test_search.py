"""The opponents that look ahead: the table of shapes that stones update, pattern scores, alpha-beta
as minimax with fewer nodes, and the forced steps of foresight."""

from __future__ import annotations

import random

import pytest

from tengen.game.referee import BLACK, WHITE, Cell, Referee
from tengen.opponents.foresight import (
    DOUBLE_FOUR,
    DOUBLE_THREE,
    FOUR,
    FOUR_THREE,
    NOTHING,
    OPEN_THREE,
    assumed_reply,
    foresee,
    make_table,
    shape_at,
)
from tengen.opponents.minimax import DEPTH_PLIES, PointScores, place_value, search
from tengen.opponents.shapes import REACH, Shapes, ShapeTable
from tests.opponents.players import diagram, drawn, endless, move_of, random_boards, think

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


# -- minimax


def _by_cell(scores: PointScores, board: Referee, colour: int) -> dict[Cell, int]:
    """The scores of all empty points."""
    return {scores.xy(cell): scores.score(cell, colour) for cell in scores.cells}


# A row of a board that is nothing else, and what a stone of X at the mark makes of it. The row is
# the third of five; the four corners of the board are far away.
@pytest.mark.parametrize(
    ("row", "score"),
    [
        (". . X X ! X X . . . .", 10000),
        (". . X X ! X . . . . .", 5000),
        (". O X X ! X . . . . .", 32),
        (". O X X ! X O . . . .", 4),
        (". . . X ! X . . . . .", 100),
        (". . O X ! X . . . . .", 6),
        (". . O X ! X O . . . .", 3),
        (". . . X ! . . . . . .", 10),
        (". . O X ! . . . . . .", 4),
        (". . O X ! O . . . . .", 2),
        # One gap: the row itself, and the gapped one besides.
        (". . X X ! . X . . . .", 100 + 90),
        (". . . X ! . X X . . .", 10 + 90),
        (". . . . ! . X X X . .", 90),
        (". . . X ! . X . . . .", 10 + 10),
        (". . . X ! . X O . . .", 10),
        (". . . . ! . X . . . .", 2),
        (". X . X ! . X . . . .", 10 + 2 * 10),
        ("O . . . ! . . O O . .", 0),
    ],
)
def test_the_score_of_a_shape(row: str, score: int) -> None:
    empty = ". . . . . . . . . . .\n"
    board, drawing = drawn(empty * 2 + row + "\n" + empty * 2)
    (cell,) = drawing.marked
    neighbours = sum(
        board.legal(cell[0] + dx, cell[1] + dy)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if dx or dy
    )
    alone = neighbours + place_value(*cell, board.width, board.height)
    scores = PointScores(board)
    assert _by_cell(scores, board, BLACK)[cell] - alone == score


QUIET = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . O . . . .
    . . . X X . . . .
    . . . . O X . . .
    . . . . . . . . .
    . . . . . . . . .
"""
WITH_FOURS = """
    X . . . . . . . .
    . . . O O O O X .
    . . X . X . . . .
    . . . X . . . . .
    . . . . . . O . .
    . . X . . . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize(
    "board",
    [drawn(QUIET)[0], drawn(WITH_FOURS)[0], *random_boards(3)],
    ids=lambda board: f"{len(board.stones())} stones",
)
@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_alphabeta_is_minimax_with_fewer_nodes(board: Referee, side: int) -> None:
    nodes, found = {}, {}
    for prunes in (False, True):
        clock = endless()
        found[prunes] = search(PointScores(board), side, DEPTH_PLIES, clock, prunes)
        nodes[prunes] = clock.nodes
    assert found[True] == found[False]
    assert nodes[True] < nodes[False] <= 5 + 5**2 + 5**3 + 5**4


def test_trying_stones_leaves_the_scores_as_they_were() -> None:
    rng = random.Random(3)
    for board in random_boards(6):
        scores = PointScores(board)
        before = [_by_cell(scores, board, colour) for colour in (BLACK, WHITE)]
        tried = rng.sample(scores.cells, 8)
        for i, cell in enumerate(tried):
            scores.play(cell, 1 + i % 2)
            board.play(*scores.xy(cell), 1 + i % 2)
            fresh = PointScores(board)
            for colour in (BLACK, WHITE):
                now = {scores.xy(c): scores.score(c, colour) for c in fresh.cells}
                assert now == _by_cell(fresh, board, colour)
        for cell in reversed(tried):
            scores.undo(cell)
        assert before == [_by_cell(scores, board, colour) for colour in (BLACK, WHITE)]


# -- foresight


def _shape(board: Referee, cell: Cell, colour: int) -> int:
    table = make_table(board)
    return shape_at(table, table.cell_at(*cell), colour)


@pytest.mark.parametrize(
    ("row", "column", "together", "in_renju"),
    [
        (". O X X X ! . . .", "X X X O", DOUBLE_FOUR, NOTHING),
        (". O X X X ! . . .", "X X . .", FOUR_THREE, FOUR_THREE),
        (". . . X X ! . . .", "X X . .", DOUBLE_THREE, NOTHING),
    ],
)
def test_two_shapes_at_one_point_are_seen_at_once(
    row: str, column: str, together: int, in_renju: int
) -> None:
    """A row, and a column that crosses it at the mark."""
    below = [f". . . . . {sign} . . ." for sign in column.split()]
    picture = "\n".join([". . . . . . . . .", row, *below, ". . . . . . . . ."])
    for rule, expected in ((0, together), (4, in_renju)):
        board, drawing = drawn(f"rule: {rule}\n{picture}")
        (cell,) = drawing.marked
        assert _shape(board, cell, BLACK) == expected
        white, _ = drawn(f"rule: {rule}\n{picture.translate(str.maketrans('XO', 'OX'))}")
        assert _shape(white, cell, WHITE) == together


# X wins from the mark: an open three, stopped below; another that goes with it; a third; then a
# four-three. Whoever moves first plays there.
THREE_STEPS = diagram(6, (11, 11), 2)


def test_a_four_three_three_forced_steps_deep_is_found() -> None:
    board, drawing = THREE_STEPS
    result = think("foresight", board, BLACK)
    assert {tuple(result.move)} == drawing.marked
    assert result.info.depth_plies == 3 * 2 + 1
    # Step by step, with the replies it assumes.
    table = make_table(board)
    for steps in (3, 2, 1):
        found = foresee(table, BLACK, endless())
        assert found is not None and found[1] == steps
        assert shape_at(table, found[0], BLACK) in (OPEN_THREE, FOUR)
        table.play(found[0], BLACK)
        table.play(assumed_reply(table, BLACK), WHITE)
    found = foresee(table, BLACK, endless())
    assert found is not None and found[1] == 0
    assert shape_at(table, found[0], BLACK) == FOUR_THREE


def test_a_four_three_three_forced_steps_deep_is_defended_where_it_begins() -> None:
    board, drawing = THREE_STEPS
    assert foresee(make_table(board), WHITE, endless()) is None
    assert {move_of("foresight", board, WHITE)} == drawing.marked
    board.play(*min(drawing.marked), WHITE)
    assert foresee(make_table(board), BLACK, endless()) is None
    board.undo()
