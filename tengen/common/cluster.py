"""Tasks on the machines of a dask.distributed cluster.

Every worker needs this package under the same path; `local:N` starts N workers here. When a worker
is lost, its tasks are given to others, and only the first result of a task counts.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

import dask
from distributed import CancelledError, Client, Future, LocalCluster
from distributed.client import ClosedClientError
from distributed.scheduler import KilledWorker

from tengen.common.process import signals_call
from tengen.common.tasks import AHEAD, TaskRunner

T = TypeVar("T")
R = TypeVar("R")

_CONNECT_S = 10.0
# For a result. If its worker died, the cluster notices that and does the task again, which takes
# long on a busy machine.
_RESULT_S = 60.0
# How often a task is tried before the run gives up because its workers are lost.
_TRIES = 4
# A worker that we start runs this first. It leaves our process group, so that Ctrl-C at the
# terminal reaches only this process.
_PRELOAD = "import os\nif hasattr(os, 'setpgrp'): os.setpgrp()\n"


class ClusterTasks(TaskRunner):
    """Runs tasks on the workers of a cluster.

    is_lost  tells a result that has to be computed again, because the worker was shut down.
    name     says in errors which task it was.
    """

    def __init__(
        self,
        client: Client,
        name: Callable[[Any], str],
        is_lost: Callable[[Any], bool] = lambda result: False,
    ) -> None:
        super().__init__()
        self._client = client
        self._is_lost = is_lost
        self._name = name

    def run(
        self, function: Callable[[T], R], tasks: Iterable[T], on_result: Callable[[T, R], None]
    ) -> None:
        """See TaskRunner. OSError when the cluster is lost."""
        waiting = enumerate(tasks)
        again: deque[tuple[int, T, int]] = deque()
        running: dict[Future, tuple[int, T, int]] = {}
        try:
            while True:
                while again or len(running) < AHEAD * max(1, self._threads()):
                    if again:
                        number, task, tries = again.popleft()
                    elif (found := next(waiting, None)) is not None:
                        number, task, tries = *found, 1
                    else:
                        break
                    with loss_as_os_error():
                        future = self._client.submit(function, task, pure=False, priority=-number)
                    running[future] = number, task, tries
                    future.add_done_callback(self._results.put)
                if not running:
                    return
                if (done := self._ended()) is None:
                    continue
                number, task, tries = running.pop(done)
                try:
                    with loss_as_os_error():
                        result: R = done.result(timeout=_RESULT_S)
                    is_lost = self._is_lost(result)
                except KilledWorker:
                    is_lost = True
                if not is_lost:
                    on_result(task, result)
                elif tries < _TRIES:
                    again.append((number, task, tries + 1))
                else:
                    raise OSError(f"{self._name(task)} lost its worker {tries} times")
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self._client.cancel(list(running))

    def _threads(self) -> int:
        with loss_as_os_error():
            return sum(self._client.nthreads().values())


@contextlib.contextmanager
def loss_as_os_error() -> Iterator[None]:
    """Turns everything that a client raises when its scheduler is gone into OSError. That includes
    CancelledError: only the client itself cancels a task whose result is awaited."""
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
            # How often a task is tried again is decided here, see _TRIES.
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 3}))
            # A cluster that is interrupted in its start, which takes seconds, cannot be closed.
            with signals_call(lambda: None) as received:
                cluster: Any = stack.enter_context(
                    LocalCluster(
                        n_workers=int(count),
                        threads_per_worker=1,
                        processes=True,
                        dashboard_address=None,
                        # Any port: the usual one is taken by the cluster of another run.
                        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                        silence_logs=logging.CRITICAL,
                        preload=[_PRELOAD],
                    )
                )
                client = stack.enter_context(Client(cluster))
            if received:
                raise KeyboardInterrupt
            yield client
            return
        try:
            client = stack.enter_context(Client(address, timeout=_CONNECT_S))
        except (OSError, ValueError) as error:
            raise ValueError(f"--cluster {address}: no scheduler answers: {error}") from None
        if not client.nthreads():
            raise ValueError(f"--cluster {address}: has no workers")
        yield client
