"""The weight table of the tutorial "基于微信小程序的五子棋小程序(含简单人机)": look up the
rows beside a point in a table of twenty weights, and play the point with the highest.

The rule: from an empty point read the unbroken row of stones that touches it in each of the eight
directions, five cells at most, as a string such as `112`: 1 is a stone of the opponent, 2 an own
one, the nearest first; an empty cell, a wall or the edge ends it. The table gives the weight of the
row, 0 if the row is not in it. The weights of two opposite directions are added, and the highest of
the four axes is the weight of the point. The point with the highest weight is played; if several
are equal, the first in row order. If no empty point touches a stone, the centre is played (as
published it would be the corner).

Known weaknesses: only the best axis counts, so a point where two rows cross weighs no more than
either row alone; the author names two open threes that cross. A gap ends a row: 11 and 1 with the
point between them weigh less than three stones that touch. Room is not checked: four cells between
two stones of the opponent are filled for 600.
"""

from __future__ import annotations

from engine.model import Score
from tengen.game.referee import DIRECTIONS, Cell, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, best_first, centre

# As published: 1 the opponent's stone, 2 an own one, from the point outwards.
WEIGHTS = {
    "1": 20, "11": 410, "111": 500, "1111": 8000,
    "12": 4, "112": 70, "1112": 450, "11112": 8000,
    "2": 8, "22": 80, "222": 470, "2222": 9000, "22221": 10000,
    "21": 6, "221": 60, "2221": 600,
    "121": 5, "1221": 5, "2112": 5, "212": 5,
}  # fmt: skip

_REACH = 5  # the most cells of a row that are read


class Weights(Baseline):
    """The brain that plays by the weight table."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The points by their weights, equal ones in row order."""
        scores = score_map(board, colour)
        cells = best_first(scores)
        if not scores[cells[0]]:
            cells.insert(0, centre(board))
        return Choice(cells, Score(scores[cells[0]]) if cells[0] in scores else Score())


def score_map(board: Referee, colour: int) -> dict[Cell, int]:
    """The weight of every empty point for `colour`, row by row."""
    return {(x, y): weight(board, x, y, colour) for x, y in board.empties()}


def weight(board: Referee, x: int, y: int, colour: int) -> int:
    """The weight of an empty point for `colour`: the highest of its four axes."""
    return max(
        _row_weight(board, x, y, dx, dy, colour) + _row_weight(board, x, y, -dx, -dy, colour)
        for dx, dy in DIRECTIONS
    )


def row(board: Referee, x: int, y: int, dx: int, dy: int, colour: int) -> str:
    """The stones that follow (x, y) without a gap towards (dx, dy): `1` the opponent of `colour`,
    `2` its own."""
    signs = {opponent_of(colour): "1", colour: "2"}
    found = ""
    for i in range(1, _REACH + 1):
        sign = signs.get(board.cell(x + i * dx, y + i * dy))
        if sign is None:
            break
        found += sign
    return found


def _row_weight(board: Referee, x: int, y: int, dx: int, dy: int, colour: int) -> int:
    return WEIGHTS.get(row(board, x, y, dx, dy, colour), 0)
