"""`tengen lab tune` as users run it: real games, with a few hundred nodes for a move."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tengen import cli as tengen
from tengen.arena.match.records import RunFolder
from tengen.lab.tune.cli import tune_command
from tengen.lab.tune.log import read_log
from tengen.lab.tune.summary import sparkline
from tests.lab.command import Run
from tests.manual import Manual
from tests.processes import PATIENCE_S, POSIX_ONLY, Runs, wait_until
from tests.processes import runs as runs

# Small margins of error, so that the two settings play differently.
PARAMETERS = """
[vcf_leaf_nodes]
step = 15
high = 100
[move_count_base]
step = 3
[futility_margin]
start = 100
"""


@pytest.fixture
def tune(run: Run) -> Run:
    """Runs `tengen lab tune`."""
    return partial(run, "lab", "tune")


@pytest.fixture
def small(tmp_path: Path) -> list[str]:
    """The words of a run of 10 games."""
    path = tmp_path / "params.toml"
    path.write_text(PARAMETERS, encoding="utf-8")
    words = ["--params", str(path), "--nodes", "300", "--size", "9", "--rule", "renju"]
    return [*words, "--iterations", "5", "--ahead", "2", "--rate", "0.5", "--seed", "3"]


def _written(path: Path) -> dict[str, bytes]:
    """What does not depend on time: the log and the games."""
    return {name: (path / name).read_bytes() for name in ("tune.jsonl", "games.jsonl")}


def test_a_run(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    status, said, errors = tune(*small, "--out", out)
    assert (status, errors) == (0, "")
    tuning, iterations = read_log(out)
    assert [each.name for each in tuning.parameters] == [
        "vcf_leaf_nodes", "move_count_base", "futility_margin",
    ]  # fmt: skip
    assert len(iterations) == 5
    lines = said.splitlines()
    assert lines[0] == "3 parameters, 5 iterations of 2 games, rate 0.5"
    assert lines[1] == f"the log and the games go to {out}"
    assert [line.partition(":")[0] for line in lines[2:7]] == [
        f"iteration {number}/5" for number in range(1, 6)
    ]
    assert "5 of 5 iterations, 10 games" in lines
    # The folder is one of the arena, and its games can be looked at.
    assert tengen.run(["report", str(out)]) == 0
    games = _records(out / "games.jsonl")[1:]
    assert {game["termination"] for game in games} <= {"FIVE", "FULL", "FORBIDDEN"}
    # Five openings, and settings that play differently in most of them.
    assert len({json.dumps(game["moves"]) for game in games}) > 7


def test_the_settings_reach_the_programs(tune: Run, small: list[str], tmp_path: Path) -> None:
    """Each game is that of a match in which the options are given by hand."""
    tune(*small, "--out", tmp_path / "run")
    engine = shlex.join([sys.executable, "-m", "tengen.pbrain"])
    log, games = (_records(tmp_path / "run" / name) for name in ("tune.jsonl", "games.jsonl"))
    for number in (2, 5):
        words = ["--rule", "renju", "--size", "9", "--seed", "3", "--display=result"]
        for name in ("plus", "minus"):
            options = [f"option.param.{key}={n}" for key, n in log[number][name].items()]
            words += ["--engine", f"name={name}", f"cmd={engine}", "nodes=300", *options]
        out, last = tmp_path / str(number), 2 * number
        assert tengen.run(["match", *words, "--games", str(last), "--out", str(out)]) == 0
        again = _records(out / "games.jsonl")
        assert again[last - 1 : last + 1] == games[last - 1 : last + 1]


def _records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_a_cluster_changes_no_byte(tune: Run, small: list[str], tmp_path: Path, runs: Runs) -> None:
    assert tune(*small, "--out", tmp_path / "one", "--display=result").status == 0
    # As a process, because of what dask does to the one it runs in.
    runs.finish("lab", "tune", *small, "--cluster", "local:2", "--out", tmp_path / "two")
    assert _written(tmp_path / "one") == _written(tmp_path / "two")


@POSIX_ONLY
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill"])
def test_a_stopped_run_is_resumed(
    number: signal.Signals, tune: Run, small: list[str], tmp_path: Path, runs: Runs
) -> None:
    words = [*small, "--iterations", "12"]
    assert tune(*words, "--out", tmp_path / "whole", "--display=result").status == 0
    whole, out = _written(tmp_path / "whole"), tmp_path / "stopped"
    log = out / "tune.jsonl"
    process = runs.start("lab", "tune", *words, "--out", out)
    wait_until(lambda: log.exists() and log.read_bytes().count(b"\n") >= 4, process)
    process.send_signal(number)
    said, errors = process.communicate(timeout=PATIENCE_S)
    assert _written(out) != whole
    if number == signal.SIGINT:
        assert (process.returncode, errors) == (130, "")
        assert "stopped; the state so far:" in said
        assert said.endswith(f"to continue: tengen lab tune --resume {out}\n")
    assert " were played before\n" in tune("--resume", out, "--jobs", "2").good
    assert _written(out) == whole


def test_show_prints_what_the_run_printed(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    ended = tune(*small, "--out", out).good
    said = tune("--show", out).good
    assert said in ended
    after = read_log(out)[1][-1].after
    rows = [line.split() for line in said.splitlines()]
    row = next(row for row in rows if row and row[0] == "futility_margin")
    change = after[2] - 100
    assert row[1:7] == ["100", f"{after[2]:.1f}", "0", "to", "1000", "15"]
    assert row[7:9] == [f"{change:+.1f}", f"{change / 10:+.1f}"]
    # Long names are not cut off where a terminal has 80 columns.
    words = ["--params", "aspiration_depth_plies,solver_quiet_nodes", "--nodes", "9"]
    assert tune(*words, "--iterations", "40", "--size", "5", "--out", tmp_path / "long")[0] == 0
    rows = [line.split() for line in tune("--show", tmp_path / "long")[1].splitlines()]
    row = next(row for row in rows if row and row[0] == "aspiration_depth_plies")
    assert len(row) == 10 and len(row[-1]) == 16


def test_the_command_that_verifies_can_be_run(tune: Run, small: list[str], tmp_path: Path) -> None:
    tune(*small, "--out", tmp_path / "run")
    said = tune("--show", tmp_path / "run")[1]
    [command] = [line for line in said.splitlines() if line.startswith("tengen match ")]
    words = shlex.split(command)[1:]
    after = read_log(tmp_path / "run")[1][-1].after
    # The start of this run is not the engine's own value, so both programs get one.
    assert f"option.param.futility_margin={int(after[2] + 0.5)}" in words
    assert "option.param.futility_margin=100" in words
    assert sum(word.startswith("option.param.vcf_leaf_nodes=") for word in words) == 1
    assert tengen.run([*words, "--games", "2", "--display=result"]) == 0
    assert (tmp_path / "run-sprt" / "games.jsonl").exists()


# -- errors

GOOD = ["--params", "razor_margin", "--nodes", "100", "--out", "OUT"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "OUT"], "--params is missing: name what to tune"),
        (["--params", "razor_margin"], "--out is missing: name a new folder"),
        ([*GOOD, "--params", "razer_margin"], "did you mean razor_margin?"),
        ([*GOOD, "--params", "none.toml"], "none.toml: No such file"),
        ([*GOOD, "--turn", "1"], "--turn and --nodes exclude each other"),
        ([*GOOD, "--rate", "0"], "--rate"),
        ([*GOOD, "--iterations", "0"], "--iterations"),
        ([*GOOD, "--cmd", "no-such-program"], "--cmd: there is no program 'no-such-program'"),
        ([*GOOD, "--option", "x"], "--option 'x': expected KEY=VALUE"),
        ([*GOOD, "--openings", "none.txt"], "none.txt"),
        ([*GOOD, "--cluster", "nowhere"], "--cluster nowhere: "),
        (["--resume", "OUT"], "OUT holds no tuning run: there is no tune.jsonl"),
        (["--show", "OUT"], "OUT holds no tuning run: there is no tune.jsonl"),
        (["--resume", "OUT", "--nodes", "5"], "leave out --nodes"),
        (["--show", "OUT", "--jobs", "2"], "leave out --jobs"),
    ],
)
def test_what_is_refused(
    words: list[str],
    message: str,
    tune: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    line = tune(*words).refusal
    assert line.startswith("tengen lab tune: ") and message in line
    assert not (tmp_path / "OUT").exists()


def _script(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    return ["--cmd", shlex.join([sys.executable, str(path)])]


def test_a_program_that_cannot_be_tuned(tune: Run, tmp_path: Path) -> None:
    words = _script(tmp_path / "mute.py", "import sys\nsys.exit('no licence')\n")
    line = tune("--params", "razor_margin", "--out", tmp_path / "OUT", *words).refusal
    assert line.startswith("tengen lab tune: the program cannot play: crash: ")
    assert "no licence" in line
    path = tmp_path / "params.toml"
    for name in ("unheard_of", "Unheard_Of"):
        path.write_text(f"[{name}]\nstart = 5\nlow = 0\nhigh = 9\nstep = 1\n", encoding="utf-8")
        line = tune("--params", path, "--nodes", "50", "--out", tmp_path / "OUT").refusal
        assert "the program refuses a parameter: info param.unheard_of: there" in line.lower()
    assert not (tmp_path / "OUT").exists()


def test_a_run_that_is_going_on_is_left_alone(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    tune(*small, "--out", out, "--display=result")
    log = out / "tune.jsonl"
    with RunFolder.resume(out):  # the other run
        log.write_bytes(log.read_bytes() + b'{"iter')  # half a line of it
        before = log.read_bytes()
        assert "is in use by another run" in tune("--resume", out).refusal
        assert log.read_bytes() == before
        assert tune("--show", out)[0] == 0
    assert tune("--resume", out)[0] == 0


def test_a_folder_that_holds_a_run(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    tune(*small, "--out", out, "--display=result")
    before = _written(out)
    assert "holds the games of another run" in tune(*small, "--out", out).refusal
    # A match does not continue it: its programs would play without their settings.
    assert tengen.run(["match", "--resume", str(out)]) == 2
    assert _written(out) == before


@POSIX_ONLY
def test_a_program_that_fails_ends_the_run(tune: Run, tmp_path: Path) -> None:
    """It plays one move, for the check at the start, and crashes in every game."""
    seen = tmp_path / "seen"
    words = _script(
        tmp_path / "short.py",
        "import pathlib, sys\n"
        f"seen = pathlib.Path({str(seen)!r})\n"
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'ABOUT': print('name=\"short\"', flush=True)\n"
        "    if word == 'START': print('OK', flush=True)\n"
        "    if word in ('BEGIN', 'TURN', 'DONE'):\n"
        "        if seen.exists(): sys.exit('broken')\n"
        "        seen.touch()\n"
        "        print('7,7', flush=True)\n",
    )
    out = tmp_path / "OUT"
    status, said, errors = tune("--params", "razor_margin", "--out", out, "--nodes", "9", *words)
    assert (status, errors) == (1, "")
    assert "given up: 3 iterations in a row had a game that a failure ended, the last by " in said
    assert "3 of 1000 iterations, 6 games; 6 do not count, because of a failure" in said
    assert said.endswith(f"to continue: tengen lab tune --resume {out}\n")
    # The same folder with a program that gives another answer to ABOUT.
    text = (tmp_path / "short.py").read_text(encoding="utf-8")
    (tmp_path / "short.py").write_text(text.replace("short", "other"), encoding="utf-8")
    seen.unlink()
    assert "--resume: the program answered ABOUT with" in tune("--resume", out).refusal


# -- the rest


def test_the_page_names_every_option() -> None:
    assert Manual("TUNING.md").missing_options(tune_command) == []


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ([3.0], "▁"),
        ([3.0, 3.0], "▁▁"),
        ([0.0, 1.0], "▁█"),
        ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], "▁▂▃▄▅▆▇█"),
        ([float(i % 50) for i in range(100)], "▁▃▅▇▁▄▆█"),
    ],
)
def test_a_sparkline(values: list[float], line: str) -> None:
    assert sparkline(values, 8) == line


def test_the_display_of_a_terminal(small: list[str], tmp_path: Path) -> None:
    """In a terminal there is a progress bar with the state."""
    pty = pytest.importorskip("pty")
    words = [*small, "--out", str(tmp_path / "run")]
    command = [sys.executable, "-m", "tengen", "lab", "tune", *words]
    parent, child = pty.openpty()
    environment = os.environ | {"COLUMNS": "200", "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    with subprocess.Popen(command, stdout=child, stderr=child, env=environment) as process:
        os.close(child)
        said = b""
        with suppress(OSError):  # the end, on Linux
            while part := os.read(parent, 65536):
                said += part
    os.close(parent)
    assert process.returncode == 0
    text = said.decode("utf-8")
    assert "/10 games" in text and "iteration 5/5: plus " in text
