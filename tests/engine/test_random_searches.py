"""Short searches of random positions under every rule, on boards of every size, some with walls,
with limits of all kinds, levels of strength and several threads: the referee checks moves and
lines, and the reports are consistent (checked_search.py).

A debug build also compares the board with a recomputed one during the search.
"""

from __future__ import annotations

import random

import pytest

from engine.api import Engine
from engine.model import Limits, Position, Rule
from tests.engine.checked_search import checked_think
from tests.engine.positions import SHAPES, random_position, referee_of

RULES = list(Rule)
THREADS = 3


def _limits(position: Position, best: tuple[int, int] | None, rnd: random.Random) -> Limits:
    """Some limits; `best` is the move of the last search, if it was one of this position."""
    free = referee_of(position).empties()
    excluded = set(rnd.sample(free, round(rnd.choice((0, 0, 0.1, 0.5, 1)) * len(free))))
    if best is not None and rnd.random() < 0.5:
        excluded.add(best)
    excluded.discard(rnd.choice([cell for cell in free if cell != best] or free))
    return Limits(
        nodes=rnd.choice((0, 1, 50, 400, 1500)),
        depth_plies=rnd.choice((None, None, None, 3)),
        is_analysis=rnd.random() < 0.3,
        lines=rnd.choice((1, 1, 1, 2, 5, 64)),
        mate_plies=rnd.choice((None, None, None, 3)),
        excluded=excluded,
    )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("positions", [75, pytest.param(1000, marks=pytest.mark.verify)])
def test_searches_of_random_positions(seed: int, positions: int) -> None:
    rnd = random.Random(f"{seed} {positions}")
    engine, mates = Engine(), 0
    for _ in range(positions):
        size = (
            (rnd.randint(5, 22), rnd.randint(5, 22)) if rnd.random() < 0.5 else rnd.choice(SHAPES)
        )
        # Long games are rare where lines are likely, so most positions have few stones.
        most = rnd.choice((8, 20, 60, size[0] * size[1]))
        position = random_position(rnd, rnd.choice(RULES), size, (0, most))
        engine.set_memory(None, rnd.choice((2**20, 2**20, 2**21, 2**24)))
        if rnd.random() < 0.7:
            engine.new_game()
        engine.set_strength(rnd.choice((100, 100, 100, rnd.randrange(100))), seed)
        threads = rnd.choice((1, 1, 1, 1, THREADS))
        engine.set_threads(threads)
        engine.set_position(position)
        best = None
        for _ in range(2):
            spare = 0 if threads == 1 else threads * 257
            result = checked_think(engine, _limits(position, best, rnd), spare)
            best = result.move
            mates += result.info.score.mate_plies is not None
    assert 0 < mates < 2 * positions
