"""Whole runs with limits in nodes: the same bytes, however they are carried out and interrupted.

The runs are processes of their own where they are killed, or need a cluster.
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
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from shutil import rmtree
from typing import Any

import psutil
import pytest

from tengen import cli as tengen
from tengen.arena.report.data import load_match, report_data
from tengen.game.files.jsonl import load_run
from tests.acting import INSTANT, actor, command_of
from tests.commands import Run, Said
from tests.processes import PATIENCE_S, POSIX_ONLY, Runs, is_alive, wait_until
from tests.processes import runs as runs
from tests.stopwatch import Late, timed

TENGEN = shlex.join([sys.executable, "-m", "tengen.pbrain"])


def _engines(*nodes: int, more: Sequence[str] = ()) -> list[str]:
    words = []
    for name, count in zip("ABCD", nodes, strict=False):
        words += ["--engine", f"name={name}", f"cmd={TENGEN}", f"nodes={count}", "start=60", *more]
    return words


def _instant(names: str) -> list[str]:
    """Programs that start and play at once."""
    command = shlex.join(command_of(INSTANT))
    ample = [f"cmd={command}", "turn=60", "start=60"]
    return [word for each in names for word in ("--engine", f"name={each}", *ample)]


def _written(out: Path) -> bytes:
    return (out / "games.jsonl").read_bytes()


def _count(out: Path) -> int:
    """How many games a folder holds; -1 as long as it holds no run."""
    with suppress(FileNotFoundError):
        return _written(out).count(b"\n") - 1
    return -1


# -- with any number of games at a time


@pytest.mark.parametrize(
    ("options", "nodes"),
    [
        pytest.param(
            ["--rule", "8", "--size", "12", "--games", "7", "--draw", "after=40"],
            (200, 200),
            marks=pytest.mark.slow,
        ),
        (["--schedule", "gauntlet", "--games", "2"], (60, 80, 100, 120)),
        (["--games", "300", "--sprt", "elo0=0", "elo1=300"], (10, 500)),
    ],
    ids=["caro", "gauntlet", "sprt"],
)
def test_concurrency_changes_no_byte(
    options: list[str], nodes: tuple[int, ...], tmp_path: Path
) -> None:
    outs = [tmp_path / concurrency for concurrency in ("1", "3")]
    for out in outs:
        command = ["match", *_engines(*nodes), *options, "--seed", "3", "--display=result"]
        assert tengen.run([*command, "--out", str(out), "--jobs", out.name]) == 0
    assert _count(outs[0]) > 3
    assert _written(outs[0]) == _written(outs[1])
    games = [json.loads(line) for line in _written(outs[0]).splitlines()[1:]]
    assert {game["termination"] for game in games} <= {"FIVE", "FULL", "ADJUDICATED"}


# -- with interruptions


def _whole(tmp_path: Path, words: Sequence[str]) -> Path:
    """The folder of the same run without an interruption."""
    out = tmp_path / "whole"
    assert tengen.run(["match", *words, "--out", str(out), "--display=result"]) == 0
    return out


PAIR = _engines(300, 500)


@pytest.fixture(scope="module")
def whole_pair(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], bytes]:
    """What a match of PAIR with so many games writes that nothing has interrupted."""

    @cache
    def play(games: int) -> bytes:
        folder = tmp_path_factory.mktemp("whole")
        return _written(_whole(folder, [*PAIR, "--games", str(games), "--jobs", "2"]))

    return play


@POSIX_ONLY
@pytest.mark.parametrize(
    ("kills", "games"), [(2, 30), pytest.param(20, 600, marks=pytest.mark.verify)]
)
def test_a_killed_run_goes_on_as_if_nothing_had_happened(
    runs: Runs, tmp_path: Path, kills: int, games: int, whole_pair: Callable[[int], bytes]
) -> None:
    words, killed = [*PAIR, "--games", str(games)], tmp_path / "killed"
    lot = random.Random(kills)
    # After which game each kill comes, in the first three quarters of the run; some come one soon
    # after the other. The moment within a game is left to chance, and a busy machine may play on
    # to the end before it kills.
    moments = sorted(lot.randrange(games * 3 // 4) for _ in range(kills))
    process = runs.start("match", *words, "--out", killed)
    for moment in moments:
        wait_until(lambda after=moment: _count(killed) >= after, process)  # type: ignore[misc]
        time.sleep(lot.uniform(0, 0.05))
        runs.kill(process)
        assert 0 <= (before := _count(killed)) <= games
        process = runs.start("match", "--resume", killed, "--jobs", str(lot.randint(1, 3)))
    output, errors = process.communicate(timeout=10 * PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert (f"of {games} games were played before" in output) == (0 < before < games)
    assert _written(killed) == whole_pair(games)
    for kind in ("psq", "sgf"):
        assert len(list((killed / kind).iterdir())) == games
    assert (killed / "timing.jsonl").read_bytes().count(b"\n") == games
    assert not runs.leftovers()


def _workers(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """The processes of a cluster's workers that have programs running."""
    children = psutil.Process(process.pid).children()
    return [child for child in children if child.is_running() and child.children()]


@POSIX_ONLY
@pytest.mark.parametrize(
    ("kills", "games"), [(1, 30), pytest.param(10, 600, marks=pytest.mark.verify)]
)
def test_killed_workers_of_a_cluster_change_no_byte(
    runs: Runs, tmp_path: Path, kills: int, games: int, whole_pair: Callable[[int], bytes]
) -> None:
    words, out = [*PAIR, "--games", str(games)], tmp_path / "cluster"
    lot = random.Random(kills)
    moments = sorted(lot.randrange(games * 8 // 10) for _ in range(kills))
    process = runs.start("match", *words, "--out", out, "--cluster", "local:2")
    killed: list[int] = []
    for moment in moments:
        wait_until(lambda after=moment: _count(out) >= after and _workers(process), process)  # type: ignore[misc]
        worker = lot.choice(_workers(process))
        brains = worker.children(recursive=True)
        worker.kill()
        killed.append(worker.pid)
        started = time.monotonic()
        while any(map(is_alive, brains)):
            assert time.monotonic() - started < 3 * PATIENCE_S
            time.sleep(0.01)
    assert len(set(killed)) == kills
    _, errors = process.communicate(timeout=10 * PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    assert _written(out) == whole_pair(games)
    assert not runs.leftovers()


@timed
@POSIX_ONLY
@pytest.mark.parametrize(
    ("number", "way"),
    [
        (signal.SIGINT, ["--jobs", "2", "--display", "bar"]),
        pytest.param(signal.SIGTERM, ["--jobs", "2"], marks=pytest.mark.slow),
        pytest.param(signal.SIGINT, ["--cluster", "local:2"], marks=pytest.mark.slow),
    ],
)
def test_a_signal_leaves_a_run_to_go_on_with(
    number: signal.Signals,
    way: Sequence[str],
    runs: Runs,
    tmp_path: Path,
    whole_pair: Callable[[int], bytes],
) -> None:
    words, out = [*PAIR, "--games", "30"], tmp_path / "out"
    process = runs.start("match", *words, "--out", out, *way)
    wait_until(lambda: _count(out) > 3, process)
    # As a terminal does it: the whole process group gets the signal.
    os.killpg(process.pid, number)
    said, errors = process.communicate(timeout=PATIENCE_S)
    if (done := _count(out)) == 30:
        rmtree(out)
        raise Late("all games were played before the signal")
    assert process.returncode == 128 + number
    assert errors == ""
    assert 3 < done < 30
    assert said.endswith(f"games in {out}\nto continue: tengen match --resume {out}\n")
    assert "stopped; the result so far:" in said and f"\n{done} games, ended by: " in said
    assert not runs.leftovers()
    # No program's folder stays behind.
    assert not list((tmp_path / "temporary").glob("match-*"))
    assert f"{done} of 30 games were played before" in runs.finish("match", "--resume", out, *way)
    assert _written(out) == whole_pair(30)


# -- more games than were planned


@pytest.mark.parametrize(
    ("options", "before", "after"),
    [
        (["--schedule", "gauntlet"], 2, 4),
        (["--sprt", "elo1=400", "--openings", "order=sequential"], 3, 8),
    ],
    ids=["gauntlet", "test"],
)
def test_a_run_that_has_ended_is_prolonged(
    options: list[str], before: int, after: int, tmp_path: Path
) -> None:
    words = [*_instant("AB" if "--sprt" in options else "ABC"), *options]
    out = tmp_path / "out"
    whole = _whole(tmp_path, [*words, "--games", str(after)])
    quiet = ["--display=result", "--jobs", "2"]
    assert tengen.run(["match", *words, "--games", str(before), "--out", str(out), *quiet]) == 0
    short = _count(out)
    assert tengen.run(["match", "--resume", str(out), "--games", str(after), *quiet]) == 0
    assert _count(out) == _count(whole) > short
    assert _written(out) == _written(whole)
    assert len(load_run(out)) == len([*(out / "psq").iterdir()]) == _count(out)


@pytest.mark.parametrize(
    ("options", "games", "complaint"),
    [
        ("--games 4", 2, "--games 2: 4 games of the run are played already"),
        # An odd number: the pairs that follow have no room for the game that is missing.
        ("{C} --games 3", 6, "--games 6: 9 games of the run are played already, and would not"),
    ],
)
def test_a_run_that_cannot_be_prolonged_stays_as_it_is(
    options: str, games: int, complaint: str, tmp_path: Path, run: Run
) -> None:
    third = options.startswith("{C}")
    words = [*_instant("ABC"[: 2 + third]), *options.removeprefix("{C}").split()]
    out = _whole(tmp_path, words)
    before = _written(out)
    assert complaint in run("match", "--resume", out, "--games", str(games)).refusal
    assert _written(out) == before


# -- what cannot be resumed


def test_what_programs_say_of_themselves_belongs_to_the_run(stage: Path, run: Run) -> None:
    script, out = stage / "actor.py", stage / "out"
    text, answer = script.read_text(encoding="ascii"), """say('name="Actor"')"""
    said = "settings from /bots/a.toml: level = 1"
    told = f"""say('MESSAGE {said}'); {answer}"""

    def resume(now: str, *more: str) -> Said:
        script.write_text(text.replace(answer, now), encoding="ascii")
        return run("match", "--resume", out, *more)

    script.write_text(text.replace(answer, told), encoding="ascii")
    words = [*actor("A", 0), *actor("B", 5), "--each", "nodes=1", "--size", "20", "--games", "2"]
    words += ["--out", str(out), "--display=result"]
    assert f"A: {said}\nB: {said}\n" in run("match", *words).good
    header = json.loads((out / "games.jsonl").read_text(encoding="ascii").splitlines()[0])
    assert header["settings"] == {"A": said, "B": said}
    data: dict[str, Any] = report_data(*load_match(out))
    assert ["Settings", f"A {said}, B {said}"] in data["conditions"]
    [played] = [text for label, text in data["conditions"] if label == "Played"]
    assert played.startswith(data["date"]) and played.endswith(" UTC")
    # The run goes on with these programs and settings only.
    assert resume(told)[::2] == (0, "")
    for now, complaint in (
        (answer, f"A had {said}, and now has no settings"),
        (told.replace("Actor", "Other"), """and now with 'name="Other"'"""),
        (
            "say('UNKNOWN')",
            """answered ABOUT with 'name="Actor"', and now with None""",
        ),
    ):
        before = (out / "games.jsonl").read_bytes()
        assert complaint in resume(now, "--games", "6").refusal
        assert (out / "games.jsonl").read_bytes() == before, "a refusal changes nothing"


# -- with pauses


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
    ("stops", "games", "has_clock"),
    [
        (2, 20, False),
        pytest.param(100, 1530, False, marks=pytest.mark.slow),
        pytest.param(100, 1530, True, marks=pytest.mark.slow),
    ],
)
def test_no_game_is_lost_by_a_stop(
    stops: int, games: int, has_clock: bool, runs: Runs, tmp_path: Path
) -> None:
    """Of the match, of its programs or of all of them, for longer than any program is waited for.
    While one program is stopped the other games go on, eight a second."""
    lot, out, file = random.Random(stops), tmp_path / "stopped", tmp_path / "run.toml"
    waits = "tolerance = 0.9, late = 0.1" if has_clock else "unlimited = 2"
    file.write_text(f"timeouts = {{ start = 60, {waits} }}", encoding="ascii")
    words = _engines(3000, 5000, more=["turn=1"] if has_clock else [])
    words += ["--games", str(games), "--jobs", "2", "--config", str(file)]
    process = runs.start("match", *words, "--out", out)
    for number in range(stops):
        after = 5 * number + lot.randint(1, 4)
        wait_until(lambda after=after: _count(out) >= after, process)  # type: ignore[misc]
        time.sleep(lot.uniform(0, 0.3))
        children = psutil.Process(process.pid).children()
        programs = [child.pid for child in children if "tengen.pbrain" in child.cmdline()]
        if not programs:  # all games have been played meanwhile
            break
        who = list(WHO)[number % len(WHO)]
        _stop(WHO[who](process.pid, programs, lot), lot.uniform(2.5, 4))
    said, errors = process.communicate(timeout=10 * PATIENCE_S)
    assert (process.returncode, errors) == (0, "")
    ends = {json.loads(game)["termination"] for game in _written(out).splitlines()[1:]}
    assert _count(out) == games and ends <= {"FIVE", "FULL"}, said
    assert not runs.leftovers()
    if not has_clock:
        runs.finish("match", *words, "--out", tmp_path / "whole")
        assert _written(out) == _written(tmp_path / "whole")
