"""The command `tengen`, run in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tengen import cli as tengen


class Said(NamedTuple):
    """What a command has done: its exit status, what it has printed, and its errors."""

    status: int
    out: str
    err: str

    @property
    def good(self) -> str:
        """What it has printed; it ended well."""
        assert self.status == 0, self
        return self.out

    @property
    def refusal(self) -> str:
        """The one line in which it has refused something."""
        assert (self.status, self.out, self.err.count("\n")) == (2, "", 1), self
        return self.err


Run = Callable[..., Said]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs a command with these words, such as `bench`."""

    def run(*words: str | Path) -> Said:
        capsys.readouterr()
        status = tengen.run([*map(str, words)])
        return Said(status, *capsys.readouterr())

    return run
