"""Time and memory, measured where managers measure them: at the pipe of the real program.

The small tests leave out what other programs take of the processor. The full-size ones (`make
verify`) count it as managers do, and keep all cores busy with other processes meanwhile; their
figures go to docs/ledger/.
"""

from __future__ import annotations

import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.paths import ROOT
from tests.protocol.conversation import PROGRAM, Program, play
from tests.stopwatch import Stopwatch, in_time, timed

MIB = 2**20
TOURNAMENT_BYTES = 350 * MIB

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals of POSIX")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


class Took(NamedTuple):
    """Milliseconds: as a manager counts them, and without what other programs took of the
    processor."""

    ms: float
    own_ms: float


class Manager(Program):
    """The program, and the times of its moves."""

    def __init__(self) -> None:
        super().__init__(PROGRAM)
        self.last_move = ""

    def answer(self) -> str:
        """The next line that is no report; empty at the end of the output."""
        while line := self.read_line():
            if not line.startswith("MESSAGE"):
                return line
        return ""

    def start(self, *settings: str) -> None:
        """START, and INFO lines; returns when the program is ready."""
        self.tell("START 15")
        assert self.answer() == "OK"
        self.tell(*(f"INFO {setting}" for setting in settings))

    def move_ms(self, *lines: str) -> Took:
        """Send lines that ask for a move: the milliseconds until it is there."""
        begin, watch = time.perf_counter(), Stopwatch(self.process.pid)
        self.tell(*lines)
        move = self.answer()
        took = Took(1000 * (time.perf_counter() - begin), watch.ms())
        assert move.count(",") == 1, move
        self.last_move = move
        return took


@contextmanager
def busy_cores() -> Iterator[None]:
    """Keeps all cores busy with other processes."""
    idlers = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(os.cpu_count() or 1)
    ]
    try:
        yield
    finally:
        for idler in idlers:
            idler.kill()
            idler.wait()


@linux_only
@pytest.mark.parametrize(
    ("count", "runs"), [(8, 1), pytest.param(40, 10, marks=pytest.mark.verify)]
)
def test_many_programs_on_one_core_lose_no_answer(count: int, runs: int) -> None:
    """Each gets its whole conversation and the end of its input at once."""
    cores = os.sched_getaffinity(0)
    for _ in range(runs):
        os.sched_setaffinity(0, {min(cores)})  # for the programs, which inherit it
        try:
            programs = [Program(PROGRAM) for _ in range(count)]
        finally:
            os.sched_setaffinity(0, cores)
        with ExitStack() as stack:
            for program in programs:
                stack.enter_context(program)
                program.tell("START 15", "INFO timeout_turn 30", "BEGIN", "TURN 3,3")
                program.close()
            for program in programs:
                program.expect("OK", "move", "move")
                program.expect_exit()


@linux_only
@pytest.mark.parametrize("count", [2000, pytest.param(20_000, marks=pytest.mark.verify)])
def test_a_long_conversation_at_once_is_answered_whole(count: int) -> None:
    game = b"START 15\nTURN 7,7\nTAKEBACK 7,7\nABOUT\nTURN 99,0\n"
    with busy_cores(), Program(PROGRAM) as program:
        program.send(b"INFO max_node 1\n" + game * (count // 5))
        program.close()
        for _ in range(count // 5):
            program.expect("OK", "move", "OK", "name=.*", "ERROR .*")
        program.expect_exit()


def openings(count: int) -> Iterator[tuple[str, ...]]:
    """BOARD commands with a few stones, close together but nothing decided."""
    rng = random.Random(7)
    squares = [(x, y) for x in range(5, 10) for y in range(5, 10)]
    for _ in range(count):
        stones = rng.sample(squares, 5)
        fields = (2, 1, 2, 1, 2)
        body = (f"{x},{y},{f}" for (x, y), f in zip(stones, fields, strict=True))
        yield ("BOARD", *body, "DONE")


def times_of_moves(count: int, *settings: str) -> list[Took]:
    """The time of each of many moves."""
    with Manager() as manager:
        manager.start(*settings)
        return [manager.move_ms(*board) for board in openings(count)]


def times_ms(count: int, *settings: str) -> list[float]:
    """The same, sorted, as a manager counts them."""
    return sorted(took.ms for took in times_of_moves(count, *settings))


def show(what: str, sorted_ms: list[float]) -> None:
    """The figures of a full-size check, for the ledger (pytest -s)."""
    median = statistics.median(sorted_ms)
    print(
        f"{what}: {len(sorted_ms)} times, median {median:.1f} ms,"
        f" highest {' '.join(f'{ms:.1f}' for ms in sorted_ms[-5:])} ms"
    )


# -- a limit for each move


@timed
def test_a_turn_limit_is_used_and_kept() -> None:
    took = times_of_moves(8, "timeout_turn 200")
    assert statistics.median(move.ms for move in took) > 80
    in_time(sorted(move.own_ms for move in took)[-2], 200)


@pytest.mark.verify
def test_a_turn_limit_is_kept_on_a_busy_machine() -> None:
    with busy_cores():
        took = times_ms(200, "timeout_turn 300", f"max_memory {TOURNAMENT_BYTES}")
        at_once = times_ms(200, "timeout_turn 0")
    show("timeout_turn 300", took)
    show("timeout_turn 0", at_once)
    assert took[198] < 300 and took[199] <= 330
    assert took[50] > 150  # most were real searches
    assert statistics.median(at_once) < 10


# -- other limits


SCENES = (ROOT / "tests" / "protocol" / "limits.txt").read_text(encoding="ascii")


@timed
@pytest.mark.parametrize("title", re.findall("^== (.*)$", SCENES, flags=re.MULTILINE)[1:])
def test_the_tightest_limit_counts(title: str) -> None:
    play(PROGRAM, SCENES, title)


@timed
def test_a_game_with_a_match_limit_never_oversteps_it() -> None:
    """A whole game of one program against itself, with the time left as a manager counts it."""
    left_ms, used_ms, turn_ms = 2000.0, 0.0, 200
    moves: list[str] = []
    with Manager() as manager:
        manager.start(f"timeout_turn {turn_ms}", f"timeout_match {left_ms:.0f}")
        for _ in range(14):
            fields = [f"{move},{2 - i % 2 if len(moves) % 2 else 1 + i % 2}" for i, move in
                      enumerate(moves)]  # fmt: skip
            manager.tell(f"INFO time_left {left_ms:.0f}", "BOARD", *fields)
            took_ms, own_ms = manager.move_ms("DONE")
            in_time(own_ms, turn_ms)
            left_ms -= own_ms
            used_ms += took_ms
            moves.append(manager.last_move)
            assert left_ms > 0
    assert used_ms > 300  # real searches


# -- ends

# One stone on an empty board keeps any program thinking for longer than a test lasts.
LONG_THOUGHT = ("BOARD", "7,7,2", "DONE")


def time_to_end(how: str, think_s: float = 0.3) -> Took:
    """From END, or the end of the input, in mid-search to the end of the process; only after the
    end of the input the move is printed."""
    with Manager() as manager:
        manager.start("timeout_turn 600000", f"max_memory {TOURNAMENT_BYTES}")
        manager.tell(*LONG_THOUGHT)
        time.sleep(think_s)
        begin, watch = time.perf_counter(), Stopwatch(manager.process.pid)
        manager.tell("END") if how == "END" else manager.close()
        assert how == "END" or manager.answer().count(",") == 1
        own_ms = watch.ms_until_end(manager.process)
        took = Took(1000 * (time.perf_counter() - begin), own_ms)
        assert (manager.process.returncode, manager.answer()) == (0, "")
        return took


@timed
@pytest.mark.parametrize(("how", "most_ms"), [("END", 100), ("EOF", 1200)])
def test_the_end_in_mid_search(how: str, most_ms: int) -> None:
    in_time(time_to_end(how).own_ms, most_ms)


@pytest.mark.verify
def test_the_end_in_mid_search_on_a_busy_machine() -> None:
    with busy_cores():
        ends = sorted(time_to_end("END", 2.0).ms for _ in range(50))
        ends_of_input = sorted(time_to_end("EOF").ms for _ in range(20))
    show("END", ends)
    show("EOF", ends_of_input)
    assert statistics.median(ends) < 100
    assert ends_of_input[-1] < 1200


# -- a process that is stopped between its moves, as the Gomocup judge does it


def times_after_stops(moves: int, stop_s: float) -> list[Took]:
    """The times of moves, counted from when the process goes on; the lines were there before."""
    took = []
    with Manager() as manager:
        manager.tell("START 15", "INFO timeout_turn 300", f"INFO max_memory {TOURNAMENT_BYTES}")
        for board in openings(moves):
            manager.process.send_signal(signal.SIGSTOP)
            time.sleep(stop_s)
            manager.tell("INFO time_left 100000", *board)
            begin, watch = time.perf_counter(), Stopwatch(manager.process.pid)
            manager.process.send_signal(signal.SIGCONT)
            line = manager.answer()
            if line == "OK":
                line = manager.answer()
            took.append(Took(1000 * (time.perf_counter() - begin), watch.ms()))
            assert line.count(",") == 1
    return took


@posix_only
@timed
def test_a_stop_between_moves_costs_nothing() -> None:
    took = times_after_stops(3, 0.4)
    assert statistics.median(move.ms for move in took) > 100
    in_time(min(move.own_ms for move in took), 300)


@posix_only
@pytest.mark.verify
def test_stops_of_two_seconds_cost_nothing() -> None:
    took = [move.ms for _ in range(5) for move in times_after_stops(6, 2.0)]
    show("stopped between moves", sorted(took))
    assert max(took) < 300
    assert statistics.median(took) > 180


# -- starts


def time_to_about() -> Took:
    """From starting the program to its answer to ABOUT."""
    begin = time.perf_counter()
    with Manager() as manager:
        watch = Stopwatch(manager.process.pid)
        manager.tell("ABOUT")
        assert manager.answer().startswith("name=")
        return Took(1000 * (time.perf_counter() - begin), watch.ms())


def empty_ms() -> float:
    """From starting a Python that does nothing to its end."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        return Stopwatch(process.pid).ms_until_end(process)


@timed
def test_it_answers_soon_after_its_start() -> None:
    # Beyond what starting Python takes, which differs much between systems.
    took_ms = min(time_to_about().own_ms for _ in range(3))
    in_time(took_ms - min(empty_ms() for _ in range(3)), 300)


@pytest.mark.verify
@pytest.mark.skipif("TENGEN_PROGRAM" not in os.environ, reason="asked of the executable")
def test_the_executable_answers_very_soon_after_its_start() -> None:
    took = sorted(time_to_about().ms for _ in range(30))
    show("ABOUT", took)
    assert statistics.median(took) < 60


# -- memory


@linux_only
@pytest.mark.parametrize(
    ("limit_mib", "turn_ms"),
    [(48, 1000), *(pytest.param(n, 5000, marks=pytest.mark.verify) for n in (64, 350, 1024))],
)
def test_memory_stays_below_its_limit(limit_mib: int, turn_ms: int) -> None:
    with Manager() as manager:
        manager.start(f"timeout_turn {turn_ms}", f"max_memory {limit_mib * MIB}")
        manager.move_ms(*next(openings(1)))
        status = Path(f"/proc/{manager.process.pid}/status").read_text(encoding="ascii")
    peak_kib = int(next(line.split()[1] for line in status.splitlines() if "VmHWM" in line))
    print(f"max_memory {limit_mib} MiB: {peak_kib / 1024:.1f} MiB at most")
    assert peak_kib < limit_mib * 1024
