"""The real program on pipes, in a process session of its own."""

from __future__ import annotations

import os
import signal
import subprocess

import psutil

from tests.endurance.pipes import Pipes
from tests.protocol.conversation import REAL

# TENGEN_PROGRAM in the environment names another program, such as the executable.
PROGRAM = [os.environ["TENGEN_PROGRAM"]] if "TENGEN_PROGRAM" in os.environ else REAL


class Started(Pipes):
    """A program that was started as a manager does it. Leaving the `with` block kills all that is
    left of it."""

    def __init__(self, command: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            command or PROGRAM,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        super().__init__(os.dup(self.process.stdin.fileno()), os.dup(self.process.stdout.fileno()))
        self.process.stdin.close()
        self.process.stdout.close()

    def __enter__(self) -> Started:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # nothing is left of it
        self.process.wait()
        self.close()
        if self.process.stderr is not None:
            self.process.stderr.close()

    def has_orphans(self) -> bool:
        """Is there still a process of the program's group, besides the program itself?"""
        for process in psutil.process_iter():
            try:
                is_ours = os.getpgid(process.pid) == self.process.pid != process.pid
                # One that has ended and that nobody asks about does no harm.
                if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                    return True
            except (ProcessLookupError, psutil.NoSuchProcess):
                continue
        return False

    def end(self, status: int, patience_s: float) -> None:
        """The program must end with this status, without a word on standard error and with all
        its processes."""
        found = self.process.wait(patience_s)
        assert self.process.stderr is not None
        said = self.process.stderr.read()
        if found != status or said:
            raise AssertionError(f"ended with status {found}, said {said.decode()!r}")
        if self.has_orphans():
            raise AssertionError("a process of the program is left")
