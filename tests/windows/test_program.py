"""The Windows program as managers use it: words, folders, games, and how it ends."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import statistics
import time
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from engine.version import __version__
from release.archive import ZIP
from release.windows import DIST, NAME
from tengen.arena.check.cli import check_command
from tests.house.test_games import play_game
from tests.processes import processes_of
from tests.protocol.conversation import SCRIPTS, Program, play
from tests.stopwatch import Stopwatch

pytestmark = pytest.mark.windows


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
def test_conversation(command: list[str], script: Path) -> None:
    try:
        play(command, script)
    except AssertionError as failure:
        # On a busy machine wine itself may fail to start, once in some thousand times.
        if "the end of the process with status 1\n" not in str(failure) or " < " in str(failure):
            raise
        play(command, script)


@pytest.mark.parametrize("rule", [0, 1, 4, 8, 9])
def test_a_game_of_each_rule(command: list[str], rule: int) -> None:
    play_game(command, rule, 15, 15, "max_node 2000", random.Random(rule))


@pytest.mark.parametrize(
    "name",
    ["Gomoku Programme/Tengen für Jürgen 五子棋", "/".join(["a long name " * 8 + "end"] * 4)],
    ids=["blanks and letters", "over 260 characters"],
)
def test_it_works_in_any_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    home = tmp_path / name
    shutil.copytree(folder, home)
    before = sorted(path.relative_to(home) for path in home.rglob("*"))
    for path in [home, *home.rglob("*")]:
        path.chmod(0o555)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with Program(["wine", str(home / f"{NAME}.exe")]) as running:
        running.send(b"START 15\r\nBEGIN\r\n")
        assert running.read_line() == "OK"
        running.read_move()
        running.send(b"END\r\n")
        running.expect_exit()
    assert sorted(path.relative_to(home) for path in home.rglob("*")) == before
    assert not list(elsewhere.iterdir())
    for path in [home, *home.rglob("*")]:
        path.chmod(0o755)


def test_it_reads_the_settings_beside_it(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "a folder"
    shutil.copytree(folder, home)
    (home / "pbrain-tengen.toml").write_text('log = "my.log"\n', encoding="ascii")
    with Program(["wine", str(home / f"{NAME}.exe")]) as running:
        running.send(b"ABOUT\r\nEND\r\n")
        assert f'version="{__version__}"' in (running.read_line() or "")
        running.expect_exit()
    assert "> ABOUT" in (home / "my.log").read_text(encoding="utf-8")


@pytest.mark.verify  # times: for a quiet machine
def test_it_answers_soon_and_ends_soon(command: list[str]) -> None:
    starts, ends, ends_in_search = [], [], []
    for _ in range(10):
        began = time.perf_counter()
        with Program(command) as running:
            running.send(b"START 15\r\n")
            assert running.read_line() == "OK"
            starts.append(time.perf_counter() - began)
            began = time.perf_counter()
            running.send(b"END\r\n")
            running.expect_exit()
            ends.append(time.perf_counter() - began)
        with Program(command) as running:
            running.search()
            began = time.perf_counter()
            running.send(b"END\r\n")
            running.process.wait(60)
            ends_in_search.append(time.perf_counter() - began)
    for what, times in (("OK", starts), ("END", ends), ("END in mid-search", ends_in_search)):
        print(f"{what}: median {statistics.median(times) * 1000:.0f} ms, worst {max(times):.3f} s")
    assert min(starts) < 1.0
    # Piskvork waits 700 ms, the tournament's judge 500.
    assert statistics.median(ends) < 0.5
    assert statistics.median(ends_in_search) < 0.5


def test_killed_in_mid_search_it_leaves_nothing_running(folder: Path, tmp_path: Path) -> None:
    # A copy of its own, so that no other one can be mistaken for it.
    home = tmp_path / "killed"
    shutil.copytree(folder, home)
    with Program(["wine", str(home / f"{NAME}.exe")]) as running:
        running.search()
        assert [process.pid for process in processes_of(str(home))] == [running.process.pid]
        running.process.kill()
        running.process.wait()
        Stopwatch().ms_until(lambda: not list(processes_of(str(home))))


def test_suspended_it_does_not_think(command: list[str]) -> None:
    with Program(command) as running:
        running.search()
        os.kill(running.process.pid, signal.SIGSTOP)
        process = psutil.Process(running.process.pid)
        before = process.cpu_times()
        time.sleep(0.5)
        after = process.cpu_times()
        assert after.user + after.system - before.user - before.system < 0.05
        os.kill(running.process.pid, signal.SIGCONT)
        running.send(b"YXSTOP\r\n")
        running.read_move()


@pytest.mark.verify
def test_memory_stays_below_the_limit_in_a_long_search(command: list[str]) -> None:
    limit_bytes = 350 << 20
    with Program(command) as running:
        running.send(b"START 20\r\nINFO max_memory %d\r\n" % limit_bytes)
        running.send(b"INFO timeout_turn 30000\r\nBOARD\r\n9,9,2\r\n10,10,1\r\n10,9,2\r\nDONE\r\n")
        assert running.read_line() == "OK"
        peak = 0
        deadline = time.monotonic() + 29
        while time.monotonic() < deadline:
            memory = psutil.Process(running.process.pid).memory_full_info()
            peak = max(peak, memory.uss)
            time.sleep(0.1)
        print(f"peak memory {peak / (1 << 20):.0f} MiB")
        assert peak < limit_bytes


@pytest.mark.parametrize(
    "options",
    [
        pytest.param([], marks=pytest.mark.verify),  # times: for a quiet machine
        ["--static"],
    ],
)
def test_the_zip_is_a_valid_entry(options: list[str]) -> None:
    result = CliRunner().invoke(check_command, [str(DIST / ZIP), "--json", *options])
    document = json.loads(result.stdout)
    # Without a start of the program the entry as a whole is not called ok.
    assert document["summary"]["ok"] == (not options)
    assert all(finding["outcome"] == "pass" for finding in document["results"])
    assert result.exit_code == 0
