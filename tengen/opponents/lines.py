"""The table of winning lines of the tutorial "JS實現五子棋——AI篇": count the stones in every five
cells in a row, and add up the values of the lines through a point.

The rule: all sets of five cells in a row are numbered, 572 of them on 15x15. A line that holds a
stone of one side is dead for the other. Each empty point gets two sums. The first is over the lines
through it that are alive for the opponent: 200, 400, 2000 or 10000 for 1 to 4 stones of the
opponent. The second is over the own lines: 220, 420, 2200 or 20000. The point whose larger sum is
the highest is played; if several are equal, the one with the higher other sum, then the first,
column by column. On an empty board it is the centre.

Known weaknesses: a sum does not show what is forced. An own three that the opponent can stop,
with some twos across it, gets a higher sum than the point where the opponent is about to make two
open threes. It does not look further than the next stone.

Slips of the article that are not followed: `=` for `==` in two comparisons, and
`chessBoard[u][v] == 2`, which never records the machine's own stone.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.model import Score
from tengen.game.referee import Cell, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, centre

FIVE = 5
# By the number of stones in a line; an empty line counts for neither side.
STOPPING = (0, 200, 400, 2000, 10000)
MAKING = (0, 220, 420, 2200, 20000)

# Every line begins with its topmost cell.
_DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (1, 1))


class Lines(Baseline):
    """The brain that plays by the table of lines."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The points by the larger of their two sums, then by the smaller, then column by
        column."""
        if not board.stones():
            return Choice([centre(board)])
        sums = line_sums(board, colour)
        cells = sorted(sums, key=lambda cell: (-max(sums[cell]), -min(sums[cell]), cell))
        return Choice(cells, Score(max(sums[cells[0]])))


def line_sums(board: Referee, colour: int) -> dict[Cell, tuple[int, int]]:
    """For every empty point the sum over the opponent's lines and that over those of `colour`."""
    sums = dict.fromkeys(board.empties(), (0, 0))
    for line in winning_lines(board.width, board.height):
        own, other, is_walled = stones_of(board, line, colour)
        if is_walled or not own + other or (own and other):
            continue
        stops, makes = (0, MAKING[own]) if own else (STOPPING[other], 0)
        for cell in line:
            if cell in sums:
                stopped, made = sums[cell]
                sums[cell] = (stopped + stops, made + makes)
    return sums


def stones_of(board: Referee, line: tuple[Cell, ...], colour: int) -> tuple[int, int, bool]:
    """How many stones `colour` and its opponent have on a line, and whether it holds a wall.

    Five stones, which can be part of an overline that does not win, count as four."""
    standing = [board.cell(x, y) for x, y in line]
    own, other = standing.count(colour), standing.count(opponent_of(colour))
    empty = standing.count(0)
    return min(own, FIVE - 1), min(other, FIVE - 1), own + other + empty < FIVE


@cache
def winning_lines(width: int, height: int) -> tuple[tuple[Cell, ...], ...]:
    """Every five cells in a row of a board: rows, columns, and both diagonals.

    There are h(w-4) + w(h-4) + 2(w-4)(h-4) of them.
    """
    return tuple(_lines(width, height))


def _lines(width: int, height: int) -> Iterator[tuple[Cell, ...]]:
    for dx, dy in _DIRECTIONS:
        for y in range(height):
            for x in range(width):
                line = tuple((x + i * dx, y + i * dy) for i in range(FIVE))
                end_x, end_y = line[-1]
                if 0 <= end_x < width and end_y < height:
                    yield line
