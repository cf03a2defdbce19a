"""Commands of programs, as people write them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tengen.programs.program import read_program, split_command


@pytest.mark.parametrize(
    ("text", "is_windows", "words"),
    [
        ("python3 b.py  7", False, ["python3", "b.py", "7"]),
        ("'my brain' \"b c\"#1", False, ["my brain", "b c#1"]),
        (r"my\ brain C:\\x", False, ["my brain", r"C:\x"]),
        (r"C:\brains\b.exe -x", True, [r"C:\brains\b.exe", "-x"]),
        (
            r'"C:\Program Files\b.exe" "two words" it',
            True,
            [r"C:\Program Files\b.exe", "two words", "it"],
        ),
        ("", True, []),
    ],
)
def test_a_command_is_split_into_words(text: str, is_windows: bool, words: list[str]) -> None:
    assert split_command(text, is_windows) == words


@pytest.mark.parametrize("is_windows", [False, True])
def test_a_quote_that_is_not_closed_is_an_error(is_windows: bool) -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        split_command("brain 'x", is_windows)


def test_files_of_a_command_are_those_of_this_folder_but_modules_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "brain").mkdir()
    (tmp_path / "brain.py").write_text("")
    script = read_program(["name=A", f"cmd={sys.executable} brain.py"])
    assert script.command[1:] == (str(tmp_path / "brain.py"),)
    module = read_program(["name=A", f"cmd={sys.executable} -m brain --fast"])
    assert module.command[1:] == ("-m", "brain", "--fast")
