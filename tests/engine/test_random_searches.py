"""Short searches of random positions under every rule, on boards of every size, some with walls:
the referee checks moves and lines, and the reports are consistent (checked_search.py).

A debug build also compares the board with a recomputed one during the search.
"""

from __future__ import annotations

import random

import pytest

from engine.api import Engine
from engine.model import Limits, Position, Rule, Stone
from tengen.game.rules.referee import RENJU
from tests.engine.checked_search import checked_think, placed, referee_of
from tests.engine.positions import random_moves, random_walls

RULES = list(Rule)


def _random_position(rnd: random.Random) -> Position:
    """Stones in turns, from none to a full board but for one cell; no side has won, and Black has
    made no foul."""
    width, height = rnd.randint(5, 22), rnd.randint(5, 22)
    rule = rnd.choice(RULES)
    walls = [(x, y, 3) for x, y in random_walls(width, height, rnd)]
    # Long games are rare where lines are likely, so most positions have few stones.
    most = rnd.choice((8, 20, 60, width * height - len(walls) - 1))
    empty = Position(width, height, rule, placed(walls))
    referee, stones, colour = referee_of(empty), list(walls), 1
    for x, y in random_moves(width, height, rnd, tuple((x, y) for x, y, _ in walls)):
        if len(stones) - len(walls) >= min(most, width * height - len(walls) - 1):
            break
        # A winning stone or a foul is left out, so that the game goes on.
        if referee.makes_win(x, y, colour):
            continue
        if rule == RENJU and colour == 1 and referee.foul(x, y) is not None:
            continue
        referee.play(x, y, colour)
        stones.append((x, y, colour))
        colour = 3 - colour
    return Position(width, height, rule, placed(stones), Stone(colour))


def _search_some(seed: int, positions: int) -> int:
    """Searches so many random positions; returns in how many a mate was announced."""
    rnd = random.Random(seed)
    engine, mates = Engine(), 0
    engine.set_memory(None, 2**20)
    for _ in range(positions):
        position = _random_position(rnd)
        if rnd.random() < 0.7:
            engine.new_game()
        engine.set_position(position)
        for _ in range(2):
            limits = Limits(nodes=rnd.choice((1, 50, 400, 1500)), is_analysis=rnd.random() < 0.3)
            mates += checked_think(engine, limits).info.score.mate_plies is not None
    return mates


@pytest.mark.parametrize("seed", range(8))
def test_searches_of_random_positions(seed: int) -> None:
    positions = 30
    assert 0 < _search_some(seed, positions) < 2 * positions


@pytest.mark.verify
@pytest.mark.parametrize("seed", range(100, 120))
def test_many_searches_of_random_positions(seed: int) -> None:
    assert _search_some(seed, 500) > 0
