"""The executable under test: TENGEN_PROGRAM, by default what `make exe` has built."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.paths import ROOT

FROZEN = Path(os.environ.get("TENGEN_PROGRAM", ROOT / "dist/pbrain-tengen/pbrain-tengen"))


@pytest.fixture
def frozen() -> Path:
    """The executable in its folder, where it was built."""
    assert FROZEN.is_file(), f"{FROZEN} is missing: run `make exe`"
    return FROZEN.resolve()


@pytest.fixture
def program(frozen: Path, tmp_path: Path) -> Path:
    """A copy of its folder, so that no other one can be mistaken for it, in one with blanks."""
    home = tmp_path / "my engines" / "Tengen 1"
    shutil.copytree(frozen.parent, home)
    return home / frozen.name
