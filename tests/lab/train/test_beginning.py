"""Trainings that begin with a net: the same numbers, kept where nothing new is learned."""

from __future__ import annotations

from array import array
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from engine import network
from engine.network import Network, has_policy
from engine.rows import numbering
from tengen import cli as tengen
from tengen.lab.selfplay.shards import PlayedGame
from tengen.lab.train.beginning import read_beginning
from tengen.lab.train.carry import carry_over
from tengen.lab.train.cli import train_command
from tengen.lab.train.descent import Settings, Training
from tengen.lab.train.model import Form, Model, from_network, to_network
from tengen.lab.train.positions import Positions, read_positions
from tests.engine.nets import random_net, with_bit_flipped
from tests.lab.train.shards import games, write_games

LITTLE = ("--passes", "2", "--batch", "100")


def positions_of(folder: Path, played: tuple[PlayedGame, ...]) -> Positions:
    found = read_positions([write_games(folder, 0, played)], 0)
    return replace(found, is_test=np.arange(len(found)) % 5 == 0)


def trained(positions: Positions, settings: Settings, beginning: Network | None = None) -> Training:
    training = Training(positions, Form(positions.rule), settings, 1, beginning)
    for _ in training.run():
        pass
    training.close()
    return training


def file_of(training: Training, version: int = 1) -> Network:
    weights = training.model.weights(training.parameters, rounding=True)
    return to_network(training.form, weights, version, "test")


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Positions:
    return positions_of(tmp_path_factory.mktemp("first"), games(0))


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Positions:
    return positions_of(tmp_path_factory.mktemp("other"), games(0, 40, 11)[:12])


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
    settings = Settings(passes=15, batch=50, rate=2e-3)
    on = file_of(trained(other, settings, net))
    anew = file_of(trained(other, settings))
    judge = Training(first, Form(0), settings, 1)
    losses = [judge.judge(judge.train, from_network(each)).value_loss() for each in (net, on, anew)]
    assert losses[0] < losses[2] and losses[1] < losses[2] - 0.5 * (losses[2] - losses[0])
    judge = Training(other, Form(0), settings, 1)
    before, after = (judge.judge(judge.train, from_network(each)) for each in (net, on))
    assert after.value_loss() < before.value_loss()
    assert after.policy_loss() < before.policy_loss()


def test_rows_of_windows_that_do_not_occur_stay(other: Positions, net: Network) -> None:
    """However strong the weight decay is: it leads to where the training began, not to zero."""
    beginning = random_net(0, 5)._replace(entry=net.entry)
    settings = Settings(passes=3, batch=100, rate=1e-3, own_decay=500, decay=500)
    training = trained(other, settings, beginning)
    start = training.model.begin(beginning)
    change = training.parameters - start
    rows = numbering(0).rows
    own = change[: rows * 32].reshape(rows, 32)
    still = ~own.any(axis=1)
    assert rows // 10 < still.sum() < rows
    size = np.abs(start[: training.form.size]).mean()
    assert 0 < np.abs(change).mean() < 0.1 * size


def test_a_checkpoint_knows_its_beginning(other: Positions, net: Network, tmp_path: Path) -> None:
    settings = Settings(passes=2, batch=100)
    whole = trained(other, settings, net)
    part = Training(other, Form(0), settings, 1, net)
    for _ in part.run():
        if part.curve.value:
            part.save(tmp_path / "checkpoint")
            break
    again = Training(other, Form(0), settings, 1, net)
    again.resume(tmp_path / "checkpoint")
    for _ in again.run():
        pass
    assert again.parameters.tobytes() == whole.parameters.tobytes()
    rows = array("h", [*net.rows[:-1], net.rows[-1] + 1])
    for beginning in (None, net._replace(rows=rows)):
        with pytest.raises(ValueError, match="made with other beginning: 'test', version 1"):
            Training(other, Form(0), settings, 1, beginning).resume(tmp_path / "checkpoint")


# -- the command


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_games(tmp_path_factory.mktemp("shards"), 0, games(0, 40, 11))


def train(*words: str | Path) -> Result:
    return CliRunner().invoke(train_command, [str(word) for word in words])


def write(path: Path, net: Network) -> Path:
    path.write_bytes(network.encode(net))
    return path


def test_the_command_goes_on_from_a_net(folder: Path, net: Network, tmp_path: Path) -> None:
    begin = write(tmp_path / "begin.bin", net._replace(version=7))
    words = (folder, "--rule", "0", "--begin", begin)
    done = train(*words, "--out", tmp_path / "net.bin", "--jobs", "1")
    assert done.exit_code == 0, done.output
    assert "training: 4 passes, batches of 512, rate 0.0004, seed 1" in done.output
    assert "begun with: 'test', version 7, CRC-32 " in done.output
    assert "before the training: value loss 0." in done.output
    made = network.load(tmp_path / "net.bin", 0)
    assert made.version == 8
    # The rows are near those of the beginning.
    assert 0.8 < np.corrcoef(made.rows, net.rows)[0, 1] < 1
    checkpoint = tmp_path / "net.checkpoint"
    for options in (("--jobs", "3"), ("--jobs", "1", "--resume", checkpoint)):
        again = train(*words, "--out", tmp_path / "again.bin", *options)
        assert again.exit_code == 0, again.output
        assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "net.bin").read_bytes()
        (tmp_path / "again.bin").unlink()


def test_a_net_that_does_not_fit_is_refused_in_one_line(
    folder: Path, net: Network, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write(tmp_path / "whole.bin", net).read_bytes()
    (tmp_path / "damaged.bin").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    for name, at in (("wide.bin", 14), ("numbering.bin", 28), ("table.bin", 32)):
        (tmp_path / name).write_bytes(with_bit_flipped(data, at))
    (tmp_path / "rule.bin").write_bytes(data[:10] + bytes([7]) + data[11:])
    write(tmp_path / "renju.bin", random_net(4, 1))
    write(tmp_path / "shift.bin", net._replace(shift=6))
    write(tmp_path / "values.bin", net._replace(entry=array("h", [0] * len(net.entry))))
    whole = tmp_path / "whole.bin"
    for words, expected in (
        (("--begin", tmp_path / "damaged.bin"), "damaged.bin: damaged (checksum differs)"),
        (("--begin", tmp_path / "rule.bin"), "rule.bin: made for rule 7, which does not exist"),
        (("--begin", tmp_path / "wide.bin"), "wide.bin: made for another kind of net"),
        (("--begin", tmp_path / "numbering.bin"), "numbering.bin: made for other patterns"),
        (("--begin", tmp_path / "table.bin"), "table.bin: made for another values file"),
        (("--begin", tmp_path / "renju.bin"), "renju.bin: a net of renju has numbers for each"),
        (("--begin", tmp_path / "shift.bin"), "shift.bin: divides its sums by two to the power 6"),
        (("--begin", tmp_path / "values.bin"), "values.bin: has learned no policy"),
        (("--begin", whole, "--no-policy"), "whole.bin: has a policy, which --no-policy"),
        (("--begin", tmp_path / "none.bin"), "does not exist"),
    ):
        given = (folder, "--rule", "0", "--out", tmp_path / "net.bin", *LITTLE, *words)
        assert tengen.run(["lab", "train", *map(str, given)]) == 2
        said, errors = capsys.readouterr()
        assert said == "" and expected in errors and errors.count("\n") == 1, errors
    assert not (tmp_path / "net.bin").exists()


def test_a_net_of_freestyle_begins_that_of_another_rule(net: Network, tmp_path: Path) -> None:
    begin = write(tmp_path / "begin.bin", net)
    folder = write_games(tmp_path / "shards", 4, games(4, 40, 11))
    words = (folder, "--rule", "renju", "--begin", begin, "--out", tmp_path / "b.bin", *LITTLE)
    done = train(*words, "--rate", "1.1e-5")
    assert done.exit_code == 0, done.output
    made = network.load(tmp_path / "b.bin", 4)
    carried = carry_over(net, 4)
    assert np.corrcoef(made.rows, carried.rows)[0, 1] > 0.99


def test_values_alone_go_on_without_a_policy(folder: Path, net: Network, tmp_path: Path) -> None:
    alone = write(tmp_path / "alone.bin", net._replace(entry=array("h", [0] * len(net.entry))))
    assert not has_policy(read_beginning(alone, 0, with_policy=False))
    done = train(
        folder, "--rule", "0", "--out", tmp_path / "b.bin", *LITTLE, "--no-policy", "--begin", alone
    )
    assert done.exit_code == 0, done.output
    assert not has_policy(network.load(tmp_path / "b.bin", 0))
