"""What a measurement has to say about the machine it ran on, and how to keep it steady."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil


@contextmanager
def one_core() -> Iterator[int | None]:
    """Keeps this process on one core, where the system lets it; gives the core or None.

    The last core it may use: systems tend to serve their devices on the first ones.
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


def load() -> float:
    """How many processes wanted a core in the last minute."""
    return float(psutil.getloadavg()[0])


class CoreShare:
    """How much of its core this process has had since it asked: 1.0 = nobody else was there."""

    def __init__(self) -> None:
        self._cpu_s = time.process_time()
        self._wall_s = time.perf_counter()

    def value(self) -> float:
        """From 0 to 1; more with several threads."""
        wall_s = time.perf_counter() - self._wall_s
        return (time.process_time() - self._cpu_s) / wall_s if wall_s > 0 else 1.0
