"""The forbidden points of renju in drawn positions."""

from __future__ import annotations

from engine.model import Rule
from tests.engine.positions import from_picture, probe_of

# Black on `?` makes a three along the row and another one on the rising diagonal, but the stone
# that would complete the second to a straight four (`5`) makes a five instead: not a real three.
THREE_COMPLETED_BY_A_FIVE = """
    . . . . . . . . . . .
    . . . . . . . . O . .
    . . . X . . . . . . .
    . . . . X X ? . . . .
    . . . . . 5 . . . . .
    . . . . X . X . . . .
    . . . X . . . X . . .
    . . . . . . . . . . .
    . O . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""


def test_a_three_that_only_a_five_would_complete_does_not_count() -> None:
    position, marks = from_picture(THREE_COMPLETED_BY_A_FIVE, rule=Rule.RENJU)
    board = probe_of(position)
    ((x, y),) = marks["?"]
    ((fx, fy),) = marks["5"]
    assert board.threat(x, y, 1) == 1  # by the table: forbidden
    assert board.threat(fx, fy, 1) == 8  # a five
    assert not board.is_forbidden(x, y, 1)
