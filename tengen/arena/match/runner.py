"""Plays jobs on this machine: worker threads take them in order, each with its own programs.

The thread that calls `run` plays no games itself. It passes results on in the order in which games
end, and stays free to handle an interrupt.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from tengen.arena.match.plan import Plan
from tengen.arena.match.players import Players
from tengen.arena.match.story import Watcher
from tengen.common.tasks import LOOK_S, RunInterrupted
from tengen.game.record.game import Game, Job


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
        programs = {program.name: program for program in plan.programs}
        self._watchers = watchers
        self._stop = threading.Event()
        # None tells a worker that there are no more.
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._open = 0  # jobs whose games have not been passed on
        # A game, or the exception that ended a worker or the run.
        self._results: queue.SimpleQueue[Game | BaseException] = queue.SimpleQueue()
        each: Sequence[int | None] = [None] * len(watchers) if cores is None else cores
        self._players = [Players(programs, plan.setting, plan.patience, core) for core in each]

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """See Runner."""
        self.add(jobs)
        workers = [
            threading.Thread(target=self._work, args=(players, watcher), name=f"worker {i}")
            for i, (players, watcher) in enumerate(zip(self._players, self._watchers, strict=True))
        ]
        try:
            for worker in workers:
                worker.start()
            self._collect(on_game)
        except BaseException:
            self._stop.set()
            for players in self._players:
                players.interrupt()
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

    def _work(self, players: Players, watcher: Watcher) -> None:
        try:
            while (job := self._jobs.get()) is not None and not self._stop.is_set():
                game = players.play(job, watcher, self._stop)
                if not self._stop.is_set():
                    self._results.put(game)
        except BaseException as error:  # raised in the thread that waits for the games
            self._results.put(error)
        finally:
            players.close()
