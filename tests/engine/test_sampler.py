"""Positions inside searches, kept for self-play."""

from __future__ import annotations

import pytest

from engine.api import Engine
from engine.model import Limits, Point, Position, Rule
from engine.trace import decided_plies
from tests.engine.fixed_search import fix_search

Lines = tuple[tuple[Point, ...], ...]


def new_engine(moves: str = "h8 i9 j8 i7 g9", rule: int = 0) -> Engine:
    engine = Engine()
    fix_search(engine)
    engine.set_position(Position.from_moves(moves, rule=Rule(rule)))
    return engine


def samples(engine: Engine, nodes: int = 5000) -> Lines:
    engine.think(Limits(nodes=nodes))
    return engine.last_samples


@pytest.mark.parametrize("rule", [0, 4])
def test_keeping_positions_changes_no_node(rule: int) -> None:
    engine, plain = new_engine(rule=rule), new_engine(rule=rule)
    engine.sample_positions(50)
    for _ in range(2):
        found, expected = (each.think(Limits(nodes=5000)) for each in (engine, plain))
        assert found.move == expected.move
        assert found.info.score == expected.info.score and found.info.pv == expected.info.pv
        assert engine.last_search_stats == plain.last_search_stats
    assert len(engine.last_samples) > 5 and plain.last_samples == ()


def test_positions_are_legal_and_need_a_static_value() -> None:
    engine = new_engine(rule=4)
    engine.sample_positions(20)
    found = samples(engine, 8000)
    assert len(found) == len(set(found)) == 64  # and no more
    other = new_engine(rule=4)
    for line in found:
        other.set_position(engine.get_position())
        for x, y in line:
            assert not other.is_forbidden(x, y)
            other.play(x, y)
        assert other.winner() is None and not decided_plies(other.get_position())[-1]
    assert {len(line) for line in found} > set(range(1, 5))


def test_the_seed_decides_which() -> None:
    found = []
    for seed in (1, 1, 2):
        engine = new_engine()
        engine.sample_positions(100, seed)
        found.append([samples(engine) for _ in range(3)])
    assert found[0] == found[1] != found[2]
    assert len({found[0][0], *found[0][1:]}) == 3  # the distances go on from search to search


@pytest.mark.parametrize("every", [10, 100])
def test_one_in_so_many_is_kept(every: int) -> None:
    """Of 64 / every searches together, so that there is always room for more."""
    engine = new_engine()
    counts = {}
    for distance in (1, every):
        engine.new_game()
        engine.sample_positions(distance)
        counts[distance] = 0
        for stones in range(1, 40):
            counts[distance] += len(samples(engine, 30 + stones))
    assert counts[every] * every == pytest.approx(counts[1], rel=0.25, abs=every)


def test_it_ends_and_bad_numbers_are_refused() -> None:
    engine = new_engine()
    for every, seed in ((-1, 0), (10**6 + 1, 0), (5, -1), (5, 2**31)):
        with pytest.raises(ValueError, match="expected"):
            engine.sample_positions(every, seed)
    engine.sample_positions(10)
    assert engine.last_samples == () and samples(engine)
    engine.sample_positions(0)
    assert engine.last_samples == () == samples(engine)


def test_the_policy_orders_the_moves_of_the_search() -> None:
    engine = new_engine()
    for use_net in (1, 0):
        engine.set_parameter("use_net", use_net)
        policy = dict(engine.policy())
        assert 20 < len(policy) < 220
        best = max(policy, key=policy.__getitem__)
        assert max(abs(best.x - 7), abs(best.y - 7)) <= 3
        assert 1 < max(policy.values()) - min(policy.values()) < 40
    renju = new_engine("f8 a15 g8 o15 h10 a1 h9 o1", rule=4)
    assert renju.forbidden_points() and not {*renju.forbidden_points()} & {*dict(renju.policy())}
