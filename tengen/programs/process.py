"""A process with two pipes, started in a group of its own and ended with all its children."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from tengen.programs.pipes import Line, LineReader, Tail

# How often a wait for the end of a process looks, and how long a process whose output has ended
# is given to end as well, so that its exit status can be told.
_LOOK_S = 0.002
_END_AFTER_OUTPUT_S = 0.5
_END_AFTER_KILL_S = 1.0
_SETTLE_S = 0.1
# Marks a process and all that it starts, in their environment: children that have left the group
# and outlived their parent are found by nothing else.
_MARK = "TENGEN_MATCH_PROCESS"

_LINUX_LISTS_CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children").exists()


class EngineProcess:
    """Runs `command` in the folder `cwd`. OSError if it cannot be started."""

    def __init__(self, command: Sequence[str], cwd: Path | None = None) -> None:
        self._mark = uuid.uuid4().hex
        self._popen = subprocess.Popen(
            command,
            cwd=cwd,
            env=os.environ | {_MARK: self._mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            **own_group(),
        )
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._stdin = self._popen.stdin
        self._output = LineReader(self._popen.stdout)
        self._errors = Tail(self._popen.stderr)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    def send(self, lines: Sequence[str]) -> None:
        """Writes lines in one piece; OSError if nobody is there to read.

        All of one game fits many times into the buffer of a pipe, so this does not wait for a
        program that does not read.
        """
        if self._stdin.closed:
            raise BrokenPipeError("the process has been ended")
        data = "".join(f"{line}\n" for line in lines).encode("ascii", "replace")
        self._stdin.write(data)

    def next_line(self, deadline: float) -> Line | None:
        """The next line of output: see `LineReader.next_line`."""
        return self._output.next_line(deadline)

    def discard_unread(self) -> None:
        """Forgets the output nobody has read yet."""
        self._output.discard_unread()

    def farewell(self) -> str:
        """How the process ended, in words, once its output has: exit status and last error."""
        ended = self.wait(_END_AFTER_OUTPUT_S)
        self.kill()
        how = f"ended with status {self._popen.returncode}" if ended else "closed its output"
        last_words = self._errors.last_line()
        return f"{how}: {last_words}" if last_words else how

    def errors(self) -> list[str]:
        """The last lines the process has written to its error output."""
        self._errors.settle(_SETTLE_S)
        return self._errors.lines()

    def suspend(self) -> None:
        """Stops the process and its children until `resume`."""
        for process in self._tree():
            with suppress(psutil.Error):
                process.suspend()

    def resume(self) -> None:
        """Lets the process and its children go on."""
        for process in self._tree():
            with suppress(psutil.Error):
                process.resume()

    def rss_bytes(self) -> int:
        """The memory of the process and its children by the quick count, shared pages counted in
        each: never less than `uss_bytes`."""
        return sum(_memory(process, lambda p: p.memory_info().rss) for process in self._tree())

    def uss_bytes(self) -> int:
        """The memory that would be free if the process and its children were gone."""
        return sum(_memory(process, lambda p: p.memory_full_info().uss) for process in self._tree())

    def close_input(self) -> None:
        """Tells the process that nothing more will come."""
        with suppress(OSError):
            self._stdin.close()

    def wait(self, patience_s: float) -> bool:
        """Waits at most `patience_s` for the process to end; True if it has."""
        deadline = time.monotonic() + patience_s
        while not self._has_ended():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_LOOK_S)
        return True

    def kill(self) -> None:
        """Kills the process and all that it has started, and frees the pipes. Does nothing the
        second time."""
        if self._popen.returncode is not None:
            return
        self.kill_tree()
        self._popen.wait()
        self._kill_stragglers()
        self.close_input()
        self._output.close()
        self._errors.close()

    def kill_tree(self) -> None:
        """Kills the process, its children, and whatever else is in its group. Any thread may call
        this; the one that waits for a line sees the output end."""
        if self._popen.returncode is not None:
            return
        for process in self._tree():
            with suppress(psutil.Error):
                process.kill()
        if sys.platform != "win32":
            # Children whose parent has gone are found by their group only. The group's number is
            # safe to use as long as the leader has not been waited for.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def _tree(self) -> list[psutil.Process]:
        """The process and all below it; nothing once it has gone."""
        try:
            root = psutil.Process(self.pid)
        except psutil.NoSuchProcess:
            return []
        tree = [root]
        for process in tree:  # grows while it is walked
            tree += _children(process)
        return tree

    def _kill_stragglers(self) -> None:
        stragglers = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.environ().get(_MARK) == self._mark:
                    process.kill()
                    stragglers.append(process)
        # Nobody may be there to reap them: a zombie counts as gone.
        deadline = time.monotonic() + _END_AFTER_KILL_S
        while any(map(is_running, stragglers)) and time.monotonic() < deadline:
            time.sleep(_LOOK_S)

    def _has_ended(self) -> bool:
        if self._popen.returncode is not None:
            return True
        if sys.platform == "win32":
            return self._popen.poll() is not None
        # `poll` would reap the leader, and its group could not be killed safely any more.
        with suppress(psutil.NoSuchProcess):
            return not is_running(psutil.Process(self.pid))
        return True


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


def _memory(process: psutil.Process, count: Callable[[psutil.Process], int]) -> int:
    try:
        return count(process)
    except (psutil.Error, OSError):
        return 0


def is_running(process: psutil.Process) -> bool:
    """False once it has ended, also while nobody has asked for its status yet."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def own_group() -> dict[str, Any]:
    """Popen's words for a group of its own: Ctrl-C at the terminal is kept from the program,
    which whoever started it ends.

    The group stays in our session: when we are killed, the system wakes and ends those of it that
    were stopped, which could not read the end of their input.
    """
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}
