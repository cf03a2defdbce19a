"""Every script of tests/conversations against the real program, byte by byte, and a fake one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol.conversation import FAKE, PROGRAM, SCRIPTS, Program, Script

PROGRAMS = {"fake": FAKE, "tengen": PROGRAM}


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
@pytest.mark.parametrize("program", PROGRAMS)
def test_conversation(program: str, script: Path) -> None:
    with Program(PROGRAMS[program]) as running:
        Script(running).play(script.read_text(encoding="ascii"))
