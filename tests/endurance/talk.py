"""A conversation of lines of chance with a program on pipes, judged by the oracle."""

from __future__ import annotations

import os
import queue
import random
import select
import signal
import subprocess
import sys
import time
import traceback
from contextlib import suppress

import psutil

from tengen import pbrain
from tests.endurance.lines import Lines
from tests.endurance.oracle import Oracle
from tests.protocol.conversation import Program, checked

# Of one answer, and of all answers after the end of the input; a busy machine included.
PATIENCE_S = 60.0


class Stuck(AssertionError):
    """The program did not answer, read, or end in time."""


def forked(*descriptors: int) -> psutil.Process:
    """A child that speaks the protocol on these: its input, its output and its errors."""
    if pid := os.fork():
        return psutil.Process(pid)
    try:
        os.setsid()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
        os.closerange(3, 1024)
        sys.argv = ["pbrain-tengen"]
        pbrain.main([])
    except BaseException:
        os.write(2, traceback.format_exc().encode("ascii", "replace"))
    finally:
        # Whatever happens, the child must not go on as the parent.
        os._exit(3)


class Running(Program):
    """A program in a session of its own, whose output can be closed. Leaving the `with` block kills
    all that is left of it.

    command  what starts it; None = a fork of this process (`forked`).
    has_closed_output  nothing more can come.
    """

    def __init__(self, command: list[str] | None = None) -> None:
        pairs = [os.pipe() for _ in range(3)]
        (input_, to_program), (from_program, output), (said, errors) = pairs
        process: psutil.Process | subprocess.Popen[bytes]
        if command is None:
            process = forked(input_, output, errors)
        else:
            process = subprocess.Popen(
                command, stdin=input_, stdout=output, stderr=errors, start_new_session=True
            )
        for descriptor in (input_, output, errors):
            os.close(descriptor)
        self._wake, self._waker = os.pipe()
        self._under_wine = self.has_closed_output = False
        self._begin(
            process, os.fdopen(to_program, "wb", 0), os.fdopen(from_program, "rb", 0),
            os.fdopen(said, "rb", 0),
        )  # fmt: skip

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        os.close(self._wake)
        os.close(self._waker)

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # nothing is left of it
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(psutil.NoSuchProcess):
            super()._kill()

    def send(self, data: bytes) -> None:
        """Write bytes; nothing where it reads no more."""
        with suppress(BrokenPipeError):
            super().send(data)

    def read(self, patience_s: float) -> list[str]:
        """The lines that are there, after waiting for the first; none at the end of the output and
        after so many seconds."""
        lines: list[str] = []
        with suppress(queue.Empty):
            while not self.has_closed_output:
                raw = self._lines.get(timeout=0 if lines else patience_s)
                if raw is None:
                    self.has_closed_output = True
                else:
                    lines.append(checked(raw))
        return lines

    def close_output(self) -> None:
        """Read no more: the program's next line cannot be written."""
        os.write(self._waker, b"x")
        self._collector.join()
        self._output.close()

    def _chunk(self) -> bytes:
        readable, _, _ = select.select([self._output.fileno(), self._wake], [], [])
        return b"" if self._wake in readable else super()._chunk()

    def has_orphans(self) -> bool:
        """Is there still a process of the program's group, besides the program itself?"""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return False
        for process in psutil.process_iter():
            with suppress(ProcessLookupError, psutil.NoSuchProcess):
                is_ours = os.getpgid(process.pid) == self.process.pid != process.pid
                # One that has ended and that nobody asks about does no harm.
                if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                    return True
        return False

    def expect_end(self, status: int) -> None:
        """The program must end with this status, without a word on standard error and with all
        its processes."""
        found, said = self.process.wait(PATIENCE_S), self._errors.read()
        assert (found, said) == (status, b""), f"ended with status {found}, said {said!r}"
        assert not self.has_orphans(), "a process of the program is left"


class Talk:
    """One conversation; the random numbers decide everything.

    log   all lines of both sides, with the seconds since the start, for the report of a failure.
    sent, received, moves   how many lines; moves are received ones.
    """

    def __init__(self, rng: random.Random, program: Running, ending: bytes = b"\n") -> None:
        self.rng = rng
        self.oracle = Oracle()
        self.lines = Lines(rng, self.oracle)
        self.log: list[str] = []
        self.sent = self.received = self.moves = 0
        self._program = program
        self._ending = ending
        self._begin_s = time.monotonic()

    def note(self, text: str) -> None:
        """Keep a line for the report of a failure."""
        self.log.append(f"{time.monotonic() - self._begin_s:7.3f} {text}")

    def encode(self, lines: list[str]) -> bytes:
        """Note lines as sent; the bytes that are to be written."""
        for line in lines:
            self.note(f"> {line[:200]!r}{'...' if len(line) > 200 else ''}")
            self.oracle.send(line)
        self.sent += len(lines)
        return b"".join(line.encode("latin-1") + self._ending for line in lines)

    def send(self, lines: list[str]) -> None:
        """Send lines in one piece."""
        self._program.send(self.encode(lines))

    def receive(self, patience_s: float) -> bool:
        """Take the lines that are there, after waiting for the first; False if none came."""
        lines = self._program.read(patience_s)
        for line in lines:
            self.note(f"< {line}")
            self.moves += line[:1].isdigit()
            self.oracle.receive(line)
        self.received += len(lines)
        return bool(lines)

    def settle(self) -> None:
        """Read until all that was asked is answered."""
        while self.oracle.is_waiting:
            if not self.receive(PATIENCE_S):
                raise Stuck("it ended" if self._program.has_closed_output else "no answer")
