"""Plays jobs on the machines of a dask.distributed cluster: the same games as on one machine.

Every worker needs this package and the programs under the same paths. A worker keeps its programs
running between games. A game is identified by its number, and only its first result counts.
"""

from __future__ import annotations

import contextlib
import functools
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from distributed import Client, Worker, WorkerPlugin, get_worker

from tengen.arena.match.plan import Plan
from tengen.arena.match.play_game import ProgramPool, Watcher
from tengen.arena.match.schedule import Job
from tengen.common.cluster import ClusterTasks, loss_as_os_error
from tengen.game.game import Game
from tengen.game.played import Termination


class _WorkerPrograms(WorkerPlugin):  # type: ignore[misc]  # distributed has no types
    """Runs on each worker: holds the programs of each of its threads until the run ends."""

    def __init__(self, plan: Plan) -> None:
        # Several runs may play on a cluster at the same time.
        self.name = f"tengen-match-{uuid.uuid4().hex}"
        # Not the plan, which may have a million openings.
        self._programs, self._setting, self._timeouts = plan.by_name, plan.setting, plan.timeouts

    def setup(self, worker: Worker) -> None:
        """Called when the worker joins."""
        self._stop = threading.Event()
        self._pools: dict[int, ProgramPool] = {}

    def teardown(self, worker: Worker) -> None:
        """Called when the run ends or the worker leaves."""
        self._stop.set()
        for pool in self._pools.values():
            pool.interrupt()
        for pool in self._pools.values():
            pool.close()

    def play(self, job: Job) -> Game:
        """Plays a game in the calling thread."""
        pool = self._pools.setdefault(
            threading.get_ident(), ProgramPool(self._programs, self._setting, self._timeouts)
        )
        return pool.play(job, Watcher(), self._stop)


def _play(plugin: str, job: Job) -> Game:
    """The task: runs on a worker, with the plugin of that name."""
    programs: _WorkerPrograms = get_worker().plugins[plugin]
    return programs.play(job)


def _is_lost(game: Game) -> bool:
    """A worker that shuts down interrupts its games."""
    return game.termination is Termination.INTERRUPTED


class ClusterRunner:
    """Plays jobs on the workers of a cluster."""

    def __init__(self, plan: Plan, client: Client) -> None:
        self._client = client
        self._plan = plan
        self._waiting: deque[Job] = deque()
        self._tasks = ClusterTasks(client, lambda job: f"game {job.index + 1}", _is_lost)

    def run(self, jobs: Sequence[Job], on_game: Callable[[Game], None]) -> None:
        """See Runner. OSError when the cluster is lost."""
        self._waiting = deque(jobs)
        plugin = _WorkerPrograms(self._plan)
        play = functools.partial(_play, plugin.name)
        with loss_as_os_error():
            self._client.register_plugin(plugin)
        try:
            self._tasks.run(play, _Taken(self._waiting), lambda _, game: on_game(game))
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self._client.unregister_worker_plugin(plugin.name)

    def add(self, jobs: Iterable[Job]) -> None:
        """See Runner."""
        self._waiting.extend(jobs)

    def interrupt(self) -> None:
        """See Runner."""
        self._tasks.interrupt()


class _Taken(Iterator[Job]):
    """The jobs in a queue, each taken off as it is needed. After its end it goes on when there are
    jobs again."""

    def __init__(self, jobs: deque[Job]) -> None:
        self._jobs = jobs

    def __next__(self) -> Job:
        if not self._jobs:
            raise StopIteration
        return self._jobs.popleft()
