"""The positions that a net is trained with, also of several sizes and nets together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tengen.lab.selfplay.shards import (
    CHANCE,
    SHORT,
    SidePosition,
)
from tengen.lab.train.model import Form, Model
from tengen.lab.train.optimizer import kernel_of
from tengen.lab.train.positions import Positions, read_positions
from tests.lab.train.shards import (
    games,
    positions_of,
    train,
    write_games,
)
from tests.processes import runs as runs

SIZES = (12, 9, 10)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    root = tmp_path_factory.mktemp("mixed")
    return [
        write_games(root / "12", 0, games(0, 15, 7, 12), 12),
        write_games(root / "9", 0, games(0, 40, 11), nodes=900),
        write_games(root / "10", 0, games(0, 5, 7, 10), 10, net_crc=77),
    ]


@pytest.fixture(scope="module")
def each(folders: list[Path]) -> list[Positions]:
    return [read_positions([folder], 0) for folder in folders]


@pytest.fixture(scope="module")
def mixed(folders: list[Path]) -> Positions:
    return read_positions(folders, 0)


def results(positions: Positions, rows: list[int]) -> tuple[bytes, bytes]:
    """What the kernels say, and their gradient."""
    form = Form(0)
    weights = Model(form).weights(Model(form).start(1))
    at = np.array(rows, np.int64)
    found, gradient = np.zeros((len(at), 3), np.float32), np.zeros(form.size, np.float32)
    target = positions.target(at).astype(np.float32)
    kernel = kernel_of(positions, form)
    kernel.run(weights, at, target, found, gradient, False, 1.0, 1.0, 0.0, 0.0)
    return found.tobytes(), gradient.tobytes()


def test_positions_of_all_folders_are_there_each_with_its_board(
    mixed: Positions, each: list[Positions]
) -> None:
    counts = [len(some) for some in each]
    assert len(mixed) == sum(counts)
    assert (mixed.size == np.repeat(SIZES, counts)[:, None]).all()
    for name in ("value", "result", "chosen", "threats", "is_test"):
        parts = [getattr(some, name) for some in each]
        assert (getattr(mixed, name) == np.concatenate(parts)).all(), name


def test_losses_may_be_measured_with_games_of_other_folders(folders: list[Path]) -> None:
    positions = read_positions(folders[:2], 0, judges=folders[2:])
    assert (positions.is_test == (positions.size[:, 0] == SIZES[2])).all()
    assert 0 < positions.is_test.sum() < len(positions)


def test_the_kernels_take_positions_of_all_sizes_in_turns(
    mixed: Positions, each: list[Positions]
) -> None:
    """As a shuffled batch has them."""
    ends = np.cumsum([0, *(len(some) for some in each)]).tolist()
    rng = np.random.default_rng(3)
    picks = [rng.integers(0, len(some), 25).tolist() for some in each]
    turns = [ends[i] + row for some in zip(*picks, strict=True) for i, row in enumerate(some)]
    in_turns = np.frombuffer(results(mixed, turns)[0], np.float32).reshape(25, 3, 3)
    for i, some in enumerate(each):
        alone, slopes = results(some, picks[i])
        assert in_turns[:, i].tobytes() == alone
        assert results(mixed, [ends[i] + row for row in picks[i]]) == (alone, slopes)


def test_the_command_trains_them_and_prints_the_loss_of_each_size(
    folders: list[Path], mixed: Positions, tmp_path: Path
) -> None:
    words = ["--rule", "0", "--out", str(tmp_path / "net.bin"), "--passes", "1", "--batch", "99"]
    said = train(*folders, *words)
    held_out = mixed.size[mixed.is_test, 0]
    for size in SIZES:
        [line] = [part for part in said.splitlines() if f"loss, {size}x{size}: " in part]
        count = (held_out == size).sum()
        assert (f"{count} held out" if count else "no position of this size") in line
    said = train(folders[1], *words)
    assert "value loss, held out: " in said and "9x9" not in said


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
