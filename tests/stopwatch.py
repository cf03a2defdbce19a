"""Upper limits of time, on machines where other programs run.

A test of some hundred milliseconds measures with `Stopwatch`, which leaves out what other programs
take, and compares with `in_time`; `timed` tries it again when it was late, because a busy machine
also computes more slowly. Where a fault would take minutes, HUNG_MS is the limit.
"""

from __future__ import annotations

import functools
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar

# What has not come after so long never will.
HUNG_MS = 60_000

_TRIES = 6

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
    """Runs from the moment it is made, and counts the processor time of this process and of one
    that it deals with: whoever thinks for too long uses it up, and what other programs and other
    machines take does not count. It is never more than the time that has passed, however many
    threads there are; that time counts where the system does not tell the other. For lower limits
    use `time`.

    pid  the process that this one waits for.
    """

    def __init__(self, pid: int | None = None) -> None:
        self._pid = pid
        self._of_pid_ns = 0
        self._begin_ns = self._now_ns()

    def ms(self) -> float:
        """The milliseconds since the beginning."""
        return min(
            (now - begin) / 1e6 for now, begin in zip(self._now_ns(), self._begin_ns, strict=True)
        )

    def ms_until(self, is_so: Callable[[], object]) -> float:
        """Waits until something is so; when it was not yet so for the last time. For what ends a
        process: how much it has used is no longer known afterwards."""
        ms = self.ms()
        while not is_so():
            ms = self.ms()
            assert time.perf_counter_ns() - self._begin_ns[0] < HUNG_MS * 10**6, "it has hung"
            time.sleep(0.001)
        return ms

    def ms_until_end(self, process: subprocess.Popen[bytes]) -> float:
        """Waits until a process has ended."""
        return self.ms_until(lambda: process.poll() is not None)

    def _now_ns(self) -> tuple[int, int]:
        """The time, and the processor time."""
        now_ns = time.perf_counter_ns()
        if sys.platform != "linux":
            return now_ns, now_ns
        if self._pid is not None:
            its_clock = ~self._pid << 3 | 2  # as clock_getcpuclockid() of the C library makes it
            with suppress(OSError):  # it has ended: what it had used when last asked stays
                self._of_pid_ns = time.clock_gettime_ns(its_clock)
        return now_ns, time.process_time_ns() + self._of_pid_ns
