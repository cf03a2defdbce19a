"""A program under test, byte by byte: what was written, what came back, and when.

`tengen.programs.process` reads as a manager does: it drops empty lines, takes any line end and
keeps one line of the error output. Here all of that has to be seen, so every byte is kept.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, NamedTuple

import psutil

from tengen.programs.process import is_running, own_group

# How often a wait for the end of a process looks.
_LOOK_S = 0.002
_GRACE_AFTER_KILL_S = 1.0
# A program that floods its output waits when nobody has read this many lines.
_MAX_UNREAD_LINES = 10_000
_MAX_LINE_BYTES = 64_000
_MAX_ERROR_BYTES = 64_000
# How much of a conversation is remembered.
_MAX_ENTRIES = 2_000
# Marks a process and all that it starts, in their environment: see `tengen.programs.process`.
_MARK = "TENGEN_CHECK_PROCESS"


class Entry(NamedTuple):
    """One line of a conversation: seconds since the process was started, direction, text.

    The direction is `>` for a line to the program, `<` for one from it, `!` for one on its error
    output and `#` for a remark of ours.
    """

    at_s: float
    direction: str
    text: str


@dataclass
class RawLine:
    """A line of output, how it ended (empty: the output ended first), and the moment
    (`time.monotonic`) its end was read."""

    raw: bytes
    end: bytes
    at: float

    @property
    def text(self) -> str:
        """The line in print: bytes that are not ASCII show as escapes."""
        return self.raw.decode("ascii", "backslashreplace")


class Wire:
    """Runs `command` and reads both its outputs in threads. OSError if it cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        self.started_at = time.monotonic()
        self.entries: deque[Entry] = deque(maxlen=_MAX_ENTRIES)
        # All lines of output so far that were complete, or that the end completed.
        self.lines: list[RawLine] = []
        self.errors = b""
        self._mark = uuid.uuid4().hex
        self._unread: queue.Queue[RawLine | None] = queue.Queue(_MAX_UNREAD_LINES)
        self._pending = b""
        self._closed = threading.Event()
        self._exit_status: int | None = None
        self._popen = subprocess.Popen(
            command,
            env=os.environ | {_MARK: self._mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            **own_group(),
        )
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._stdin: IO[bytes] = self._popen.stdin
        self._pipes = (self._popen.stdout, self._popen.stderr)
        self._threads = (
            threading.Thread(target=self._read_output, name="checked output", daemon=True),
            threading.Thread(target=self._read_errors, name="checked errors", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    # ---- talking

    def write(self, data: bytes) -> None:
        """Writes bytes in one piece; OSError if nobody is there to read. All of a check fits
        into the buffer of a pipe, so this does not wait for a program that does not read."""
        if self._stdin.closed:
            raise BrokenPipeError("the input was closed")
        for line in data.decode("ascii", "backslashreplace").splitlines() or [""]:
            self._note(">", line)
        self._stdin.write(data)

    def close_input(self) -> None:
        """Tells the program that nothing more will come."""
        if not self._stdin.closed:
            self._note("#", "end of the input")
            with suppress(OSError):
                self._stdin.close()

    def next_line(self, deadline: float) -> RawLine | None:
        """The next line that is not empty, None when there is none by `deadline`; EOFError once
        the output has ended."""
        while True:
            try:
                line = self._unread.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                return None
            if line is None:
                self._unread.put(None)
                raise EOFError
            # A program that floods its output always has one more: its time is over all the same.
            if line.at > deadline:
                return None
            if line.raw.strip():
                return line

    def discard_unread(self) -> None:
        """Forgets the lines that have come so far and were not read."""
        with suppress(EOFError):
            while self.next_line(time.monotonic()) is not None:
                pass

    @property
    def unfinished(self) -> str:
        """What came after the last line end."""
        return self._pending.decode("ascii", "backslashreplace")

    def remark(self, text: str) -> None:
        """Puts a remark of ours into the conversation."""
        self._note("#", text)

    # ---- the process

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def exit_status(self) -> int | None:
        """How the process ended, as `subprocess` tells it; None while it runs."""
        if self._exit_status is None:
            self._exit_status = self._look_for_end()
        return self._exit_status

    def wait(self, patience_s: float) -> bool:
        """Waits at most `patience_s` for the process to end; True if it has."""
        deadline = time.monotonic() + patience_s
        while self.exit_status is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(_LOOK_S)
        return True

    def tree(self) -> list[psutil.Process]:
        """The process and all it has started that can be found and still run."""
        found = []
        with suppress(psutil.Error):
            root = psutil.Process(self.pid)
            found = [root, *root.children(recursive=True)]
        return [process for process in found if is_running(process)]

    def stragglers(self) -> list[psutil.Process]:
        """Processes of this program that run without it: its mark is in their environment."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):
                if process.pid != self.pid and process.environ().get(_MARK) == self._mark:
                    if is_running(process):
                        found.append(process)
        return found

    def kill(self) -> None:
        """Kills the process and all that it has started, and frees the pipes. Does nothing the
        second time."""
        if self._closed.is_set():
            return
        for process in self.tree():
            with suppress(psutil.Error):
                process.kill()
        if self._popen.returncode is None and sys.platform != "win32":
            # As long as the leader has not been waited for, nobody else has the group's number.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
        self._exit_status = self.exit_status
        self._popen.wait()
        stragglers = self.stragglers()
        for process in stragglers:
            with suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(stragglers, timeout=_GRACE_AFTER_KILL_S)
        with suppress(OSError):
            self._stdin.close()
        self._closed.set()
        for thread, pipe in zip(self._threads, self._pipes, strict=True):
            thread.join(timeout=2)
            # A thread still reading must not find the number of its pipe given to another file.
            if not thread.is_alive():
                pipe.close()

    def _look_for_end(self) -> int | None:
        if sys.platform == "win32" or self._popen.returncode is not None:
            return self._popen.poll()
        # Without reaping: the group could not be killed safely any more.
        info = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if info is None:
            return None
        return info.si_status if info.si_code == os.CLD_EXITED else -info.si_status

    # ---- threads that read

    def _note(self, direction: str, text: str) -> None:
        self.entries.append(Entry(time.monotonic() - self.started_at, direction, text))

    def _read_output(self) -> None:
        last: RawLine | None = None
        while chunk := _read_chunk(self._pipes[0]):
            now = time.monotonic()
            # A line ends with its CR; an LF right behind it, perhaps in the next piece, belongs to
            # the same end.
            if last is not None and last.end == b"\r" and not self._pending and chunk[:1] == b"\n":
                last.end = b"\r\n"
                chunk = chunk[1:]
            self._pending += chunk
            while (cut := _first_end(self._pending)) >= 0:
                size = 2 if self._pending[cut : cut + 2] == b"\r\n" else 1
                last = RawLine(self._pending[:cut], self._pending[cut : cut + size], now)
                self._pending = self._pending[cut + size :]
                self._put(last)
            self._pending = self._pending[:_MAX_LINE_BYTES]
        if self._pending:
            self._put(RawLine(self._pending, b"", time.monotonic()))
        self._put(None)

    def _put(self, line: RawLine | None) -> None:
        if line is not None:
            self._note("<", line.text)
            if len(self.lines) < _MAX_UNREAD_LINES:
                self.lines.append(line)
        while not self._closed.is_set():
            try:
                return self._unread.put(line, timeout=0.1)
            except queue.Full:
                continue

    def _read_errors(self) -> None:
        while chunk := _read_chunk(self._pipes[1]):
            for line in chunk.decode("utf-8", "replace").splitlines():
                self._note("!", line)
            self.errors = (self.errors + chunk)[:_MAX_ERROR_BYTES]


def _read_chunk(pipe: IO[bytes]) -> bytes:
    try:
        return os.read(pipe.fileno(), 65536)
    except (OSError, ValueError):
        return b""


def _first_end(data: bytes) -> int:
    ends = [at for at in (data.find(b"\r"), data.find(b"\n")) if at >= 0]
    return min(ends, default=-1)
