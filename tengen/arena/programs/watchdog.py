"""Ends the programs of a command that was killed, and finds what a program has started.

A command that is killed (`kill -9`, a crash, no memory left) cannot end its programs. So a process
that starts programs has a watchdog, a small process that reads from a pipe which programs run. The
pipe ends with its writer, however that ends; the watchdog then kills those programs, and ends too.
It is this file, run as a script, so it imports nothing of ours.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

# Marks a process and all that it starts, in their environment: children that have left the group
# and outlived their parent are found by nothing else.
MARK = "TENGEN_PROGRAM"
# How long the watchdog looks for what is left, and how often.
_PATIENCE_S = 10.0
_LOOK_S = 0.05
# How long a program may take to be loaded, how often that is looked at, and the parents of what the
# system runs itself.
_LOAD_S = 0.5
_LOAD_LOOK_S = 0.001
_SYSTEM = (0, 2)

_LINUX_LISTS_CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children").exists()


class Watchdog:
    """The watchdog of this process, started with the first program. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        atexit.register(self._end)

    def watch(self, mark: str, pid: int | None = None) -> None:
        """Watches what is started with that mark: call it before the start, and with the process id
        after it."""
        self._tell(f"{mark} {'' if pid is None else pid}")

    def forget(self, mark: str) -> None:
        """Everything with that mark has ended."""
        self._tell(mark)

    def _tell(self, line: str) -> None:
        with self._lock:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", __file__],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    **_beyond_the_terminal(),
                )
            assert self._process.stdin
            with suppress(OSError):  # somebody has ended it
                self._process.stdin.write(f"{line}\n".encode("ascii"))

    def _end(self) -> None:
        if self._process is not None:
            self._process.communicate()


def tree(pid: int) -> list[psutil.Process]:
    """The process and all below it; nothing once it has gone."""
    try:
        found = [psutil.Process(pid)]
    except psutil.NoSuchProcess:
        return []
    for process in found:  # grows during the loop
        found += _children(process)
    return found


def marked(marks: Collection[str]) -> list[psutil.Process]:
    """The running processes with one of these marks in their environment."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if _environment(process).get(MARK) in marks and is_running(process):
                found.append(process)
    return found


def _environment(process: psutil.Process) -> dict[str, str]:
    """The environment of a process, waited for where its program is just being loaded: in that
    moment Linux shows neither an environment nor a command line."""
    environment = process.environ()
    gives_up_at = time.monotonic() + _LOAD_S
    while not environment and time.monotonic() < gives_up_at:
        # Threads of the system never show them, nor does what has ended.
        if process.ppid() in _SYSTEM or process.cmdline() or not is_running(process):
            break
        time.sleep(_LOAD_LOOK_S)
        environment = process.environ()
    return environment


def is_running(process: psutil.Process) -> bool:
    """False once it has ended, also while its parent has not asked for its status yet."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def kill_group(pid: int) -> None:
    """Kills the group of processes that this process was started to lead (POSIX). Its number must
    not be free for another process yet."""
    if sys.platform != "win32":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _children(process: psutil.Process) -> list[psutil.Process]:
    """The children of one process, from where Linux lists them if it does: asking every process
    for its parent takes milliseconds, and this is asked between two moves."""
    if not _LINUX_LISTS_CHILDREN:
        with suppress(psutil.Error):
            return process.children()
        return []
    numbers: list[int] = []
    with suppress(OSError):
        for listing in Path(f"/proc/{process.pid}/task").glob("*/children"):
            numbers += map(int, listing.read_text(encoding="ascii").split())
    children = []
    for number in numbers:
        with suppress(psutil.NoSuchProcess):
            children.append(psutil.Process(number))
    return children


def _beyond_the_terminal() -> dict[str, Any]:
    """Arguments of Popen: what ends the command from its terminal must not end the watchdog."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


def _watch() -> None:
    """Reads which programs run until the pipe ends, and kills those."""
    running: dict[str, psutil.Process | None] = {}
    for line in sys.stdin:
        mark, is_start, pid = line.rstrip("\n").partition(" ")
        if not is_start:
            running.pop(mark, None)
        else:
            running[mark] = None
            with suppress(psutil.Error, ValueError):  # it has ended, or is just being started
                running[mark] = psutil.Process(int(pid))
    found = []
    for root in running.values():
        # Once it has gone, another process may have its number, unless there is still its group.
        if root is not None and (root.is_running() or not psutil.pid_exists(root.pid)):
            found += tree(root.pid)
            kill_group(root.pid)
    deadline = time.monotonic() + _PATIENCE_S
    # Again and again: they may be starting others.
    while remains := [*filter(is_running, found), *marked(running)] if running else []:
        for process in remains:
            with suppress(psutil.Error):
                process.kill()
        if time.monotonic() > deadline:
            return
        time.sleep(_LOOK_S)


if __name__ == "__main__":
    _watch()
