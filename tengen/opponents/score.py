"""The score map of the tutorial "Qt小游戏开发:五子棋(带AI功能)": give every empty point a score for
what it blocks and what it makes, and play one of the highest.

The rule: in each of the eight directions count the opponent's stones that touch the point without
a gap, before and behind it, up to four on either side, and how many of the two ends are empty. Add
10 for one stone; 30 or 40 for two with one or two open ends; 60 or 110 for three; 10100 for four.
Then count the own stones the same way: 5 for none, 10 for one, 25 or 50 for two, 55 or 100 for
three, 10000 for four or more. Every axis is read from both ends and so counts twice, as published.
Of the points with the highest score one is chosen at random.

Known weaknesses: five to eight stones of the opponent add nothing, so it does not block `XXX_XX`,
which makes six. Blocking a four (10100) comes before making a five (10000). It does not look ahead,
and a gap ends a row.

Slips of the article that are not followed: the first row and column are skipped, and one
comparison of the second count looks for the opponent's stones.
"""

from __future__ import annotations

from engine.model import Score
from tengen.game.referee import EMPTY, Cell, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, best_first, chance

_DIRECTIONS = tuple((dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy)
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
    """The brain that plays by the score map; the seed chooses among the highest points."""

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The points by their scores, equal ones in random order."""
        scores = score_map(board, colour)
        cells = list(scores)
        chance(self.seed, board).shuffle(cells)
        cells = best_first({cell: scores[cell] for cell in cells})
        return Choice(cells, Score(scores[cells[0]]))


def score_map(board: Referee, colour: int) -> dict[Cell, int]:
    """The score of every empty point for `colour`, row by row."""
    return {(x, y): _score(board, x, y, colour) for x, y in board.empties()}


def _score(board: Referee, x: int, y: int, colour: int) -> int:
    return sum(
        STOPPING.get(count(board, x, y, dx, dy, opponent_of(colour)), 0)
        + MAKING.get(count(board, x, y, dx, dy, colour), 0)
        for dx, dy in _DIRECTIONS
    )


def count(board: Referee, x: int, y: int, dx: int, dy: int, colour: int) -> tuple[int, int]:
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
