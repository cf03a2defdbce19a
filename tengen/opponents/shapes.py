"""What a stone of either colour would make at every empty point, along each of its four lines,
updated as stones are tried and taken back.

The brains that look ahead define with two functions what a shape is and what a point's shapes are
worth. This table caches the results line by line, so that a stone costs some microseconds instead
of a pass over the whole board.
"""

from __future__ import annotations

from collections.abc import Callable

from tengen.game.referee import BLACK, EMPTY, WALL, WHITE, Cell, Referee

# Cells on either side of a point that a shape may depend on.
REACH = 5

# Reads the line of 2 * REACH + 1 cells around a point: `x` for own stones, `.` for empty cells, `#`
# for everything else; the point itself, in the middle, is `x`. Returns the number of a shape.
ReadLine = Callable[[str], int]
# The shapes of a point along the row, the column and both diagonals; and what they are worth.
Shapes = tuple[int, int, int, int]
Judge = Callable[[Shapes], int]


class ShapeTable:
    """The shapes of all empty points of a board and what they are worth, for both colours.

    read    returns the shape of a line.
    judges  return what the four shapes of a point are worth to Black, and to White.

    A cell is a number here; `cell_at` and `xy` convert. `worth[colour][cell]` is 0 for cells that
    are not empty and outside the board.
    """

    def __init__(self, board: Referee, read: ReadLine, judges: tuple[Judge, Judge]) -> None:
        self._stride = stride = board.width + 2 * REACH
        self._steps = (1, stride, stride + 1, stride - 1)
        self._read = read
        self._judges = {BLACK: judges[0], WHITE: judges[1]}
        size = stride * (board.height + 2 * REACH)
        self._stone = bytearray([WALL]) * size
        for y in range(board.height):
            for x in range(board.width):
                self._stone[self.cell_at(x, y)] = board.cell(x, y)
        self.empties = [self.cell_at(x, y) for x, y in board.empties()]
        self.shapes: dict[int, list[list[int]]] = {
            colour: [[0, 0, 0, 0] for _ in range(size)] for colour in (BLACK, WHITE)
        }
        self.worth: dict[int, list[int]] = {colour: [0] * size for colour in (BLACK, WHITE)}
        # Caches: the shapes of a line, for Black and for White, by its cells; the worth of shapes.
        self._known_lines: dict[bytes, tuple[int, int]] = {}
        self._known_worth: dict[int, dict[Shapes, int]] = {BLACK: {}, WHITE: {}}
        for cell in self.empties:
            self._look_at(cell, range(4))
            self._judge(cell)

    def cell_at(self, x: int, y: int) -> int:
        """The number of a cell of the board."""
        return (y + REACH) * self._stride + x + REACH

    def xy(self, cell: int) -> Cell:
        """The column and row of a cell."""
        y, x = divmod(cell, self._stride)
        return x - REACH, y - REACH

    def is_empty(self, cell: int) -> bool:
        """True for an empty cell of the board."""
        return self._stone[cell] == EMPTY

    def play(self, cell: int, colour: int) -> None:
        """Puts a stone on an empty cell."""
        self._stone[cell] = colour
        self.worth[BLACK][cell] = self.worth[WHITE][cell] = 0
        self._look_around(cell)

    def undo(self, cell: int) -> None:
        """Takes a stone back; the last one played first."""
        self._stone[cell] = EMPTY
        # The shapes of this cell are those from before the stone, because all later stones are off
        # the board.
        self._judge(cell)
        self._look_around(cell)

    def _look_around(self, cell: int) -> None:
        stone = self._stone
        for direction, step in enumerate(self._steps):
            for near in range(cell - REACH * step, cell + REACH * step + 1, step):
                if stone[near] == EMPTY and near != cell:
                    self._look_at(near, (direction,))

    def _look_at(self, cell: int, directions: range | tuple[int, ...]) -> None:
        """Reads the lines of an empty cell again, and updates its worth if one has changed."""
        black, white = self.shapes[BLACK][cell], self.shapes[WHITE][cell]
        is_changed = False
        for direction in directions:
            step = self._steps[direction]
            line = bytes(self._stone[cell - REACH * step : cell + REACH * step + 1 : step])
            found = self._known_lines.get(line)
            if found is None:
                found = (self._read(_signs(line, BLACK)), self._read(_signs(line, WHITE)))
                self._known_lines[line] = found
            if (black[direction], white[direction]) != found:
                black[direction], white[direction] = found
                is_changed = True
        if is_changed:
            self._judge(cell)

    def _judge(self, cell: int) -> None:
        for colour in (BLACK, WHITE):
            one, two, three, four = self.shapes[colour][cell]
            shapes = (one, two, three, four)
            worth = self._known_worth[colour].get(shapes)
            if worth is None:
                worth = self._known_worth[colour][shapes] = self._judges[colour](shapes)
            self.worth[colour][cell] = worth


def _signs(line: bytes, colour: int) -> str:
    signs = "".join("x" if c == colour else "." if c == EMPTY else "#" for c in line)
    return signs[:REACH] + "x" + signs[REACH + 1 :]


def run_through_middle(line: str) -> tuple[int, str, str]:
    """The unbroken row of `x` through the middle of a line: its length, and the cells beyond it on
    the left (read backwards) and on the right."""
    middle = len(line) // 2
    left = line[:middle][::-1]
    right = line[middle + 1 :]
    before = len(left) - len(left.lstrip("x"))
    after = len(right) - len(right.lstrip("x"))
    return before + 1 + after, left[before:], right[after:]
