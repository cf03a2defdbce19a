"""How long the program took to start: its first move pays for it, because the manager's clock ran.

All time since the process was created counts, whatever it was spent on: the loader, a virus
scanner, a cold disk, other programs. A suspension does not count: the tournament's judge stops a
process as soon as it is created, until it is its turn. No system tells the two apart. So a thread
looks at the clock at short intervals: while the start waits for a file, it goes on. Only a pause
between two looks, or the time before the first one, can have been a suspension, and of these no
more than a limit counts. With a limit for the move, more is known: see `with_whole_start`
in settings.py.
"""

from __future__ import annotations

import _thread
import sys
import time
from collections.abc import Callable

LOOK_S = 0.02
STACK_BYTES = 256 * 1024
# A busy machine makes shorter pauses, and the tournament's judge tolerates as much.
MOST_PAUSE_NS = 1_000_000_000
# What comes before the first look, starting a process and Python, took 0.3 to 0.8 times as long as
# the rest. If the rest was slow, so was this.
MOST_BEFORE = 2


class StartUp:
    """The start of this process, from its creation to `end`.

    now_ns     the clock
    active_ns  how much counts in any case; see _active_ns()
    """

    def __init__(
        self,
        now_ns: Callable[[], int] = time.perf_counter_ns,
        active_ns: Callable[[], int] = lambda: 0,
    ) -> None:
        self._now_ns = now_ns
        self._active_ns = active_ns
        self._first_ns = self._last_ns = now_ns()
        self._before_ns = 0
        self._after_ns = 0
        self._lock = _thread.allocate_lock()
        self._is_over = False

    def set_age(self, age_ns: int) -> None:
        """The process was created so long ago, from now."""
        self._before_ns = max(0, age_ns - (self._now_ns() - self._first_ns))

    @property
    def created_ns(self) -> int:
        """When the process was created, by the clock; nothing is left out."""
        return self._first_ns - self._before_ns

    def look(self) -> None:
        """Count the time since the last look."""
        with self._lock:
            now_ns = self._now_ns()
            self._after_ns += min(max(0, now_ns - self._last_ns), MOST_PAUSE_NS)
            self._last_ns = now_ns

    def watch(self) -> None:
        """Look at the clock again and again until the end."""
        while not self._is_over:
            self.look()
            time.sleep(LOOK_S)

    def end(self) -> int:
        """The start is over. Returns how much of it counts, in nanoseconds."""
        self._is_over = True
        self.look()
        most_ns = max(MOST_PAUSE_NS, MOST_BEFORE * self._after_ns)
        return max(self._active_ns(), min(self._before_ns, most_ns) + self._after_ns)


def begin(process: int) -> StartUp:
    """Measure the start from now on. `process` is the id of the one that the manager created."""
    start_up = StartUp(active_ns=_active_ns)
    stack_bytes = _thread.stack_size(STACK_BYTES)
    try:
        _thread.start_new_thread(start_up.watch, ())
    except RuntimeError:
        pass  # no more threads: a pause in the start may be taken for a suspension
    finally:
        _thread.stack_size(stack_bytes)
    start_up.set_age(_age_ns(process))
    return start_up


def _age_ns(process: int) -> int:
    """How old the process is; twice the processor time of this one where the system does not tell,
    or tells nonsense, because somebody has set the clock."""
    try:
        # Here, and not before the first look: it is the first file of the engine's to be loaded.
        from engine.clock import process_age_ns

        age_ns = process_age_ns(process)
    except ImportError:
        age_ns = None
    return 2 * time.process_time_ns() if age_ns is None or age_ns < 0 else age_ns


def _active_ns() -> int:
    """How long this process has run or waited for a processor; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    try:
        with open("/proc/self/schedstat", encoding="ascii") as file:
            running, waiting, _ = file.read().split()
    except (OSError, ValueError):
        return 0
    return int(running) + int(waiting)
