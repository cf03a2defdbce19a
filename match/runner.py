"""Plays a schedule: workers take jobs in order, each with its own running programs.

The thread that calls `run` plays no games itself. It hands results on in the order in which games
end, and stays free for an interrupt.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence

from match.game import Game, Setting, Watcher, play_game
from match.player import Patience, Player
from match.program import Program
from match.referee import BLACK, WHITE
from match.schedule import Job

# How long the calling thread waits at most before it lets Python run signal handlers: on some
# systems a wait without end keeps them from running.
_LOOK_S = 0.2


class RunInterrupted(Exception):
    """The run was stopped before its end; every program has been ended."""


class Runner:
    """Plays games of `programs` (by name) under one setting.

    watchers     one for each worker, so `len(watchers)` games run at a time.
    """

    def __init__(
        self,
        programs: Mapping[str, Program],
        setting: Setting,
        patience: Patience,
        watchers: Sequence[Watcher],
    ) -> None:
        self._programs = programs
        self._setting = setting
        self._patience = patience
        self._watchers = watchers
        self._stop = threading.Event()
        self._jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
        # A game, or None from a worker that has ended, or what made it end.
        self._results: queue.SimpleQueue[Game | BaseException | None] = queue.SimpleQueue()
        self._players: list[Player] = []

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """Plays all jobs; `on_game` is called with each game in the calling thread.

        Whatever is raised here or in `on_game`, RunInterrupted above all, first every program
        that was started is ended. Games broken off are not handed on.
        """
        for job in jobs:
            self._jobs.put(job)
        workers = [
            threading.Thread(target=self._work, args=(watcher,), name=f"worker {i}")
            for i, watcher in enumerate(self._watchers)
        ]
        try:
            for worker in workers:
                worker.start()
            self._collect(len(workers), on_game)
        finally:
            self._stop.set()
            for player in list(self._players):
                player.interrupt()
            for worker in workers:
                if worker.ident is not None:
                    worker.join()

    def interrupt(self) -> None:
        """Makes `run` raise RunInterrupted soon. May be called in a signal handler."""
        # The one kind of queue whose `put` may interrupt itself.
        self._results.put(RunInterrupted())

    def _collect(self, running: int, on_game: Callable[[Game], None]) -> None:
        while running:
            try:
                result = self._results.get(timeout=_LOOK_S)
            except queue.Empty:
                continue
            if result is None:
                running -= 1
            elif isinstance(result, BaseException):
                raise result
            else:
                on_game(result)

    def _work(self, watcher: Watcher) -> None:
        players: dict[str, Player] = {}
        try:
            while not self._stop.is_set():
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
                game = self._play(job, players, watcher)
                if not self._stop.is_set():
                    self._results.put(game)
        except BaseException as error:  # told to the thread that waits for the games
            self._results.put(error)
        finally:
            for player in players.values():
                player.close()
            self._results.put(None)

    def _play(self, job: Job, players: dict[str, Player], watcher: Watcher) -> Game:
        for name in (job.black, job.white):
            if name not in players:
                players[name] = Player(self._programs[name], self._patience)
                self._players.append(players[name])
        by_colour = {BLACK: players[job.black], WHITE: players[job.white]}
        game = play_game(job, self._setting, by_colour, watcher, self._stop)
        if game.termination.is_failure:
            # Nobody knows what state it is in; the next game starts a fresh process.
            players[job.name_of(BLACK + WHITE - game.winner)].close()
        return game
