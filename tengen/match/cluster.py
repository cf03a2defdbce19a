"""Plays jobs on the machines of a dask.distributed cluster: the same games as on one machine.

Every worker needs this package and the programs under the same paths; `local:N` starts N workers
here. A worker keeps its programs running between games. When a worker is lost, the scheduler gives
its games to others; a game is identified by its number, and only its first result counts.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import dask
from distributed import (
    CancelledError,
    Client,
    Future,
    LocalCluster,
    Worker,
    WorkerPlugin,
    get_worker,
)
from distributed.client import ClosedClientError
from distributed.scheduler import KilledWorker

from tengen.match.plan import Plan
from tengen.match.players import Players
from tengen.match.runner import LOOK_S, RunInterrupted
from tengen.match.story import Nobody
from tengen.record.game import Game, Job
from tengen.record.termination import Termination

_PLUGIN = "tengen-match"
_CONNECT_S = 10.0
# Games submitted for each thread of a worker, so that none has to wait for the next one.
_AHEAD = 2
# How often a game is tried before the run gives up because its workers are lost.
_TRIES = 4
# A worker that we start runs this first. It leaves our process group, so that Ctrl-C at the
# terminal reaches only this process.
_PRELOAD = "import os\nif hasattr(os, 'setpgrp'): os.setpgrp()\n"


class _WorkerPlayers(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """Runs on each worker: holds the programs of each of its threads until the run ends."""

    name = _PLUGIN

    def __init__(self, plan: Plan) -> None:
        self._programs = {program.name: program for program in plan.programs}
        self._setting = plan.setting
        self._patience = plan.patience

    def setup(self, worker: Worker) -> None:
        """Called when the worker joins."""
        self._stop = threading.Event()
        self._players: dict[int, Players] = {}

    def teardown(self, worker: Worker) -> None:
        """Called when the run ends or the worker leaves."""
        self._stop.set()
        for players in self._players.values():
            players.interrupt()
        for players in self._players.values():
            players.close()

    def play(self, job: Job) -> Game:
        """Plays a game in the calling thread."""
        players = self._players.setdefault(
            threading.get_ident(), Players(self._programs, self._setting, self._patience)
        )
        return players.play(job, Nobody(), self._stop)


def _play(job: Job) -> Game:
    """The task: runs on a worker."""
    players: _WorkerPlayers = get_worker().plugins[_PLUGIN]
    return players.play(job)


class ClusterRunner:
    """Plays jobs on the workers of a cluster."""

    def __init__(self, plan: Plan, client: Client) -> None:
        self._client = client
        self._plan = plan
        self._waiting: deque[Job] = deque()
        self._results: queue.SimpleQueue[Future | RunInterrupted] = queue.SimpleQueue()

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """See Runner. OSError when the cluster is lost."""
        self._waiting = deque(jobs)
        running: dict[Future, tuple[Job, int]] = {}
        with _loss_as_os_error():
            self._client.register_plugin(_WorkerPlayers(self._plan))
        try:
            while self._waiting or running:
                while self._waiting and len(running) < _AHEAD * max(1, self._threads()):
                    self._submit(self._waiting.popleft(), 1, running)
                try:
                    result = self._results.get(timeout=LOOK_S)
                except queue.Empty:
                    continue
                if isinstance(result, RunInterrupted):
                    raise result
                job, tries = running.pop(result)
                game = self._game_of(result)
                if game is not None:
                    on_game(game)
                elif tries < _TRIES:
                    self._submit(job, tries + 1, running)
                else:
                    raise OSError(f"game {job.index + 1} lost its worker {tries} times")
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self._client.cancel(list(running))
            with contextlib.suppress(Exception):
                self._client.unregister_worker_plugin(_PLUGIN)

    def add(self, jobs: Iterable[Job]) -> None:
        """See GrowingRunner."""
        self._waiting.extend(jobs)

    def interrupt(self) -> None:
        """See Runner."""
        self._results.put(RunInterrupted())

    def _submit(self, job: Job, tries: int, running: dict[Future, tuple[Job, int]]) -> None:
        with _loss_as_os_error():
            future = self._client.submit(_play, job, pure=False, priority=-job.index)
        running[future] = (job, tries)
        future.add_done_callback(self._results.put)

    def _game_of(self, future: Future) -> Game | None:
        """The game, or None when it has to be played again."""
        try:
            with _loss_as_os_error():
                game: Game = future.result(timeout=_CONNECT_S)
        except KilledWorker:
            return None
        # A worker that shuts down interrupts its games.
        return None if game.termination is Termination.INTERRUPTED else game

    def _threads(self) -> int:
        with _loss_as_os_error():
            return sum(self._client.nthreads().values())


@contextlib.contextmanager
def _loss_as_os_error() -> Iterator[None]:
    """Turns everything that a client raises when its scheduler is gone into OSError. That includes
    CancelledError: only the client itself cancels a game whose result is awaited."""
    try:
        yield
    except (CancelledError, ClosedClientError, TimeoutError, OSError) as error:
        raise OSError(f"the connection to the cluster is lost: {error}") from None


@contextlib.contextmanager
def connect(address: str) -> Iterator[Client]:
    """A client of the cluster at `address`, such as `tcp://host:8786`; `local:N` starts one of N
    workers here. ValueError if there is none, or N is not a number."""
    for name in ("distributed", "distributed.client"):  # the second sets its own level
        logging.getLogger(name).setLevel(logging.CRITICAL)
    kind, _, count = address.partition(":")
    with contextlib.ExitStack() as stack:
        if kind == "local":
            if not count.isdecimal() or not 1 <= int(count) <= 256:
                raise ValueError(f"--cluster {address}: expected local:N with N from 1 to 256")
            # How often a game is tried again is decided here, see _TRIES.
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 3}))
            cluster: Any = stack.enter_context(
                LocalCluster(
                    n_workers=int(count),
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    silence_logs=logging.CRITICAL,
                    preload=[_PRELOAD],
                )
            )
            yield stack.enter_context(Client(cluster))
            return
        try:
            client = stack.enter_context(Client(address, timeout=_CONNECT_S))
        except (OSError, ValueError) as error:
            raise ValueError(f"--cluster {address}: no scheduler answers: {error}") from None
        if not client.nthreads():
            raise ValueError(f"--cluster {address}: has no workers")
        yield client
