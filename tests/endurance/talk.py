"""A conversation of lines of chance with a program on pipes, judged by the oracle; and the ends of
these pipes, read and written without waiting longer than wanted."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Self

import psutil

from tests.endurance.lines import Lines
from tests.endurance.oracle import Oracle

CHUNK_BYTES = 65536
# Of one answer, and of all answers after the end of the input; a busy machine included.
PATIENCE_S = 60.0


class Stuck(AssertionError):
    """The program did not answer, read, or end in time."""


class Pipes:
    """What a manager writes to and reads from.

    has_closed_output   nothing more can come.
    """

    def __init__(self, to_program: int, from_program: int) -> None:
        self._input: int | None = to_program
        self._output: int | None = from_program
        os.set_blocking(to_program, False)
        os.set_blocking(from_program, False)
        self._unsent = b""
        self._unread = b""
        self.has_closed_output = False

    def send(self, data: bytes) -> None:
        """Write bytes; what the pipe does not take goes out with the next `read`."""
        self._unsent += data
        self._flush()

    def close_input(self, patience_s: float = 60.0) -> None:
        """End the program's input, as soon as all has been sent."""
        end = time.monotonic() + patience_s
        while self._unsent and not self.has_closed_output:
            if time.monotonic() > end:
                raise Stuck("the program does not read")
            self._wait(0.1)
        if self._input is not None:
            os.close(self._input)
            self._input = None

    def close_output(self) -> None:
        """Read no more: the program's next line cannot be written."""
        if self._output is not None:
            os.close(self._output)
            self._output = None

    def close(self) -> None:
        """Close both ends, whatever is unsent."""
        self._unsent = b""
        self.close_input()
        self.close_output()

    def read(self, patience_s: float) -> list[str]:
        """The lines that are there, after waiting for the first; none at the end of the output and
        after so many seconds."""
        end = time.monotonic() + patience_s
        while b"\n" not in self._unread and not self.has_closed_output:
            left_s = end - time.monotonic()
            if left_s <= 0:
                return []
            self._wait(left_s)
        *lines, self._unread = self._unread.split(b"\n")
        if self.has_closed_output and self._unread:
            raise AssertionError(f"a line without its end: {self._unread!r}")
        for line in lines:
            if not (len(line) < 1000 and line.isascii() and line.decode("ascii").isprintable()):
                raise AssertionError(f"not a line of printable ASCII: {line[:80]!r}")
        return [line.decode("ascii") for line in lines]

    def _wait(self, seconds: float) -> None:
        writing = [self._input] if self._unsent and self._input is not None else []
        reading = [self._output] if self._output is not None else []
        readable, writable, _ = select.select(reading, writing, [], seconds)
        if writable:
            self._flush()
        if readable and self._output is not None:
            chunk = os.read(self._output, CHUNK_BYTES)
            self._unread += chunk
            self.has_closed_output |= not chunk

    def _flush(self) -> None:
        try:
            while self._unsent and self._input is not None:
                self._unsent = self._unsent[os.write(self._input, self._unsent) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent = b""


# Starts a program with these as its input, output and errors.
Start = Callable[[int, int, int], subprocess.Popen[bytes] | psutil.Process]


class Running(Pipes):
    """A program at the other ends, in a session of its own. Leaving the `with` block kills all that
    is left of it."""

    def __init__(self, start: Start) -> None:
        (input_, to_program), (from_program, output), (self._said, errors) = (
            os.pipe() for _ in range(3)
        )
        self.process = start(input_, output, errors)
        for descriptor in (input_, output, errors):
            os.close(descriptor)
        super().__init__(to_program, from_program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        with suppress(ProcessLookupError, PermissionError):  # nothing is left of it
            os.killpg(self.process.pid, signal.SIGKILL)
        with suppress(psutil.NoSuchProcess):
            self.process.kill()
        self.process.wait()
        self.close()
        os.close(self._said)

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

    def end(self, status: int, patience_s: float) -> None:
        """The program must end with this status, without a word on standard error and with all
        its processes."""
        found, said = self.process.wait(patience_s), b""
        while chunk := os.read(self._said, CHUNK_BYTES):
            said += chunk
        if found != status or said:
            raise AssertionError(f"ended with status {found}, said {said.decode()!r}")
        if self.has_orphans():
            raise AssertionError("a process of the program is left")


def started(command: list[str]) -> Running:
    """A program, started as a manager does it."""
    return Running(
        lambda input_, output, errors: subprocess.Popen(
            command, stdin=input_, stdout=output, stderr=errors, start_new_session=True
        )
    )


class Talk:
    """One conversation; the random numbers decide everything.

    log   all lines of both sides, with the seconds since the start, for the report of a failure.
    sent, received, moves   how many lines; moves are received ones.
    """

    def __init__(self, rng: random.Random, program: Pipes, ending: bytes = b"\n") -> None:
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
