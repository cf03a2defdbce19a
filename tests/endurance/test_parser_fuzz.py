"""Coverage-guided fuzzing of the parser and the session."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tests.endurance.parser_judge import first_inputs, judge
from tests.paths import ROOT

# It has no version for other systems (pyproject.toml).
needs_atheris = pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="needs atheris"
)


def fuzz(inputs: int, folder: Path) -> str:
    """Try so many inputs; what libFuzzer says about them."""
    command = [sys.executable, "-m", "tests.endurance.parser_fuzz"]
    command += [f"-runs={inputs}", "-seed=1", f"-artifact_prefix={folder}/"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stderr


def test_the_first_inputs_are_answered_as_the_oracle_says() -> None:
    inputs = first_inputs()
    assert len(inputs) > 30
    for data in inputs:
        judge(data)


@needs_atheris
def test_inputs_that_reach_new_branches_are_answered_too(tmp_path: Path) -> None:
    said = fuzz(600, tmp_path)
    assert "DONE" in said and "NEW" in said


@needs_atheris
@pytest.mark.verify
def test_a_million_inputs(tmp_path: Path) -> None:
    said = fuzz(1_000_000, tmp_path)
    print(next(line for line in said.splitlines() if "DONE" in line))
