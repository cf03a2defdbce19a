"""Games of several board sizes, node limits and nets, trained with together."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tengen.lab.train.model import Form, Model
from tengen.lab.train.optimizer import kernel_of
from tengen.lab.train.positions import Positions, read_positions
from tests.lab.train.shards import games, train, write_games

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
