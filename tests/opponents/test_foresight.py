"""Foresight: the shapes of a point, and forced steps ahead for either side."""

from __future__ import annotations

import pytest

from engine.model import Limits
from tengen.game.referee import BLACK, WHITE, Cell, Referee
from tengen.opponents.brain import Clock
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
from tests.opponents.players import diagram, drawn, endless, move_of, think


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


def test_the_most_important_shape_is_played_own_ones_first() -> None:
    board, drawing = drawn("""
    . . . . . . . . .
    . . . . . . . . .
    . ! X X ! ? O O .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    # Either side could make an open three, and does; White has one point, because the other is at
    # the edge.
    assert move_of("foresight", board) in drawing.marked
    assert {move_of("foresight", board, WHITE)} == drawing.cleared
    five, drawing = drawn("""
    . . . . . . . . .
    . . X X X X O . .
    . . . . . . . . .
    . O O O O X . . .
    . . . . . . . . .
    """)
    assert move_of("foresight", five) == (1, 1)
    assert move_of("foresight", five, WHITE) == (0, 3)


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


def test_a_three_forces_nobody_who_can_make_an_open_four() -> None:
    board, _ = drawn("""
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . X . . . . . . . .
    . . X . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . X X . . . . .
    . . . . . . . . . . .
    . . . . . O O O . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """)
    # The column and the row of X cross at 2,4 and at 4,4, but White is faster.
    table = make_table(board)
    assert foresee(table, BLACK, endless()) is None
    assert move_of("foresight", board) in {(4, 8), (8, 8)}


def test_a_clock_that_is_over_leaves_the_table_as_it_was() -> None:
    board, _ = THREE_STEPS
    table = make_table(board)
    before = [list(table.worth[BLACK]), list(table.worth[WHITE])]
    for nodes in range(12):
        clock = Clock(Limits(turn_ms=600_000, nodes=nodes), lambda: False)
        assert foresee(table, BLACK, clock) is None
        assert clock.nodes == nodes
        assert [table.worth[BLACK], table.worth[WHITE]] == before
