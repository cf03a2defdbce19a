"""The lines that a stone finishes in a continuous game: their stones then belong to nobody."""

from __future__ import annotations

from engine.model import Point, Rule, Stone
from engine.rulebook import INDEX_OF_NUMBER, RULES
from protocol.stones import Stones

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
FIVE = 5


def finished_lines(stones: Stones, point: Point, rule: Rule) -> set[Point]:
    """The squares of all lines that the stone on `point` finishes under the rule.

    A line is a row of one colour that would win a game that is not continuous. What the rule
    forbids is not asked: a manager does not go on after a forbidden stone.
    """
    colour = stones.placed[point]
    finished: set[Point] = set()
    for dx, dy in DIRECTIONS:
        row = [point]
        ends = []
        for step in (1, -1):
            x, y = point.x + step * dx, point.y + step * dy
            while stones.placed.get(Point(x, y)) is colour:
                row.append(Point(x, y))
                x, y = x + step * dx, y + step * dy
            ends.append(stones.placed.get(Point(x, y)))
        is_blocked = all(end is colour.opponent for end in ends)
        if _wins(len(row), rule, colour, is_blocked=is_blocked):
            finished.update(row)
    return finished


def _wins(length: int, rule: Rule, colour: Stone, *, is_blocked: bool) -> bool:
    """Does a row of that length win? `is_blocked`: the opponent's stones are at both ends."""
    row = RULES[INDEX_OF_NUMBER[rule]]
    if length == FIVE:
        return not (row.ends_block and is_blocked)
    return length > FIVE and row.overline_wins[colour is Stone.WHITE]
