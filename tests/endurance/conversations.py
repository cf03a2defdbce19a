"""Holds whole conversations with random lines, and judges every line of the answers.

    python -m tests.endurance.conversations --count 20000 --seed 1

Each conversation is a process of its own. A third waits for each answer as a manager does, a third
writes everything at once, and a third writes pieces that begin and end anywhere. Last comes END or
the end of the input. The run ends with one line of figures, or with the first conversation that
failed, which `--first N --count 1` repeats.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from dataclasses import dataclass

from tests.endurance.forked import Forked
from tests.endurance.lines import Lines
from tests.endurance.oracle import Oracle
from tests.endurance.pipes import Stuck

ENDINGS = (b"\n", b"\n", b"\r\n", b"\r")
# Of one answer, and of all answers after the end of the input; a busy machine included.
PATIENCE_S = 60.0


@dataclass
class Figures:
    """What a run counts."""

    conversations: int = 0
    lines: int = 0
    answers: int = 0
    moves: int = 0
    slowest_s: float = 0.0
    slowest: int = 0

    def __str__(self) -> str:
        return (
            f"{self.conversations} conversations, {self.lines} lines sent, {self.answers} lines"
            f" received, {self.moves} of them moves, slowest conversation {self.slowest_s:.2f} s"
            f" (number {self.slowest})"
        )


class Failed(AssertionError):
    """A conversation went wrong; the text has all of it."""


class Conversation:
    """One conversation with a program; the random numbers decide everything."""

    def __init__(self, rng: random.Random, program: Forked, figures: Figures) -> None:
        self._rng = rng
        self._program = program
        self._figures = figures
        self._oracle = Oracle()
        self._lines = Lines(rng, self._oracle)
        self._ending = rng.choice(ENDINGS)
        self._log: list[str] = []

    def hold(self) -> None:
        """From the first line to the end of the process; Failed if anything is wrong."""
        count = self._rng.choice((5, 20, 40, 40, 80))
        try:
            self._send(self._lines.first())
            match self._rng.randrange(3):
                case 0:
                    for _ in range(count):
                        self._send(self._lines.draw())
                        self._await()
                case 1:
                    self._send([line for _ in range(count) for line in self._lines.draw()])
                case _:
                    self._send_pieces(count)
            self._finish()
        except (AssertionError, OSError) as failure:
            raise Failed("\n".join([*self._log, f"! {failure}"])) from failure

    def _send(self, lines: list[str]) -> None:
        data = b""
        for line in lines:
            data += self._note(line)
        self._program.send(data)

    def _note(self, line: str) -> bytes:
        self._log.append(f"> {line[:200]!r}{'...' if len(line) > 200 else ''}")
        self._figures.lines += 1
        self._oracle.send(line)
        return line.encode("latin-1") + self._ending

    def _send_pieces(self, count: int) -> None:
        """Bytes in pieces of any length, with pauses; answers are read meanwhile."""
        for _ in range(count):
            data = b"".join(self._note(line) for line in self._lines.draw())
            while data:
                piece = self._rng.randint(1, len(data))
                self._program.send(data[:piece])
                data = data[piece:]
                if self._rng.random() < 0.2:
                    self._receive(self._program.read(self._rng.choice((0.0, 0.0005, 0.01))))

    def _await(self) -> None:
        """Read until all that was asked is answered."""
        while self._oracle.is_waiting:
            lines = self._program.read(PATIENCE_S)
            if not lines:
                raise Stuck("no answer" if not self._program.has_closed_output else "it ended")
            self._receive(lines)

    def _receive(self, lines: list[str]) -> None:
        for line in lines:
            self._log.append(f"< {line}")
            self._figures.answers += 1
            self._figures.moves += line[:1].isdigit()
            self._oracle.receive(line)

    def _finish(self) -> None:
        if self._rng.random() < 0.3:
            if self._rng.random() < 0.5:
                self._await()
                self._take_all_back()
            self._send(["END"])
        else:
            self._oracle.close()
        self._program.close_input()
        while not self._program.has_closed_output:
            lines = self._program.read(PATIENCE_S)
            if not lines and not self._program.has_closed_output:
                raise Stuck(f"no end of the output within {PATIENCE_S} s")
            self._receive(lines)
        self._oracle.check_over()
        self._program.end(PATIENCE_S)

    def _take_all_back(self) -> None:
        """Is the position the one that the oracle knows? Each stone can be taken back, and then
        the board is empty."""
        self._send(["INFO rule 0", "DONE", "yxblockreset"])
        self._await()
        for x, y in sorted(self._oracle.taken):
            self._send([f"TAKEBACK {x},{y}"])
            self._await()
        if not self._oracle.taken:
            self._send(["BEGIN"])
            self._await()


def run(count: int, seed: int, first: int = 0, report_s: float = 0.0) -> Figures:
    """Hold so many conversations, each with its own random numbers; Failed at the first that goes
    wrong. With `report_s` the figures are printed every so many seconds."""
    figures = Figures()
    reported = time.monotonic()
    for number in range(first, first + count):
        begin = time.monotonic()
        try:
            with Forked() as program:
                Conversation(random.Random(f"{seed} {number}"), program, figures).hold()
        except Failed as failure:
            raise Failed(f"{failure}\n! seed {seed}, conversation {number}") from failure
        figures.conversations += 1
        took_s = time.monotonic() - begin
        if took_s > figures.slowest_s:
            figures.slowest_s, figures.slowest = took_s, number
        if report_s and time.monotonic() - reported > report_s:
            reported = time.monotonic()
            print(figures, flush=True)
    return figures


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=1000, help="conversations (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    arguments = parser.parse_args()
    try:
        print(run(arguments.count, arguments.seed, arguments.first, report_s=30))
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    os.environ.pop("TENGEN_LOG", None)
    sys.exit(main())
