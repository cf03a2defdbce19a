"""How opponents choose: the table of shapes that stones update, alpha-beta as minimax with fewer
nodes, the forced steps of foresight, and what those that look no further gain by a stone. (What
each of them plays is held by the checksums of test_brain.)"""

from __future__ import annotations

import random

import pytest

from engine.text import point_name, read_moves
from tengen.game.referee import BLACK, DIRECTIONS, WHITE, Cell, Referee, opponent_of
from tengen.opponents.foresight import (
    FOUR,
    FOUR_THREE,
    OPEN_THREE,
    assumed_reply,
    foresee,
    make_table,
    shape_at,
)
from tengen.opponents.minimax import DEPTH_PLIES, PointScores, search
from tengen.opponents.shapes import REACH, Shapes, ShapeTable
from tengen.opponents.tables import window_gains
from tests.opponents.players import diagram, drawn, endless, move_of, random_boards, think

STEPS = ((1, 0), (0, 1), (1, 1), (-1, 1))


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
            lines = [_number(_line(board, (x, y), step, colour)) for step in STEPS]
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


# -- those that look no further than the next stone


def test_the_centre_where_nothing_touches_anything() -> None:
    for name in ("weights", "lines", "foresight"):
        assert move_of(name, Referee(20, 9, 0)) == (10, 4)
    assert move_of("weights", Referee(7, 7, 0, [(3, 3)])) == (0, 0)


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
