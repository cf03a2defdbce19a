"""What the tests of the lab share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen import cli as tengen
from tests.lab.command import Run, Said


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command with these words, such as `bench`."""

    def run(*words: str | Path) -> Said:
        capsys.readouterr()
        status = tengen.run([*map(str, words)])
        return Said(status, *capsys.readouterr())

    return run
