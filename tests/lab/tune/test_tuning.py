"""A run of SPSA: in what order results are applied, what is written, and what a resumed run does.

Here games are made up in no time, by a runner that ends them in any order; real ones are in
test_tune_cli.py.
"""

from __future__ import annotations

import json
import random
import re
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from tengen.arena.match.display import Display
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder
from tengen.arena.programs.program import Program
from tengen.common.tasks import RunInterrupted
from tengen.game.openings import Opening
from tengen.game.played import Termination
from tengen.game.record.game import Game, Job, Move, Setting
from tengen.game.referee import BLACK, WHITE
from tengen.lab.tune.log import TuneLog, read_log
from tengen.lab.tune.parameters import Tunable
from tengen.lab.tune.run import KIND, MINUS, PLUS, Outcome, TuningRun
from tengen.lab.tune.spsa import Spsa

TUNABLES = (Tunable("margin", 120, 0, 400, 12), Tunable("depth", 2, 0, 10, 1))
BOOK = (Opening(((0, 0),)), Opening(((1, 2), (3, -4))), Opening(((0, 1), (1, 1), (-2, 0))))


def _tuning_plan(**more: Any) -> Spsa:
    given = {"iterations": 12, "pairs": 2, "ahead": 3, "rate": 0.05, "seed": 7} | more
    return Spsa(TUNABLES, **given)


def _plan(tuning: Spsa) -> Plan:
    programs = (Program(PLUS, ("none",)), Program(MINUS, ("none",)))
    games = tuning.iterations * tuning.games
    return Plan(programs, Setting(15, 15, 0), BOOK, games, kind=KIND, seed=tuning.seed)


Failing = Callable[[Job], bool]


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
    cells = [*job.opening, (job.index % 15, 14), (job.index % 15, 0)]
    moves = [Move(x, y, WHITE if number % 2 else BLACK) for number, (x, y) in enumerate(cells)]
    how, why = Termination.FIVE if colour else Termination.FULL, ""
    if failing(job):
        colour, how, why = BLACK, Termination.CRASH, "broke"
    return Game(job, Setting(15, 15, 0), colour, how, why, tuple(moves), began_at=1.5e9, host="me")


@dataclass
class FakeRunner:
    """Ends the jobs it has in the order that `seed` makes, at most `width` at a time; interrupted
    after `stop_after` games."""

    seed: int = 0
    width: int = 3
    stop_after: int | None = None
    failing: Failing = lambda job: False
    waiting: list[Job] = field(default_factory=list)
    most: int = 0

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """See Runner."""
        lot = random.Random(self.seed)
        self.waiting = list(jobs)
        while self.waiting:
            if self.stop_after == 0:
                raise RunInterrupted
            if self.stop_after is not None:
                self.stop_after -= 1
            self.most = max(self.most, len(self.waiting))
            job = self.waiting.pop(lot.randrange(min(self.width, len(self.waiting))))
            on_game(_game(job, self.failing))

    def add(self, jobs: Iterable[Job]) -> None:
        """See GrowingRunner."""
        self.waiting.extend(jobs)

    def interrupt(self) -> None:
        """See Runner."""


def _tune(path: Path, runner: FakeRunner, tuning: Spsa | None = None) -> Outcome:
    """Begins a run, or continues the one in the folder."""
    display = Display(Console(), 0)
    with ExitStack() as stack:
        if tuning is not None:
            folder = stack.enter_context(RunFolder.create(path, _plan(tuning)))
            log = TuneLog.create(path, tuning)
        else:
            log = TuneLog.resume(path)
            folder = stack.enter_context(RunFolder.resume(path))
        return TuningRun(folder.plan, log, folder, display).play(runner)


def _written(path: Path) -> dict[str, bytes]:
    """All files of a run but its lock."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != ".lock"
    }


# -- what is played, and when the state moves


def test_an_iteration_perturbs_the_state_so_many_before_it(tmp_path: Path) -> None:
    tuning = _tuning_plan()
    assert _tune(tmp_path, FakeRunner(), tuning) == Outcome()
    again, iterations = read_log(tmp_path)
    assert again == tuning and len(iterations) == 12
    lines = (tmp_path / "tune.jsonl").read_text(encoding="ascii").splitlines()[1:]
    states = [tuning.start, *(each.after for each in iterations)]
    for number, line in enumerate(map(json.loads, lines), start=1):
        made = tuning.perturbed(number, states[max(0, number - 3)])
        assert states[number] == tuning.moved(states[number - 1], made, line["score"])
        for key in ("centre", "signs", "plus", "minus"):
            assert tuple(line[key].values()) == getattr(made, key)
    assert len(set(states)) > 6


def test_the_results_are_those_of_the_games(tmp_path: Path) -> None:
    _tune(tmp_path, FakeRunner(), _tuning_plan())
    lines = (tmp_path / "games.jsonl").read_text(encoding="ascii").splitlines()[1:]
    games = [json.loads(line) for line in lines]
    points = [
        0 if game["winner"] is None else 1 if game[game["winner"]] == PLUS else -1 for game in games
    ]
    iterations = read_log(tmp_path)[1]
    assert [each for iteration in iterations for each in iteration.results] == points
    # Pairs: one opening, with colours exchanged.
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert first["opening"] == second["opening"] and first["pair"] == second["pair"]
        assert (
            (first["black"], first["white"]) == (PLUS, MINUS) == (second["white"], second["black"])
        )


@pytest.mark.parametrize("ahead", [1, 3, 20])
def test_as_many_iterations_as_wanted_are_played_at_the_same_time(
    ahead: int, tmp_path: Path
) -> None:
    runner = FakeRunner(width=1)
    _tune(tmp_path, runner, _tuning_plan(ahead=ahead))
    assert runner.most == min(ahead, 12) * 4


def test_the_order_in_which_games_end_changes_nothing(tmp_path: Path) -> None:
    _tune(tmp_path / "0", FakeRunner(width=1), _tuning_plan())
    for seed in range(1, 5):
        _tune(tmp_path / str(seed), FakeRunner(seed, width=12), _tuning_plan())
        assert _written(tmp_path / str(seed)) == _written(tmp_path / "0")


# -- stopping and going on


def test_a_stopped_run_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    _tune(tmp_path / "whole", FakeRunner(), _tuning_plan())
    whole = _written(tmp_path / "whole")
    for stop_after in (0, 1, 4, 7, 29, 47):
        path = tmp_path / str(stop_after)
        stopped = _tune(path, FakeRunner(1, 8, stop_after), _tuning_plan())
        assert stopped == Outcome(signal=signal.SIGINT)
        assert _written(path) != whole
        assert _tune(path, FakeRunner(2, 8)) == Outcome()
        assert _written(path) == whole
    # After its end there is nothing left to do.
    assert _tune(tmp_path / "whole", FakeRunner(stop_after=0)) == Outcome()
    assert _written(tmp_path / "whole") == whole


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.99])
def test_a_torn_last_line_is_played_or_counted_again(keep: float, tmp_path: Path) -> None:
    """A kill while the log is written: the games are there, the line is not, or half."""
    _tune(tmp_path / "whole", FakeRunner(), _tuning_plan())
    path = tmp_path / "torn"
    _tune(path, FakeRunner(0, 1, 31), _tuning_plan())
    log = path / "tune.jsonl"
    *lines, last, _ = log.read_bytes().split(b"\n")
    log.write_bytes(b"\n".join([*lines, last[: int(len(last) * keep)]]))
    assert len(read_log(path)[1]) == 6  # of 7 that had ended
    assert _tune(path, FakeRunner(5, 8)) == Outcome()
    assert _written(path) == _written(tmp_path / "whole")


def test_a_log_without_all_of_its_games_is_refused(tmp_path: Path) -> None:
    _tune(tmp_path, FakeRunner(0, 1, 30), _tuning_plan())
    for name in ("games.jsonl", "timing.jsonl"):
        lines = (tmp_path / name).read_bytes().splitlines(keepends=True)
        (tmp_path / name).write_bytes(b"".join(lines[:-8]))
    with pytest.raises(ValueError, match="its log needs 28 games, but there are 22"):
        _tune(tmp_path, FakeRunner())


def test_games_of_another_run_are_refused(tmp_path: Path) -> None:
    """Another seed has its openings in another order."""
    _tune(tmp_path, FakeRunner(0, 1, 30), _tuning_plan())
    games = tmp_path / "games.jsonl"
    games.write_bytes(games.read_bytes().replace(b'"seed":7', b'"seed":8'))
    with pytest.raises(ValueError, match="game 1 was played in another run"):
        _tune(tmp_path, FakeRunner())


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda lines: [], "tune.jsonl: it is empty"),
        (lambda lines: [lines[1]], "first line is not the plan of a tuning run"),
        (lambda lines: [lines[0].replace('"format":1', '"format":9')], "format 9 is not 1"),
        (lambda lines: [lines[0].replace('"ahead":3', '"ahead":0')], "is not the plan"),
        (lambda lines: [lines[0], lines[2]], "iteration 2 is in the place of 1"),
        (lambda lines: [lines[0], "{}"], "line 2 is not an iteration: 'iteration'"),
        (lambda lines: [lines[0], "broken"], "line 2: is not a record"),
        (lambda lines: [lines[0], lines[1].replace('"results":[', '"results":[1,')], "results"),
        (lambda lines: [lines[0], re.sub(r'ts":\[[^,]*', 'ts":[5', lines[1])], "results"),
        (lambda lines: [lines[0], lines[1].replace('"depth"', '"width"')], "'depth'"),
        (lambda lines: [lines[0].replace('"low"', '"least"')], "is not the plan"),
        (
            lambda lines: [lines[0].replace('"iterations":12', '"iterations":1'), *lines[1:]],
            "it has more than 1 iterations",
        ),
    ],
)
def test_a_damaged_log_is_refused(
    damage: Callable[[list[str]], list[str]], message: str, tmp_path: Path
) -> None:
    _tune(tmp_path, FakeRunner(0, 1, 9), _tuning_plan())
    log = tmp_path / "tune.jsonl"
    lines = damage(log.read_text(encoding="ascii").splitlines())
    log.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
    before = _written(tmp_path)
    with pytest.raises(ValueError) as error:
        _tune(tmp_path, FakeRunner())
    assert message in str(error.value) and "\n" not in str(error.value)
    assert _written(tmp_path) == before


# -- programs that fail


def test_a_pair_with_a_failure_does_not_count(tmp_path: Path) -> None:
    tuning = _tuning_plan(iterations=8)
    failing: Failing = lambda job: job.index in (5, 14)  # noqa: E731
    assert _tune(tmp_path, FakeRunner(failing=failing), tuning) == Outcome()
    nulls = [i for each in read_log(tmp_path)[1] for i in each.results]
    assert [number for number, result in enumerate(nulls) if result is None] == [4, 5, 14, 15]


def test_a_run_is_given_up_when_programs_keep_failing(tmp_path: Path) -> None:
    runner = FakeRunner(failing=lambda job: job.index >= 10)
    outcome = _tune(tmp_path, runner, _tuning_plan())
    assert outcome.failure is not None and "the last by crash: broke" in outcome.failure
    assert len(read_log(tmp_path)[1]) == 5  # 2 good ones, 3 with a failure
    # Resumed, it gets another three.
    assert _tune(tmp_path, FakeRunner(failing=runner.failing)).failure is not None
    assert len(read_log(tmp_path)[1]) == 8
    assert _tune(tmp_path, FakeRunner()) == Outcome()
