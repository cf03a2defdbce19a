"""`tengen check` on programs that each do one thing wrong: it is found, and named once."""

from __future__ import annotations

import pytest

from tengen.arena.check import conversation
from tengen.arena.check.catalogue import choose_checks
from tengen.arena.check.conversation import Settings
from tengen.arena.check.finding import Outcome
from tengen.arena.check.runner import run_checks
from tests.misbehaving import COMMAND

# One check of each kind, and those that the faults are about.
CHECKS = (2, 5, 6, 7, 21, 31, 51, 86)

pytestmark = pytest.mark.usefixtures("patient")


@pytest.mark.parametrize(
    ("switches", "failed", "received"),
    [
        ("", None, ""),
        ("--memory-hog 400", 86, " MiB"),
        ("--races", 7, ""),
        ("--dies-on-second-start", 5, "status 4: fatal: the board is in use"),
        ("--late 1 --late-by 7.4", 51, "one after "),
    ],
)
def test_one_cause_is_one_finding(
    switches: str, failed: int | None, received: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A slow program is slow in all of them.
    numbers: tuple[int, ...] = (2, 51) if failed == 51 else CHECKS
    if failed == 7:
        # Also on a busy machine the program reads each line before the next one comes.
        monkeypatch.setattr(conversation, "_PACE_S", 0.5)
        numbers = (2, 5, 6, 7, 21, 31)
    settings = Settings((*COMMAND, *switches.split()), timeout_s=60, turn_ms=500, sizes=(15,))
    results = run_checks(settings, choose_checks(only=numbers))
    bad = [result for result in results if result.outcome in (Outcome.FAIL, Outcome.FLAKY)]
    assert [result.check.number for result in bad] == ([] if failed is None else [failed])
    assert all(received in result.received for result in bad)


def test_what_is_late_within_the_tolerance_of_managers_is_told() -> None:
    """1.4 s at a limit of 0.5 s."""
    settings = Settings((*COMMAND, "--late", "1", "--late-by", "0.9"), timeout_s=60, turn_ms=500)
    (result,) = run_checks(settings, choose_checks(only=[51]))
    assert result.outcome is Outcome.PASS
    assert float(result.note.split()[1]) >= 1.4
