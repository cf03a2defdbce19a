"""The net's state and arithmetic, against a plain oracle, on every path and through every jump."""

from __future__ import annotations

import random
from array import array
from functools import cache

import numpy as np
import pytest

from engine import network
from engine.net import LoadedNet
from engine.network import REGION, ROW, Network
from engine.patterns import numbering
from engine.rulebook import RULES
from tests.engine.net_oracle import DIRECTIONS, SIZES, Judged, Oracle, Table
from tests.engine.nets import empty_net, random_net
from tests.engine.probe import ProbeBoard, ProbeNet

NUMBERS = [row.number for row in RULES]
PATHS = ("plain", "v2", "avx2", "vnni")
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


def agree(table: Table, side: int, oracle: Oracle, nets: list[ProbeNet]) -> Judged:
    """What the oracle says of a position; every net says the same."""
    board = table.board
    board.set_side(side)
    judged = oracle.judge(table.all(), table.size, side, board)
    points, policies = list(judged.policy), list(judged.policy.values())
    expected = judged.sums.tolist()
    for net in nets:
        sums, features, _ = net.state(board)
        assert np.frombuffer(sums, dtype=np.int16).tolist() == expected
        assert len(features) == len(points)
        assert net.value(board) == judged.value
        assert net.policies(board, points) == policies
    board.set_side(table.side)
    return judged


@pytest.mark.parametrize("extreme", [False, True])
@pytest.mark.parametrize("rule", NUMBERS)
def test_value_and_policy_are_those_of_the_oracle(rule: int, extreme: bool) -> None:
    """One Net is asked about boards of many sizes in turn."""
    oracle = Oracle(net_of(rule, extreme))
    nets = nets_on_all_paths(rule, extreme)
    rng = random.Random(f"{rule} {extreme}")
    values = set()
    for width, height in SIZES:
        table = Table(width, height, rule, rng)
        for steps in (0, 5, 20) if width < 20 else (0, 40):
            table.wander(steps)
            for side in (1, 2):
                values.add(agree(table, side, oracle, nets).value)
    assert len(values) > 20 or extreme


def test_the_example_of_the_document() -> None:
    """By a net so small that its value can be worked out with a pencil."""
    count = numbering(0)
    net = empty_net()
    net.bias[0] = 10
    for half, number in ((1, 30), (2, -20)):  # a stone of either colour next to the cell
        pair = count.class_of_half[half] * count.classes + count.class_of_half[0]
        net.rows[count.row_of_pair[pair] * ROW] = number
    net.wr[(2 * REGION) * 64], net.wr[(2 * REGION) * 64 + 32] = -40, 20
    net.w1[0], net.w1[32], net.w1[96] = -32, 16, 64
    net.w2[0], net.w3[0] = 127, -100
    net.br[2 * REGION] = net.b1[0] = net.b2[0] = 32
    board = ProbeBoard(15, 15)
    board.make(7, 7, 1)
    board.set_side(2)
    assert ProbeNet(LoadedNet(net), "").value(board) == -60


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


@pytest.mark.parametrize("shift", [1, 2, 9])
def test_every_shift_is_that_of_the_file(shift: int) -> None:
    rng = random.Random(shift)
    table = Table(15, 15, 0, rng)
    table.wander(30)
    judged = Oracle(net_of(0, False, shift)).judge(table.all(), table.size, table.side, table.board)
    for path in PATHS:
        assert ProbeNet(loaded(0, False, shift), path).value(table.board) == judged.value


def test_sums_that_16_bits_do_not_hold() -> None:
    """On the largest board the features of nearly all empty cells go from one clip to the other."""
    table = Table(22, 22, 0, random.Random(1))
    table.walls, table.board = [], ProbeBoard(22, 22)
    for x, y in [(x, y) for x in range(22) for y in range(22) if (x + 2 * y) % 5 == 0]:
        table.board.make(x, y, 1 + y % 2)
        table.stones.append((x, y, 1 + y % 2))
    base = net_of(0, False)
    grid = np.full((32, 32), 3)
    grid[5:-5, 5:-5] = 0
    empty = {int(row) for step in DIRECTIONS for row in Oracle(base).rows(grid, step).ravel()}
    for before, after in ((0, 127), (127, 0)):
        rows = [0 if row in empty else after - before for row in range(len(base.rows) // ROW)]
        full = base._replace(
            rows=array("h", [number for number in rows for _ in range(ROW)]),
            pairs=array("h", [0] * len(base.pairs)),
            bias=array("h", [before] * ROW),
        )
        network.check(full)
        oracle = Oracle(full)
        features = oracle.features(table.all(), table.size, table.board)
        changed = np.count_nonzero(features[0, :, :, 0] == after) - (after == 0) * len(table.stones)
        assert 127 * changed > 1 << 15
        nets = [ProbeNet(LoadedNet(full), path) for path in PATHS]
        for side in (1, 2):
            agree(table, side, oracle, nets)


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
            afresh = ProbeNet(loaded(rule, True), "plain")
            fresh, value = afresh.state(table.board), afresh.value(table.board)
            for net in close:
                assert net.state(table.board) == fresh
            for net in loose:
                # A value does not need all of the state.
                assert net.value(table.board) == value
                if rng.random() < 0.2:
                    assert net.state(table.board) == fresh


def test_a_path_is_chosen_by_name_and_any_other_text_means_the_fastest() -> None:
    paths = [ProbeNet(loaded(0, False), path).path for path in (*PATHS, "x", "")]
    places = [PATHS.index(path) for path in paths]
    best = places[-1]
    assert places == [*(min(place, best) for place in range(len(PATHS))), best, best]
