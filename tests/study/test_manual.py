"""The examples of docs/STUDY.md run, and print what they show."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tengen import cli as tengen

ROOT = Path(__file__).parents[2]
MANUAL = (ROOT / "docs" / "STUDY.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```$", MANUAL, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("session", SESSIONS, ids=range(len(SESSIONS)))
def test_a_session(
    session: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(
        ROOT / "tengen" / "bench" / "puzzles", tmp_path / "tengen" / "bench" / "puzzles"
    )
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^\$ tengen (.*)\n((?:(?!\$ ).*\n)*)", session, re.MULTILINE)
    assert examples
    for command, wanted in examples:
        assert tengen.run(shlex.split(command)) in (0, 1)
        said = capsys.readouterr()
        checker = doctest.OutputChecker()
        assert checker.check_output(wanted, said.out, doctest.ELLIPSIS), said.out
        assert said.err == ""


def test_every_option_is_in_the_manual() -> None:
    from tengen.study.cli import solve_command

    names = {name for param in solve_command.params for name in param.opts if name[:2] == "--"}
    assert [name for name in sorted(names) if name not in MANUAL] == []
