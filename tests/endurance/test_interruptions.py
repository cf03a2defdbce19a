"""Interrupts conversations at moments of chance, and looks whether the program ends or goes on.

Five ways, one after the other: END, the end of the input, SIGTERM, closing the pipe that the
program writes to, and SIGSTOP with SIGCONT two seconds later. Half of these come in mid-search and
last longer than its limit: then the move must come within 50 ms of SIGCONT. What other programs
take of the processor is no part of these times (tests/stopwatch.py). After every end no process may
be left.
"""

from __future__ import annotations

import random
import signal
import sys
import time
from collections import defaultdict

import pytest

from tests.endurance.talk import Running, Stuck, Talk
from tests.protocol.conversation import PROGRAM
from tests.stopwatch import HUNG_MS, Late, Stopwatch, in_time, timed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals of POSIX")

WAYS = ("END", "EOF", "SIGTERM", "closed output", "SIGSTOP")
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


class Interrupted(Talk):
    """One conversation that is interrupted."""

    def __init__(self, rng: random.Random, program: Running, stop_s: float) -> None:
        super().__init__(rng, program)
        self._stop_s = stop_s
        self._started = program
        self._grace_s = 0.0

    def hold(self, way: str) -> float | None:
        """Talk, interrupt, and see it end; returns the time in ms that this way is about."""
        if way == "SIGSTOP" and self.rng.random() < 0.5:
            return self._stop_in_mid_search()
        self.send(["INFO timeout_turn 200", "INFO hash_size 4096"])
        self.send(["START 15"] if self.rng.random() < 0.9 else ["ABOUT"])
        self._talk(time.monotonic() + self.rng.uniform(0, MOST_S))
        self.note(f"! {way}")
        self._grace_s = 0.0 if self.received else START_S
        match way:
            case "END":
                return self._end()
            case "EOF":
                self.oracle.close()
                self._started.close()
                took_ms = self._see_the_end(0, EOF_S)
                self.oracle.check_over()
                return took_ms
            case "SIGTERM":
                self._started.process.send_signal(signal.SIGTERM)
                return self._see_the_end(-signal.SIGTERM, END_S)
            case "closed output":
                self._started.close_output()
                # It notices when it has something to say.
                self._started.send(b"DONE\nSTOP\nABOUT\n")
                watch = Stopwatch(self._started.process.pid)
                return self._end_within(0, END_S + EOF_S, watch)
        self._stop()
        self._talk(time.monotonic() + 0.1)
        self.settle()
        self._end()
        return None

    def _stop_in_mid_search(self) -> float:
        """Stop a search for longer than its limit; returns the ms from SIGCONT to its move."""
        self.send([f"INFO timeout_turn {LIMIT_MS}", "START 15", "INFO hash_size 16384"])
        self.settle()
        asked_s = time.monotonic()
        self.send(["BOARD", "7,7,2", "DONE"])
        # Early or late in the search.
        self.receive(self.rng.uniform(0.01, 0.25))
        if not self.oracle.is_waiting and time.monotonic() - asked_s < 0.25:
            raise AssertionError("this search should have taken longer")
        self.note("! SIGSTOP in mid-search")
        watch = self._stop()
        self.settle()
        took_ms = watch.ms()
        in_time(took_ms, MOVE_MS)
        self._end()
        return took_ms

    def _stop(self) -> Stopwatch:
        """Stop the program and let it go on; returns the time from then on."""
        self._started.process.send_signal(signal.SIGSTOP)
        time.sleep(self._stop_s)
        watch = Stopwatch(self._started.process.pid)
        self._started.process.send_signal(signal.SIGCONT)
        return watch

    def _talk(self, end_s: float) -> None:
        """Send lines of chance until then, without waiting for all answers."""
        while (left_s := end_s - time.monotonic()) > 0:
            if self.rng.random() < 0.5:
                self.send(self.lines.draw())
            self.receive(min(left_s, self.rng.choice((0.001, 0.03, 0.1))))

    def _end(self) -> float:
        self.send(["END"])
        return self._see_the_end(0, END_S)

    def _see_the_end(self, status: int, limit_s: float) -> float:
        """Read what still comes, to the end of the process; returns the ms until then."""
        watch = Stopwatch(self._started.process.pid)
        while not self._started.has_closed_output:
            if watch.ms() > HUNG_MS:
                raise Stuck("the output does not end")
            # A signal can cut the last write.
            self.receive(LOOK_S)
        return self._end_within(status, limit_s, watch)

    def _end_within(self, status: int, limit_s: float, watch: Stopwatch) -> float:
        took_ms = watch.ms_until_end(self._started.process)
        self._started.expect_end(status)
        in_time(took_ms, 1000 * (limit_s + self._grace_s))
        return took_ms


@timed
def _hold(way: str, seed: str, stop_s: float) -> float | None:
    """One conversation, repeated where the machine was too busy; see `run` and Interrupted.hold."""
    with Running(PROGRAM) as program:
        talk = Interrupted(random.Random(seed), program, stop_s)
        try:
            return talk.hold(way)
        except (AssertionError, OSError) as failure:
            text = "\n".join([*talk.log, f"! {failure}"])
            kind = Late if isinstance(failure, Late) else AssertionError
            raise kind(f"{text}\n! seed and number {seed}") from failure


def run(count: int, seed: int, first: int = 0, stop_s: float = STOP_S) -> dict[str, list[float]]:
    """Interrupt so many conversations; the times in ms by way. A stopped program stays so for
    `stop_s`, which is more than LIMIT_MS. AssertionError, with the whole conversation, at the first
    that goes wrong; run(1, seed, number) repeats it."""
    times_ms: dict[str, list[float]] = defaultdict(list)
    for number in range(first, first + count):
        way = WAYS[number % len(WAYS)]
        took_ms = _hold(way, f"{seed} {number}", stop_s)
        if took_ms is not None:
            times_ms[way].append(took_ms)
    return times_ms


def test_interrupted_conversations_end_or_go_on() -> None:
    times_ms = run(10, seed=3, stop_s=0.6)
    assert set(WAYS) - {"SIGSTOP"} <= set(times_ms)


@pytest.mark.verify
def test_a_thousand_interrupted_conversations() -> None:
    for way, times in run(1000, seed=1).items():
        print(f"{way}: {len(times)} times, longest {max(times):.1f} ms")


def test_a_process_that_is_left_is_found() -> None:
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'input()'], stderr=-3)"
    with Running([sys.executable, "-c", code]) as program:
        with pytest.raises(AssertionError, match="a process of the program is left"):
            program.expect_end(0)
    began = time.monotonic()
    while program.has_orphans():  # until it has read the end of its input
        assert time.monotonic() - began < 60
        time.sleep(0.01)
