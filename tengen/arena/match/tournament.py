"""A whole run: plays, records, counts and shows the games of a plan until the last game, a verdict
of the sequential test, or a signal.

Games end in any order but are counted and written in the order of the jobs. The result therefore
does not depend on how many games are played at a time, or where.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tengen.arena.match.display import Display
from tengen.arena.match.jobs import Job
from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import Watcher
from tengen.arena.match.records import RunFolder
from tengen.arena.match.runner import LocalRunner, Runner
from tengen.arena.match.schedule import Knockout, Schedule
from tengen.arena.match.scoreboard import Scoreboard
from tengen.arena.stats.sprt import Verdict
from tengen.common.process import signals_call
from tengen.common.tasks import RunInterrupted
from tengen.game.game import Game
from tengen.game.played import Termination


@dataclass(frozen=True)
class TournamentResult:
    """What was counted, and why the run ended if it did so before its last game.

    verdict  of the sequential test.
    signal   the number of the signal that stopped the run.
    failure  the game that ended a run with `is_fatal`.
    champion  who has won a knockout; None in other runs, and before its end.
    """

    scores: Scoreboard
    verdict: Verdict = Verdict.UNDECIDED
    signal: int | None = None
    failure: Game | None = None
    champion: str | None = None

    @property
    def status(self) -> int:
        """The exit status of a command: 0, or 1 after a failure that ended the run, or what a shell
        returns for a command that a signal has ended."""
        if self.signal is not None:
            return 128 + self.signal
        return 1 if self.failure is not None else 0


class _Ended(Exception):
    """Raised through the runner when no more games are needed."""


class Tournament:
    """A run of a plan.

    played    games of the same plan that were played before, from the first on.
    folder    where the games are written; None = nowhere.
    is_fatal  the first failure of a program ends the run.
    schedule  what is played; None = what the plan says.

    `play` raises ValueError if the games played before are those of another plan, and OSError if a
    game cannot be written or the cluster is lost; `so_far` is the result then.
    """

    def __init__(
        self,
        plan: Plan,
        display: Display,
        folder: RunFolder | None = None,
        played: Sequence[Game] = (),
        is_fatal: bool = False,
        schedule: Schedule | None = None,
    ) -> None:
        self._plan = plan
        self._schedule = schedule or plan.schedule()
        self._display = display
        self._folder = folder
        self._is_fatal = is_fatal
        self._scores = Scoreboard(plan.names)
        self._verdict = Verdict.UNDECIDED
        self._failure: Game | None = None
        self._played = {game.number - 1: game for game in played}
        # Of the round that is played or counted.
        self._jobs: list[Job] = []
        # Games that ended while an earlier one was still being played.
        self._waiting: dict[int, Game] = {}
        self._next_index = 0
        self._is_resuming = bool(played)

    def play(self, runner: Runner) -> TournamentResult:
        """Plays all games. SIGINT and SIGTERM end the run and all its programs at once."""
        schedule = self._schedule
        with signals_call(runner.interrupt) as received:
            try:
                with self._display:
                    while jobs := schedule.next_round(self._scores.points):
                        self._display.planned(schedule.total)
                        self._jobs = jobs
                        self._play_round(runner)
                    self._check_none_left()
            except _Ended:
                pass
            except RunInterrupted:
                number = received[-1] if received else signal.SIGINT
                return TournamentResult(self._scores, self._verdict, number)
        champion = schedule.champion if isinstance(schedule, Knockout) else None
        return TournamentResult(self._scores, self._verdict, None, self._failure, champion)

    def so_far(self) -> TournamentResult:
        """The result of the games that were counted."""
        return TournamentResult(self._scores, self._verdict)

    def _play_round(self, runner: Runner) -> None:
        if self._is_resuming:
            self._take_played()
            if self._next_index > self._jobs[-1].index:
                return  # this round has ended, and the next one may have begun
            self._check_none_left()
            self._is_resuming = False
            self._display.resumed(self._scores)

        def take(game: Game) -> None:
            if game.termination is not Termination.INTERRUPTED:
                self._waiting[game.number - 1] = game
                runner.add(self._take_ready(is_new=True))

        runner.run([job for job in self._jobs if job.index >= self._next_index], take)

    def _take_ready(self, is_new: bool) -> list[Job]:
        """Counts all games that are next in order, and returns the jobs that their results have
        led to; raises _Ended with the game that ends the run."""
        more: list[Job] = []
        while (game := self._waiting.pop(self._next_index, None)) is not None:
            if is_new and self._folder is not None:
                self._folder.write(game)
            self._next_index += 1
            completes_pair = self._scores.add(game)
            more += self._schedule.game_counted(game)
            if is_new:
                self._display.game_counted(game, self._scores)
            if self._is_fatal and game.is_failure:
                self._failure = game
                raise _Ended
            if is_new and self._schedule.failure is not None:
                raise _Ended
            if completes_pair and self._plan.sprt is not None:
                (pairing,) = self._scores.pairings.values()
                self._verdict = self._plan.sprt.verdict(pairing.pentanomial)
                if self._verdict is not Verdict.UNDECIDED:
                    raise _Ended
        return more

    def _take_played(self) -> None:
        """Counts the earlier games of this round only, because they decide the next round."""
        for job in self._jobs:  # grows, where results lead to more
            game = self._played.pop(job.index, None)
            if game is None:
                break
            if not _is_game_of(game, job, self._plan):
                self._played[job.index] = game
                self._check_none_left()
            self._waiting[job.index] = game
            self._jobs += self._take_ready(is_new=False)

    def _check_none_left(self) -> None:
        """ValueError if an earlier game has no place in the run."""
        for number in sorted(self._played):
            raise ValueError(f"game {number + 1} was played in another run")


def _is_game_of(game: Game, job: Job, plan: Plan) -> bool:
    if plan.setting.opening_rule is not None:
        # The programs decided the colours and the opening.
        return (game.pair, set(game.names)) == (job.pair, {job.black, job.white})
    # The record of a game has no options of its own.
    source = (game.match.source if game.match else None) or (0, 0)
    cells = tuple(stone[:2] for stone in game.stones[: game.opening_moves])
    return (game.pair, *game.names, cells, source) == (
        job.pair, job.black, job.white, job.opening, job.source
    )  # fmt: skip


@contextmanager
def open_runner(
    plan: Plan,
    watchers: Callable[[int], Sequence[Watcher]],
    workers: int,
    cluster: str | None,
    cores: Sequence[int] | None = None,
) -> Iterator[Runner]:
    """What plays the games of a plan: `workers` at a time here, each on its one of `cores`, or on
    the cluster at that address; `watchers` gives what follows them. ValueError for no cluster."""
    if cluster is None:
        yield LocalRunner(plan, watchers(workers), cores[:workers] if cores else None)
        return
    try:
        from tengen.arena.match.cluster import ClusterRunner
        from tengen.common.cluster import connect
    except ImportError as error:
        raise ValueError(
            f"--cluster: {error.name} is missing (pip install '.[cluster]', in Tengen's folder)"
        ) from None
    with connect(cluster) as client:
        yield ClusterRunner(plan, client)
