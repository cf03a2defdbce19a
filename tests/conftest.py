"""Settings shared by all tests."""

from __future__ import annotations

import signal

import pytest
from hypothesis import settings

from tests.acting import hasty as hasty
from tests.commands import run as run

# The same examples on every run and no deadline per example: a test must not fail because the
# machine is busy, and a failure must be reproducible. `--hypothesis-profile=default` tries others.
settings.register_profile(
    "tengen", deadline=None, derandomize=True, max_examples=50, print_blob=True
)
settings.load_profile("tengen")


@pytest.fixture(scope="session", autouse=True)
def _signals_are_not_ignored() -> None:
    """A shell starts background jobs with SIGINT ignored, nohup with SIGHUP, and the programs that
    tests start would inherit that: a test that sends one would wait for ever."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
