"""How much of a start counts for the first move, and that the program counts it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from engine import clock
from engine.model import Info, Limits, Result
from protocol.loop import Loop
from protocol.messages import About
from protocol.pipes import Transcript
from protocol.settings import with_whole_start
from protocol.start_up import MOST_PAUSE_NS, StartUp, begin
from tests.paths import ROOT
from tests.protocol.conversation import Program
from tests.protocol.fake_brain import FakeBrain
from tests.stopwatch import Late, in_time, timed

SECOND_NS = 10**9
ONE_PIECE = "START 20\nINFO timeout_turn {}\nINFO timeout_match 100000\nINFO rule 0\n" + (
    "INFO time_left 100000\nBOARD\n10,10,2\n10,9,1\n12,11,2\nDONE\n"
)


def counted_s(age_s: float, *pauses_s: float, active_s: int = 0) -> float:
    """What counts of a start: the age at the first look, then the pauses between looks."""
    now_ns = 5 * SECOND_NS
    start = StartUp(lambda: now_ns, lambda: active_s * SECOND_NS)
    start.set_age(round(age_s * SECOND_NS))
    for pause_s in pauses_s[:-1]:
        now_ns += round(pause_s * SECOND_NS)
        start.look()
    now_ns += round(sum(pauses_s[-1:]) * SECOND_NS)
    return start.end() / SECOND_NS


@pytest.mark.parametrize(
    ("age_s", "pauses_s", "counts_s"),
    [
        (0.05, (0.1, 0.1), 0.25),  # a usual start
        (0.9, (0.9, 0.8, 0.7), 3.3),  # a slow one, whatever it waited for
        (2.5, (0.5,) * 4, 4.5),  # a machine so busy that everything takes long
        (0.2, (0.02,) * 200, 4.2),  # a virus scan of many files
        (20.0, (0.1, 0.1), 1.2),  # suspended as soon as it was created
        (0.05, (0.02, 20.0, 0.03), 1.1),  # suspended later
        (20.0, (20.0, 0.1), 1.0 * 2 * 1.1 + 1.1),  # suspended twice
        (1e9, (), 1.0),  # a clock that was set meanwhile
        (-5.0, (0.1,), 0.1),
        (0.05, (0.1, -3.0, 0.1), 0.25),  # a clock that goes back
    ],
)
def test_what_counts(age_s: float, pauses_s: tuple[float, ...], counts_s: float) -> None:
    assert counted_s(age_s, *pauses_s) == pytest.approx(counts_s)
    assert counted_s(20.0, 0.1, active_s=7) == 7.0  # what Linux says it ran or waited


@pytest.mark.parametrize(
    ("turn_ms", "counted_ms", "whole_ms", "left_ms"),
    [
        (2000, 300, 300, 1700),  # a usual start: nothing was left out
        (2000, 1300, 1900, 100),  # a pause of 1.6 s: the move can still be in time
        (5000, 1300, 2500, 2500),
        (5000, 1300, 4990, 250),  # a twentieth in any case
        (5000, 1300, 5000, 3700),  # surely suspended, or lost
        (5000, 1300, 60_000, 3700),
        (None, 1300, 1900, None),
    ],
)
def test_a_pause_counts_as_long_as_the_move_can_be_in_time(
    turn_ms: int | None, counted_ms: int, whole_ms: int, left_ms: int | None
) -> None:
    now_ns = 100 * SECOND_NS
    limits = Limits(turn_ms=turn_ms, started_ns=now_ns - counted_ms * 10**6)
    charged = with_whole_start(limits, now_ns - whole_ms * 10**6, now_ns)
    assert charged.started_ns == limits.started_ns
    assert left_ms == (None if charged.turn_ms is None else charged.turn_ms - counted_ms)


def test_the_first_move_gets_what_a_pause_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 3.5 s since the process was created, only 1.2 s count by themselves."""
    began_ns = time.perf_counter_ns()
    start_up = StartUp()
    start_up.set_age(3_500_000_000)
    monkeypatch.setattr(start_up, "end", lambda: 1_200_000_000)
    inlet, outlet = os.pipe()

    class Ending(FakeBrain):
        """The input ends with its search: before, that would shorten it."""

        def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
            os.close(outlet)
            return super().think(limits, on_info)

    brain = Ending()
    os.write(outlet, b"START 15\nINFO timeout_turn 60000\nBEGIN\n")
    answers, output = os.pipe()
    about = About("Fake", "1", "nobody")
    Loop(
        lambda: brain, about, Transcript(), inlet, output, lambda status: None, start_up=start_up
    ).serve()
    passed_ms = (time.perf_counter_ns() - began_ns) / 1e6
    for descriptor in (inlet, output, answers):
        os.close(descriptor)
    [limits] = [limits for call, limits in brain.calls if call == "think"]
    assert isinstance(limits, Limits) and limits.turn_ms is not None
    assert 57_699 - passed_ms <= limits.turn_ms <= 57_701


@pytest.mark.parametrize("age_ns", [None, -1, -(10**15)])
def test_where_the_system_tells_nonsense_the_processor_time_counts_twice(
    age_ns: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "process_age_ns", lambda process: age_ns)
    least_ns = 2 * time.process_time_ns()
    assert begin(os.getpid()).end() >= min(least_ns, MOST_PAUSE_NS)


def test_the_age_of_a_process() -> None:
    before_ns = time.perf_counter_ns()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        time.sleep(0.3)
        age_ns = clock.process_age_ns(child.pid)
        assert age_ns is not None
        # The clock of the processes may count in hundredths of a second.
        assert 0.28 * SECOND_NS <= age_ns <= time.perf_counter_ns() - before_ns + 0.02 * SECOND_NS
        own_ns = clock.process_age_ns(os.getpid())
        assert own_ns is not None and own_ns >= age_ns
        child.communicate(b"\n")
    assert clock.process_age_ns(2**31 - 2) is None


# -- real starts

START = """
import os, sys, time
began = time.perf_counter_ns()
from protocol.start_up import begin
start = begin(os.getpid())
start.set_age(0)
print(flush=True)
{}
print(time.perf_counter_ns() - began, start.end())
"""


def test_a_start_that_waits_for_a_file_counts() -> None:
    """No system counts this wait as use of the processor; the thread that looks goes on."""
    code = START.format("time.sleep(2.5)")
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert int(done.stdout.split()[1]) >= 2.5 * SECOND_NS


@pytest.mark.skipif(sys.platform == "win32", reason="stops a process as POSIX does")
def test_a_suspension_counts_no_more_than_a_second() -> None:
    code = START.format("time.sleep(0.1); sys.stdin.readline()")
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdin and child.stdout
        child.stdout.readline()
        child.send_signal(signal.SIGSTOP)
        time.sleep(2.5)
        child.stdin.write(b"\n")
        child.stdin.close()
        child.send_signal(signal.SIGCONT)
        passed_ns, counts_ns = map(int, child.stdout.read().split())
    assert passed_ns >= 2.5 * SECOND_NS
    assert counts_ns <= passed_ns - 1.4 * SECOND_NS


def slow(before_s: float, within_s: float) -> list[str]:
    """The program, with a start that waits: before its first line, and while it loads modules."""
    return [
        sys.executable,
        "-c",
        f"import sys, time; time.sleep({before_s})\n"
        "class Slow:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == 'protocol.loop': time.sleep({within_s})\n"
        "sys.meta_path.insert(0, Slow())\n"
        "from tengen.pbrain import main; main([])",
    ]


@timed
@pytest.mark.parametrize(("before_s", "within_s"), [(0.7, 0.0), (0.7, 1.5)])
def test_the_first_move_pays_for_the_whole_start(before_s: float, within_s: float) -> None:
    """By the time that the program reports: it is counted from the creation of the process, or
    the move would come later than the limit."""
    with Program(slow(before_s, within_s)) as program:
        program.send(ONE_PIECE.format(300).encode())
        program.expect("OK")
        took_ms = re.search(r"Time (\d+)ms", program.read_line() or "")
        assert took_ms
        if int(took_ms[1]) < 1000 * (before_s + within_s):
            raise Late("a longer pause counts as a second, and a request that came late, less")


@timed
def test_what_the_manager_writes_later_does_not_pay() -> None:
    with Program(slow(0.7, 0.0)) as program:
        program.tell("START 20", "INFO max_node 100")
        program.expect("OK")
        program.tell("BOARD", "10,10,2", "DONE")
        took_ms = re.search(r"Time (\d+)ms", program.read_line() or "")
        assert took_ms
        in_time(int(took_ms[1]), 500)
