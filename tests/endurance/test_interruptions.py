"""Conversations that are interrupted: the program ends, or goes on, as it should."""

from __future__ import annotations

import sys
import time

import pytest

from tests.endurance import interruptions
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
