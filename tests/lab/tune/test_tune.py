"""`tengen lab tune`: in what order results are applied, what a resumed run does, and the command.

Most games here are made up in no time, by a runner that ends them in any order.
"""

from __future__ import annotations

import random
import shlex
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest
from rich.console import Console

from tengen import cli as tengen
from tengen.arena.match.display import Display
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder, read_match
from tengen.arena.match.schedule import Job, Setting
from tengen.arena.match.scoreboard import MatchResult
from tengen.arena.match.tournament import Tournament
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.game import Game
from tengen.game.openings import built_in_openings
from tengen.game.played import Termination
from tengen.game.referee import BLACK, WHITE
from tengen.game.values import json_text
from tengen.lab.tune.cli import (
    KIND,
    NAME,
    Tuning,
    read_tuning,
    results_of,
    sparkline,
    tuning_so_far,
)
from tengen.lab.tune.program import MINUS, PLUS
from tengen.lab.tune.spsa import Spsa, Tunable, options_of
from tests.arena.match.made_up import BOOK, FakeRunner, made_up
from tests.commands import Run
from tests.processes import PATIENCE_S, POSIX_ONLY, Runs, wait_until
from tests.processes import runs as runs
from tests.stopwatch import Late, timed

TUNABLES = (Tunable("margin", 120, 0, 400, 12), Tunable("depth", 2, 0, 10, 1))

Failing = Callable[[Job], bool]


def _spsa(**more: Any) -> Spsa:
    given = {"iterations": 12, "pairs": 2, "ahead": 3, "rate": 0.05, "seed": 7} | more
    return Spsa(TUNABLES, **given)


def _plan(spsa: Spsa) -> Plan:
    programs = (ProgramSpec(PLUS, ("none",)), ProgramSpec(MINUS, ("none",)))
    games = spsa.iterations * spsa.games
    return Plan(programs, Setting(15, 15, 0), BOOK, games, kind=KIND, seed=spsa.seed)


def _game(job: Job, failing: Failing = lambda job: False) -> Game:
    """A game whose result depends on its settings and its number alone: the higher margin is
    better, and luck counts too. The moves need not make sense."""
    options = dict(job.options)
    assert set(options) == {PLUS, MINUS}
    margins = {name: int(dict(options[name])["param.margin"]) for name in options}
    lot = random.Random(f"{job.index} {sorted(options.items())}")
    better, worse = sorted(margins, key=lambda name: -margins[name])
    winner = better if lot.random() < 0.7 else worse
    colour = 0 if lot.random() < 0.1 else BLACK if winner == job.black else WHITE
    if failing(job):
        return made_up(job, BLACK, Termination.CRASH)
    return made_up(job, colour, Termination.FIVE if colour else Termination.FULL)


def _runner(
    seed: int | None = None, stop_after: int | None = None, failing: Failing = lambda job: False
) -> FakeRunner:
    """Ends the jobs that wait in their order, or in that which the seed makes."""
    shuffle = (lambda jobs: None) if seed is None else random.Random(seed).shuffle
    return FakeRunner(partial(_game, failing=failing), shuffle, stop_after)


def _tune(path: Path, runner: FakeRunner, spsa: Spsa | None = None) -> tuple[MatchResult, Tuning]:
    """Begins a run, or continues the one in the folder."""
    with ExitStack() as stack:
        if spsa is not None:
            folder = stack.enter_context(RunFolder.create(path, _plan(spsa)))
            (path / NAME).write_text(json_text(asdict(spsa)), encoding="ascii")
        else:
            folder = stack.enter_context(RunFolder.resume(path))
        tuning = Tuning(folder.plan, read_tuning(path))
        display = Display(Console(), 0)
        contest = Tournament(folder.plan, display, folder, folder.games, schedule=tuning)
        return contest.play(runner), tuning


def _written(path: Path) -> dict[str, bytes]:
    """All files of a run but its lock."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != ".lock"
    }


# -- what is played, and when the state moves


@pytest.mark.parametrize("ahead", [1, 3, 20])
def test_an_iteration_perturbs_the_state_so_many_before_it(ahead: int, tmp_path: Path) -> None:
    """The states, worked out from the games; each game had the settings of its iteration."""
    spsa, runner = _spsa(ahead=ahead), _runner()
    _, tuning = _tune(tmp_path, runner, spsa)
    assert read_tuning(tmp_path) == spsa and runner.most == min(ahead, 12) * 4
    games = read_match(tmp_path)[1]
    states = [spsa.start]
    for number in range(1, 13):
        made = spsa.perturbed(number, states[max(0, number - ahead)])
        pair = ((PLUS, made.plus), (MINUS, made.minus))
        settings = tuple((name, options_of(spsa.parameters, values)) for name, values in pair)
        score = 0
        for i in range(4 * number - 4, 4 * number):
            game = games[i]
            assert runner.played[i].options == settings
            # Pairs: one opening, with colours exchanged.
            names = (PLUS, MINUS) if i % 2 == 0 else (MINUS, PLUS)
            assert (*game.names, game.pair) == (*names, i // 2)
            colours = {0: "", BLACK: names[0], WHITE: names[1]}
            score += {"": 0, PLUS: 1, MINUS: -1}[colours[game.winner]]
        states.append(spsa.moved(states[-1], made, score))
    assert tuning.states == states and len(set(states)) > 6
    assert tuning_so_far(*_read(tmp_path)).states == states


def _read(path: Path) -> tuple[Plan, Spsa, list[Game]]:
    plan, games = read_match(path)
    return plan, read_tuning(path), games


def test_the_order_in_which_games_end_changes_nothing(tmp_path: Path) -> None:
    _tune(tmp_path / "0", _runner(), _spsa())
    for seed in (1, 2):
        _tune(tmp_path / str(seed), _runner(seed), _spsa())
        assert _written(tmp_path / str(seed)) == _written(tmp_path / "0")


def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    states = _tune(tmp_path / "whole", _runner(0), _spsa())[1].states
    whole = _written(tmp_path / "whole")
    for stop_after in (0, 7, 30):
        path = tmp_path / str(stop_after)
        stopped, _ = _tune(path, _runner(1, stop_after), _spsa())
        assert stopped.signal == signal.SIGINT
        assert _written(path) != whole
        result, tuning = _tune(path, _runner(2))
        assert (result.signal, tuning.failure, tuning.states) == (None, None, states)
        assert _written(path) == whole
    # After its end there is nothing left to do.
    assert _tune(tmp_path / "whole", _runner(stop_after=0))[0].signal is None
    assert _written(tmp_path / "whole") == whole


def test_games_of_another_run_are_refused(tmp_path: Path) -> None:
    """Another seed has its openings in another order."""
    _tune(tmp_path, _runner(stop_after=30), _spsa())
    games = tmp_path / "games.jsonl"
    games.write_bytes(games.read_bytes().replace(b'"seed":7', b'"seed":8'))
    with pytest.raises(ValueError, match="game 1 was played in another run"):
        _tune(tmp_path, _runner(0))


@pytest.mark.parametrize(
    ("old", "new"),
    [('"format"', ""), ('"ahead": 3', '"ahead": 0'), ('"low"', '"least"'), ("[", "{"), ("{", "[")],
)
def test_a_damaged_plan_of_the_tuning_is_refused(old: str, new: str, tmp_path: Path) -> None:
    text = json_text(asdict(_spsa()))
    damaged = text.replace(old, new) if old in text else ""
    (tmp_path / NAME).write_text(damaged, encoding="ascii")
    with pytest.raises(ValueError, match=r"tune\.json does not say what a tuning run tunes$"):
        read_tuning(tmp_path)


def test_a_pair_with_a_failure_does_not_count(tmp_path: Path) -> None:
    failing: Failing = lambda job: job.index in (5, 14)  # noqa: E731
    _, tuning = _tune(tmp_path, _runner(0, failing=failing), _spsa(iterations=8))
    results = results_of(read_match(tmp_path)[1])
    assert [i for i, result in enumerate(results) if result is None] == [4, 5, 14, 15]
    assert tuning.left_out == 4 and tuning.failure is None


def test_a_run_is_given_up_when_programs_keep_failing(tmp_path: Path) -> None:
    failing: Failing = lambda job: job.index >= 10  # noqa: E731
    runner = _runner(0, failing=failing)
    _, tuning = _tune(tmp_path, runner, _spsa())
    assert tuning.failure is not None and "the last by crash: broke" in tuning.failure
    assert len(tuning.states) == 1 + 5  # 2 good ones, 3 with a failure
    # Resumed, it gets another three.
    _, tuning = _tune(tmp_path, _runner(1, failing=failing))
    assert tuning.failure is not None and len(tuning.states) == 1 + 8
    _, tuning = _tune(tmp_path, _runner(0))
    assert tuning.failure is None and len(tuning.states) == 1 + 12


# -- the command

# Small margins of error, so that the two settings play differently.
PARAMETERS = """
[vcf_leaf_nodes]
step = 15
high = 100
[lmp_base]
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
    words = ["--params", str(path), "--nodes", "200", "--size", "9", "--rule", "renju"]
    return [*words, "--iterations", "5", "--ahead", "2", "--rate", "0.5", "--seed", "3"]


def test_a_run_and_what_it_shows(tune: Run, small: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    book = tmp_path / "book.txt"
    book.write_text("".join(f"{each.text('offset', 9, 9)}\n" for each in built_in_openings(9, 9)))
    limits = ["--openings", str(book), "--each", "depth=30", "tolerance=2", "start=60"]
    said = tune(*small, *limits, "--out", out).good
    title, place, *lines = said.splitlines()
    assert title == "3 parameters, 5 iterations of 2 games, rate 0.5"
    assert place == f"the games go to {out}"
    heads = [line.partition(":")[0] for line in lines[:5]]
    assert heads == [f"iteration {number}/5" for number in range(1, 6)]
    assert "5 of 5 iterations, 10 games" in lines
    # The same table again.
    shown = tune("--show", out).good
    assert shown in said
    spsa, tuning = read_tuning(out), tuning_so_far(*_read(out))
    rows = [line.split() for line in shown.splitlines()]
    row = next(row for row in rows if row and row[0] == "futility_margin")
    now = tuning.states[-1][2]
    assert row[1:7] == ["100", f"{now:.1f}", "0", "to", "1000", "15"]
    assert row[7:9] == [f"{now - 100:+.1f}", f"{(now - 100) / 10:+.1f}"]
    # The settings reach the programs: each game is that of a match with the options given by hand.
    engine = shlex.join([sys.executable, "-m", "tengen.pbrain"])
    made = spsa.perturbed(3, tuning.states[1])
    words = [*"--rule renju --size 9 --seed 3 --display=result --games 6".split(), *limits]
    for name, values in (("plus", made.plus), ("minus", made.minus)):
        options = [f"option.{key}={n}" for key, n in options_of(spsa.parameters, values)]
        words += ["--engine", f"name={name}", f"cmd={engine}", "nodes=200", *options]
    assert tengen.run(["match", *words, "--out", str(tmp_path / "match")]) == 0
    paths = (out, tmp_path / "match")
    games, again = ([game.moves for game in read_match(path)[1]] for path in paths)
    assert again[4:6] == games[4:6]
    # Five openings, and settings that play differently in most of them.
    assert len(set(games)) > 7
    # The command that verifies the result can be run. The start of this run is not the engine's own
    # value, so both programs get one.
    [line] = [line for line in said.splitlines() if line.startswith("tengen match ")]
    words = shlex.split(line)[1:]
    assert f"option.param.futility_margin={int(now + 0.5)}" in words
    assert "option.param.futility_margin=100" in words
    assert sum(word.startswith("option.param.vcf_leaf_nodes=") for word in words) == 1
    assert {"nodes=200", "depth=30", "tolerance=2"} <= {*words}
    assert Path(words[words.index("--openings") + 1]).read_text() == book.read_text()
    assert tengen.run([*words, "--games", "2", "--display=result"]) == 0
    assert f" {sparkline([state[2] for state in tuning.states], 16)}" in shown
    # The folder is left alone by another run, and by a match, whose programs would play without
    # their settings.
    before = (out / "games.jsonl").read_bytes()
    assert "holds the games of another run" in tune(*small, "--out", out).refusal
    assert tengen.run(["match", "--resume", str(out)]) == 2
    with RunFolder.resume(out):  # the other run
        assert "is in use by another run" in tune("--resume", out).refusal
        assert tune("--show", out).status == 0
    assert (out / "games.jsonl").read_bytes() == before
    (out / "games.jsonl").write_bytes(before.replace(b"Tengen", b"Another"))
    assert "--resume: the program answered ABOUT with" in tune("--resume", out).refusal


@timed
@POSIX_ONLY
def test_a_stopped_run_is_resumed(tune: Run, small: list[str], tmp_path: Path, runs: Runs) -> None:
    words = [*small, "--iterations", "6", "--each", "start=60"]
    out = tmp_path / "stopped"
    games = out / "games.jsonl"
    process = runs.start("lab", "tune", *words, "--out", out)
    wait_until(lambda: games.exists() and games.read_bytes().count(b"\n") >= 5, process)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=PATIENCE_S)
    if games.read_bytes().count(b"\n") == 1 + 12:
        rmtree(out)
        raise Late("all games were played before the signal")
    assert (process.returncode, errors) == (130, "")
    assert "stopped; the state so far:" in said
    assert said.endswith(f"to continue: tengen lab tune --resume {out}\n")
    assert tune(*words, "--out", tmp_path / "whole", "--display=result").status == 0
    whole = (tmp_path / "whole" / "games.jsonl").read_bytes()
    assert " were played before\n" in tune("--resume", out, "--jobs", "2").good
    assert games.read_bytes() == whole


GOOD = ["--params", "razor_margin", "--nodes", "100", "--out", "OUT"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--out", "OUT"], "--params is missing: name what to tune"),
        (["--params", "razor_margin"], "--out is missing: name a new folder"),
        ([*GOOD, "--params", "razer_margin"], "did you mean razor_margin?"),
        ([*GOOD, "--cmd", "no-such-program"], "--cmd: there is no program 'no-such-program'"),
        ([*GOOD, "--each", "x=1"], "--cmd: x= is not a key; expected name, cmd"),
        ([*GOOD, "--openings", "none.txt"], "none.txt"),
        ([*GOOD, "--cluster", "nowhere"], "--cluster nowhere: "),
        (["--resume", "OUT"], "OUT holds no tuning run: there is no tune.json"),
        (["--show", "OUT"], "OUT holds no tuning run: there is no tune.json"),
        (["--resume", "OUT", "--nodes", "5"], "leave out --nodes"),
        (["--show", "OUT", "--jobs", "2"], "leave out --jobs"),
    ],
)
def test_what_is_refused(
    words: list[str], message: str, tune: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = tune(*words).refusal
    assert line.startswith("tengen lab tune: ") and message in line
    assert not (tmp_path / "OUT").exists()


def test_a_program_that_cannot_be_tuned(
    tune: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mute := tmp_path / "mute.py").write_text("import sys\nsys.exit('no licence')\n")
    words = ["--cmd", shlex.join([sys.executable, str(mute)])]
    line = tune("--params", "razor_margin", "--out", tmp_path / "OUT", *words).refusal
    assert line.startswith("tengen lab tune: the program cannot play: crash: ")
    assert "no licence" in line
    path = tmp_path / "params.toml"
    path.write_text("[Unheard_Of]\nstart = 5\nlow = 0\nhigh = 9\nstep = 1\n", encoding="utf-8")
    line = tune("--params", path, "--nodes", "50", "--out", tmp_path / "OUT").refusal
    assert "refuses a parameter or a net: info param.unheard_of: there" in line.lower()
    # It would play on with its own net.
    (tmp_path / "net.bin").write_bytes(b"none")
    monkeypatch.setenv("TENGEN_NET", str(tmp_path / "net.bin"))
    words = ["--params", "razor_margin", "--nodes", "50", "--out", str(tmp_path / "OUT")]
    assert "refuses a parameter or a net: net.bin: not a net file" in tune(*words).refusal
    assert not (tmp_path / "OUT").exists()
