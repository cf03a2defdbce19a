"""The engine's board and rules against the referee, which shares nothing with them."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice

import pytest

from engine.model import Rule
from tests.engine.against_referee import check_game
from tests.engine.positions import SHAPES

VERIFY_POSITIONS = 100_000  # for each rule


def _most(width: int, height: int) -> int:
    """Stones of a random game: full small boards, but large ones only as far as games go."""
    return min(width * height, 70)


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_random_games(rule: Rule, width: int, height: int) -> None:
    for seed in range(3):
        check_game(seed, rule, width, height, _most(width, height))


def _one(seed: int, rule: int) -> int:
    width, height = SHAPES[seed % len(SHAPES)]
    return check_game(1000 + seed, rule, width, height, _most(width, height))


@pytest.mark.verify
@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_a_hundred_thousand_positions(rule: Rule) -> None:
    positions = 0
    seeds = count()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        while positions < VERIFY_POSITIONS:
            positions += sum(pool.map(partial(_one, rule=int(rule)), islice(seeds, 100)))
    print(f"{rule.name.lower()}: {positions} positions agree")
    assert positions >= VERIFY_POSITIONS
