"""The opponents that value every empty point by a table and play the best one: of `random` to
`foresight-high`, all that look no further than the next stone.

docs/LADDER.md describes each and where it fails. Here are the slips of the articles that are not
followed, and what was added:

* weights: if no empty point touches a stone, the centre is played; as published it would be the
  corner.
* lines: `=` for `==` in two comparisons; `chessBoard[u][v] == 2`, which never records the machine's
  own stone.
* score: the first row and column are skipped; one comparison of the second count looks for the
  opponent's stones.
* foresight-low and foresight-high: the printed program counts one stone less in the machine's
  windows, (n-1) x 2^(n-1), of which its text says nothing; its 15x15 board is any size here.
"""

from __future__ import annotations

from functools import cache

from engine.model import Score
from tengen.game.referee import DIRECTIONS, EMPTY, Cell, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, best_first, centre, chance

FIVE = 5


class RandomMover(Baseline):
    """Plays a random empty point; the ratings of the ladder are counted from it."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """All empty points, shuffled by the seed and the position."""
        cells = board.empties()
        chance(self.seed, board).shuffle(cells)
        return Choice(cells)


# ---- weights: the row that touches a point, in each of the eight directions

# As published: 1 the opponent's stone, 2 an own one, from the point outwards.
WEIGHTS = {
    "1": 20, "11": 410, "111": 500, "1111": 8000,
    "12": 4, "112": 70, "1112": 450, "11112": 8000,
    "2": 8, "22": 80, "222": 470, "2222": 9000, "22221": 10000,
    "21": 6, "221": 60, "2221": 600,
    "121": 5, "1221": 5, "2112": 5, "212": 5,
}  # fmt: skip


class Weights(Baseline):
    """Plays the first of the points with the highest weight."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The points by their weights, equal ones in row order."""
        weights = {(x, y): weight(board, x, y, colour) for x, y in board.empties()}
        cells = best_first(weights)
        if not weights[cells[0]]:
            cells.insert(0, centre(board))
        return Choice(cells, Score(weights.get(cells[0], 0)))


def weight(board: Referee, x: int, y: int, colour: int) -> int:
    """The weight of an empty point for `colour`: the highest of its four axes, each the sum of two
    opposite directions."""
    return max(
        sum(WEIGHTS.get(_row(board, x, y, sign * dx, sign * dy, colour), 0) for sign in (1, -1))
        for dx, dy in DIRECTIONS
    )


def _row(board: Referee, x: int, y: int, dx: int, dy: int, colour: int) -> str:
    """The stones that follow (x, y) without a gap towards (dx, dy), five cells at most."""
    signs = {opponent_of(colour): "1", colour: "2"}
    found = ""
    for i in range(1, FIVE + 1):
        sign = signs.get(board.cell(x + i * dx, y + i * dy))
        if sign is None:
            break
        found += sign
    return found


# ---- score: the rows of either side that touch a point

_ALL_DIRECTIONS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
_REACH = 4  # stones counted on either side

# The score for (stones, open ends); 0 for those not listed.
STOPPING = {
    **{(1, ends): 10 for ends in range(3)},
    (2, 1): 30, (2, 2): 40,
    (3, 1): 60, (3, 2): 110,
    **{(4, ends): 10100 for ends in range(3)},
}  # fmt: skip
MAKING = {
    **{(0, ends): 5 for ends in range(3)},
    **{(1, ends): 10 for ends in range(3)},
    (2, 1): 25, (2, 2): 50,
    (3, 1): 55, (3, 2): 100,
    **{(stones, ends): 10000 for stones in range(4, 9) for ends in range(3)},
}  # fmt: skip


class ScoreMap(Baseline):
    """Plays one of the points with the highest score; the seed chooses."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The points by their scores, equal ones in random order."""
        cells = board.empties()
        chance(self.seed, board).shuffle(cells)
        scores = {(x, y): score(board, x, y, colour) for x, y in cells}
        cells = best_first(scores)
        return Choice(cells, Score(scores[cells[0]]))


def score(board: Referee, x: int, y: int, colour: int) -> int:
    """The score of an empty point for `colour`. Every axis is read from both ends and so counts
    twice, as published."""
    return sum(
        STOPPING.get(_count(board, x, y, dx, dy, opponent_of(colour)), 0)
        + MAKING.get(_count(board, x, y, dx, dy, colour), 0)
        for dx, dy in _ALL_DIRECTIONS
    )


def _count(board: Referee, x: int, y: int, dx: int, dy: int, colour: int) -> tuple[int, int]:
    """Stones of `colour` that touch (x, y) along one line, up to four on either side, and how
    many of the two ends are empty. An end behind four stones does not count."""
    stones = ends = 0
    for sign in (1, -1):
        for i in range(1, _REACH + 1):
            standing = board.cell(x + sign * i * dx, y + sign * i * dy)
            if standing == colour:
                stones += 1
                continue
            ends += standing == EMPTY
            break
    return stones, ends


# ---- lines: the sets of five cells in a row through a point

Line = tuple[Cell, ...]

# By the number of stones in a line; an empty line counts for neither side.
STOPPING_LINE = (0, 200, 400, 2000, 10000)
MAKING_LINE = (0, 220, 420, 2200, 20000)


class Lines(Baseline):
    """Plays the point with the highest sum over its lines."""

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
        stops, makes = (0, MAKING_LINE[own]) if own else (STOPPING_LINE[other], 0)
        for cell in line:
            if cell in sums:
                stopped, made = sums[cell]
                sums[cell] = (stopped + stops, made + makes)
    return sums


def stones_of(board: Referee, line: Line, colour: int) -> tuple[int, int, bool]:
    """How many stones `colour` and its opponent have on a line, and whether it holds a wall.

    Five stones, which can be part of an overline that does not win, count as four."""
    standing = [board.cell(x, y) for x, y in line]
    own, other = standing.count(colour), standing.count(opponent_of(colour))
    empty = standing.count(EMPTY)
    return min(own, FIVE - 1), min(other, FIVE - 1), own + other + empty < FIVE


@cache
def winning_lines(width: int, height: int) -> tuple[Line, ...]:
    """Every five cells in a row of a board: by their topmost cell, row by row; for each cell the
    row, the column, the diagonal to the left, the diagonal to the right."""
    return tuple(
        tuple((x + i * dx, y + i * dy) for i in range(FIVE))
        for y in range(height)
        for x in range(width)
        for dx, dy in ((1, 0), (0, 1), (-1, 1), (1, 1))
        if 0 <= x + (FIVE - 1) * dx < width and y + (FIVE - 1) * dy < height
    )


# ---- foresight-low, foresight-high: sums over windows of five cells

# n x 2^n for n stones of one side in a window without stones of the other.
WORTH = tuple(n * 2**n for n in range(6))
# The first move lies at most so many cells from the middle, in both directions.
_FIRST_REACH = 3


class Low(Baseline):
    """Completes an own four, else blocks the opponent's, else plays by sums."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The fifth cell of a four, or the points by the value of the position after them."""
        if not board.stones():
            return Choice(self._middle(board))
        gains = window_gains(board, colour)
        cells = self._forced(board, colour, gains) + best_first(gains)
        return Choice(cells, Score(gains[cells[0]]))

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
    """The same, with open threes between fours and sums."""

    def _forced(self, board: Referee, colour: int, gains: dict[Cell, int]) -> list[Cell]:
        if forced := super()._forced(board, colour, gains):
            return forced
        if own := open_three(board, colour):
            return own[:1]
        return sorted(open_three(board, opponent_of(colour)), key=lambda cell: -gains[cell])


def window_gains(board: Referee, colour: int) -> dict[Cell, int]:
    """By how much a stone of `colour` at each empty point raises the value of the position: the sum
    of the own windows minus that of the opponent's."""
    gains = dict.fromkeys(board.empties(), 0)
    for line in winning_lines(board.width, board.height):
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
    found = []
    for line in winning_lines(board.width, board.height):
        if stones_of(board, line, colour) == (4, 0, False):
            found += [(x, y) for x, y in line if board.cell(x, y) == EMPTY][:1]
    return found


def open_three(board: Referee, colour: int) -> list[Cell]:
    """The three points of the first open three of `colour`: the empty cell between its ends, then
    the ends; empty if there is none.

    An open three is a window of three stones that begins with an empty cell and is followed by
    another: `.xxx..`, `.xx.x.`, `.x.xx.` or `..xxx.`.
    """
    for line in winning_lines(board.width, board.height):
        if stones_of(board, line, colour) != (3, 0, False):
            continue
        (x, y), (next_x, next_y) = line[0], line[1]
        end = (x + 5 * (next_x - x), y + 5 * (next_y - y))
        if board.cell(x, y) == EMPTY and board.cell(*end) == EMPTY:
            inner = next(cell for cell in line[1:] if board.cell(*cell) == EMPTY)
            return [inner, (x, y), end]
    return []
