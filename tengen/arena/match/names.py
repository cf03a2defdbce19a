"""The names of programs that were given none: what they answer to ABOUT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tengen.arena.programs.player import Player, PlayerFailed
from tengen.arena.programs.program import Program

_NAME = re.compile(r'name\s*=\s*"([^"]+)"', re.IGNORECASE)
_MOST_CHARACTERS = 50


def with_names(programs: Sequence[Program]) -> tuple[Program, ...]:
    """The programs, each with a name of its own. One without is asked ABOUT; if it does not say,
    its file names it. A name that is taken gets a number. ValueError for a program that cannot be
    started."""
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
    except PlayerFailed as failure:
        raise ValueError(f"--engine: {failure.detail}") from None
    finally:
        player.dispose()
    found = _NAME.search(answer)
    words = [word for word in program.command if not word.startswith("-")]
    said = _as_name(found[1]) if found else ""
    return said or _as_name(Path(words[-1]).stem.removeprefix("pbrain-")) or "program"


def _as_name(text: str) -> str:
    """The text as `read_program` takes a name; empty if nothing is left of it."""
    words = "".join(c if c.isprintable() else " " for c in text).split()
    return " ".join(words)[:_MOST_CHARACTERS].rstrip()


def _free(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name} {number}" in taken:
        number += 1
    return f"{name} {number}"
