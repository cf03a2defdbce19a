"""The examples of docs/PLAY.md run, and print what they show."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from tengen import cli as tengen
from tengen.people.terminal.commands import WORDS
from tests.manual import Manual

MANUAL = Manual("PLAY.md")
TYPED = re.compile(r"^(?:(?:Black|White) \d+|Game over)> (.*)$", re.MULTILINE)
# What is typed where the page has three dots before the first line that it shows.
LEFT_OUT = {"White 6> a7": "c3 g7 d3 g1 e3", "White 8> i9": "d6 a1 e6 a9 f8 i1 f7"}


@pytest.mark.parametrize("session", MANUAL.sessions, ids=range(len(MANUAL.sessions)))
def test_a_session(
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    first, _, wanted = session.partition("\n")
    typed = TYPED.findall(wanted)
    for shown, before in LEFT_OUT.items():
        if shown in wanted:
            typed = [*before.split(), *typed]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(typed) + "\n"))
    assert first.startswith("$ tengen ")
    assert tengen.run(shlex.split(first.removeprefix("$ tengen "))) == 0
    MANUAL.assert_shown(wanted, capsys)


def test_every_option_and_every_word_is_in_the_manual() -> None:
    from tengen.people.terminal.cli import play_command

    assert MANUAL.missing_options(play_command) == []
    assert [word for word in WORDS if f"`{word}" not in MANUAL.text] == []
