"""A conversation of lines of chance with a program on pipes, judged by the oracle."""

from __future__ import annotations

import random
import time

from tests.endurance.lines import Lines
from tests.endurance.oracle import Oracle
from tests.endurance.pipes import Pipes, Stuck

# Of one answer, and of all answers after the end of the input; a busy machine included.
PATIENCE_S = 60.0


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
