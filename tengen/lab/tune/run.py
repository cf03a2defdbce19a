"""A tuning run: plays the iterations of SPSA through the arena, some of them at the same time.

The state after an iteration depends only on the results of the iterations up to it, and the state
that an iteration perturbs only on those `ahead` before it. Games are counted in the order of their
numbers, whenever they end. So with limits in nodes a run gives the same states with any number of
games at a time, here or on a cluster, and however often it was stopped.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tengen.arena.match.display import Display, Progress
from tengen.arena.match.plan import Plan
from tengen.arena.match.records import RunFolder
from tengen.arena.match.runner import Runner
from tengen.arena.match.schedule import OneRound, OpeningOrder
from tengen.arena.match.tally import Tally
from tengen.common.process import signals_call
from tengen.common.tasks import RunInterrupted
from tengen.game.played import Termination
from tengen.game.record.game import Game, Job
from tengen.game.referee import BLACK
from tengen.lab.tune.log import Iteration, TuneLog
from tengen.lab.tune.parameters import options_of
from tengen.lab.tune.spsa import Perturbation, Spsa, State

PLUS, MINUS = "plus", "minus"
# The kind in the plan of the games, which keeps `tengen match --resume` from continuing it.
KIND = "tuning"
# A run ends when so many iterations in a row had a game that ended by a failure of a program.
_FAILURES = 3
# The parameters that are shown in a line.
_SHOWN = 5


@dataclass(frozen=True)
class Outcome:
    """How a run ended before its last iteration, if it did.

    signal   the number of the signal that stopped it.
    failure  why it was given up.
    """

    signal: int | None = None
    failure: str | None = None


class _GivenUp(Exception):
    """Raised through the runner; its text is the reason."""


class TuningRun:
    """A run of SPSA, from its beginning or from where its log and its games end.

    ValueError if the log and the games of the folder do not belong together.
    """

    def __init__(self, plan: Plan, log: TuneLog, folder: RunFolder, display: Display) -> None:
        self._log = log
        self._tuning = log.tuning
        self._folder = folder
        self._display = display
        self._progress = display.progress = Progress()
        self._tally = Tally(plan.names)
        # The state before the first iteration, then that after each.
        self._states: list[State] = [self._tuning.start, *(each.after for each in log.iterations)]
        self._jobs = jobs_of(plan, log.tuning)
        self._waiting: dict[int, Game] = {}
        self._next_game = 0
        # Those of the present iteration that were counted.
        self._games: list[Game] = []
        self._failures = 0
        # None while games are counted that were played before.
        self._runner: Runner | None = None

    def play(self, runner: Runner) -> Outcome:
        """Plays all iterations that are left. SIGINT and SIGTERM end the run and all its programs
        at once."""
        self._take_played()
        with signals_call(runner.interrupt) as received:
            try:
                with self._display:
                    if self._next_game:
                        self._tell(None)
                        self._display.resumed(self._tally)
                    done = len(self._states) - 1
                    first = [
                        job
                        for number in range(done + 1, done + 1 + self._tuning.ahead)
                        for job in self._jobs_of_iteration(number)
                        if job.index >= self._next_game
                    ]
                    self._runner = runner
                    runner.run(first, self._on_game)
            except _GivenUp as failure:
                return Outcome(failure=str(failure))
            except RunInterrupted:
                return Outcome(signal=received[-1] if received else signal.SIGINT)
        return Outcome()

    def _take_played(self) -> None:
        """Counts the games that were played before. The log, which is written after them, may lack
        the iteration of the last ones."""
        played = self._folder.games
        logged = self._tuning.games * (len(self._states) - 1)
        if len(played) < logged:
            raise ValueError(
                f"{self._folder.path}: its log needs {logged} games, but there are {len(played)}"
            )
        for game, job in zip(played, self._jobs, strict=False):
            if game.job != job:
                raise ValueError(f"game {game.job.index + 1} was played in another run")
        if len(played) > len(self._jobs):
            raise ValueError(f"game {len(self._jobs) + 1} was played in another run")
        for game in played[:logged]:
            self._tally.add(game)
        self._next_game = logged
        for game in played[logged:]:
            self._count(game)
        played.clear()  # a long run has many

    def _on_game(self, game: Game) -> None:
        if game.termination is Termination.INTERRUPTED:
            return
        self._waiting[game.job.index] = game
        while (ready := self._waiting.pop(self._next_game, None)) is not None:
            self._folder.write(ready)
            self._count(ready)

    def _count(self, game: Game) -> None:
        """Counts the next game; the last one of an iteration moves the state."""
        self._next_game += 1
        self._tally.add(game)
        self._games.append(game)
        self._progress.line = ""
        given_up = None
        if len(self._games) == self._tuning.games:
            given_up = self._end_iteration()
        if self._runner is not None:
            self._display.game_counted(game, self._tally)
        if given_up is not None and self._runner is not None:
            raise _GivenUp(given_up)

    def _end_iteration(self) -> str | None:
        """Moves the state, writes the log and adds the games that can be played now. Returns the
        reason why the run should be given up, if there is one."""
        number = len(self._states)
        made = self._perturbation(number)
        results = results_of(self._games)
        failed = [game for game in self._games if game.termination.is_failure]
        self._games = []
        score = sum(result or 0 for result in results)
        iteration = Iteration(results, self._tuning.moved(self._states[-1], made, score))
        self._log.write(made, score, iteration)
        self._states.append(iteration.after)
        self._tell(score)
        if self._runner is not None:
            self._runner.add(self._jobs_of_iteration(number + self._tuning.ahead))
        self._failures = self._failures + 1 if failed else 0
        if self._failures < _FAILURES:
            return None
        why = f"{failed[-1].termination.value}: {failed[-1].detail}"
        return f"{_FAILURES} iterations in a row had a game that a failure ended, the last by {why}"

    def _perturbation(self, number: int) -> Perturbation:
        return self._tuning.perturbed(number, self._states[max(0, number - self._tuning.ahead)])

    def _jobs_of_iteration(self, number: int) -> list[Job]:
        """The games of an iteration, with the settings of its two programs; none after the last
        one."""
        first = (number - 1) * self._tuning.games
        jobs = self._jobs[first : first + self._tuning.games]
        if not jobs:
            return []
        made = self._perturbation(number)
        options = (
            (PLUS, options_of(self._tuning.parameters, made.plus)),
            (MINUS, options_of(self._tuning.parameters, made.minus)),
        )
        return [replace(job, options=options) for job in jobs]

    def _tell(self, score: int | None) -> None:
        """Updates what the display shows: how far the run is, and the score of an iteration that
        has ended."""
        tunables, tuning = self._tuning.parameters, self._tuning
        done = f"iteration {len(self._states) - 1}/{tuning.iterations}"
        # Those that have moved most, in steps.
        moved = sorted(
            range(len(tunables)),
            key=lambda i: -abs(self._states[-1][i] - tunables[i].start) / tunables[i].step,
        )[:_SHOWN]
        shown = [(tunables[i], self._states[-1][i]) for i in sorted(moved)]
        text = ", ".join(f"{tunable.name} {value:.1f}" for tunable, value in shown)
        if len(tunables) > len(shown):
            text += " ..."
        self._progress.state = f"{done}   {text}"
        if score is not None:
            self._progress.line = f"{done}: plus {score:+d}   {text}"


def jobs_of(plan: Plan, tuning: Spsa) -> list[Job]:
    """All games of a run in order, without the settings of the programs."""
    setting = plan.setting
    order = OpeningOrder(plan.openings, setting.width, setting.height, plan.seed, plan.order)
    return OneRound([(PLUS, MINUS)], tuning.games * tuning.iterations, order).next_round({})


def results_of(games: Sequence[Game]) -> tuple[int | None, ...]:
    """The results of games as plus sees them. A game that ended by a failure of a program says
    nothing about the parameters, so neither game of its pair counts."""
    failed = {game.job.pair for game in games if game.termination.is_failure}
    return tuple(None if game.job.pair in failed else _result(game) for game in games)


def _result(game: Game) -> int:
    if not game.winner:
        return 0
    winner = game.job.black if game.winner == BLACK else game.job.white
    return 1 if winner == PLUS else -1
