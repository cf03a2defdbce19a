"""A match that is stopped and goes on, its programs that are, or both: no game is lost by it.

Every stop is longer than any program is waited for.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.processes import PATIENCE_S, POSIX_ONLY, Runs, wait_until
from tests.processes import runs as runs

TENGEN = shlex.join([sys.executable, "-m", "tengen.pbrain"])
WAITED_S, STOP_S = 2.0, (2.5, 4.0)
# A move has a second by the clock of the program, and another until it is late.
BY_NODES = ("nodes={}", f"unlimited = {WAITED_S:g}")
BY_CLOCK = ("nodes={} turn=1", "tolerance = 0.9\nlate = 0.1")


def _words(file: Path, games: int, limits: str, timeouts: str) -> list[str]:
    file.write_text(f"[timeouts]\nstart = 60\n{timeouts}", encoding="ascii")
    words = [
        "match",
        "--games",
        str(games),
        "--jobs",
        "2",
        "--config",
        str(file),
    ]
    for name, nodes in (("A", 3000), ("B", 5000)):
        words += ["--engine", f"name={name}", f"cmd={TENGEN}", *limits.format(nodes).split()]
    return words


def _games(out: Path) -> list[bytes]:
    with suppress(FileNotFoundError):
        return (out / "games.jsonl").read_bytes().splitlines()[1:]
    return []


def _programs(match: subprocess.Popen[str]) -> list[int]:
    children = psutil.Process(match.pid).children()
    return [child.pid for child in children if "tengen.pbrain" in child.cmdline()]


# What is stopped: by the match's process, and those of its programs.
WHO: dict[str, Callable[[int, list[int], random.Random], list[int]]] = {
    "match": lambda match, programs, lot: [match],
    "program": lambda match, programs, lot: [lot.choice(programs)],
    "programs": lambda match, programs, lot: programs,
    "all": lambda match, programs, lot: [match, *programs],
}


def _stop(pids: list[int], seconds: float) -> None:
    for number in (signal.SIGSTOP, signal.SIGCONT):
        for pid in pids:
            with suppress(ProcessLookupError):  # one that has lost a game is started anew
                os.kill(pid, number)
        time.sleep(seconds if number == signal.SIGSTOP else 0)


@POSIX_ONLY
@pytest.mark.parametrize(
    ("stops", "games", "limits"),
    [
        pytest.param(2, 20, BY_NODES, id="nodes"),
        pytest.param(100, 1530, BY_NODES, id="many, nodes", marks=pytest.mark.slow),
        pytest.param(100, 1530, BY_CLOCK, id="many, clock", marks=pytest.mark.slow),
    ],
)
def test_no_game_is_lost_by_a_stop(
    stops: int, games: int, limits: tuple[str, str], runs: Runs, tmp_path: Path
) -> None:
    # While one program is stopped the other games go on, eight a second.
    lot = random.Random(stops)
    out = tmp_path / "stopped"
    words = _words(tmp_path / "run.toml", games, *limits)
    process = runs.start(*words, "--out", out)
    for number in range(stops):
        after = 5 * number + lot.randint(1, 4)
        wait_until(lambda after=after: len(_games(out)) >= after, process)  # type: ignore[misc]
        time.sleep(lot.uniform(0, 0.3))
        who = list(WHO)[number % len(WHO)]
        _stop(WHO[who](process.pid, _programs(process), lot), lot.uniform(*STOP_S))
    said, errors = process.communicate(timeout=10 * PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    ends = {json.loads(game)["termination"] for game in _games(out)}
    assert len(_games(out)) == games and ends <= {"FIVE", "FULL"}, said
    assert not runs.leftovers()
    if limits == BY_NODES:
        whole = tmp_path / "whole"
        runs.finish(*words, "--out", whole)
        assert _games(out) == _games(whole)
