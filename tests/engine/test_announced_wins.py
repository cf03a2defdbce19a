"""No false win: what is announced holds against every defence, also with a warm table."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice

import pytest

from engine.api import Engine
from engine.model import Limits, Point, Position, Rule
from tests.engine.announced_wins import Announcement, announcements, check, opening

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
    assert len(_check_some(rule, 15, 0, 2, WEAK_PLAY, longest=7)) == 2


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


LIMITS = Limits(nodes=400)
# An analysis, because a reply that is forced is otherwise played without a search.
ANALYSIS = Limits(nodes=2_000_000, is_analysis=True)
LONGEST_PLIES = 11
# Small, so that entries are replaced all the time.
TABLE_BYTES = 2**20


def _announced(rule: Rule, seed: int) -> Iterator[tuple[Announcement, Point]]:
    """Mates announced in games of an engine with itself, and then again in the positions of each
    game from the last one back, whose results the table then holds; each with its first move. What
    an earlier one of the same direction has said, a win by the same stone, is left out."""
    engine, rnd = Engine(), random.Random(f"{rule}/{seed}")
    engine.set_memory(None, TABLE_BYTES)
    while True:
        start = opening(rule, 15, rnd)
        for positions in (_game(engine, start), _back(engine, start)):
            known: set[tuple[bool, int]] = set()
            for position in positions:
                info = engine.think(LIMITS).info
                plies = info.score.mate_plies
                if plies is not None and abs(plies) > 1:
                    said = (plies > 0, len(position.stones) + abs(plies))
                    if said not in known:
                        known.add(said)
                        yield Announcement(position, plies), info.pv[0]


def _game(engine: Engine, start: Position) -> Iterator[Position]:
    """The positions of a game that the engine plays on from `start`."""
    engine.set_position(start)
    while engine.winner() is None and len(engine.get_position().stones) < 15 * 15:
        yield engine.get_position()
        engine.play(*engine.think(LIMITS).move)


def _back(engine: Engine, start: Position) -> Iterator[Position]:
    """The same positions from the last one back to the first."""
    while len(engine.get_position().stones) > len(start.stones):
        engine.undo()
        yield engine.get_position()


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
@pytest.mark.parametrize("mates", [12, pytest.param(100, marks=pytest.mark.verify)])
def test_mates_of_a_warm_table_hold(rule: Rule, mates: int) -> None:
    losses = 0
    short = (said for said in _announced(rule, mates) if abs(said[0].plies) <= LONGEST_PLIES)
    for said, move in islice(short, mates):
        verdict = check(
            said, ANALYSIS, (move.x, move.y) if said.plies > 0 else None, by_proofs=True
        )
        assert verdict.ok, f"{said}: {verdict.reason} after {verdict.line}"
        losses += said.plies < 0
    assert 0 < losses < mates
