"""The entrants of the ladder: every opponent by its name, and Tengen under several limits."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tengen.arena.match.versions import with_names
from tengen.arena.programs.program import Program, read_program
from tengen.opponents.registry import BRAINS

# The entrant whose rating is 0.
FLOOR = "random"
# Tengen's limits, as words of a program; the opponents have the time of the run.
TENGEN = {
    "Tengen 100 nodes": "nodes=100",
    "Tengen 1000 nodes": "nodes=1000",
    "Tengen 10000 nodes": "nodes=10000",
    "Tengen 100 ms": "turn=0.1",
}


def entrant_names() -> list[str]:
    """All names, the opponents first."""
    return [*BRAINS, *TENGEN]


def entrants(
    names: Sequence[str], turn_s: float, others: Sequence[Sequence[str]] = ()
) -> tuple[Program, ...]:
    """The programs of those names, and those that the words of `others` describe, with `turn_s`
    seconds for a move unless they have their own limit. ValueError for a name given twice, fewer
    than two, and words that describe no program."""
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"--only {name} is given twice")
    if len(names) + len(others) < 2:
        raise ValueError("a ladder needs two entrants or more")
    words = [*map(_words, names), *others]
    programs = with_names([read_program(each, [f"turn={turn_s}"]) for each in words])
    given = [program.name for program in programs]
    for name in given:
        if given.count(name) > 1:
            raise ValueError(f"--with: {name} is an entrant already; give another name=")
    return programs


def _words(name: str) -> list[str]:
    """The words of a program, as for `tengen match --engine`."""
    if name in TENGEN:
        return [f"name={name}", f"cmd={_command('tengen.pbrain')}", TENGEN[name]]
    return [f"name={name}", f"cmd={_command('tengen.cli')} brain {name}"]


def _command(module: str) -> str:
    return f'"{sys.executable}" -m {module}'
