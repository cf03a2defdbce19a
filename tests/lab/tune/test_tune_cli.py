"""`tengen lab tune` as users run it: real games, with a few hundred nodes for a move."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from engine.parameters import PARAMS
from tengen import cli as tengen
from tengen.arena.match.records import RunFolder
from tengen.lab.tune.cli import tune_command
from tengen.lab.tune.log import read_log
from tengen.lab.tune.summary import sparkline
from tests.lab.command import Run
from tests.manual import Manual

POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as on POSIX")
PATIENCE_S = 60.0
TUNE = [sys.executable, "-m", "tengen", "lab", "tune"]
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
    assert [each.name for each in tuning.tunables] == [
        "vcf_leaf_nodes", "move_count_base", "futility_margin",
    ]  # fmt: skip
    assert len(iterations) == 5
    state = tuning.spsa.start
    for each in iterations:
        state = tuning.spsa.moved(state, each.perturbation, each.score)
        assert each.after == state
    lines = said.splitlines()
    assert lines[0] == "3 parameters, 5 iterations of 2 games, rate 0.5"
    assert lines[1] == f"the log and the games go to {out}"
    assert [line.partition(":")[0] for line in lines[2:7]] == [
        f"iteration {number}/5" for number in range(1, 6)
    ]
    assert "5 of 5 iterations, 10 games" in lines
    # The folder is one of the arena, and its games can be looked at.
    assert tengen.run(["report", str(out)]) == 0
    games = [json.loads(line) for line in _written(out)["games.jsonl"].splitlines()[1:]]
    assert {game["termination"] for game in games} <= {"FIVE", "FULL", "FORBIDDEN"}
    # Five openings, and settings that play differently in most of them.
    assert len({json.dumps(game["moves"]) for game in games}) > 7


def test_the_settings_reach_the_programs(tune: Run, small: list[str], tmp_path: Path) -> None:
    """Each game is that of a match in which the options are given by hand."""
    tune(*small, "--out", tmp_path / "run")
    engine = shlex.join([sys.executable, "-m", "tengen.pbrain"])
    iterations = read_log(tmp_path / "run")[1]
    games = [json.loads(line) for line in _written(tmp_path / "run")["games.jsonl"].splitlines()]
    for number in (1, 4):
        made = iterations[number].perturbation
        names = [each["name"] for each in _header(tmp_path / "run")["parameters"]]
        words = []
        for name, values in (("plus", made.plus), ("minus", made.minus)):
            options = [
                f"option.param.{key}={value}" for key, value in zip(names, values, strict=True)
            ]
            words += ["--engine", f"name={name}", f"cmd={engine}", "nodes=300", *options]
        out = tmp_path / str(number)
        shared = ["--rule", "renju", "--size", "9", "--seed", "3", "--display=result"]
        last = 2 * (number + 1)
        assert tengen.run(["match", *words, *shared, "--games", str(last), "--out", str(out)]) == 0
        again = [json.loads(line) for line in (out / "games.jsonl").read_bytes().splitlines()]
        assert again[last - 1 : last + 1] == games[last - 1 : last + 1]


def _header(path: Path) -> dict[str, list[dict[str, str]]]:
    header: dict[str, list[dict[str, str]]] = json.loads(
        (path / "tune.jsonl").read_bytes().splitlines()[0]
    )
    return header


@pytest.mark.parametrize("how", [["--jobs", "2"], ["--cluster", "local:2"]], ids=str)
def test_games_at_the_same_time_change_no_byte(
    how: list[str], tune: Run, small: list[str], tmp_path: Path
) -> None:
    assert tune(*small, "--out", tmp_path / "one", "--display=result")[0] == 0
    if "--cluster" in how:  # as a process, because of what dask does to the one it runs in
        command = [*TUNE, *small, *how, "--out", str(tmp_path / "two")]
        subprocess.run(command, check=True, capture_output=True, timeout=4 * PATIENCE_S)
    else:
        assert tune(*small, *how, "--out", tmp_path / "two", "--display=result")[0] == 0
    assert _written(tmp_path / "one") == _written(tmp_path / "two")


@POSIX_ONLY
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["Ctrl-C", "kill"])
def test_a_stopped_run_is_resumed(
    number: signal.Signals, tune: Run, small: list[str], tmp_path: Path
) -> None:
    words = [*small, "--iterations", "12"]
    assert tune(*words, "--out", tmp_path / "whole", "--display=result")[0] == 0
    whole, out = _written(tmp_path / "whole"), tmp_path / "stopped"
    command = [*TUNE, *words, "--out", str(out)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    started = time.monotonic()
    while not (out / "tune.jsonl").exists() or (out / "tune.jsonl").read_bytes().count(b"\n") < 4:
        assert process.poll() is None and time.monotonic() - started < PATIENCE_S
        time.sleep(0.01)
    process.send_signal(number)
    said, errors = process.communicate(timeout=PATIENCE_S)
    assert _written(out) != whole
    if number == signal.SIGINT:
        assert (process.returncode, errors) == (130, "")
        assert "stopped; the state so far:" in said
        assert said.endswith(f"to continue: tengen lab tune --resume {out}\n")
    status, said, errors = tune("--resume", out, "--jobs", "2")
    assert (status, errors) == (0, "") and " were played before\n" in said
    assert _written(out) == whole


def test_show_prints_what_the_run_printed(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    ended = tune(*small, "--out", out)[1]
    status, said, errors = tune("--show", out)
    assert (status, errors) == (0, "")
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


def test_parameters_by_name_start_at_the_values_of_the_engine(tune: Run, tmp_path: Path) -> None:
    words = ["--params", "razor_*,no_move_depth", "--nodes", "100", "--size", "7"]
    assert tune(*words, "--iterations", "1", "--pairs", "2", "--out", tmp_path / "run")[0] == 0
    tuning, [iteration] = read_log(tmp_path / "run")
    defaults = {row.name: row.default for row in PARAMS}
    assert {each.name: each.start for each in tuning.tunables} == {
        name: defaults[name] for name in ("razor_margin", "razor_depth", "no_move_depth")
    }
    assert len(iteration.results) == 4 and tuning.rate == 0.1
    assert tune("--resume", tmp_path / "run")[0] == 0  # nothing is left to play


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


def test_a_program_that_does_not_answer(tune: Run, tmp_path: Path) -> None:
    words = _script(tmp_path / "mute.py", "import sys\nsys.exit('no licence')\n")
    status, _, errors = tune("--params", "razor_margin", "--out", tmp_path / "OUT", *words)
    assert status == 2
    assert errors.startswith("tengen lab tune: the program cannot play: crash: ")
    assert "no licence" in errors and not (tmp_path / "OUT").exists()


@pytest.mark.parametrize("name", ["unheard_of", "Unheard_Of"])
def test_a_program_that_does_not_know_the_parameter(tune: Run, name: str, tmp_path: Path) -> None:
    path = tmp_path / "params.toml"
    path.write_text(f"[{name}]\nstart = 5\nlow = 0\nhigh = 9\nstep = 1\n", encoding="utf-8")
    status, _, errors = tune("--params", path, "--nodes", "50", "--out", tmp_path / "OUT")
    assert status == 2 and errors.count("\n") == 1
    refused = "the program refuses a parameter: info param.unheard_of: there is no"
    assert refused in errors.lower()
    assert not (tmp_path / "OUT").exists()


def test_a_run_that_is_going_on_is_left_alone(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    tune(*small, "--out", out, "--display=result")
    log = out / "tune.jsonl"
    with RunFolder.resume(out):  # the other run
        log.write_bytes(log.read_bytes() + b'{"iter')  # half a line of it
        before = log.read_bytes()
        status, _, errors = tune("--resume", out)
        assert status == 2 and "is in use by another run" in errors
        assert log.read_bytes() == before
        assert tune("--show", out)[0] == 0
    assert tune("--resume", out)[0] == 0


def test_a_folder_that_holds_a_run(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert tune(*small, "--out", out, "--display=result")[0] == 0
    before = _written(out)
    status, _, errors = tune(*small, "--out", out)
    assert status == 2 and "holds the games of another run" in errors
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
    status, _, errors = tune("--resume", out)
    assert status == 2 and "--resume: the program answered ABOUT with" in errors


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
    command = [*TUNE, *small, "--out", str(tmp_path / "run")]
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
