"""Plays jobs on this machine: worker threads take them in order, each with its own programs, which
keep running from game to game.

The thread that calls `run` plays no games itself. It passes results on in the order in which games
end, and stays free to handle an interrupt.
"""

from __future__ import annotations

import queue
import shlex
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from tengen.arena.match.jobs import Job, Setting
from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import Watcher, play_game
from tengen.arena.programs.program import Program, Timeouts
from tengen.arena.programs.prover import Prover
from tengen.arena.programs.spec import ProgramSpec
from tengen.common.tasks import LOOK_S, RunInterrupted
from tengen.game.game import Game
from tengen.game.referee import BLACK, WHITE

# The most programs kept running; beyond it the one that has not played for longest is ended.
_KEPT = 4


class ProgramPool:
    """The running programs of one worker, which plays one game at a time. Programs are given by
    name and started when they are needed.

    core  the processor core that they run on; None = any.
    """

    def __init__(
        self,
        specs: Mapping[str, ProgramSpec],
        setting: Setting,
        timeouts: Timeouts,
        core: int | None = None,
    ) -> None:
        self._specs = specs
        self._setting = setting
        self._timeouts = timeouts
        self._core = core
        self._prover = None if setting.judge is None else Prover(shlex.split(setting.judge))
        # In the order of their last game.
        self._programs: dict[str, Program] = {}
        self._interrupted = threading.Event()

    def play(self, job: Job, watcher: Watcher, stop: threading.Event) -> Game:
        """Plays a game; INTERRUPTED when `stop` is set."""
        by_colour = {colour: self._ready(job, colour) for colour in (BLACK, WHITE)}
        while len(self._programs) > _KEPT:
            self._programs.pop(next(iter(self._programs))).dispose()
        game = play_game(job, self._setting, by_colour, watcher, stop, self._prover)
        if game.is_failure and game.loser_name is not None:
            # Its state is unknown, so the next game starts a new process.
            self._programs[game.loser_name].close()
        for program in by_colour.values():
            if program.spec.restarts:
                program.close()
        return game

    def interrupt(self) -> None:
        """Kills all programs, those being started included, from any thread."""
        self._interrupted.set()
        for program in list(self._programs.values()):
            program.interrupt()
        if self._prover is not None:
            self._prover.interrupt()

    def close(self) -> None:
        """Ends all programs."""
        for program in self._programs.values():
            program.dispose()
        self._programs.clear()
        if self._prover is not None:
            self._prover.close()

    def _ready(self, job: Job, colour: int) -> Program:
        name = job.name_of(colour)
        spec = self._specs[name]
        if options := dict(job.options).get(name):
            spec = replace(spec, options=spec.options + options)
        program = self._programs.pop(name, None) or Program(spec, self._timeouts, self._core)
        program.spec = spec
        self._programs[name] = program
        if self._interrupted.is_set():
            program.interrupt()
        return program


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
