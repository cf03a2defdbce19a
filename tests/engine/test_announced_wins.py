"""No false win: what the engine announces holds against every legal defence."""

from __future__ import annotations

import os
import random
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

import pytest

from engine.model import Limits, Rule
from tests.engine.announced_wins import announcements, check

VERIFY_WINS = 200
SELF_PLAY = Limits(nodes=5_000)
WEAK_PLAY = Limits(nodes=400)  # sees a win only when it is short
ATTACK = Limits(nodes=200_000)


def _check_some(
    rule: Rule, size: int, seed: int, wins: int, play: Limits = SELF_PLAY, longest: int = 484
) -> list[int]:
    """Announced distances of `wins` wins no longer than `longest`, all of them checked."""
    rnd = random.Random(f"{rule}/{size}/{seed}")
    distances = []
    announced = (a for a in announcements(rule, size, play, rnd) if a.plies <= longest)
    for announcement in islice(announced, wins):
        verdict = check(announcement, ATTACK)
        assert verdict.ok, f"{announcement}: {verdict.reason} after {verdict.line}"
        distances.append(announcement.plies)
    return distances


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_some_short_announced_wins(rule: Rule) -> None:
    """Short ones: the longer a win, the more defences a check has to go through."""
    assert len(_check_some(rule, 15, 0, 3, WEAK_PLAY, longest=7)) == 3


@pytest.mark.verify
def test_two_hundred_announced_wins() -> None:
    jobs = [(rule, size, seed) for rule in Rule for size in (15, 20) for seed in (1, 2)]
    each = VERIFY_WINS // len(jobs)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(_check_some, *zip(*jobs, strict=True), [each] * len(jobs)))
    distances = sorted(distance for row in rows for distance in row)
    assert len(distances) >= VERIFY_WINS
    print(
        f"{len(distances)} announced wins hold; distances in stones: median"
        f" {distances[len(distances) // 2]}, longest {distances[-1]}"
    )
