"""Nets of one rule carried over to another: the same features of every position."""

from __future__ import annotations

import random
from array import array
from itertools import islice
from typing import Any

import pytest

from engine import network
from engine.model import Placed, Position, Rule, Stone
from engine.network import Network
from tengen.lab.train.warm_start import carry_over
from tests.engine.net_oracle import ask
from tests.engine.nets import random_net
from tests.engine.positions import random_moves

# From, to: every rule tells apart at least the windows that freestyle does.
POSSIBLE = [(0, 1), (0, 4), (0, 8), (0, 9), (8, 9), (9, 8)]


def blind(net: Network) -> Network:
    """The net, with zero for what the cells threaten: that is each rule's own."""
    of_threats = ("pairs", "threat_rows", "move_threat_rows", "entry")
    zeros: Any = {name: array("h", bytes(2 * len(getattr(net, name)))) for name in of_threats}
    blinded: Network = net._replace(**zeros)
    return blinded


def positions(rule: int) -> list[Position]:
    """Boards with up to 60 stones near each other, full lines and overlines among them."""
    rnd = random.Random(f"{rule} carried")
    found = []
    for width, height in ((15, 15), (5, 7), (22, 22), (9, 12)):
        for count in (0, 1, 7, 20, 60):
            at = islice(random_moves(min(width, 10), min(height, 10), rnd), count)
            stones = tuple(Placed(x, y, rnd.choice((Stone.BLACK, Stone.WHITE))) for x, y in at)
            for side in (Stone.BLACK, Stone.WHITE):
                found.append(Position(width, height, Rule(rule), stones, side))
    return found


@pytest.mark.parametrize(("rule", "other"), POSSIBLE)
def test_a_position_has_the_same_features(rule: int, other: int) -> None:
    net = blind(random_net(rule, 5))
    carried = carry_over(net, other)
    network.check(carried)
    assert (carried.rule, carried.version, carried.name) == (other, net.version, net.name)
    values = set()
    for position in positions(rule):
        before, after = ask(net, position), ask(carried, position._replace(rule=Rule(other)))
        assert (before.sums == after.sums).all()
        assert (before.value, before.policy) == (after.value, after.policy)
        values.add(before.value)
    assert len(values) > 10


def test_both_colours_of_renju_get_all_numbers() -> None:
    net = random_net(0, 6)
    carried = carry_over(net, 4)
    for part in network.PARTS:
        if part.name != "rows":
            assert getattr(carried, part.name) == 2 * getattr(net, part.name)


@pytest.mark.parametrize(
    ("rule", "other", "reason"),
    [
        (4, 0, "a net of renju has numbers for each colour, so freestyle cannot begin with it"),
        (1, 0, "a net of standard tells more windows apart, so freestyle cannot begin with it"),
        (8, 1, "a net of caro tells more windows apart, so standard cannot begin with it"),
        (1, 4, "a net of standard tells more windows apart, so renju cannot begin with it"),
    ],
)
def test_what_cannot_be_carried_over(rule: int, other: int, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        carry_over(random_net(rule, 1), other)
