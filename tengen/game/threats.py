"""The points where a colour wins with its next stone, or the one after."""

from __future__ import annotations

from collections.abc import Iterable

from tengen.game.referee import BLACK, DIRECTIONS, Cell, Referee

_REACH = 4  # cells along a line that can belong to the same five


def five_points(board: Referee, cells: Iterable[Cell], colour: int) -> list[Cell]:
    """The cells among these where a stone of `colour` wins."""
    return [cell for cell in cells if board.makes_win(*cell, colour)]


def open_four_points(board: Referee, colour: int, around: Cell | None = None) -> set[Cell]:
    """The empty cells where a stone of `colour` may be played and leaves two or more points to win
    at; with `around`, only cells in line with it."""
    candidates = board.empties() if around is None else _in_line(board, around)
    found = set()
    for cell in candidates:
        if colour == BLACK and board.foul(*cell) is not None:
            continue
        board.play(*cell, colour)
        if len(five_points(board, _in_line(board, cell), colour)) > 1:
            found.add(cell)
        board.undo()
    return found


def _in_line(board: Referee, cell: Cell) -> list[Cell]:
    """The empty cells that can belong to the same five as `cell`."""
    x, y = cell
    steps = [step for step in range(-_REACH, _REACH + 1) if step]
    near = [(x + i * dx, y + i * dy) for dx, dy in DIRECTIONS for i in steps]
    return [at for at in near if board.legal(*at)]
