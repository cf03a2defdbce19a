"""Runs of self-play: the same bytes, however they are carried out and interrupted."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import pytest
from rich.console import Console

from engine.network import encode
from tengen import cli as tengen
from tengen.common.tasks import RunInterrupted, TaskRunner
from tengen.lab.selfplay.cli import shown
from tengen.lab.selfplay.game import Setting, with_net
from tengen.lab.selfplay.keep import KEPT, Seen, reasons
from tengen.lab.selfplay.run import (
    Chunk,
    Goal,
    Progress,
    SelfPlayFolder,
    identity_of,
    play_chunk,
    play_run,
)
from tengen.lab.selfplay.shards import read_shard, shard_name, shard_paths
from tests.commands import Run, Said
from tests.engine.nets import random_net, with_bit_flipped
from tests.processes import PATIENCE_S, POSIX_ONLY, Runs, wait_until
from tests.processes import runs as runs

needs_dask = pytest.mark.skipif(find_spec("dask") is None, reason="needs dask")

# Short games, so that a run of 14 has a shard that is not full.
SHARD_GAMES = 6
SHORT = ["--size", "9", "--nodes", "150", "--shard-games", str(SHARD_GAMES)]


def selfplay(out: Path, *words: str) -> int:
    return tengen.run(["lab", "selfplay", *SHORT, *words, "--out", str(out)])


def files(out: Path) -> dict[str, bytes]:
    """All but the lock, and what a killed run has left of a file for an hour."""
    names = [path for path in out.iterdir() if path.suffix != ".part" and path.name != ".lock"]
    return {path.name: path.read_bytes() for path in names}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of 14 games in one process."""
    out = tmp_path_factory.mktemp("whole") / "run"
    assert selfplay(out, "--games", "14") == 0
    return out


@pytest.fixture
def play(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Plays short games of self-play in a folder, however slowly without a line a minute."""
    monkeypatch.setattr("tengen.lab.selfplay.cli._LINE_S", float("inf"))

    def play(out: Path, *words: str) -> Said:
        return run("lab", "selfplay", *SHORT, *words, "--out", out)

    return play


def test_a_run_writes_its_games_and_says_so(whole: Path, play: Run) -> None:
    assert sorted(files(whole)) == [*(shard_name(first) for first in (0, 6, 12)), "run.json"]
    shards = [read_shard(path) for path in shard_paths([whole])]
    assert [(each.head.first, len(each)) for each in shards] == [(0, 6), (6, 6), (12, 2)]
    seen = Seen()
    kept = sum(int((reasons(each, seen) == KEPT).sum()) for each in shards)
    said = f"freestyle 9x9: 14 games, {kept} positions kept; in {whole}\n"
    assert play(whole, "--games", "14") == (0, said, "")


def test_the_number_of_processes_changes_no_byte(whole: Path, tmp_path: Path) -> None:
    assert selfplay(tmp_path, "--games", "14", "--jobs", "3") == 0
    assert files(tmp_path) == files(whole)


@needs_dask
@pytest.mark.slow
def test_a_cluster_changes_no_byte(whole: Path, tmp_path: Path, runs: Runs) -> None:
    out = tmp_path / "out"
    runs.finish("lab", "selfplay", *SHORT, "--games", "14", "--cluster", "local:2", "--out", out)
    assert files(out) == files(whole)
    assert not runs.leftovers()


def test_more_games_prolong_a_run_and_fewer_take_none_away(whole: Path, tmp_path: Path) -> None:
    for games in ("4", "14", "3"):
        assert selfplay(tmp_path, "--games", games) == 0
    assert files(tmp_path) == files(whole)


def test_damaged_and_missing_shards_are_played_again(
    whole: Path, tmp_path: Path, play: Run
) -> None:
    for name, data in files(whole).items():
        (tmp_path / name).write_bytes(data)
    bad = tmp_path / shard_name(0)
    bad.write_bytes(bad.read_bytes()[:-1])
    (tmp_path / shard_name(6)).unlink()
    last = (tmp_path / shard_name(12)).stat().st_mtime_ns
    status, _, errors = play(tmp_path, "--games", "14")
    assert status == 0 and errors.startswith(f"{bad}: cut off, ") and errors.count("\n") == 1
    assert files(tmp_path) == files(whole)
    assert (tmp_path / shard_name(12)).stat().st_mtime_ns == last


def test_a_file_that_is_no_shard_is_told(whole: Path, tmp_path: Path, play: Run) -> None:
    for name, data in files(whole).items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / shard_name(12)).write_bytes(b"TGN")
    (tmp_path / "other.games").write_bytes(b"no shard")
    before = files(tmp_path)
    again = "played again when the run comes to it"
    assert play(tmp_path, "--games", "6").err.splitlines() == [
        f"{tmp_path / shard_name(12)}: cut off, 3 bytes are too few for a shard; {again}",
        f"{tmp_path / 'other.games'}: not a shard of self-play games; {again}",
    ]
    assert files(tmp_path) == before


FIRST, SECOND = shard_name(0), shard_name(6)


@pytest.mark.parametrize(
    ("held", "error"),
    [
        # What the folder holds is given by the names of the files that it is a copy of.
        ({FIRST: FIRST, SECOND: FIRST, "run.json": "run.json"}, "move it away"),
        ({FIRST: FIRST, SECOND: SECOND}, "holds games but no run.json"),
    ],
)
def test_a_whole_shard_of_another_run_is_never_replaced(
    held: dict[str, str], error: str, whole: Path, tmp_path: Path, play: Run
) -> None:
    before = {name: files(whole)[source] for name, source in held.items()}
    for name, data in before.items():
        (tmp_path / name).write_bytes(data)
    assert error in play(tmp_path, "--games", "14").refusal
    assert files(tmp_path) == before


@pytest.mark.parametrize(("key", "value"), [("engine", "9.9"), ("values_crc", 5)])
def test_a_worker_with_another_engine_plays_no_game(key: str, value: int | str) -> None:
    setting = Setting(0, 9, 9, 1, 150)
    other = {**identity_of(setting), key: value}
    with pytest.raises(ValueError, match=rf"^a worker on .* has {key} .*, not {value}; install"):
        play_chunk(Chunk(setting, 0, 1, other))


def test_a_stopped_run_counts_the_games_that_it_has_written(
    whole: Path, tmp_path: Path, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = [read_shard(path) for path in shard_paths([whole])]
    games = [shard.game(i) for shard in shards for i in range(len(shard))]

    class Stopped:
        """Plays all games but 10 and 11, then is stopped."""

        interrupt = None

        def run(self, _: object, tasks: Iterable[Chunk], on_result: Callable[..., None]) -> None:
            for chunk in tasks:
                if chunk.first != 10:
                    on_result(chunk, games[chunk.first : chunk.first + chunk.count])
            raise RunInterrupted

    monkeypatch.setattr("tengen.lab.selfplay.cli._runner", lambda *_: nullcontext(Stopped()))
    stopped, last = play(tmp_path, "--games", "14").good.splitlines()  # no signal was received
    assert stopped == "stopped; the same command continues; finished games that it plays again: 6"
    assert last.startswith("freestyle 9x9: 6 games, ")
    assert sorted(files(tmp_path)) == [shard_name(0), "run.json"]
    # Files that are there after a missing one count when it has been played.
    (tmp_path / shard_name(12)).write_bytes(files(whole)[shard_name(12)])
    monkeypatch.undo()
    assert play(tmp_path, "--games", "14").good.startswith("freestyle 9x9: 14 games, ")


def test_positions_count_once_in_a_run_also_when_it_is_continued(
    whole: Path, tmp_path: Path
) -> None:
    games = [read_shard(whole / shard_name(0)).game(i) for i in range(4)]

    class Again:
        """Plays the same four games again and again."""

        def run(self, _: object, tasks: Iterable[Chunk], on_result: Callable[..., None]) -> None:
            for chunk in tasks:
                on_result(chunk, games)

    def positions(out: Path, *goals: int) -> list[int]:
        setting = with_net(Setting(0, 9, 9, 1, 150), None)
        with SelfPlayFolder(out, setting, 4) as folder:
            runner = cast("TaskRunner", Again())
            return [
                play_run(folder, Goal(games=goal), runner, lambda _: None).positions
                for goal in goals
            ]

    [once] = positions(tmp_path / "a", 4)
    assert once > 0
    assert positions(tmp_path / "a", 8, 16) == [once, once] == positions(tmp_path / "b", 16, 16)


def test_a_run_ends_with_the_shard_that_has_the_positions(whole: Path, tmp_path: Path) -> None:
    kept = int((reasons(read_shard(whole / shard_name(0)), Seen()) == KEPT).sum())
    assert selfplay(tmp_path, "--positions", str(kept + 1), "--jobs", "2") == 0
    assert sorted(files(tmp_path)) == [shard_name(0), shard_name(6), "run.json"]
    for name in (shard_name(0), shard_name(6)):
        assert files(tmp_path)[name] == files(whole)[name]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--size", "10"], "holds a run with width 9, not 10; continue it with the options"),
        (["--nodes", "160"], "holds a run with nodes 150, not 160;"),
        (["--rule", "renju"], "holds a run with rule 0, not 4;"),
        (["--seed", "2"], "holds a run with seed 1, not 2;"),
        (["--shard-games", "7"], "holds a run with shard_games 6, not 7;"),
        (["--positions", "5"], "give --games or --positions"),
        (["--size", "6"], "expected sides of at least 7"),
        (["--seed", "-1"], "-1: expected a whole number from 0"),
        (["--no-net"], "holds a run with net_crc "),
        (["--no-net", "--net", __file__], "give --net or --no-net, not both"),
        (["--cluster", "local:none"], "--cluster local:none: expected local:N"),
        (["--cluster", "local:1", "--jobs", "2"], "--jobs and --cluster exclude each other"),
    ],
)
def test_what_cannot_be_is_one_line(whole: Path, words: list[str], error: str, play: Run) -> None:
    before = files(whole)
    assert error in play(whole, "--games", "20", *words).refusal
    assert files(whole) == before


def test_other_code_and_another_description_are_refused(
    whole: Path, tmp_path: Path, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run.json").write_text("[]", encoding="ascii")
    assert "run.json: not the description of a run" in play(tmp_path, "--games", "20").refusal
    monkeypatch.setattr("tengen.lab.selfplay.run.GAMES_VERSION", 99)
    line = play(whole, "--games", "20").refusal
    assert "holds a run with games_version 3, not 99" in line


def test_a_net_plays_and_belongs_to_the_run(
    whole: Path, tmp_path: Path, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, out = tmp_path / "net.bin", tmp_path / "out"
    net.write_bytes(encode(random_net(0, seed=1)))
    assert selfplay(out, "--games", "6", "--net", str(net)) == 0
    shard = read_shard(out / shard_name(0))
    assert shard.head.net_crc == zlib.crc32(net.read_bytes())
    assert shard.value.tolist() != read_shard(whole / shard_name(0)).value.tolist()
    shipped = read_shard(whole / shard_name(0)).head.net_crc
    error = f"holds a run with net_crc {shard.head.net_crc}, not {shipped};"
    assert error in play(out, "--games", "6").refusal
    line = play(out, "--games", "6", "--net", str(net), "--rule", "renju").refusal
    assert line.endswith("net.bin: a net for rule 0\n")
    # Only --net names a net: what the environment says would not reach the workers of a cluster.
    monkeypatch.setenv("TENGEN_NET", str(net))
    assert selfplay(tmp_path / "plain", "--games", "6") == 0
    assert files(tmp_path / "plain")[shard_name(0)] == files(whole)[shard_name(0)]
    net.write_bytes(net.read_bytes()[:-1])
    line = play(out, "--games", "6", "--net", str(net)).refusal
    assert "net.bin: " in line and "this net is not used" not in line


def test_the_table_plays_alone_where_no_net_can(
    tmp_path: Path, play: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a change of the patterns, with which the nets that come with the engine do not
    agree."""
    (tmp_path / "net.bin").write_bytes(with_bit_flipped(encode(random_net(0, seed=1)), 20))
    monkeypatch.setattr(
        "tengen.lab.selfplay.game.default_file", lambda rule: str(tmp_path / "net.bin")
    )
    line = play(tmp_path / "out", "--games", "1").refusal
    assert "net.bin: made for other patterns" in line and "--no-net plays" in line
    assert selfplay(tmp_path / "out", "--games", "1", "--no-net") == 0
    assert read_shard(tmp_path / "out" / shard_name(0)).head.net_crc == 0


def _games(out: Path) -> int:
    return sum(1 for _ in out.glob("*.games")) if out.is_dir() else 0


def _start(runs: Runs, out: Path, games: int) -> subprocess.Popen[str]:
    return runs.start("lab", "selfplay", *SHORT, "--games", str(games), "--jobs", "2", "--out", out)


def _end(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What it has printed, and its errors without the line a minute of a slow machine."""
    said, errors = process.communicate(timeout=10 * PATIENCE_S)
    return said, re.sub(r"^[\d,]+ games?, [\d,]+ positions?\b.*\n", "", errors, flags=re.MULTILINE)


@POSIX_ONLY
def test_a_killed_run_goes_on_as_if_nothing_had_happened(runs: Runs, tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    process = _start(runs, out, 10_000)
    wait_until(lambda: _games(out) > 1, process)
    started, _ = runs.kill(process)
    assert started >= 2  # and none of them is left
    games = SHARD_GAMES * (_games(out) + 3)  # a slow machine kills late
    left = out / ".tengen-0123456789abcdef.part"
    left.write_bytes(b"half a shard")
    os.utime(left, (0, 0))
    process = _start(runs, out, games)
    assert (_end(process)[1], process.returncode) == ("", 0)
    assert selfplay(other, "--games", str(games)) == 0
    assert not left.exists()
    assert files(out) == files(other)


@POSIX_ONLY
def test_ctrl_c_leaves_whole_shards(runs: Runs, tmp_path: Path, play: Run) -> None:
    out = tmp_path / "out"
    process = _start(runs, out, 10_000)
    wait_until(lambda: _games(out) > 0, process)
    refused = play(out, "--games", "9").refusal
    assert refused.endswith(f"{out} is in use by another run\n")
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
    said, errors = _end(process)
    assert (process.returncode, errors) == (128 + signal.SIGINT, "")
    written = sum(len(read_shard(path)) for path in shard_paths([out]))
    stopped, last = said.splitlines()
    assert stopped.startswith("stopped; the same command continues")
    assert last.startswith(f"freestyle 9x9: {written} games, ")
    assert not runs.leftovers() and not list(out.glob("*.part"))
    assert all(len(read_shard(path)) == 6 for path in shard_paths([out]))


# -- what it shows


def test_without_a_terminal_there_is_a_line_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now_s[0])
    file = io.StringIO()
    with shown(Console(file=file, width=100), Goal(games=100)) as update:
        for games, positions in ((40, 700), (50, 700), (60, 1300), (65, 1300)):
            update(Progress(games - 5, positions, waiting=5, was_positions=700))
            now_s[0] += 40
    # The speed is that of the shard written after 80 seconds: 600 positions.
    assert file.getvalue().splitlines() == [
        "60 games, 1,300 positions, 27,000 positions an hour",
    ]
