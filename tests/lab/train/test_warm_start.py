"""Trainings that begin with a net, of the same rule or carried over: the same features, kept where
nothing new is learned."""

from __future__ import annotations

import random
from array import array
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import network
from engine.model import Placed, Position, Rule, Stone
from engine.network import Network
from engine.patterns import numbering
from tengen.lab.train.model import Form, Model, from_network, to_network
from tengen.lab.train.optimizer import Settings, Training
from tengen.lab.train.positions import Positions
from tengen.lab.train.warm_start import carry_over
from tests.commands import Run
from tests.engine.net_oracle import ask
from tests.engine.nets import random_net
from tests.engine.positions import random_moves
from tests.lab.train.shards import (
    after_pass,
    games,
    positions_of,
    split,
    train,
    trained,
    write_games,
)
from tests.lab.train.shards import folder as folder

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


LITTLE = ("--passes", "2", "--batch", "100")


def file_of(training: Training, version: int = 1) -> Network:
    weights = training.model.weights(training.parameters, rounding=True)
    return to_network(training.form, weights, version, "test")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Positions:
    return split(positions_of(tmp_path_factory.mktemp("first"), 0, *games(0)))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Positions:
    return split(positions_of(tmp_path_factory.mktemp("other"), 0, *games(0, 40, 11)[:12]))


@pytest.fixture(scope="module")
def net(first: Positions) -> Network:
    """A net that knows the first positions well."""
    return file_of(trained(first, Settings(passes=20, batch=50)))


@pytest.mark.parametrize("rule", [0, 4])
def test_the_numbers_of_the_file_are_there_again(rule: int) -> None:
    net = random_net(rule, 3)
    model = Model(Form(rule))
    weights = model.weights(model.begin(net), rounding=True)
    assert (weights == from_network(net)).all()


def test_what_a_net_has_learned_is_not_lost(
    first: Positions, other: Positions, net: Network
) -> None:
    settings = Settings(passes=15, batch=50, rate=1e-3)
    on = file_of(trained(other, settings, 1, net))
    anew = file_of(trained(other, settings))
    judge = Training(first, Form(0), settings, 1)
    losses = [
        judge.evaluate(judge.train, from_network(each)).value_loss() for each in (net, on, anew)
    ]
    assert losses[0] < losses[2] and losses[1] < losses[2] - 0.3 * (losses[2] - losses[0])
    judge = Training(other, Form(0), settings, 1)
    before, after = (judge.evaluate(judge.train, from_network(each)) for each in (net, on))
    assert after.value_loss() < before.value_loss()
    assert after.policy_loss() < before.policy_loss()


def test_rows_of_windows_that_do_not_occur_stay(other: Positions, net: Network) -> None:
    """However strong the weight decay is: it leads to where the training began, not to zero."""
    beginning = random_net(0, 5)._replace(entry=net.entry)
    settings = Settings(passes=3, batch=100, rate=1e-3, own_decay=500, decay=500)
    training = trained(other, settings, 1, beginning)
    start = training.model.begin(beginning)
    change = training.parameters - start
    rows = numbering(0).rows
    own = change[: rows * network.ROW].reshape(rows, network.ROW)
    still = ~own.any(axis=1)
    assert rows // 10 < still.sum() < rows
    size = np.abs(start[: training.form.size]).mean()
    assert 0 < np.abs(change).mean() < 0.1 * size


def test_a_checkpoint_knows_its_beginning(other: Positions, net: Network, tmp_path: Path) -> None:
    settings = Settings(passes=2, batch=100)
    after_pass(Training(other, Form(0), settings, 1, net), 1, tmp_path / "checkpoint")
    rows = array("h", [*net.rows[:-1], net.rows[-1] + 1])
    for beginning in (None, net._replace(rows=rows)):
        training = Training(other, Form(0), settings, 1, beginning)
        assert not training.resume(tmp_path / "checkpoint")


# -- the command


def write(path: Path, net: Network) -> Path:
    path.write_bytes(network.encode(net))
    return path


def test_the_command_goes_on_from_a_net(folder: Path, net: Network, tmp_path: Path) -> None:
    begin = write(tmp_path / "begin.bin", net._replace(version=1000))
    words = (folder, "--rule", "0", "--begin", begin)
    said = train(*words, "--out", tmp_path / "net.bin", "--jobs", "1")
    assert "training: 3 passes, batches of 512, rate 0.0004, seed 1" in said
    assert "begun with: 'test', version 1000, CRC-32 " in said
    assert "before the training: value loss 0." in said
    made = network.load(tmp_path / "net.bin", 0)
    assert made.version == 1001  # that of the engine's own is lower
    # The rows are near those of the beginning.
    assert 0.8 < np.corrcoef(made.rows, net.rows)[0, 1] < 1
    train(*words, "--out", tmp_path / "again.bin", "--jobs", "3")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "net.bin").read_bytes()


def test_a_net_that_does_not_fit_is_refused_in_one_line(
    folder: Path, net: Network, tmp_path: Path, run: Run
) -> None:
    data = write(tmp_path / "whole.bin", net).read_bytes()
    (tmp_path / "damaged.bin").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    write(tmp_path / "renju.bin", random_net(4, 1))
    write(tmp_path / "shift.bin", net._replace(shift=6))
    for words, expected in (
        (("--begin", tmp_path / "damaged.bin"), "damaged.bin: damaged (checksum differs)"),
        (("--begin", tmp_path / "renju.bin"), "renju.bin: a net of renju has numbers for each"),
        (("--begin", tmp_path / "shift.bin"), "shift.bin: divides its sums by two to the power 6"),
        (("--begin", tmp_path / "none.bin"), "does not exist"),
    ):
        given = (folder, "--rule", "0", "--out", tmp_path / "net.bin", *LITTLE, *words)
        assert expected in run("lab", "train", *given).refusal
    assert not (tmp_path / "net.bin").exists()


def test_a_net_of_freestyle_begins_that_of_another_rule(net: Network, tmp_path: Path) -> None:
    begin = write(tmp_path / "begin.bin", net)
    folder = write_games(tmp_path / "shards", 4, games(4, 40, 11))
    words = (folder, "--rule", "renju", "--begin", begin, "--out", tmp_path / "b.bin", *LITTLE)
    train(*words, "--rate", "1.1e-5")
    made = network.load(tmp_path / "b.bin", 4)
    carried = carry_over(net, 4)
    assert np.corrcoef(made.rows, carried.rows)[0, 1] > 0.99
