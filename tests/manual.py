"""A page of docs/ whose examples are run."""

from __future__ import annotations

import doctest
import re
import shlex

import pytest

from tengen import cli as tengen
from tests.paths import ROOT

_EXAMPLE = re.compile(r"^\$ tengen (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
_SESSION = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Manual:
    """One page. sessions: the examples, each with the commands and what they print."""

    def __init__(self, name: str) -> None:
        self.text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        self.sessions: list[str] = _SESSION.findall(self.text)

    def assert_session(
        self, session: str, capsys: pytest.CaptureFixture[str], *statuses: int
    ) -> None:
        """The commands of an example end with 0 or one of `statuses`, and print what it shows."""
        examples = _EXAMPLE.findall(session)
        assert examples
        for command, wanted in examples:
            assert tengen.run(shlex.split(command)) in (0, *statuses)
            self.assert_shown(wanted, capsys)

    @staticmethod
    def assert_shown(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
        """The command has printed what the page shows (`...` for anything), and no errors."""
        said = capsys.readouterr()
        checker = doctest.OutputChecker()
        assert checker.check_output(wanted, said.out, doctest.ELLIPSIS), said.out
        assert said.err == ""
