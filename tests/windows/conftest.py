"""The Windows program that `make windows` leaves, run by wine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from release import wine
from release.windows import DIST, NAME
from release.windows_python import build

FOLDER = DIST / NAME


@pytest.fixture(scope="session", autouse=True)
def _wine() -> Iterator[None]:
    with wine.running():
        yield


@pytest.fixture
def folder() -> Path:
    """The folder of the program; `make windows` first."""
    assert (FOLDER / f"{NAME}.exe").is_file(), f"{FOLDER} is missing: run `make windows`"
    return FOLDER


@pytest.fixture
def command(folder: Path) -> list[str]:
    """What starts the program."""
    return ["wine", str(folder / f"{NAME}.exe")]


@pytest.fixture(scope="session")
def python() -> Path:
    """A Windows Python in which `python -m tengen` works, the engine compiled as it is shipped."""
    return build()
