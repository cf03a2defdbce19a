"""`tengen lab train`, from shards to a net file."""

from __future__ import annotations

import os
import re
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import network
from engine.trace import decided_plies
from tengen.lab.selfplay.game import Setting, cell_of_number
from tengen.lab.selfplay.keep import KEPT, Seen, reasons
from tengen.lab.selfplay.shards import (
    CHANCE,
    DECIDED,
    SHORT,
    PlayedGame,
    SidePosition,
    read_shard,
    shard_paths,
)
from tengen.lab.train.model import Form
from tengen.lab.train.optimizer import Settings, Training, usual_batch
from tengen.lab.train.positions import read_positions
from tests.engine.nets import random_net, with_bit_flipped
from tests.lab.command import Run
from tests.lab.train.shards import (
    SIZE,
    after_pass,
    games,
    positions_of,
    train,
    write_games,
)
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
    # Again, from the checkpoint after the last pass, and from the start with other threads.
    first = (tmp_path / "net.bin").read_bytes()
    checkpoint = tmp_path / "net.checkpoint"
    train(folder, "--rule", "0", "--out", tmp_path / "b.bin", *LITTLE, "--resume", checkpoint)
    assert (tmp_path / "b.bin").read_bytes() == first
    train(folder, "--rule", "0", "--out", tmp_path / "c.bin", *LITTLE[:-1], "1")
    assert (tmp_path / "c.bin").read_bytes() == first
    # The file that is replaced has its version counted on.
    train(folder, "--rule", "0", "--out", tmp_path / "c.bin", *LITTLE)
    assert network.load(tmp_path / "c.bin", 0).version == net.version + 1


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


def test_an_unfinished_training_is_not_replaced_by_the_same_one(
    folder: Path, tmp_path: Path, run: Run
) -> None:
    out, checkpoint = tmp_path / "net.bin", tmp_path / "net.checkpoint"
    words = (folder, "--rule", "0", "--out", out, *LITTLE)
    train(*words)
    whole = out.read_bytes()
    train(*words)  # its checkpoint is that of a finished training
    assert network.load(out, 0).version == network.load(network.default_file(0), 0).version + 2
    out.unlink()
    positions = read_positions([folder], 0)
    rate = usual_batch(int((~positions.is_test).sum()))[1]
    settings = Settings(passes=2, batch=100, rate=rate)
    after_pass(Training(positions, Form(0), settings, 1), 1, checkpoint)
    before = checkpoint.read_bytes()
    errors = run("lab", "train", *words).refusal
    assert f"{checkpoint} holds an unfinished training" in errors
    assert f"add --resume {checkpoint} to go on with it, or remove the file" in errors
    assert checkpoint.read_bytes() == before and not out.exists()
    train(*words, "--resume", checkpoint)
    assert out.read_bytes() == whole
    # That of another training is replaced.
    checkpoint.write_bytes(before)
    train(*words, "--seed", "2")
    assert checkpoint.read_bytes() != before


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
    done = re.fullmatch(
        rf"stopped; the same command with --resume {checkpoint} goes on after pass (\d+)", last
    )
    assert done and len(passes) - 1 <= int(done[1]) <= len(passes) + 1
    assert not out.exists() and not runs.leftovers()


def test_names_with_a_point_have_files_of_their_own(folder: Path, tmp_path: Path) -> None:
    for name in ("net-v1.1", "net-v1.2"):
        train(folder, "--rule", "0", "--out", tmp_path / name, *LITTLE)
    assert {path.name for path in tmp_path.iterdir()} == {
        name + ending
        for name in ("net-v1.1", "net-v1.2")
        for ending in ("", ".html", ".checkpoint")
    }


def test_bad_input_is_one_line(folder: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "net.bin"
    (tmp_path / "empty").mkdir()
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    [shard] = folder.glob("*.games")
    (damaged / shard.name).write_bytes(shard.read_bytes()[:-3])
    (tmp_path / "text").write_text("no checkpoint")
    for words, expected in (
        ((tmp_path / "empty", "--rule", "0"), "holds no shards"),
        ((damaged, "--rule", "0"), "cut off"),
        ((folder, "--rule", "4"), "holds games of rule 0, not of rule 4"),
        ((folder, "--rule", "0", "--resume", tmp_path / "text"), "text: not a checkpoint"),
    ):
        assert run("lab", "train", *words, "--out", out, *LITTLE).refusal.count(expected) == 1
    for ending in (".html", ".checkpoint", ".HTML"):
        errors = run(
            "lab", "train", folder, "--rule", "0", "--out", tmp_path / f"net{ending}"
        ).refusal
        assert f"such as net.bin; {ending} is" in errors
    for path, expected in (
        (tmp_path / "missing" / "net.bin", "net.bin: No such file or directory"),
        (tmp_path, f"{tmp_path}: this is a folder, not a file"),
        (".", ".: this is a folder, not a file"),
        ("/", "/: this is a folder, not a file"),
        ("", ".: this is a folder, not a file"),
    ):
        assert expected in run("lab", "train", folder, "--rule", "0", "--out", path).refusal
    assert not list(tmp_path.glob("net*"))


def test_positions_know_what_their_game_says(tmp_path: Path) -> None:
    whole = next(game for game in games(0) if game.winner and len(game.moves) > 6)
    moves = whole.moves
    flags = {2: CHANCE, 4: SHORT}
    changed = tuple(m._replace(flags=flags.get(i, 0)) for i, m in enumerate(moves))
    plain = positions_of(tmp_path / "a", 0, whole)
    marked = positions_of(tmp_path / "b", 0, replace(whole, moves=changed))
    opening = len(whole.opening)
    before = {int(ply): at for at, ply in enumerate(marked.ply)}
    assert opening + 4 not in before and opening + 4 in plain.ply
    for ply, at in before.items():
        by_chance = ply <= opening + 2
        assert (marked.result[at] == -1) == by_chance
        assert (marked.chosen[at] == -1) == (ply == opening + 2)
        if not by_chance:
            assert marked.result[at] == (whole.winner == 1 + ply % 2)
        assert marked.value[at] == moves[ply - opening].value
        seen = 1 / (1 + np.exp(-marked.value[at] / 220))
        expected = seen if by_chance else 0.3 * marked.result[at] + 0.7 * seen
        assert marked.target(np.array([at]), 0.3)[0] == pytest.approx(expected)
    assert opening + len(moves) - 1 not in before  # its value is a mate


def test_a_position_that_is_held_out_once_is_held_out(tmp_path: Path) -> None:
    """A game again, from a later opening of its own: the positions are the same."""
    for game in games(0, 40, 11):
        later = replace(
            game,
            opening=(*game.opening, *(move.cell for move in game.moves[:1])),
            moves=game.moves[1:],
        )
        both = positions_of(tmp_path, 0, later, game)
        alone = [positions_of(tmp_path, 0, each) for each in (later, game)]
        assert len(both) == len(alone[1])
        if any(each.is_test.any() for each in alone):
            assert both.is_test[: len(alone[0])].all()
            if alone[0].is_test.any() != alone[1].is_test.any():
                return
    pytest.fail("no opening is held out and its continuation not, or the other way round")


def test_as_many_positions_are_trained_with_as_are_counted_as_kept(tmp_path: Path) -> None:
    def marked(game: PlayedGame) -> PlayedGame:
        cells = [cell_of_number(n) for n in (*game.opening, *(move.cell for move in game.moves))]
        decided = decided_plies(Setting(0, SIZE, SIZE).position(cells))[len(game.opening) :]
        moves = zip(game.moves, decided, strict=False)
        return replace(game, moves=tuple(m._replace(flags=DECIDED * is_so) for m, is_so in moves))

    played = [marked(game) for game in games(0, 40, 11)]
    later = [
        replace(game, opening=(*game.opening, game.moves[0].cell), moves=game.moves[1:])
        for game in played
    ]
    folder = write_games(tmp_path, 0, (*played, *later))
    positions = read_positions([folder], 0)
    [path] = shard_paths([folder])
    assert (reasons(read_shard(path), Seen()) == KEPT).sum() == len(positions)


def test_positions_beside_a_game_are_trained_with(tmp_path: Path) -> None:
    """They are those of a game that is played along their line, but their result says nothing."""
    [game] = games(0, 1)
    after = 3
    line = tuple(move.cell for move in game.moves[after : after + 2])
    beside = SidePosition(after, line, game.moves[after + 2])
    short = replace(game, moves=game.moves[: after + 1], side_positions=(beside,))
    whole = positions_of(tmp_path / "whole", 0, game)
    found = positions_of(tmp_path / "short", 0, short)
    assert len(found) == after + 2
    ply = len(game.opening) + after + 2
    [expected], at = np.flatnonzero(whole.ply == ply), len(found) - 1
    assert found.ply[at] == ply and found.result[at] == -1 != whole.result[expected]
    for name in ("size", "threats", "value", "chosen", "is_test"):
        assert (getattr(found, name)[at] == getattr(whole, name)[expected]).all()
    places = range(ply + 1)
    assert [found.stones[found.start[at] + i] for i in places] == [
        whole.stones[whole.start[expected] + i] for i in places
    ]


def test_mirrored_games_are_the_same_positions(tmp_path: Path) -> None:
    def mirrored(game: PlayedGame) -> PlayedGame:
        def cell(old: int) -> int:
            return old // 32 * 32 + 8 - old % 32

        return replace(
            game,
            opening=tuple(map(cell, game.opening)),
            moves=tuple(move._replace(cell=cell(move.cell)) for move in game.moves),
        )

    played = games(0)
    once = positions_of(tmp_path / "a", 0, *played)
    twice = positions_of(tmp_path / "b", 0, *played, *map(mirrored, played))
    assert len(once) == len(twice)
