"""Every script of tests/conversations against the real program, byte by byte, and a fake one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol.conversation import FAKE, PROGRAM, SCRIPTS, play

PROGRAMS = {"fake": FAKE, "tengen": PROGRAM}


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
@pytest.mark.parametrize("program", PROGRAMS)
def test_conversation(program: str, script: Path) -> None:
    play(PROGRAMS[program], script)
