"""The machine during a measurement: its load, and one core to run on."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil


@contextmanager
def one_core() -> Iterator[int | None]:
    """Keeps this process on one core and yields its number, or None where the system cannot.

    It is the last core that the process may use: systems tend to serve devices on the first ones.
    """
    if not hasattr(os, "sched_setaffinity"):
        yield None
        return
    allowed = os.sched_getaffinity(0)
    core = max(allowed)
    os.sched_setaffinity(0, {core})
    try:
        yield core
    finally:
        os.sched_setaffinity(0, allowed)


def load() -> float | None:
    """The load average of the last minute: how many processes wanted a core. None where the system
    does not count it."""
    try:
        return float(psutil.getloadavg()[0])
    except (OSError, RuntimeError, psutil.Error):  # the performance counters of Windows are off
        return None


class CoreShare:
    """The share of a core that this process has had since the object was made; 1.0 = all of it."""

    def __init__(self) -> None:
        self._cpu_s = time.process_time()
        self._wall_s = time.perf_counter()

    def value(self) -> float:
        """From 0 to 1; more with several threads."""
        wall_s = time.perf_counter() - self._wall_s
        return (time.process_time() - self._cpu_s) / wall_s if wall_s > 0 else 1.0
