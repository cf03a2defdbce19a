"""The examples of docs/ANALYSIS.md run, and print what they show."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.study.analyze_cli import analyze_command
from tests.manual import Manual

from .test_review import MISSED, psq_of

MANUAL = Manual("ANALYSIS.md")


@pytest.mark.parametrize("session", MANUAL.sessions, ids=range(len(MANUAL.sessions)))
def test_a_session(
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "game.psq").write_text(psq_of(MISSED))
    monkeypatch.chdir(tmp_path)
    MANUAL.assert_session(session, capsys)


def test_every_option_is_in_the_manual() -> None:
    missing = {*MANUAL.missing_options(analyze_command)}
    assert missing.isdisjoint(Manual("EVALUATION.md").missing_options(analyze_command))
