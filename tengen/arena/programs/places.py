"""Temporary folders that programs run in, and the removal of those that a killed run has left.

The name of a folder tells which process made it: `tengen-match-4711-1790000000-x1y2z3`, with its
number and when it was started. A run that ends removes its folders itself; after a kill -9 the next
run does.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from shutil import rmtree

import psutil

_PREFIX = "tengen-match"
_NAME = re.compile(rf"{_PREFIX}-(\d{{1,10}})-(\d{{1,12}})-\w+")
# The time at which a process was started changes when the clock is set: by less than this, it is
# the same process.
_CLOCK_S = 60


def make_place() -> Path:
    """A new folder of this process."""
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}-{os.getpid()}-{_started(os.getpid())}-"))


def remove_leftovers() -> list[Path]:
    """Removes the folders of processes that run no more; returns those that are gone."""
    removed = []
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}-*"):
        found = _NAME.fullmatch(folder.name)
        if found is None or _is_running(int(found[1]), int(found[2])):
            continue
        rmtree(folder, ignore_errors=True)
        if not folder.exists():
            removed.append(folder)
    return removed


def _is_running(pid: int, started: int) -> bool:
    """Does the process that was started then still run? Another one may have its number now."""
    now = _started(pid)
    return now is not None and abs(now - started) < _CLOCK_S


def _started(pid: int) -> int | None:
    """When the process was started, in seconds since 1970; None if there is none."""
    try:
        return int(psutil.Process(pid).create_time())
    except psutil.Error:
        return None
