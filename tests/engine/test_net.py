"""The net's state and arithmetic, against a plain oracle, on every path and through every jump."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from engine import network
from engine._probe import ProbeBoard, ProbeNet
from engine.net import LoadedNet
from engine.network import Network
from engine.rulebook import RULES
from tests.engine.net_boards import SIZES, Table
from tests.engine.net_oracle import Judged, Oracle
from tests.engine.nets import random_net

NUMBERS = [row.number for row in RULES]
PATHS = ("plain", "v2", "avx2")
# Of the slow tests, for each rule.
POSITIONS = 100_000


@cache
def net_of(rule: int, extreme: bool, shift: int = 5) -> Network:
    return random_net(rule, 7, extreme, shift)


@cache
def loaded(rule: int, extreme: bool, shift: int = 5) -> LoadedNet:
    return LoadedNet(net_of(rule, extreme, shift))


def nets_on_all_paths(rule: int, extreme: bool = True) -> list[ProbeNet]:
    """One for each path that this machine has."""
    nets = [ProbeNet(loaded(rule, extreme), path) for path in PATHS]
    assert nets[0].path == "plain"
    return nets


# -- against the oracle


def agree(table: Table, side: int, oracle: Oracle, nets: list[ProbeNet]) -> Judged:
    """What the oracle says of a position; every net says the same."""
    board = table.board
    board.set_side(side)
    judged = oracle.judge(table.all(), table.size, side, board)
    points, policies = list(judged.policy), list(judged.policy.values())
    expected = judged.sums.ravel().tolist()
    for net in nets:
        sums, features = net.state(board)
        assert np.frombuffer(sums, dtype=np.uint16).tolist() == expected
        assert len(features) == len(points)
        assert net.value(board) == judged.value
        assert net.policies(board, points) == policies
    board.set_side(table.side)
    return judged


@pytest.mark.parametrize("extreme", [False, True])
@pytest.mark.parametrize("rule", NUMBERS)
def test_value_and_policy_are_those_of_the_oracle(rule: int, extreme: bool) -> None:
    """One Net is asked about boards of many sizes in turn. What the oracle says is the same for a
    board turned or mirrored and, where the rule treats them alike, for the colours exchanged."""
    oracle = Oracle(net_of(rule, extreme))
    nets = nets_on_all_paths(rule, extreme)
    rng = random.Random(f"{rule} {extreme}")
    values = set()
    for width, height in SIZES:
        table = Table(width, height, rule, rng)
        for steps in (0, 1, 5, 20) if width < 20 else (0, 40):
            table.wander(steps)
            for side in (1, 2):
                values.add(agree(table, side, oracle, nets).value)
    assert len(values) > 20 or extreme


@pytest.mark.slow
@pytest.mark.parametrize("rule", NUMBERS)
def test_value_and_policy_are_those_of_the_oracle_on_100000_positions(rule: int) -> None:
    rng = random.Random(f"{rule} many")
    kinds = [(Oracle(net_of(rule, some)), nets_on_all_paths(rule, some)) for some in (False, True)]
    for _ in range(POSITIONS // 50):
        table = Table(*rng.choice(SIZES), rule, rng)
        for _ in range(50):
            table.wander(rng.choice((1, 1, 2, 7)))
            agree(table, rng.choice((1, 2)), *rng.choice(kinds))


@pytest.mark.parametrize("shift", [0, 1, 9])
def test_every_shift_is_that_of_the_file(shift: int) -> None:
    rng = random.Random(shift)
    table = Table(15, 15, 0, rng)
    table.wander(30)
    judged = Oracle(net_of(0, False, shift)).judge(table.all(), table.size, table.side, table.board)
    for path in PATHS:
        assert ProbeNet(loaded(0, False, shift), path).value(table.board) == judged.value


def test_the_largest_sums_there_can_be() -> None:
    """Every cell of an empty board of the largest size has every feature at its clip."""
    base = net_of(0, False)
    bias = base.bias[:0] + type(base.bias)("h", [127] * 32)
    rows = type(base.rows)("h", [0] * len(base.rows))
    full = base._replace(rows=rows, bias=bias)
    network.check(full)
    board = ProbeBoard(22, 22)
    judged = Oracle(full).judge({}, (22, 22), 1, board)
    assert judged.sums.min() == 484 * 127
    for path in PATHS:
        net = ProbeNet(LoadedNet(full), path)
        assert set(np.frombuffer(net.state(board)[0], dtype=np.uint16).tolist()) == {61468}
        assert net.value(board) == judged.value


# -- following a board


@pytest.mark.parametrize("rule", NUMBERS)
@pytest.mark.parametrize("positions", [300, pytest.param(POSITIONS, marks=pytest.mark.slow)])
def test_a_net_that_follows_is_one_made_afresh(rule: int, positions: int) -> None:
    """Nets that follow a board through every make and undo, or only now and then, and nets made
    afresh agree in every number."""
    rng = random.Random(f"{rule} {positions}")
    done = 0
    while done < positions:
        table = Table(*rng.choice(SIZES), rule, rng)
        close = nets_on_all_paths(rule)
        loose = nets_on_all_paths(rule)
        for _ in range(min(200, positions)):
            table.wander(1)
            done += 1
            fresh = ProbeNet(loaded(rule, True), "plain").state(table.board)
            for net in close:
                assert net.state(table.board) == fresh
            if rng.random() < 0.2:
                for net in loose:
                    assert net.state(table.board) == fresh


@pytest.mark.parametrize("rule", NUMBERS)
def test_a_value_does_not_depend_on_how_far_the_state_has_followed(rule: int) -> None:
    """Values of many positions, some of which the state follows to their last stone."""
    rng = random.Random(f"{rule} values")
    nets = nets_on_all_paths(rule)
    for _ in range(12):
        table = Table(*rng.choice(SIZES), rule, rng)
        for _ in range(40):
            table.wander(rng.choice((1, 1, 1, 3)))
            fresh = ProbeNet(loaded(rule, True), "plain")
            state = fresh.state(table.board)
            value = fresh.value(table.board)
            for net in nets:
                assert net.value(table.board) == value
                if rng.random() < 0.3:
                    assert net.state(table.board) == state
                    assert net.value(table.board) == value


def test_a_value_leaves_the_last_stone_out_of_the_state() -> None:
    table = Table(15, 15, 0, random.Random(3))
    net = ProbeNet(loaded(0, True), "")
    for stones in range(1, 20):
        table.make()
        net.value(table.board)
        assert net.stones == stones - 1
    net.state(table.board)
    net.value(table.board)
    assert net.stones == 19


# -- paths


def test_a_path_is_chosen_by_name_and_any_other_text_means_the_fastest() -> None:
    paths = [ProbeNet(loaded(0, False), path).path for path in ("plain", "v2", "avx2", "x", "")]
    assert paths[0] == "plain"
    assert set(paths) <= set(PATHS)
    assert paths[2] == paths[3] == paths[4]
    assert PATHS.index(paths[1]) == min(1, PATHS.index(paths[2]))
