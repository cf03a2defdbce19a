"""Asks for moves while other processes keep all cores busy, and measures whether they come in time.

    python -m tests.endurance.starvation --moves 1000

Run nothing else meanwhile: two busy processes for each core are started here. So many moves are
asked for with each limit, 200 and 1000 ms, in openings of five stones. A move is late when it comes
later than its limit plus 20 ms, unless a process that only sleeps (control.py) was late by as much
while it was searched. The exit status is 0 if no move is late and 99.5 % are within their limit.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from tests.endurance.control import Control
from tests.endurance.pipes import Stuck
from tests.endurance.started import Started
from tests.protocol.test_limits import openings

LIMITS_MS = (200, 1000)
GRACE_MS = 20.0
LEAST_WITHIN = 0.995
PATIENCE_S = 60.0


class Timed(NamedTuple):
    """A move: how long it took, and how long the control process overslept meanwhile, in ms."""

    took_ms: float
    overslept_ms: float

    def is_late(self, limit_ms: float) -> bool:
        """Too late, and not because the machine served nobody in time."""
        return self.took_ms > limit_ms + max(GRACE_MS, self.overslept_ms)


class Figures(NamedTuple):
    """What the moves of one limit say."""

    limit_ms: int
    moves: int
    within: float
    median_ms: float
    longest_ms: float
    late: int

    @property
    def is_good(self) -> bool:
        """No move was late, and enough of them within their limit."""
        return self.late == 0 and self.within >= LEAST_WITHIN

    def __str__(self) -> str:
        return (
            f"timeout_turn {self.limit_ms}: {self.moves} moves, {self.within:.2%} within,"
            f" median {self.median_ms:.1f} ms, longest {self.longest_ms:.1f} ms, {self.late} late"
        )


def judge(limit_ms: int, moves: list[Timed]) -> Figures:
    """The figures of all moves that were asked for with that limit."""
    times = [move.took_ms for move in moves]
    within = sum(took <= limit_ms for took in times) / len(times)
    late = sum(move.is_late(limit_ms) for move in moves)
    return Figures(limit_ms, len(times), within, statistics.median(times), max(times), late)


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that do nothing but count, each in a session of its own."""
    with ExitStack() as stack:
        for _ in range(count):
            process = subprocess.Popen(
                [sys.executable, "-c", "while True: pass"], start_new_session=True
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
        yield


def run(limit_ms: int, moves: int, busy_processes: int) -> Figures:
    """Ask for so many moves; the figures."""
    measured: list[tuple[int, int]] = []
    with busy(busy_processes), Control() as control, Started() as program:
        program.send(f"INFO timeout_turn {limit_ms}\nINFO max_memory 367001600\n".encode())
        _answer(program, "START 15\n")
        for board in openings(moves):
            begin_ns = time.monotonic_ns()
            _answer(program, "".join(f"{line}\n" for line in board))
            measured.append((begin_ns, time.monotonic_ns()))
        program.send(b"END\n")
        # The control process tells of a sleep when it is over.
        time.sleep(0.5)
        return judge(
            limit_ms,
            [
                Timed((end_ns - begin_ns) / 1e6, control.overslept_ms(begin_ns, end_ns))
                for begin_ns, end_ns in measured
            ],
        )


def _answer(program: Started, lines: str) -> None:
    """Send lines and wait for what is no MESSAGE."""
    program.send(lines.encode())
    while True:
        said = program.read(PATIENCE_S)
        if not said:
            raise Stuck("no answer")
        if not all(line.startswith("MESSAGE ") for line in said):
            return


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--moves", type=int, default=1000, help="moves for each limit (default: 1000)"
    )
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}", flush=True)
    is_good = True
    for limit_ms in LIMITS_MS:
        figures = run(limit_ms, arguments.moves, 2 * (os.cpu_count() or 1))
        print(figures, flush=True)
        is_good &= figures.is_good
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
