"""`tengen help`, and completion by the shell as docs/FORMATS.md describes it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tengen import cli as tengen


@pytest.mark.parametrize(
    ("words", "same"),
    [("help", "--help"), ("help match", "match --help"), ("help lab sprt", "lab sprt -h")],
)
def test_help_of_a_command(words: str, same: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tengen.run(words.split()) == 0
    said = capsys.readouterr().out
    assert tengen.run(same.split()) == 0
    assert said == capsys.readouterr().out != ""


def test_help_of_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert tengen.run(["help", "metch"]) == 2
    assert capsys.readouterr().err == "tengen: 'metch' is not a command; did you mean match?\n"


@pytest.mark.parametrize(
    ("words", "word", "found"),
    [("", "ma", "match"), ("match", "--sche", "--schedule"), ("lab", "sp", "sprt")],
)
def test_the_shell_completes_commands_and_options(words: str, word: str, found: str) -> None:
    line = f"tengen {words} ".replace("  ", " ")
    asked = {
        "_TENGEN_COMPLETE": "bash_complete",
        "COMP_WORDS": line + word,
        "COMP_CWORD": str(len(line.split())),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tengen"], env=os.environ | asked, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [f"plain,{found}"]
