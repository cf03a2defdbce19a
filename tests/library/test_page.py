"""docs/PYTHON.md and the notebook: every example runs and prints what the page shows."""

from __future__ import annotations

import doctest
import json
import os
import re
import sys
from pathlib import Path

import pytest

from tests.library.notebook import run
from tests.paths import ROOT

PAGE = ROOT / "docs" / "PYTHON.md"
# Such an example shows values of a search, which change with the net and the machine: points and
# numbers may be others, and as many as there are.
FOR_EXAMPLE = "for example"


def form(text: str) -> str:
    """What is left of an output when points and numbers may be others."""
    text = re.sub(r"\b[a-vA-V][0-9]{1,2}\b", "p", " ".join(text.split()))
    text = re.sub(r"[+-]?M?[0-9][0-9.,]*", "#", text)
    return re.sub(r"('?p'?,? ?)+|(#%? ?)+", "# ", text).strip()


class Checker(doctest.OutputChecker):
    """Compares what an example prints, only its form where the page says so."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        if want.startswith(FOR_EXAMPLE):
            return set(form(want.removeprefix(FOR_EXAMPLE)).split()) == set(form(got).split())
        return super().check_output(want, got, optionflags)


@pytest.fixture(autouse=True)
def in_a_new_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The commands of this environment are found, and files go to a folder of their own."""
    commands = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)


def test_every_example_prints_what_the_page_shows() -> None:
    text = PAGE.read_text(encoding="utf-8")
    # A fence is no part of what an example prints.
    parser, wanted = doctest.DocTestParser(), text.replace("\n```\n", "\n\n")
    test = parser.get_doctest(wanted, {}, PAGE.name, str(PAGE), 0)
    assert len(test.examples) >= text.count(">>> ") > 50
    for example in test.examples:
        if FOR_EXAMPLE in example.source:
            example.want = FOR_EXAMPLE + example.want
    said: list[str] = []
    options = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    result = doctest.DocTestRunner(Checker(), optionflags=options).run(test, out=said.append)
    assert result.failed == 0, "".join(said)


@pytest.mark.parametrize("path", [*(ROOT / "examples").glob("*.ipynb")], ids=lambda path: path.name)
def test_every_cell_of_a_notebook_shows_what_it_holds(path: Path) -> None:
    pictures = 0
    for cell, outputs in run(json.loads(path.read_text(encoding="utf-8"))):
        assert cell["outputs"] == outputs, "python -m tests.library.notebook writes them anew"
        pictures += sum("image/svg+xml" in output.get("data", ()) for output in outputs)
    assert pictures >= 2
