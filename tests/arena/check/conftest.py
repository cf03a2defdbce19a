"""What is measured of real programs while other programs keep the machine busy."""

from __future__ import annotations

from functools import partial

import pytest

from tengen.arena.check import conversation, entry_run, limits, yixin
from tengen.arena.check.conversation import Conversation, Settings

HUNG_S = 60.0
# Less than the longest search that a check ends early.
LATE_S = 7.0


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that keeps to the protocol passes however late its lines come: the limits of
    managers are longer than any pause on a busy machine, and still end."""
    monkeypatch.setattr(conversation, "TOLERANCE_S", LATE_S)
    # Where yixin.py waits for nothing more to come, it waits for so long.
    monkeypatch.setattr(yixin, "TOLERANCE_S", 2.0)
    monkeypatch.setattr(limits, "_UNDER_WAY_S", HUNG_S)
    monkeypatch.setattr(limits, "_GONE_S", HUNG_S)
    monkeypatch.setattr(entry_run, "Settings", partial(Settings, timeout_s=HUNG_S))
    expect_exit = Conversation.expect_exit
    monkeypatch.setattr(Conversation, "expect_exit", lambda talk, _: expect_exit(talk, HUNG_S))
