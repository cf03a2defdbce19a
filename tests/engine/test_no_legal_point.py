"""Renju positions in which every empty point is forbidden to Black: Black is to move and loses, as
the referee says."""

from __future__ import annotations

import pytest

from engine.model import Limits, Position, Rule, Score, Stone
from tengen.game.proof import Node, check_win
from tests.engine.positions import engine_at, from_picture, referee_of

# `*` makes an overline of Black. The second picture also has White make a row of seven there.
NO_THREAT = """
    X O X O X O X
    O X O X O X O
    X O O O O X O
    X X X * X X X
    O X O O O X O
    O X O X O X O
    X O X O X O X
"""
WHITE_THREATENS = """
    X O X O X O X
    O X O O O X O
    O X O O O X O
    X X X * X X X
    O X O O O X O
    O X O O O X O
    X O X O X O X
"""
# White can choose which of two points is the last one.
TWO_POINTS = """
    X O X O X O X
    + X O X O X O
    X O O O O X O
    X X X * X X X
    O X O O O X O
    O X O X O X O
    X O X O X O X
"""


@pytest.mark.parametrize("picture", [NO_THREAT, WHITE_THREATENS])
@pytest.mark.parametrize("is_analysis", [False, True])
def test_the_last_point_is_a_foul(picture: str, is_analysis: bool) -> None:
    position, marks = from_picture(picture, Stone.BLACK, Rule.RENJU)
    assert referee_of(position).foul(*min(marks["*"])) == "overline"
    result = engine_at(position).think(Limits(nodes=100, is_analysis=is_analysis))
    assert result.move == min(marks["*"])
    assert result.info.score == Score(0, -2)


def test_white_leaves_black_the_forbidden_point() -> None:
    position, marks = from_picture(TWO_POINTS, Stone.WHITE, Rule.RENJU)
    [free] = marks["+"]
    assert check_win(referee_of(position), Stone.WHITE, 3, lambda *_: Node(free, {})).ok
    engine = engine_at(position)
    result = engine.think(Limits(nodes=1000))
    assert (tuple(result.move), result.info.score) == (free, Score(0, 3))
    # For Black the free point is a draw.
    engine.new_game()
    engine.set_position(position._replace(side_to_move=Stone.BLACK))
    result = engine.think(Limits(nodes=1000))
    assert tuple(result.move) == free and result.info.score.mate_plies is None


def test_a_free_point_far_away_is_no_loss() -> None:
    """Only points near stones are listed at first."""
    walls = [(x, y, Stone.WALL) for x in range(22) for y in range(22)]
    black = [(x, 3, Stone.BLACK) for x in (0, 1, 2, 4, 5, 6)]
    taken = {(x, 3) for x in range(7)} | {(21, 21)}
    stones = black + [wall for wall in walls if wall[:2] not in taken]
    engine = engine_at(Position(22, 22, Rule.RENJU, stones, Stone.BLACK))
    assert engine.is_forbidden(3, 3)
    result = engine.think(Limits(nodes=1000))
    assert result.move == (21, 21) and result.info.score.mate_plies is None
