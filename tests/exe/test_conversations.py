"""Runs every script of tests/conversations against the executable."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol.conversation import SCRIPTS, Program, Script

pytestmark = pytest.mark.exe


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
def test_conversation(program: Path, script: Path) -> None:
    with Program([str(program)]) as running:
        Script(running).play(script.read_text(encoding="ascii"))
