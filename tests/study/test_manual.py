"""The examples of docs/STUDY.md run, and print what they show."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.manual import Manual
from tests.paths import ROOT

MANUAL = Manual("STUDY.md")


@pytest.mark.parametrize("session", MANUAL.sessions, ids=range(len(MANUAL.sessions)))
def test_a_session(
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(
        ROOT / "tengen" / "lab" / "bench" / "puzzles",
        tmp_path / "tengen" / "lab" / "bench" / "puzzles",
    )
    monkeypatch.chdir(tmp_path)
    MANUAL.assert_session(session, capsys, 1)


def test_every_option_is_in_the_manual() -> None:
    from tengen.study.solve_cli import solve_command

    assert MANUAL.missing_options(solve_command) == []
