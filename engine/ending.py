"""The end of Python: work that is still under way in a thread is stopped before it.

A search holds no lock of the interpreter, and takes it for each report. Python's end frees what
that needs, and waits for no daemon thread: a report after it would crash. So every work is listed
here while it runs. Before the end all are stopped and waited for, and from then on no other thread
begins one.
"""

import atexit
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

STOP_SECONDS = 5.0  # a search stops within some ms; many times that in a build with sanitizers
LOOK_SECONDS = 0.001


class Worker(Protocol):
    """What works: an engine.think.Thinker."""

    def request_stop(self) -> None: ...


_working: dict[int, Worker] = {}
_has_ended = False


@contextmanager
def listed(worker: Worker) -> Iterator[None]:
    """Lists `worker` while the block runs. After Python's end has begun, a thread other than the
    main one stays here for good, as it would wherever it asks for the interpreter then."""
    if _has_ended and threading.current_thread() is not threading.main_thread():
        threading.Event().wait()
    _working[id(worker)] = worker
    try:
        yield
    finally:
        _working.pop(id(worker), None)


def stop_all() -> None:
    """Stops all work and waits until it has ended, but no longer than STOP_SECONDS."""
    global _has_ended
    _has_ended = True
    end = time.monotonic() + STOP_SECONDS
    while _working and time.monotonic() < end:
        # Each time, because a work that had just begun may not have seen the stop before.
        for worker in list(_working.values()):
            worker.request_stop()
        time.sleep(LOOK_SECONDS)


atexit.register(stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_working.clear)  # their threads stayed in the parent
