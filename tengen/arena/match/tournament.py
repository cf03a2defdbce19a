"""A whole run: plays, records, counts and shows the games of a plan until the last game, a verdict
of the sequential test, or a signal.

Games end in any order but are counted and written in the order of the jobs. The result therefore
does not depend on how many games are played at a time, or where.
"""

from __future__ import annotations

import queue
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Protocol

from tengen.arena.match.display import Display
from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import ProgramPool, Watcher
from tengen.arena.match.records import RunFolder
from tengen.arena.match.schedule import Job, Schedule
from tengen.arena.match.scoreboard import MatchResult, Scoreboard
from tengen.arena.stats.sprt import Verdict
from tengen.common.commands import open_cluster
from tengen.common.process import signals_call
from tengen.common.tasks import LOOK_S, RunInterrupted
from tengen.game.game import Game
from tengen.game.played import Termination


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
        self._played = deque(played)
        # Games that ended while an earlier one was still being played.
        self._waiting: dict[int, Game] = {}
        self._next_index = 0

    def play(self, runner: Runner) -> MatchResult:
        """Plays all games. SIGINT and SIGTERM end the run and all its programs at once."""
        with signals_call(runner.interrupt) as received:
            try:
                with self._display:
                    self._play_jobs(runner)
            except _Ended:
                pass
            except RunInterrupted:
                number = received[-1] if received else signal.SIGINT
                return replace(self.so_far(), signal=number)
        return replace(self.so_far(), failure=self._failure)

    def so_far(self) -> MatchResult:
        """The result of the games that were counted."""
        return MatchResult(self._scores, self._plan.sprt, self._verdict)

    def _play_jobs(self, runner: Runner) -> None:
        jobs = self._take_played()
        if not jobs:
            return
        if self._next_index:
            self._display.resumed(self._scores)

        def take(game: Game) -> None:
            if game.termination is not Termination.INTERRUPTED:
                self._waiting[game.number - 1] = game
                runner.add(self._take_ready(is_new=True))

        runner.run(jobs, take)

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

    def _take_played(self) -> list[Job]:
        """Counts the earlier games, and returns the jobs that are still to be played. ValueError if
        an earlier game has no place in the run."""
        jobs = list(self._schedule.jobs)
        for job in jobs:  # grows, where results lead to more
            if not (self._played and _is_game_of(self._played[0], job, self._plan)):
                break
            self._waiting[job.index] = self._played.popleft()
            jobs += self._take_ready(is_new=False)
        if self._played:
            raise ValueError(f"game {self._played[0].number} was played in another run")
        return jobs[self._next_index :]


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


# -- who plays the games


class Runner(Protocol):
    """Plays jobs, here or elsewhere."""

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """Plays all jobs; `on_game` is called with each game in the calling thread, in the order
        in which they end.

        When anything is raised here or in `on_game`, such as RunInterrupted, every program that
        was started is ended first. Unfinished games are not passed on.
        """

    def interrupt(self) -> None:
        """Makes `run` raise RunInterrupted soon. May be called in a signal handler."""

    def add(self, jobs: Iterable[Job]) -> None:
        """Plays these jobs after all others. Called by `on_game`, in the thread of `run`."""


class LocalRunner:
    """Plays on this machine, `len(watchers)` games at a time.

    cores  one processor core for each of these games; None = the system's choice.
    """

    def __init__(
        self, plan: Plan, watchers: Sequence[Watcher], cores: Sequence[int] | None = None
    ) -> None:
        self._watchers = watchers
        self._stop = threading.Event()
        # None tells a worker that there are no more.
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._open = 0  # jobs whose games have not been passed on
        # A game, or the exception that ended a worker or the run.
        self._results: queue.SimpleQueue[Game | BaseException] = queue.SimpleQueue()
        each: Sequence[int | None] = [None] * len(watchers) if cores is None else cores
        self._pools = [
            ProgramPool(plan.by_name, plan.setting, plan.timeouts, core) for core in each
        ]

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """See Runner."""
        self.add(jobs)
        workers = [
            threading.Thread(target=self._work, args=(pool, watcher), name=f"worker {i}")
            for i, (pool, watcher) in enumerate(zip(self._pools, self._watchers, strict=True))
        ]
        try:
            for worker in workers:
                worker.start()
            self._collect(on_game)
        except BaseException:
            self._stop.set()
            for pool in self._pools:
                pool.interrupt()
            raise
        finally:
            for _ in workers:
                self._jobs.put(None)
            for worker in workers:
                if worker.ident is not None:
                    worker.join()

    def add(self, jobs: Iterable[Job]) -> None:
        """See Runner."""
        for job in jobs:
            self._open += 1
            self._jobs.put(job)

    def interrupt(self) -> None:
        """See Runner."""
        # SimpleQueue.put may be called in a signal handler that interrupts another put.
        self._results.put(RunInterrupted())

    def _collect(self, on_game: Callable[[Game], None]) -> None:
        while self._open:
            try:
                result = self._results.get(timeout=LOOK_S)
            except queue.Empty:
                continue
            if isinstance(result, BaseException):
                raise result
            on_game(result)
            self._open -= 1

    def _work(self, pool: ProgramPool, watcher: Watcher) -> None:
        try:
            while (job := self._jobs.get()) is not None and not self._stop.is_set():
                game = pool.play(job, watcher, self._stop)
                if not self._stop.is_set():
                    self._results.put(game)
        except BaseException as error:  # raised in the thread that waits for the games
            self._results.put(error)
        finally:
            pool.close()


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
    with open_cluster(cluster) as client:
        from tengen.arena.match.cluster import ClusterRunner

        yield ClusterRunner(plan, client)
