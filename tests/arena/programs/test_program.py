"""Commands of programs, as people write them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tengen.arena.programs.program import read_program


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
