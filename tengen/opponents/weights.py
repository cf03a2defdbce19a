"""The weight table of the tutorial "基于微信小程序的五子棋小程序(含简单人机)": look the rows
beside a point up in a table of twenty, and play the highest.

Its rule: from an empty point read the unbroken row of stones that touches it in each of the eight
directions, five cells at most, as a string such as `112`: 1 is a stone of the opponent, 2 an own
one, the nearest first; an empty cell, a wall or the edge ends it. The table gives the row's
weight, 0 where it has none. The weights of two opposite directions are added, and the point is
worth the highest of its four axes. The highest point is played, the first in row order; the
centre where nothing touches anything (as published it would be the corner).

Its known weaknesses: the author names two open threes that cross; only the best axis counts, so
the point where two rows meet is worth no more than either alone. A gap ends a row: 11 and 1 with
the point between them weigh less than three that touch. And nobody looks whether a row has room:
four cells between two stones of the opponent are filled for 600.
"""

from __future__ import annotations

from engine.model import Score
from tengen.opponents.brain import Baseline, Choice, Clock, best_first, centre
from tengen.rules.referee import DIRECTIONS, Cell, Referee, opponent_of

# As published: 1 the opponent, 2 oneself, from the point outwards.
WEIGHTS = {
    "1": 20, "11": 410, "111": 500, "1111": 8000,
    "12": 4, "112": 70, "1112": 450, "11112": 8000,
    "2": 8, "22": 80, "222": 470, "2222": 9000, "22221": 10000,
    "21": 6, "221": 60, "2221": 600,
    "121": 5, "1221": 5, "2112": 5, "212": 5,
}  # fmt: skip

_REACH = 5  # cells of a row that are read


class Weights(Baseline):
    """The weight table as a player."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The points by their weights, the first in row order among equals."""
        scores = score_map(board, colour)
        cells = best_first(scores)
        if not scores[cells[0]]:
            cells.insert(0, centre(board))
        return Choice(cells, Score(scores[cells[0]]) if cells[0] in scores else Score())


def score_map(board: Referee, colour: int) -> dict[Cell, int]:
    """The weight of every empty point for `colour`, row by row."""
    return {(x, y): weight(board, x, y, colour) for x, y in board.empties()}


def weight(board: Referee, x: int, y: int, colour: int) -> int:
    """What one empty point is worth to `colour`: the best of its four axes."""
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
