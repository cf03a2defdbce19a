"""The executable under test: TENGEN_PROGRAM, by default what `make exe` has built."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.paths import ROOT

FROZEN = Path(os.environ.get("TENGEN_PROGRAM", ROOT / "dist" / "pbrain-tengen" / "pbrain-tengen"))


@pytest.fixture
def program() -> Path:
    """The path of the executable, which must exist."""
    assert FROZEN.is_file(), f"{FROZEN} is missing: run `make exe`"
    return FROZEN.resolve()
