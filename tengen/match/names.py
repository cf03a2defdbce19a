"""The names of programs that were given none: what they answer to ABOUT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tengen.programs.player import Player
from tengen.programs.program import Program

_NAME = re.compile(r'name\s*=\s*"([^"]+)"', re.IGNORECASE)
_MOST_CHARACTERS = 50


def with_names(programs: Sequence[Program]) -> tuple[Program, ...]:
    """The programs, each with a name of its own. One without is asked ABOUT; if it does not say,
    its file names it. A name that is taken gets a number."""
    taken = {program.name for program in programs if program.name}
    named = []
    for program in programs:
        if not program.name:
            program = replace(program, name=_free(_asked(program), taken))
            taken.add(program.name)
        named.append(program)
    return tuple(named)


def _asked(program: Program) -> str:
    player = Player(program)
    try:
        answer = player.about() or ""
    finally:
        player.dispose()
    found = _NAME.search(answer)
    said = "".join(c for c in found[1] if c.isprintable()).strip() if found else ""
    words = [word for word in program.command if not word.startswith("-")]
    return (said or Path(words[-1]).stem.removeprefix("pbrain-"))[:_MOST_CHARACTERS] or "program"


def _free(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"
