"""A pause of this process counts for nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import pytest

from tengen.common.process import AwakeClock, awake_s


def test_only_long_gaps_between_two_looks_are_left_out() -> None:
    now = 100.0
    clock = AwakeClock(lambda: now)
    began = clock.look()
    for gap_s, counts_s in ((0.05, 0.05), (0.2, 0.2), (7.0, 0.0), (0.1, 0.1), (3600.0, 0.0)):
        before = clock.look()
        now += gap_s
        assert clock.look() - before == pytest.approx(counts_s)
    assert clock.look() - began == pytest.approx(0.35)


def test_the_clock_runs_while_nobody_asks() -> None:
    began = awake_s()
    sleeps = threading.Event()
    while awake_s() - began < 1.0:
        sleeps.wait(0.6)  # longer than a gap; the thread of the clock looks meanwhile


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_it_goes_on_in_a_forked_process() -> None:
    code = (
        "import os, time\nfrom tengen.common.process import awake_s\nawake_s()\n"
        "pid = os.fork()\n"
        "if pid == 0:\n"
        "    began = awake_s()\n"
        "    while awake_s() - began < 0.5: time.sleep(0.4)\n"
        "    os._exit(7)\n"
        "os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 7


@pytest.mark.skipif(sys.platform == "win32", reason="stops a process")
def test_a_stop_of_the_process_is_left_out() -> None:
    import signal

    code = (
        "import time\nfrom tengen.common.process import awake_s\n"
        "began, real = awake_s(), time.monotonic()\nprint(flush=True)\ninput()\n"
        "print(awake_s() - began, time.monotonic() - real)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process:
        process.stdout.readline()
        process.send_signal(signal.SIGSTOP)
        time.sleep(2)
        process.send_signal(signal.SIGCONT)
        awake, real = map(float, process.communicate("\n", timeout=60)[0].split())
    assert real >= 2 and real - awake > 1.5
