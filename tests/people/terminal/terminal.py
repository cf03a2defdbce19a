"""Runs a program in a pseudo-terminal and types lines at it, as a person would."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from tests.paths import ROOT

PATIENCE_S = 60.0  # for a busy machine; nothing here takes a second
PROMPT = re.compile(r"(?:(?:Black|White) \d+|Game over)> $")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]")

# The child makes this its controlling terminal, so that Ctrl-C reaches it as a signal.
_START = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


class Terminal:
    """`tengen` with `arguments`, in a terminal of that size; use with `with`.

    kind    TERM: "dumb" shows what is printed without any colours or movements.
    start   how Python starts the command.
    """

    def __init__(
        self,
        *arguments: str,
        cwd: Path | None = None,
        kind: str = "dumb",
        size: tuple[int, int] = (100, 40),
        start: tuple[str, ...] = ("-m", "tengen"),
        **variables: str,
    ) -> None:
        import pty
        import termios

        self._get_settings = termios.tcgetattr
        self._ours, self._theirs = pty.openpty()
        termios.tcsetwinsize(self._theirs, (size[1], size[0]))
        self.settings_before = self.settings()
        names = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "COLORTERM", "PYTHONIOENCODING")
        environment = {name: text for name, text in os.environ.items() if name not in names}
        environment |= {"TERM": kind, "PYTHONUTF8": "1"} | variables
        command = [sys.executable, *start, *arguments]
        self._process = subprocess.Popen(
            [sys.executable, "-Sc", _START, *command],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            cwd=cwd or ROOT,
            env=environment,
            start_new_session=True,
        )
        self.raw = ""  # all that has been shown
        self._read_to = 0  # what expect() has looked at

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        os.close(self._ours)
        os.close(self._theirs)

    @property
    def shown(self) -> str:
        """All that has been shown, without what only moves the cursor or colours."""
        return _ESCAPE.sub("", self.raw).replace("\r\n", "\n")

    def settings(self) -> list[object]:
        """How the terminal is set: what a program has to leave as it was."""
        return list(self._get_settings(self._theirs))

    def type(self, keys: str) -> None:
        """Presses keys: `\\x03` is Ctrl-C, `\\x04` Ctrl-D."""
        os.write(self._ours, keys.encode())

    def expect(self, text: str) -> str:
        """Waits until `text` is shown; returns what came up to its end since the last call."""
        deadline = time.monotonic() + PATIENCE_S
        while (found := self.shown.find(text, self._read_to)) < 0:
            assert self._read(deadline), f"no {text!r} in\n{self.shown[self._read_to :]}"
        return self._take(found + len(text))

    def prompt(self) -> str:
        """Waits until a line can be typed; returns what came since the last call."""
        deadline = time.monotonic() + PATIENCE_S
        while not PROMPT.search(self.shown, self._read_to):
            assert self._read(deadline), f"no prompt in\n{self.shown[self._read_to :]}"
        return self._take(len(self.shown))

    def enter(self, line: str) -> str:
        """Types a line and waits for the next prompt; returns all that was answered."""
        self.type(f"{line}\r")
        said = self.prompt()
        return said.partition("\n")[2]  # after the echo

    def wait(self) -> int:
        """Waits for the end of the program; its exit status."""
        deadline = time.monotonic() + PATIENCE_S
        while self._process.poll() is None:
            self._read(min(deadline, time.monotonic() + 0.05))
            assert time.monotonic() < deadline, f"still there after\n{self.shown[-2000:]}"
        while self._read(time.monotonic() + 0.1):  # the system may hand over the last line later
            pass
        return self._process.returncode

    def interrupt(self) -> int:
        """Presses Ctrl-C; returns the exit status."""
        return self._end(lambda: self.type("\x03"))

    def terminate(self) -> int:
        """Sends SIGTERM; returns the exit status."""
        return self._end(lambda: self._process.send_signal(signal.SIGTERM))

    def hang_up(self) -> int:
        """Sends SIGHUP, as a terminal that is closed does; returns the exit status."""
        return self._end(lambda: self._process.send_signal(signal.SIGHUP))

    def _end(self, send: Callable[[], None]) -> int:
        """Sends a signal as a person does: a moment after something was shown, and again if nothing
        happens.

        Python does not handle a signal that comes after readline has shown its prompt and before it
        waits for a key, until a key is pressed.
        """
        for _ in range(3):
            time.sleep(0.2)
            send()
            ended_by = time.monotonic() + PATIENCE_S / 3
            while self._process.poll() is None and time.monotonic() < ended_by:
                self._read(time.monotonic() + 0.05)
            if self._process.poll() is not None:
                break
        return self.wait()

    def _take(self, end: int) -> str:
        begin, self._read_to = self._read_to, end
        return self.shown[begin:end]

    def _read(self, deadline: float) -> bool:
        """Reads what there is; False when nothing has come before the deadline."""
        timeout_s = max(0.0, deadline - time.monotonic())
        if not select.select([self._ours], [], [], timeout_s)[0]:
            return False
        try:
            data = os.read(self._ours, 65536)
        except OSError:  # the other end is closed
            return False
        self.raw += data.decode(errors="replace")
        return bool(data)
