"""The pattern scores, minimax and alpha-beta of the tutorial "Flutter AI五子棋": three brains, each
built on the one before. docs/LADDER.md describes them and where they fail.

A stone at a point makes a shape in each of four lines, and each shape has a score (SCORES). To
these the point adds the number of its empty neighbours and a value for its place, which falls off
from the centre. The value of a leaf is the sum of the own scores of all points minus the
opponent's. Depths 1, 2 and 3 are searched before the published 4; if the time ends, the deepest
finished search counts.

Slips of the article that are not followed: the test for an empty point is inverted; the
attacking branch of `basic` grades its own side twice; best points are keyed by their score, so that
equal ones overwrite each other; the neighbours of the first row and column are not counted. The
article does not give the value of a leaf and the order of equal points: both are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from heapq import nlargest

from engine.model import Score
from tengen.game.referee import BLACK, WHITE, Cell, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, TimeUp
from tengen.opponents.shapes import Shapes, ShapeTable, run_through_middle

FIVE = 10000
OPEN_FOUR = 5000
# Rows by length and open ends: dead, blocked, open.
SCORES = {2: (2, 4, 10), 3: (3, 6, 100), 4: (4, 32, OPEN_FOUR)}
# The same with one empty cell inside, and how often each may count at one point.
GAPPED_SCORES = {2: 2, 3: 10, 4: 90}
MAX_GAPPED = 2

BEST_POINTS = 5
DEPTH_PLIES = 4
DEFEND_FROM = 1.5
OTHER_SIDE = 0.8
# A five on the board: larger than every sum of scores. The sooner it comes, the more is added.
WON = 10**9

# The number of a line holds the score of its row in the low bits; above them, how many rows with a
# gap there are of two, three and four stones.
_ROW_BITS = 20
_GAPPED_BITS = {2: _ROW_BITS, 3: _ROW_BITS + 4, 4: _ROW_BITS + 8}


class PointScores:
    """The score of every empty point for both sides, updated as stones are tried."""

    def __init__(self, board: Referee) -> None:
        self._table = table = ShapeTable(board, read_line, (judge, judge))
        self._neighbours = tuple(
            table.cell_at(dx, dy) - table.cell_at(0, 0)
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
            if dx or dy
        )
        self._alone = [0] * len(table.worth[BLACK])
        for cell in table.empties:
            place = place_value(*table.xy(cell), board.width, board.height)
            self._alone[cell] = place + sum(table.is_empty(cell + n) for n in self._neighbours)
        # The empty points of the board, column by column: the order of points with equal scores.
        self.cells = sorted(table.empties, key=table.xy)
        self.xy = table.xy

    def score(self, cell: int, colour: int) -> int:
        """The score of an empty point for `colour`."""
        return self._table.worth[colour][cell] + self._alone[cell]

    def best(self, colour: int) -> list[tuple[int, int]]:
        """The best points of `colour`, the highest first, as (score, cell)."""
        cells = self._five_best(partial(self.score, colour=colour))
        return [(self.score(cell, colour), cell) for cell in cells]

    def best_for_both(self) -> list[int]:
        """The points with the largest sum of both sides' scores, the highest first."""
        black, white, alone = self._table.worth[BLACK], self._table.worth[WHITE], self._alone
        return self._five_best(lambda cell: black[cell] + white[cell] + 2 * alone[cell])

    def _five_best(self, key: Callable[[int], int]) -> list[int]:
        return nlargest(BEST_POINTS, filter(self._table.is_empty, self.cells), key)

    def makes_five(self, cell: int, colour: int) -> bool:
        """Would a stone there make five in a row?"""
        return self._table.worth[colour][cell] >= FIVE

    def value(self, colour: int) -> int:
        """The sum of all scores of `colour` minus those of its opponent."""
        worth = self._table.worth
        return sum(worth[colour]) - sum(worth[opponent_of(colour)])

    def play(self, cell: int, colour: int) -> None:
        """Tries a stone."""
        self._table.play(cell, colour)
        for step in self._neighbours:
            self._alone[cell + step] -= 1

    def undo(self, cell: int) -> None:
        """Takes the last one back."""
        for step in self._neighbours:
            self._alone[cell + step] += 1
        self._table.undo(cell)


def read_line(line: str) -> int:
    """The scores of a line through a point, packed into a number (see `_ROW_BITS`)."""
    length, left, right = run_through_middle(line)
    if length >= 5:
        return FIVE
    ends = left.startswith(".") + right.startswith(".")
    number = SCORES[length][ends] if length > 1 else 0
    for near, far in ((left, right), (right, left)):
        beyond = near[1:]
        more = len(beyond) - len(beyond.lstrip("x"))
        if not near.startswith(".") or not more:
            continue
        stones = min(4, length + more)
        is_open = far.startswith(".") and beyond[more:].startswith(".")
        if stones == 4 or is_open:
            number += 1 << _GAPPED_BITS[stones]
    return number


def judge(shapes: Shapes) -> int:
    """The scores of four lines together; rows with a gap count at most twice for each length."""
    total = sum(shapes)
    score = total & ((1 << _ROW_BITS) - 1)
    for stones, bits in _GAPPED_BITS.items():
        score += min(MAX_GAPPED, total >> bits & 15) * GAPPED_SCORES[stones]
    return score


def place_value(x: int, y: int, width: int, height: int) -> int:
    """The value of the place alone: 11 in the middle of 15x15, 0 in the corner at the top left.
    Its maximum is half a cell off the centre, as published."""
    middle_x, middle_y = width / 2, height / 2
    top = middle_x**2 + middle_y**2
    return int((top - (x - middle_x) ** 2 - (y - middle_y) ** 2) / 10)


def basic_cells(scores: PointScores, colour: int) -> list[Cell]:
    """The points that `basic` would play, the best first."""
    own, others = scores.best(colour), scores.best(opponent_of(colour))
    if others[0][0] >= OPEN_FOUR:
        return [scores.xy(cell) for _, cell in others]
    is_defending = others[0][0] > DEFEND_FROM * own[0][0]
    points, other_side = (others, colour) if is_defending else (own, opponent_of(colour))

    def worth(point: tuple[int, int]) -> float:
        return point[0] + OTHER_SIDE * scores.score(point[1], other_side)

    return [scores.xy(cell) for _, cell in sorted(points, key=worth, reverse=True)]


def search(
    scores: PointScores,
    colour: int,
    depth_plies: int,
    clock: Clock,
    prunes: bool,
    alpha: int = -2 * WON,
    beta: int = 2 * WON,
) -> tuple[int, list[int]]:
    """The value of a position for `colour` to move, and the best line.

    prunes  True for alpha-beta: a move that is refuted is not searched further. The value is the
            same if it lies between alpha and beta.

    TimeUp when the clock raises it; the stones tried then remain on the board.
    """
    if not depth_plies:
        return scores.value(colour), []
    best: tuple[int, list[int]] | None = None
    for cell in scores.best_for_both():
        clock.count()
        if scores.makes_five(cell, colour):
            value = WON + depth_plies
            line: list[int] = []
        else:
            scores.play(cell, colour)
            value, line = search(
                scores, opponent_of(colour), depth_plies - 1, clock, prunes, -beta, -alpha
            )
            value = -value
            scores.undo(cell)
        if best is None or value > best[0]:
            best = value, [cell, *line]
            if prunes:
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
    return best or (scores.value(colour), [])


class Basic(Baseline):
    """The first of the three: one move deep."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The five points of the side that `basic` chooses, see the module's docstring."""
        scores = PointScores(board)
        return Choice(basic_cells(scores, colour), Score(scores.best(colour)[0][0]))


class Minimax(Baseline):
    """The second: all lines of four plies over five points each."""

    prunes = False

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The best move of the deepest finished search, then the other points."""
        scores = PointScores(board)
        cells = [scores.xy(cell) for cell in scores.best_for_both()]
        choice = Choice(cells, depth_plies=0)
        with suppress(TimeUp):
            for depth_plies in range(1, DEPTH_PLIES + 1):
                value, line = search(scores, colour, depth_plies, clock, self.prunes)
                choice = Choice(
                    [scores.xy(line[0]), *cells], _score(value, depth_plies), depth_plies
                )
        return choice


class AlphaBeta(Minimax):
    """The third: the same move from fewer positions."""

    prunes = True


def _score(value: int, depth_plies: int) -> Score:
    """A value as a report: a win in so many plies, or a sum of scores."""
    if abs(value) < WON:
        return Score(value)
    plies = depth_plies - (abs(value) - WON) + 1
    return Score(mate_plies=plies if value > 0 else -plies)
