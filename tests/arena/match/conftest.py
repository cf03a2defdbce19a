"""What the tests of matches need on every system."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from tests.acting import stage as stage


@pytest.fixture(scope="session", autouse=True)
def _true_is_a_program(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests that start nothing name `true` as a program; Windows has none of this name."""
    if sys.platform == "win32":
        folder = tmp_path_factory.mktemp("bin")
        (folder / "true.cmd").write_text("@exit /b 0\r\n", encoding="ascii")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PATH", str(folder), prepend=";")
            yield
    else:
        yield
