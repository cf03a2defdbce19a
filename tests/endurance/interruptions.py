"""Interrupts conversations at moments of chance, and looks whether the program ends or goes on.

    python -m tests.endurance.interruptions --count 1000 --seed 1

Five ways, one after the other: END, the end of the input, SIGTERM, closing the pipe that the
program writes to, and SIGSTOP with SIGCONT two seconds later. Half of these come in mid-search and
last longer than its limit: then the move must come within 50 ms of SIGCONT. What other programs
take of the processor is no part of these times (tests/stopwatch.py). After every end no process may
be left. The run ends with a line of figures for each way, or with the first conversation that
failed.
"""

from __future__ import annotations

import argparse
import random
import signal
import statistics
import sys
import time
from collections import defaultdict

from tests.endurance.lines import Lines
from tests.endurance.oracle import Oracle
from tests.endurance.pipes import Stuck
from tests.endurance.started import Started
from tests.stopwatch import HUNG_MS, Stopwatch

WAYS = ("END", "EOF", "SIGTERM", "closed output", "SIGSTOP")
PATIENCE_S = 60.0
STOP_S = 2.0
# Of a search that is stopped for longer.
LIMIT_MS = 400
# The interruption comes so long after the start, at most.
MOST_S = 0.8
# From SIGCONT to a move whose time is over.
MOVE_MS = 50.0
# From the end of the input to the end of the process: 0.9 s, and 2 ms for each move.
EOF_S = 1.2
# From END, SIGTERM or a line that nobody reads.
END_S = 0.1
# What Python takes to start, where it has not yet.
START_S = 2.0
# How often it is seen how long the program has waited for a processor: no longer at its end.
LOOK_S = 0.002


class Interrupted:
    """One conversation that is interrupted."""

    def __init__(self, rng: random.Random, program: Started, stop_s: float) -> None:
        self._rng = rng
        self._stop_s = stop_s
        self._program = program
        self._oracle = Oracle()
        self._lines = Lines(rng, self._oracle)
        self.log: list[str] = []
        self._has_started = False
        self._begin_s = time.monotonic()

    def hold(self, way: str) -> float | None:
        """Talk, interrupt, and see it end; returns the time in ms that this way is about."""
        if way == "SIGSTOP" and self._rng.random() < 0.5:
            return self._stop_in_mid_search()
        self._talk(time.monotonic() + self._rng.uniform(0, MOST_S))
        self._note(f"! {way}")
        match way:
            case "END":
                self._send(["END"])
                return self._see_the_end(0, END_S)
            case "EOF":
                self._oracle.close()
                self._program.close_input()
                took_ms = self._see_the_end(0, EOF_S)
                self._oracle.check_over()
                return took_ms
            case "SIGTERM":
                self._program.signal(signal.SIGTERM)
                return self._see_the_end(-signal.SIGTERM, END_S)
            case "closed output":
                limit_s = END_S + EOF_S + (0 if self._has_started else START_S)
                self._program.close_output()
                # It notices when it has something to say.
                self._program.send(b"DONE\nSTOP\nABOUT\n")
                return self._end_within(0, limit_s)
        self._stop()
        self._talk(time.monotonic() + 0.1)
        self._await()
        self._send(["END"])
        self._see_the_end(0, END_S)
        return None

    def _stop_in_mid_search(self) -> float:
        """Stop a search for longer than its limit; returns the ms from SIGCONT to its move."""
        self._send([f"INFO timeout_turn {LIMIT_MS}", "START 15", "INFO hash_size 16384"])
        self._await()
        asked_s = time.monotonic()
        self._send(["BOARD", "7,7,2", "DONE"])
        # Early or late in the search.
        self._receive(self._program.read(self._rng.uniform(0.01, 0.25)))
        if not self._oracle.is_waiting and time.monotonic() - asked_s < 0.25:
            raise AssertionError("this search should have taken longer")
        self._note("! SIGSTOP in mid-search")
        watch = self._stop()
        self._await()
        took_ms = watch.ms()
        if took_ms > MOVE_MS:
            raise AssertionError(f"the move came {took_ms:.0f} ms after SIGCONT")
        self._send(["END"])
        self._see_the_end(0, END_S)
        return took_ms

    def _stop(self) -> Stopwatch:
        """Stop the program and let it go on; returns the time from then on."""
        self._program.signal(signal.SIGSTOP)
        time.sleep(self._stop_s)
        watch = Stopwatch(self._program.process.pid)
        self._program.signal(signal.SIGCONT)
        return watch

    def _talk(self, end_s: float) -> None:
        """Send lines of chance until then, without waiting for all answers."""
        if not self.log:
            self._send(["INFO timeout_turn 200", "INFO hash_size 4096"])
            self._send(["START 15"] if self._rng.random() < 0.9 else ["ABOUT"])
        while (left_s := end_s - time.monotonic()) > 0:
            if self._rng.random() < 0.5:
                self._send(self._lines.draw())
            self._receive(self._program.read(min(left_s, self._rng.choice((0.001, 0.03, 0.1)))))

    def _note(self, text: str) -> None:
        """Keep a line for the report of a failure, with the time since the start."""
        self.log.append(f"{time.monotonic() - self._begin_s:7.3f} {text}")

    def _await(self) -> None:
        while self._oracle.is_waiting:
            lines = self._program.read(PATIENCE_S)
            if not lines:
                raise Stuck("no answer")
            self._receive(lines)

    def _send(self, lines: list[str]) -> None:
        for line in lines:
            self._note(f"> {line[:200]!r}")
            self._oracle.send(line)
        self._program.send(b"".join(line.encode("latin-1") + b"\n" for line in lines))

    def _receive(self, lines: list[str]) -> None:
        for line in lines:
            self._note(f"< {line}")
            self._has_started = True
            self._oracle.receive(line)

    def _see_the_end(self, status: int, limit_s: float) -> float:
        """Read what still comes, to the end of the process; returns the ms until then."""
        watch = Stopwatch(self._program.process.pid)
        if not self._has_started:
            limit_s += START_S
        while not self._program.has_closed_output:
            if watch.ms() > HUNG_MS:
                raise Stuck("the output does not end")
            # A signal can cut the last write.
            self._receive(self._program.read(LOOK_S))
        return self._end_within(status, limit_s, watch)

    def _end_within(self, status: int, limit_s: float, watch: Stopwatch | None = None) -> float:
        watch = watch or Stopwatch(self._program.process.pid)
        took_ms = watch.ms_until_end(self._program.process)
        self._program.end(status, PATIENCE_S)
        if took_ms > 1000 * limit_s:
            raise AssertionError(f"the end came after {took_ms:.0f} ms")
        return took_ms


def run(count: int, seed: int, first: int = 0, stop_s: float = STOP_S) -> dict[str, list[float]]:
    """Interrupt so many conversations; the times in ms by way. A stopped program stays so for
    `stop_s`, which is more than LIMIT_MS. AssertionError, with the whole conversation, at the first
    that goes wrong."""
    times_ms: dict[str, list[float]] = defaultdict(list)
    for number in range(first, first + count):
        way = WAYS[number % len(WAYS)]
        with Started() as program:
            talk = Interrupted(random.Random(f"{seed} {number}"), program, stop_s)
            try:
                took_ms = talk.hold(way)
            except (AssertionError, OSError) as failure:
                text = "\n".join([*talk.log, f"! {failure}"])
                raise AssertionError(f"{text}\n! seed {seed}, number {number}") from failure
        if took_ms is not None:
            times_ms[way].append(took_ms)
    return times_ms


def main() -> int:
    """The command line; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=100, help="conversations (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="of the random numbers (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    arguments = parser.parse_args()
    try:
        times_ms = run(arguments.count, arguments.seed, arguments.first)
    except AssertionError as failure:
        print(failure, file=sys.stderr)
        return 1
    for way, times in times_ms.items():
        print(
            f"{way}: {len(times)} times, median {statistics.median(times):.1f} ms,"
            f" longest {max(times):.1f} ms"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
