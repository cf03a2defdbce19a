"""Whole conversations with random lines; each is a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.paths import ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")


def converse(count: int, seed: int) -> str:
    """The figures of a run in a process of its own, which can fork."""
    command = [sys.executable, "-m", "tests.endurance.conversations"]
    command += ["--count", str(count), "--seed", str(seed)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_conversations_of_random_lines() -> None:
    assert converse(25, seed=2).startswith("25 conversations, ")


@pytest.mark.verify
def test_twenty_thousand_conversations() -> None:
    print(converse(20_000, seed=1))
