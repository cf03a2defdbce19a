"""Tasks on several processes of this machine.

The process that calls `run` does none of the tasks. It passes results on as they come, and stays
free to handle an interrupt.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext, suppress
from multiprocessing.connection import Connection
from typing import Any, TypeVar

# The longest wait of the calling thread, in seconds. Python runs signal handlers between waits; on
# some systems an endless wait would keep them from running.
LOOK_S = 0.2
# Tasks handed out for each worker, so that none has to wait for the next one.
AHEAD = 2
# Added to the nice value of a process that yields to others.
_YIELDING = 10

T = TypeVar("T")
R = TypeVar("R")


class RunInterrupted(Exception):
    """The run was stopped before its end, and everything it had started was ended."""


class TaskRunner:
    """Runs tasks in other processes, here or elsewhere."""

    def __init__(self) -> None:
        self._results: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def run(
        self, function: Callable[[T], R], tasks: Iterable[T], on_result: Callable[[T, R], None]
    ) -> None:
        """Calls `function` with every task, in other processes, and `on_result` with the task and
        what that returns, in the calling thread and in the order in which tasks end.

        Tasks are taken from the iterable only as they are needed; it may depend on the results so
        far. `function` is one of a module, and tasks and results can be pickled. Whatever
        `function` or `on_result` raises is raised here. OSError if the workers are lost.
        """
        raise NotImplementedError

    def interrupt(self) -> None:
        """Makes `run` raise RunInterrupted soon. May be called in a signal handler."""
        # SimpleQueue.put may be called in a signal handler that interrupts another put.
        self._results.put(None)

    def _ended(self) -> Any:
        """A future that has ended, None if none does for a while."""
        try:
            done = self._results.get(timeout=LOOK_S)
        except queue.Empty:
            return None
        if done is None:
            raise RunInterrupted
        return done


class LocalTasks(TaskRunner):
    """Runs tasks in `jobs` processes of this machine."""

    def __init__(self, jobs: int) -> None:
        super().__init__()
        self._jobs = jobs

    def run(
        self, function: Callable[[T], R], tasks: Iterable[T], on_result: Callable[[T, R], None]
    ) -> None:
        """See TaskRunner. At the end, and when it is interrupted, it waits for tasks that have
        begun."""
        waiting = iter(tasks)
        running: dict[Future[R], T] = {}
        begun = 0
        # A new interpreter for each: a forked process would inherit the locks of our threads.
        pool = ProcessPoolExecutor(
            self._jobs, multiprocessing.get_context("spawn"), initializer=_begin_worker
        )
        try:
            while True:
                while len(running) < AHEAD * self._jobs:
                    try:
                        task = next(waiting)
                    except StopIteration:
                        break
                    # The first tasks start the processes. Later on no Ctrl-C may be lost.
                    with _without_interrupt() if begun < AHEAD * self._jobs else nullcontext():
                        future = pool.submit(function, task)
                    begun += 1
                    running[future] = task
                    future.add_done_callback(self._results.put)
                if not running:
                    return
                if (done := self._ended()) is not None:
                    on_result(running.pop(done), done.result())
        except BrokenProcessPool:
            raise OSError("a worker process has ended unexpectedly") from None
        finally:
            pool.shutdown(cancel_futures=True)
            self._results = queue.SimpleQueue()


def run_apart(
    function: Callable[..., R], args: tuple[object, ...], on_progress: Callable[[Any], None]
) -> R:
    """Calls `function` with these arguments in a process of its own, which yields to all others,
    and returns or raises what it does. Its last argument is a function that tells its progress
    here; what `on_progress` raises ends it, at the next progress. OSError if it is lost.

    `function` is one of a module, and all that goes to it and comes from it can be pickled.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(theirs, function, args))
    with _without_interrupt():
        process.start()
    theirs.close()
    try:
        while True:
            is_end, said = ours.recv()
            if not is_end:
                on_progress(said)
            elif isinstance(said, Exception):
                raise said
            else:
                result: R = said
                return result
    except EOFError:
        raise OSError("a worker process has ended unexpectedly") from None
    finally:
        ours.close()
        process.join()


def _serve(pipe: Connection, function: Callable[..., object], args: tuple[object, ...]) -> None:
    _begin_worker()
    if hasattr(os, "nice"):
        os.nice(_YIELDING)
    with suppress(BrokenPipeError):  # nobody waits any more
        try:
            end = function(*args, lambda said: pipe.send((False, said)))
        except Exception as error:
            if isinstance(error, BrokenPipeError):
                raise
            end = error
        pipe.send((True, end))


def _begin_worker() -> None:
    """What a worker process does first. Ctrl-C at the terminal reaches all processes; only the one
    that has started the others handles it. And a worker must not outlive a killed parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _without_interrupt() -> Iterator[None]:
    """Processes started inside ignore Ctrl-C from their first moment where the system passes that
    on to them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
