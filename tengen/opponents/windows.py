"""The program below the text "总的来说,要让电脑知道该在哪一点下子……" (an article without a title):
sums over windows of five cells, at a low and a high level. The text itself describes another
brain, `tengen.opponents.foresight`.

The rule: a window of five cells with stones of one side only is alive, and counts n x 2^n for n
stones. The value of a position is the sum of the own windows minus that of the opponent's.

* The low level completes an own four; else it blocks the fifth cell of the opponent's four; else it
  plays the empty point after which the position has the highest value.
* The high level looks for open threes before it compares sums: it extends an own one at its inner
  empty cell, and answers the opponent's at the best of its three points.

The first move of a game is random, in the middle 7x7.

Known weaknesses: neither level sees two threats at once, so it notices a four-three or a double
three only when it is on the board. The low level lets an open three become an open four unless the
sums happen to favour the block.

The printed program counts one stone less in the machine's windows, (n-1) x 2^(n-1). Its text does
not say so, and it is not followed here. The program's fixed 15x15 board is replaced by any size.
"""

from __future__ import annotations

from functools import cache

from engine.model import Score
from tengen.game.referee import EMPTY, Cell, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, best_first, chance
from tengen.opponents.lines import stones_of, winning_lines

# n x 2^n for n stones of one side in a window without stones of the other.
WORTH = tuple(n * 2**n for n in range(6))
# The first move lies at most so many cells from the middle, in both directions.
_FIRST_REACH = 3


class Low(Baseline):
    """The low level: fours, then sums."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The fifth cell of a four, or the points by the value of the position after them."""
        if not board.stones():
            return Choice(self._middle(board))
        gains = window_gains(board, colour)
        forced = self._forced(board, colour, gains)
        cells = best_first(gains)
        return Choice(forced + cells, Score(gains[(forced + cells)[0]]))

    def _forced(self, board: Referee, colour: int, gains: dict[Cell, int]) -> list[Cell]:
        """The points that the level plays before it compares sums; empty if there are none."""
        return fifth_cells(board, colour) or fifth_cells(board, opponent_of(colour))

    def _middle(self, board: Referee) -> list[Cell]:
        cells = [
            (x, y)
            for x, y in board.empties()
            if abs(x - board.width // 2) <= _FIRST_REACH
            and abs(y - board.height // 2) <= _FIRST_REACH
        ]
        chance(self.seed, board).shuffle(cells)
        return cells


class High(Low):
    """The high level: fours, open threes, then sums."""

    def _forced(self, board: Referee, colour: int, gains: dict[Cell, int]) -> list[Cell]:
        if forced := super()._forced(board, colour, gains):
            return forced
        if own := open_three(board, colour):
            return own[:1]
        return sorted(open_three(board, opponent_of(colour)), key=lambda cell: -gains[cell])


def window_gains(board: Referee, colour: int) -> dict[Cell, int]:
    """By how much a stone of `colour` at each empty point raises the value of the position."""
    gains = dict.fromkeys(board.empties(), 0)
    for line in _windows(board.width, board.height):
        own, other, is_walled = stones_of(board, line, colour)
        if is_walled or (own and other):
            continue
        # The stone kills a window of the opponent, or adds to an own one.
        gain = WORTH[other] if other else WORTH[own + 1] - WORTH[own]
        for cell in line:
            if cell in gains:
                gains[cell] += gain
    return gains


def fifth_cells(board: Referee, colour: int) -> list[Cell]:
    """The empty cells of windows with four stones of `colour`, in the order of the windows."""
    return [
        next((x, y) for x, y in line if board.cell(x, y) == EMPTY)
        for line in _windows(board.width, board.height)
        if stones_of(board, line, colour) == (4, 0, False) and _holds_empty(board, line)
    ]


def open_three(board: Referee, colour: int) -> list[Cell]:
    """The three points of the first open three of `colour`: the empty cell between its ends, then
    the ends; empty if there is none.

    An open three is a window of three stones that begins with an empty cell and is followed by
    another: `.xxx..`, `.xx.x.`, `.x.xx.` or `..xxx.`.
    """
    for line in _windows(board.width, board.height):
        if stones_of(board, line, colour) != (3, 0, False):
            continue
        (x, y), (next_x, next_y) = line[0], line[1]
        end = (x + 5 * (next_x - x), y + 5 * (next_y - y))
        if board.cell(x, y) == EMPTY and board.cell(*end) == EMPTY:
            inner = next(cell for cell in line[1:] if board.cell(*cell) == EMPTY)
            return [inner, (x, y), end]
    return []


def _holds_empty(board: Referee, line: tuple[Cell, ...]) -> bool:
    return any(board.cell(x, y) == EMPTY for x, y in line)


@cache
def _windows(width: int, height: int) -> tuple[tuple[Cell, ...], ...]:
    """The windows in the program's order: by their first cell, row by row; for each cell the row,
    the column, the diagonal to the left, the diagonal to the right."""
    return tuple(sorted(winning_lines(width, height), key=lambda line: (line[0][1], line[0][0])))
