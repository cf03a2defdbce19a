"""Ctrl-C during a search from Python: it interrupts at once, and the engine stays usable."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

from engine.api import Engine
from engine.model import Limits, Position
from tests.paths import ROOT
from tests.stopwatch import Stopwatch

POSITION = Position.from_moves("h8 i9 g9")

# A position that no kind of search finishes within the time of these tests.
CHILD = """
import _thread, signal, sys, threading
from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, SolveLimits, Stone

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have set it to be ignored
CELLS = (
    "11,6 7,10 5,9 3,11 4,10 5,3 6,4 6,11 4,11 5,12 8,9 3,12 4,12 4,13 3,14 4,9 3,9 6,10 5,10 6,8"
    " 6,7 1,10 2,11 4,7 6,12 5,11 8,10 6,9 5,8 5,6 8,8 8,11 8,7 8,6 7,7 9,7"
)
stones = tuple(
    Placed(*map(int, cell.split(",")), Stone(1 + i % 2)) for i, cell in enumerate(CELLS.split())
)
method, how, turn = sys.argv[1:]
engine = Engine()
engine.set_position(Position(15, 15, Rule.FREESTYLE, stones, Stone[turn]))
limits = Limits(depth_plies=60) if method == "think" else SolveLimits()
if method == "think":
    engine.set_position(Position(15, 15, Rule.FREESTYLE, stones[:3], Stone.WHITE))


def report(text):
    print(text, flush=True)


for _ in range(3):
    engine.new_game()
    report("begin")
    if how == "raised":
        # Sets the flag of the signal and interrupts no wait: as on Windows.
        threading.Timer(0.33, lambda: (report("raised"), _thread.interrupt_main())).start()
    try:
        getattr(engine, method)(limits)
        report("came to an end")
    except KeyboardInterrupt:
        report("heard")
engine.check()
engine.set_position(Position(9, 9))
report(str(engine.think(Limits(nodes=200)).move))
"""


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(
            "sent", marks=pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
        ),
        "raised",
    ],
)
@pytest.mark.parametrize(
    ("method", "turn"),
    [("think", "WHITE"), ("solve", "BLACK"), ("solve_all", "BLACK"), ("defences", "WHITE")],
)
def test_ctrl_c_is_heard_within_a_fifth_of_a_second(method: str, turn: str, how: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, method, how, turn],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    waits_ms = []
    with child:
        try:
            for _ in range(3):
                assert child.stdout.readline() == "begin\n"
                if how == "raised":
                    assert child.stdout.readline() == "raised\n"
                else:
                    time.sleep(0.33)
                    child.send_signal(signal.SIGINT)
                watch = Stopwatch(child.pid)
                assert child.stdout.readline() == "heard\n"
                waits_ms.append(watch.ms())
            assert child.stdout.readline() == "Point(x=4, y=4)\n"
            assert child.wait(60) == 0
        finally:
            child.kill()
    assert sorted(waits_ms)[1] <= 200, waits_ms


def test_reports_come_in_the_thread_that_called() -> None:
    def think() -> None:
        seen: list[threading.Thread] = []
        engine = Engine()
        engine.set_position(POSITION)
        engine.think(Limits(depth_plies=3), on_info=lambda info: seen.append(current()))
        threads.append(set(seen) == {current()})

    current = threading.current_thread
    threads: list[bool] = []
    think()
    other = threading.Thread(target=think)
    other.start()
    other.join()
    assert threads == [True, True]
