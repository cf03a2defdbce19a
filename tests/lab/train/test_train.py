"""`tengen lab train`, from shards to a net file."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

from engine import network
from tengen.lab.train.model import Form
from tengen.lab.train.optimizer import Settings, Training, usual_batch
from tengen.lab.train.positions import read_positions
from tests.commands import Run
from tests.engine.nets import random_net, with_bit_flipped
from tests.lab.train.shards import (
    after_pass,
    train,
)
from tests.lab.train.shards import folder as folder
from tests.processes import PATIENCE_S, POSIX_ONLY, Runs, wait_until
from tests.processes import runs as runs

LITTLE = ("--passes", "2", "--batch", "100", "--jobs", "2")


def test_a_net_is_trained_and_written(folder: Path, tmp_path: Path) -> None:
    said = train(folder, "--rule", "freestyle", "--out", tmp_path / "net.bin", *LITTLE)
    net = network.load(tmp_path / "net.bin", 0)
    shipped = network.load(network.default_file(0), 0)
    assert (net.version, net.name) == (shipped.version + 1, "tengen")
    assert "pass 2 of 2: value 0." in said and "in integers" in said
    page = (tmp_path / "net.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4 and "Calibration" in page and "Policy cross-entropy" in page
    # The file that is replaced has its version counted on.
    train(folder, "--rule", "0", "--out", tmp_path / "net.bin", *LITTLE)
    assert network.load(tmp_path / "net.bin", 0).version == net.version + 1


def test_the_version_is_counted_on_from_a_net_that_cannot_be_used(
    folder: Path, tmp_path: Path
) -> None:
    """As after a change of the patterns. A net of another rule does not count."""
    data = network.encode(random_net(0, 1)._replace(version=40))
    out = tmp_path / "net.bin"
    out.write_bytes(with_bit_flipped(data, 20))
    train(folder, "--rule", "0", "--out", out, *LITTLE)
    assert network.load(out, 0).version == 41
    out.write_bytes(network.encode(random_net(4, 1)._replace(version=7)))
    train(folder, "--rule", "0", "--out", out, *LITTLE)
    shipped = network.load(network.default_file(0), 0)
    assert network.load(out, 0).version == shipped.version + 1


# -- trainings that were interrupted


def test_the_same_command_goes_on(folder: Path, tmp_path: Path) -> None:
    out, checkpoint = tmp_path / "net.bin", tmp_path / "net.checkpoint"
    words = (folder, "--rule", "0", "--out", out, *LITTLE)
    train(*words)
    whole = out.read_bytes()
    out.unlink()
    positions = read_positions([folder], 0)
    rate = usual_batch(int((~positions.is_test).sum()))[1]
    settings = Settings(passes=2, batch=100, rate=rate)
    after_pass(Training(positions, Form(0), settings, 1), 1, checkpoint)
    before = checkpoint.read_bytes()
    said = train(*words)
    assert f"goes on from {checkpoint}\n" in said and "pass 1 of 2" not in said
    assert out.read_bytes() == whole and not checkpoint.exists()
    # That of another training is replaced.
    checkpoint.write_bytes(before)
    assert "goes on" not in train(*words, "--seed", "2")


@POSIX_ONLY
def test_ctrl_c_says_how_to_go_on(runs: Runs, folder: Path, tmp_path: Path) -> None:
    out, checkpoint = tmp_path / "net.bin", tmp_path / "net.checkpoint"
    words = ("lab", "train", folder, "--rule", "0", "--out", out, "--passes", "1000", "--jobs", "2")
    process = runs.start(*words)
    wait_until(checkpoint.exists, process)
    os.killpg(process.pid, signal.SIGINT)
    said, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130 and errors.strip() == ""
    *passes, last = said.splitlines()
    done = re.fullmatch(r"stopped; the same command goes on after pass (\d+)", last)
    assert done and len(passes) - 1 <= int(done[1]) <= len(passes) + 1
    assert not out.exists() and not runs.leftovers()


def test_names_with_a_point_have_files_of_their_own(folder: Path, tmp_path: Path) -> None:
    for name in ("net-v1.1", "net-v1.2"):
        train(folder, "--rule", "0", "--out", tmp_path / name, *LITTLE)
    assert {path.name for path in tmp_path.iterdir()} == {
        name + ending for name in ("net-v1.1", "net-v1.2") for ending in ("", ".html")
    }


def test_bad_input_is_one_line(folder: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "net.bin"
    (tmp_path / "empty").mkdir()
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    [shard] = folder.glob("*.games")
    (damaged / shard.name).write_bytes(shard.read_bytes()[:-3])
    for words, expected in (
        ((tmp_path / "empty", "--rule", "0"), "holds no shards"),
        ((damaged, "--rule", "0"), "cut off"),
        ((folder, "--rule", "4"), "holds games of rule 0, not of rule 4"),
    ):
        assert run("lab", "train", *words, "--out", out, *LITTLE).refusal.count(expected) == 1
    for ending in (".html", ".checkpoint", ".HTML"):
        errors = run(
            "lab", "train", folder, "--rule", "0", "--out", tmp_path / f"net{ending}"
        ).refusal
        assert f"such as net.bin; {ending} is" in errors
    for path, expected in (
        (tmp_path / "missing" / "net.bin", "net.bin: No such file or directory"),
        ("/", "/: this is a folder, not a file"),
    ):
        assert expected in run("lab", "train", folder, "--rule", "0", "--out", path).refusal
    assert not list(tmp_path.glob("net*"))
