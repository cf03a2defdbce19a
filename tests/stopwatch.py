"""Upper limits of time, on machines where other programs run.

A busy machine can hold up one try; a fault holds up all of them. So a test of some hundred
milliseconds compares with `in_time`, and `timed` tries it again when it was late. Where a fault
would take minutes, HUNG_MS is the limit.
"""

from __future__ import annotations

import functools
import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import ParamSpec, TypeVar

# What has not come after so long never will.
HUNG_MS = 60_000

_TRIES = 6
_TICKS_PER_S = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Late(AssertionError):
    """Something took longer than it may."""


def in_time(took_ms: float, most_ms: float) -> None:
    """Late if that took as long as `most_ms`, or longer."""
    if took_ms >= most_ms:
        raise Late(f"{took_ms:.1f} ms, expected less than {most_ms:.1f} ms")


def timed(test: Callable[_Arguments, _Result]) -> Callable[_Arguments, _Result]:
    """Tries a test again when it was late, each time after a longer pause. Any other failure
    counts at once."""

    @functools.wraps(test)
    def tried(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Result:
        for number in range(1, _TRIES):
            try:
                return test(*args, **kwargs)
            except Late:
                time.sleep(number / 2)
        return test(*args, **kwargs)

    return tried


class Stopwatch:
    """Runs from the moment it is made. The time in which a thread of this process, or of one that
    it deals with, was ready to run and had to wait for a processor is left out, and so is what
    other machines took of the processors of a virtual one; only Linux tells it. Where several
    threads wait at once each counts, so this can show too little. For lower limits use `time`.

    pid  the process that this one waits for.
    """

    def __init__(self, pid: int | None = None) -> None:
        self._pids = {os.getpid(), os.getpid() if pid is None else pid}
        # How long each thread has waited for a processor, at the beginning and when last asked.
        self._before_ns = self._waited_ns()
        self._last_ns = dict(self._before_ns)
        self._stolen_ms = _stolen_ms()
        self._begin_ns = time.perf_counter_ns()

    def ms(self) -> float:
        """The milliseconds since the beginning."""
        passed_ns = time.perf_counter_ns() - self._begin_ns
        self._last_ns |= self._waited_ns()  # those of threads that have ended are kept
        waited_ns = sum(ns - self._before_ns.get(task, 0) for task, ns in self._last_ns.items())
        stolen_ms = _stolen_ms() - self._stolen_ms
        return max(0.0, (passed_ns - waited_ns) / 1e6 - stolen_ms)

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


def _stolen_ms() -> float:
    """What other machines have taken of the processors of this one since its start."""
    with suppress(OSError, IndexError):
        total = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0]
        return 1000 * int(total.split()[8]) / _TICKS_PER_S
    return 0.0
