"""Runs of `tengen` as processes of their own, to be killed and interrupted.

Everything they start has a mark in its environment, so that what they leave behind is found.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tengen.arena.programs.process import EngineProcess
from tests.paths import ROOT

POSIX_ONLY = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as on POSIX")
# Seconds for a kill, or the start of a cluster, on a busy machine.
PATIENCE_S = 60.0
_MARK = "TENGEN_TEST_RUN"


class Runs:
    """Starts commands of `tengen` as processes, and finds all processes that these have started."""

    def __init__(self, folder: Path) -> None:
        self._mark = uuid.uuid4().hex
        self._folder = folder
        self._processes: list[subprocess.Popen[str]] = []

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        """A run in a process group of its own, with its temporary files in our folder."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tengen", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {_MARK: self._mark, "TMPDIR": str(self._folder)},
            start_new_session=True,
        )
        self._processes.append(process)
        return process

    def serve(self, *words: str | Path) -> subprocess.Popen[str]:
        """A part of a cluster, as one starts it by hand."""
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *map(str, words), "--no-dashboard"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {_MARK: self._mark, "PYTHONPATH": str(ROOT)},
            cwd=self._folder,
        )
        self._processes.append(process)
        return process

    def finish(self, *words: str | Path) -> str:
        """Runs to the end, which must be a good one; what was printed."""
        process = self.start(*words)
        said, errors = process.communicate(timeout=10 * PATIENCE_S)
        assert (process.returncode, errors) == (0, ""), said + errors
        return said

    def kill(self, process: subprocess.Popen[str]) -> tuple[int, float]:
        """Kills it at once, and waits for all it has started to leave; how many that were, and the
        seconds it took."""
        started = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait()
        killed_at = time.monotonic()
        while any(map(is_alive, started)) or self.leftovers():
            assert time.monotonic() - killed_at < PATIENCE_S, self.leftovers()
            time.sleep(0.01)
        seconds = time.monotonic() - killed_at
        process.communicate()
        return len(started), seconds

    def leftovers(self) -> list[psutil.Process]:
        """Everything alive that any of these runs has started."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.environ().get(_MARK) == self._mark and is_alive(process):
                    found.append(process)
        return found

    def end(self) -> None:
        """No process is left, whether the test passed or failed."""
        for process in self._processes:
            process.kill()
            process.communicate()
        for child in self.leftovers():
            with suppress(psutil.Error):
                child.kill()


class _SignalsAtItsEnd:
    def __init__(self, number: int) -> None:
        self._number = number

    def __del__(self) -> None:
        signal.raise_signal(self._number)


def signal_in_a_finalizer(number: int) -> None:
    """Sends a signal to this process where Python only prints an exception, and goes on."""
    del [_SignalsAtItsEnd(number)][:]


def own_children() -> set[psutil.Process]:
    """All below this process before a test starts programs, the watchdog of those among them."""
    EngineProcess([sys.executable, "-SEc", ""]).kill()  # the first start of all starts it
    return set(psutil.Process().children(recursive=True))


def is_alive(process: psutil.Process) -> bool:
    """False for a process that has ended, whether its parent has noticed or not."""
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def processes_of(word: str) -> list[psutil.Process]:
    """Everything alive with this in its command line."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if word in " ".join(process.info["cmdline"] or ()) and is_alive(process)
    ]


def has_gone(pid: int | None) -> bool:
    """Whether a process has ended. On a busy machine one that was killed takes a moment to go."""
    assert pid is not None
    gives_up_at = time.monotonic() + PATIENCE_S
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        while is_alive(process):
            if time.monotonic() > gives_up_at:
                return False
            time.sleep(0.01)
    return True


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Runs]:
    """Runs that end with the test."""
    (tmp_path / "temporary").mkdir()
    runs = Runs(tmp_path / "temporary")
    try:
        yield runs
    finally:
        runs.end()


def wait_until(is_so: Callable[[], object], process: subprocess.Popen[str]) -> None:
    """Waits until something is so, while the process runs."""
    started = time.monotonic()
    while not is_so():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - started < 3 * PATIENCE_S
        time.sleep(0.01)
