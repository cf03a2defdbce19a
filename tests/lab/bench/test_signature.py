"""The signature depends only on what is searched; and the recorded positions."""

from __future__ import annotations

from engine.api import Engine
from engine.model import Limits, Rule
from tengen.lab.bench.signature import (
    GAMES,
    MIDDLE,
    POSITIONS,
    group_of,
    load_positions,
    read_signature,
    search_all,
)

ADVICE = """
The engine searches {found} nodes in the bench positions, tengen/lab/bench/SIGNATURE says {held}.
  If your change was not meant to alter what is searched: it did; find out why.
  If it was: run `tengen bench --update`, commit tengen/lab/bench/SIGNATURE with the
  change, and end the commit message with the line `Bench: {found}`.
"""


def test_the_signature_is_that_of_the_file() -> None:
    found = sum(searched.nodes for searched in search_all(load_positions(POSITIONS)))
    held = read_signature()
    assert found == held, ADVICE.format(found=found, held=held)


def test_neither_order_nor_repetition_matters() -> None:
    positions = load_positions(POSITIONS)
    there = list(search_all(positions, depth_plies=4))
    back = list(search_all(positions[::-1], depth_plies=4))
    assert there == back[::-1]
    assert all(searched.nodes > 0 for searched in there)


def test_an_overfull_table_is_as_good_as_new_after_a_new_game() -> None:
    """A table whose size is no power of two, in which entries displace each other."""
    engine = Engine()
    engine.set_memory(None, 3 << 19)
    late = max(load_positions(POSITIONS), key=lambda position: len(position.stones))
    nodes = set()
    for _ in range(3):
        engine.new_game()
        engine.set_position(late)
        nodes.add(engine.think(Limits(depth_plies=8)).info.nodes)
    assert len(nodes) == 1


def test_the_positions_cover_what_they_should() -> None:
    positions, games = load_positions(POSITIONS), load_positions(GAMES, may_be_over=True)
    for rule in Rule:
        stones = [len(position.stones) for position in positions if position.rule == rule]
        assert min(stones) < 10 and max(stones) > 60, rule
    assert {position.width for position in positions} >= {15, 20}
    assert any(position.width != position.height for position in positions)
    middle = load_positions(MIDDLE)
    assert all(position in positions for position in middle)
    groups = {group_of(position) for position in games}
    assert groups == {"freestyle-15", "freestyle-20", "standard-15", "renju-15", "caro-15"}
    assert groups <= {group_of(position) for position in middle}
