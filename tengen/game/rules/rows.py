"""The rows of five cells of a board, and how many stones of one colour each has.

Under every rule a winning line contains five neighbouring cells of one colour. So a colour's next
stone can win only in a row of five in which the colour has four stones and nothing else stands.
Without such a row there is no need to ask the referee about single cells.
"""

from __future__ import annotations

from functools import lru_cache

from tengen.game.rules.referee import DIRECTIONS, EMPTY, Cell, Referee


class Rows:
    """The rows of five of a board for one colour. The caller has to call `play` and `undo` here
    whenever it calls them for the board."""

    def __init__(self, board: Referee, colour: int) -> None:
        self._colour = colour
        walls = frozenset(board.walls())
        self._cells, self._through = _rows_of(board.width, board.height, walls)
        self._own = [0] * len(self._cells)
        self._foreign = [0] * len(self._cells)
        # Rows without an opponent's stone or a wall, by the number of own stones.
        self._open: list[set[int]] = [set(range(len(self._cells))), *(set() for _ in range(5))]
        for x, y, stone in board.stones():
            self.play((x, y), stone)

    def play(self, cell: Cell, stone: int) -> None:
        """Records that a stone of the colour `stone` was put on the empty `cell`."""
        for row in self._through.get(cell, ()):
            if stone == self._colour:
                if not self._foreign[row]:
                    self._open[self._own[row]].discard(row)
                    self._open[self._own[row] + 1].add(row)
                self._own[row] += 1
            else:
                if not self._foreign[row]:
                    self._open[self._own[row]].discard(row)
                self._foreign[row] += 1

    def undo(self, cell: Cell, stone: int) -> None:
        """Records that this stone was taken off the board again."""
        for row in self._through.get(cell, ()):
            if stone == self._colour:
                self._own[row] -= 1
                if not self._foreign[row]:
                    self._open[self._own[row] + 1].discard(row)
                    self._open[self._own[row]].add(row)
            else:
                self._foreign[row] -= 1
                if not self._foreign[row]:
                    self._open[self._own[row]].add(row)

    def gaps(self, board: Referee, empty: int) -> set[Cell]:
        """The empty cells of all rows with exactly `empty` empty cells and otherwise own stones."""
        return {
            cell
            for row in self._open[5 - empty]
            for cell in self._cells[row]
            if board.cell(*cell) == EMPTY
        }

    def wins(self, board: Referee) -> list[Cell]:
        """The cells where the next stone of the colour wins, in order, as the referee decides."""
        if not self._open[4]:
            return []
        return [
            cell for cell in sorted(self.gaps(board, 1)) if board.makes_win(*cell, self._colour)
        ]


@lru_cache(maxsize=16)
def _rows_of(
    width: int, height: int, walls: frozenset[Cell]
) -> tuple[list[tuple[Cell, ...]], dict[Cell, list[int]]]:
    """The rows of five cells without a wall, and for each cell the numbers of those through it.
    Kept for the next board of this shape: making them takes longer than most checks."""
    cells: list[tuple[Cell, ...]] = []
    through: dict[Cell, list[int]] = {}
    for y in range(height):
        for x in range(width):
            for dx, dy in DIRECTIONS:
                row = tuple((x + i * dx, y + i * dy) for i in range(5))
                end_x, end_y = row[-1]
                if 0 <= end_x < width and 0 <= end_y < height and walls.isdisjoint(row):
                    for cell in row:
                        through.setdefault(cell, []).append(len(cells))
                    cells.append(row)
    return cells, through
