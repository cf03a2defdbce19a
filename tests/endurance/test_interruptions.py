"""Conversations that are interrupted: the program ends, or goes on, as it should."""

from __future__ import annotations

import signal
import sys
import time

import pytest

from tests.endurance import interruptions
from tests.endurance.control import Control
from tests.endurance.started import Started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals of POSIX")


def test_interrupted_conversations_end_or_go_on() -> None:
    times_ms = interruptions.run(10, seed=3, stop_s=0.6)
    assert set(interruptions.WAYS) - {"SIGSTOP"} <= set(times_ms)


@pytest.mark.verify
def test_a_thousand_interrupted_conversations() -> None:
    for way, times in interruptions.run(1000, seed=1).items():
        print(f"{way}: {len(times)} times, longest {max(times):.1f} ms")


def test_a_process_that_is_left_is_found() -> None:
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'input()'], stderr=-3)"
    with Started([sys.executable, "-c", code]) as program:
        with pytest.raises(AssertionError, match="a process of the program is left"):
            program.end(0, 60)
    time.sleep(0.1)
    assert not program.has_orphans()


def test_what_a_program_says_when_it_ends_is_found() -> None:
    with Started([sys.executable, "-c", "import sys; sys.exit('broken')"]) as program:
        with pytest.raises(AssertionError, match="status 1, said 'broken"):
            program.end(0, 60)


def test_the_control_process_tells_when_it_was_late() -> None:
    with Control() as control:
        time.sleep(0.3)
        begin_ns = time.monotonic_ns()
        control._process.send_signal(signal.SIGSTOP)
        time.sleep(0.3)
        control._process.send_signal(signal.SIGCONT)
        time.sleep(0.3)
        assert control.overslept_ms(begin_ns) > 250
        control._times[:] = [(200_000_000, 500_000_000)]
        assert control.overslept_ms(0, 100_000_000) == control.overslept_ms(600_000_000) == 0
        assert control.overslept_ms(400_000_000, 600_000_000) == 300
