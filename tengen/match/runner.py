"""Plays jobs on this machine: worker threads take them in order, each with its own programs.

The thread that calls `run` plays no games itself. It hands results on in the order in which games
end, and stays free for an interrupt.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from tengen.match.plan import Plan
from tengen.match.players import Players
from tengen.match.story import Watcher
from tengen.record.game import Game, Job

# How long the calling thread waits at most before it lets Python run signal handlers: on some
# systems a wait without end keeps them from running.
LOOK_S = 0.2


class RunInterrupted(Exception):
    """The run was stopped before its end; every program has been ended."""


class Runner(Protocol):
    """Something that plays jobs."""

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """Plays all jobs; `on_game` is called with each game in the calling thread, in the order
        in which they end.

        Whatever is raised here or in `on_game`, RunInterrupted above all, first every program
        that was started is ended. Games broken off are not handed on.
        """

    def interrupt(self) -> None:
        """Makes `run` raise RunInterrupted soon. May be called in a signal handler."""


class LocalRunner:
    """Plays on this machine, `len(watchers)` games at a time."""

    def __init__(self, plan: Plan, watchers: Sequence[Watcher]) -> None:
        programs = {program.name: program for program in plan.programs}
        self._watchers = watchers
        self._stop = threading.Event()
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        # A game, or None from a worker that has ended, or what made it end.
        self._results: queue.SimpleQueue[Game | BaseException | None] = queue.SimpleQueue()
        self._players = [Players(programs, plan.setting, plan.patience) for _ in watchers]

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """See Runner."""
        for job in jobs:
            self._jobs.put(job)
        workers = [
            threading.Thread(target=self._work, args=(players, watcher), name=f"worker {i}")
            for i, (players, watcher) in enumerate(zip(self._players, self._watchers, strict=True))
        ]
        try:
            for worker in workers:
                worker.start()
            self._collect(len(workers), on_game)
        except BaseException:
            self._stop.set()
            for players in self._players:
                players.interrupt()
            raise
        finally:
            for worker in workers:
                if worker.ident is not None:
                    worker.join()

    def interrupt(self) -> None:
        """See Runner."""
        # The one kind of queue whose `put` may interrupt itself.
        self._results.put(RunInterrupted())

    def _collect(self, running: int, on_game: Callable[[Game], None]) -> None:
        while running:
            try:
                result = self._results.get(timeout=LOOK_S)
            except queue.Empty:
                continue
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                on_game(result)

    def _work(self, players: Players, watcher: Watcher) -> None:
        try:
            while not self._stop.is_set():
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                game = players.play(job, watcher, self._stop)
                if not self._stop.is_set():
                    self._results.put(game)
        except BaseException as error:  # told to the thread that waits for the games
            self._results.put(error)
        finally:
            players.close()
            self._results.put(None)
