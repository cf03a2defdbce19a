"""What belongs to this process: a clock that leaves out its pauses, calls in place of the signals
that would end it, and a lock on the folder that it writes into.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EACCES, EAGAIN, EDEADLK
from pathlib import Path
from types import FrameType
from typing import IO

_LOOK_S = 0.05
_PAUSE_S = 0.25


class AwakeClock:
    """The clock `now_s`, in seconds, without the gaps between two looks that are longer than
    `_PAUSE_S`. Any thread may look."""

    def __init__(self, now_s: Callable[[], float] = time.perf_counter) -> None:
        self._now_s = now_s
        self._begin()
        if hasattr(os, "register_at_fork"):  # the lock may be held there, and no thread looks
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        # A finalizer may end a program, and look, while its thread looks.
        self._lock = threading.RLock()
        self._looked_at = self._paused_s = 0.0
        self._watcher: threading.Thread | None = None

    def look(self) -> float:
        """The time; only differences mean something."""
        with self._lock:
            now = self._now_s()
            gap_s = now - self._looked_at
            if gap_s > _PAUSE_S:
                # All of it, so that an answer that came meanwhile is read before anyone is late.
                self._paused_s += gap_s
                if self._watcher is None:  # this is the first look
                    self._watcher = threading.Thread(target=self._watch, name="clock", daemon=True)
                    self._watcher.start()
            self._looked_at = now
            return now - self._paused_s

    def _watch(self) -> None:
        while True:
            self.look()
            time.sleep(_LOOK_S)


# The clock of this process.
awake_s = AwakeClock().look


def hangups() -> tuple[int, ...]:
    """SIGHUP, the signal of a terminal that was closed, where it would end this process."""
    if sys.platform == "win32" or signal.getsignal(signal.SIGHUP) != signal.SIG_DFL:
        return ()
    return (signal.SIGHUP,)


@contextmanager
def signals_call(interrupt: Callable[[], object], *more: int) -> Iterator[list[int]]:
    """Inside the context SIGINT, SIGTERM and `more` call `interrupt`; yields the list of those
    received."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received  # only the main thread may handle signals
        return

    def handle(number: int, frame: FrameType | None) -> None:
        received.append(number)
        interrupt()

    numbers = (signal.SIGINT, signal.SIGTERM, *more)
    before = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_LOCK = ".lock"
# What the systems say when another process has the lock.
_TAKEN = (EACCES, EAGAIN, EDEADLK)


def take_lock(folder: Path, mode: str = "w") -> IO[str]:
    """A file that the system keeps locked while it is open. The lock ends with this process, even
    if that is killed. With the mode `r+` the file must be there already. ValueError if another
    process has the lock, OSError where there is no file or files cannot be locked."""
    lock = (folder / _LOCK).open(mode, encoding="ascii")
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        if error.errno not in _TAKEN:
            raise
        raise ValueError(f"{folder} is in use by another run") from None
    return lock
