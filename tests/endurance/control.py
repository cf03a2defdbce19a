"""A process that only sleeps, to tell a late answer from a machine that was busy with others."""

from __future__ import annotations

import subprocess
import sys
import threading

# Sleeps 2 ms again and again, and writes down each time that was at least 1 ms longer: when it
# began and when it ended, in ns of a clock that all processes share.
_SLEEPER = """
import time
while True:
    begin = time.monotonic_ns()
    time.sleep(0.002)
    end = time.monotonic_ns()
    if end - begin > 3_000_000:
        print(begin + 2_000_000, end, flush=True)
"""


class Control:
    """The sleeping process, in a session of its own as the programs are: where the system shares
    the processors out among sessions, it gets as much as they."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _SLEEPER], stdout=subprocess.PIPE, start_new_session=True
        )
        self._times: list[tuple[int, int]] = []
        self._collector = threading.Thread(target=self._collect, daemon=True)
        self._collector.start()

    def __enter__(self) -> Control:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.kill()
        self._process.wait()
        self._collector.join()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def overslept_ms(self, begin_ns: int | None = None, end_ns: int | None = None) -> float:
        """How long the longest of its sleeps was too long, of those that touch the time between
        (`time.monotonic_ns()`); of all without these."""
        return max(
            (
                (late_end_ns - late_begin_ns) / 1e6
                for late_begin_ns, late_end_ns in self._times
                if (end_ns is None or late_begin_ns <= end_ns)
                and (begin_ns is None or late_end_ns >= begin_ns)
            ),
            default=0.0,
        )

    def _collect(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if not line.endswith(b"\n"):
                break  # killed in the middle of a line
            begin, end = map(int, line.split())
            self._times.append((begin, end))
