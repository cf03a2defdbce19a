"""Time as an idle machine would show it: without what other programs take of the processor."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

# What has not come after so long never will.
HUNG_MS = 60_000


class Stopwatch:
    """Runs from the moment it is made. The time in which a thread of this process, or of one that
    it deals with, was ready to run and had to wait for a processor is left out; only Linux tells
    it. Where several threads wait at once each counts, so this can show too little, but never too
    much. For lower limits use `time`.

    pid  the process that this one waits for.
    """

    def __init__(self, pid: int | None = None) -> None:
        self._pids = {os.getpid(), os.getpid() if pid is None else pid}
        # How long each thread has waited for a processor, at the beginning and when last asked.
        self._before_ns = self._waited_ns()
        self._last_ns = dict(self._before_ns)
        self._begin_ns = time.perf_counter_ns()

    def ms(self) -> float:
        """The milliseconds since the beginning."""
        passed_ns = time.perf_counter_ns() - self._begin_ns
        self._last_ns |= self._waited_ns()  # those of threads that have ended are kept
        waited_ns = sum(ns - self._before_ns.get(task, 0) for task, ns in self._last_ns.items())
        return max(0.0, (passed_ns - waited_ns) / 1e6)

    def ms_until(self, is_so: Callable[[], object]) -> float:
        """Waits until something is so; when it was not yet so for the last time. For what ends a
        thread or a process: how long those have waited is no longer known afterwards."""
        ms = self.ms()
        while not is_so():
            ms = self.ms()
            assert ms < HUNG_MS, "it has hung"
            time.sleep(0.001)
        return ms

    def ms_until_end(self, process: subprocess.Popen[bytes]) -> float:
        """Waits until a process has ended."""
        return self.ms_until(lambda: process.poll() is not None)

    def _waited_ns(self) -> dict[Path, int]:
        found = {}
        for pid in self._pids:
            for path in Path(f"/proc/{pid}/task").glob("*/schedstat"):
                with suppress(OSError, IndexError):  # it has ended meanwhile
                    found[path] = int(path.read_text(encoding="ascii").split()[1])
        return found
