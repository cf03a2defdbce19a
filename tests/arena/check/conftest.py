"""What is measured of real programs while other programs keep the machine busy."""

from __future__ import annotations

from functools import partial

import pytest

from tengen.arena.check import conversation, entry
from tengen.arena.check.conversation import Conversation, Settings

HUNG_S = 60.0
# Less than the longest search that a check ends early.
LATE_S = 7.0


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that keeps to the protocol passes however late its lines come: the limits of
    managers are longer than any pause on a busy machine, and still end."""
    monkeypatch.setattr(conversation, "TOLERANCE_S", LATE_S)
    monkeypatch.setattr(conversation, "_UNDER_WAY_S", HUNG_S)
    monkeypatch.setattr(conversation, "_GONE_S", HUNG_S)
    monkeypatch.setattr(entry, "Settings", partial(Settings, timeout_s=HUNG_S))
    expect_exit = Conversation.expect_exit
    monkeypatch.setattr(
        Conversation, "expect_exit", lambda talk, _, **how: expect_exit(talk, HUNG_S, **how)
    )
