"""Who stands on the ladder: every opponent by its name, and Tengen under several limits."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tengen.opponents.registry import BRAINS
from tengen.programs.program import Program, read_program

# Its rating is the zero of the ladder.
FLOOR = "random"
# Tengen's limits, as the words of a program; the others have the time of the run.
TENGEN = {
    "Tengen 100 nodes": "nodes=100",
    "Tengen 1000 nodes": "nodes=1000",
    "Tengen 10000 nodes": "nodes=10000",
    "Tengen 100 ms": "turn=0.1",
}


def entrant_names() -> list[str]:
    """All names, the opponents first."""
    return [*BRAINS, *TENGEN]


def entrants(names: Sequence[str], turn_s: float) -> tuple[Program, ...]:
    """The programs of those names, with so many seconds for a move where they have no limit of
    their own. ValueError for a name that is none, or given twice, or fewer than two."""
    for name in names:
        if name not in entrant_names():
            raise ValueError(f"there is no {name!r}; there are {', '.join(entrant_names())}")
        if names.count(name) > 1:
            raise ValueError(f"{name} is named twice")
    if len(names) < 2:
        raise ValueError("a ladder needs two entrants or more")
    return tuple(read_program(_words(name), [f"turn={turn_s}"]) for name in names)


def _words(name: str) -> list[str]:
    """A program as `tengen match --engine` would be given it."""
    if name in TENGEN:
        return [f"name={name}", f"cmd={_command('tengen.pbrain')}", TENGEN[name]]
    return [f"name={name}", f"cmd={_command('tengen.cli')} brain {name}"]


def _command(module: str) -> str:
    return f'"{sys.executable}" -m {module}'
