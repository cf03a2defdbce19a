"""The programs in `examples/` and in the README run and print what they should."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.paths import ROOT

# A line that each example must print.
PROMISES = {
    "one_move": r"^White plays [a-o]\d+$",
    "find_a_win": r"^Black plays [a-o]\d+ and completes a five with stone number \d+ from now$",
    "best_lines": r"^3\. [a-o]\d+ +[+-]\d+ +\d+%  depth \d+  [a-o]\d+ ",
    "pondering": r"^White plays [a-o]\d+ [01]\.\d s later$",
    "renju_fouls": r"^forbidden for Black: e5, double three$",
    "self_play": r"^(draw|black wins|white wins)",
}


def output_of(*arguments: str, stdin: str = "") -> str:
    """What a new Python process prints; it must end with status 0 and print nothing on stderr."""
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},  # also where the project is not installed
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_every_example_promises_something() -> None:
    assert {path.stem for path in (ROOT / "examples").glob("*.py")} == set(PROMISES)


@pytest.mark.parametrize("name", PROMISES)
def test_an_example_runs(name: str) -> None:
    assert re.search(PROMISES[name], output_of(f"examples/{name}.py"), re.MULTILINE)


def test_the_python_of_the_readme_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        assert re.match(r"[a-o]\d+ +[+-]\d+ +\d+%  depth \d+  ", output_of("-", stdin=block))


def test_the_conversation_of_the_readme_is_answered_by_the_centre() -> None:
    answers = output_of("-m", "tengen.pbrain", stdin="START 15\nBEGIN\n").splitlines()
    assert (answers[0], answers[-1]) == ("OK", "7,7")
