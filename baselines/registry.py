"""The opponents by name: what there is, what each does in one line, and how to make one.

A brain is made only when it is asked for, so that a list of names costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from protocol.brain import Brain


@dataclass(frozen=True)
class Entry:
    """One opponent.

    factory  "module:callable"; the callable takes the seed and returns a brain
    idea     how it chooses its move, in one line
    """

    factory: str
    idea: str


# From weak to strong, as far as we know; docs/LADDER.md has the ratings.
BRAINS: dict[str, Entry] = {
    "simple": Entry("baselines.simple:Simple", "rows made and rows stopped, one move deep"),
}


def create(name: str, seed: int = 0) -> Brain:
    """A new brain of that name; `seed` decides where it leaves something to chance.

    ValueError names what there is when there is none of that name.
    """
    if name not in BRAINS:
        raise ValueError(f"there is no opponent {name!r}; there are {', '.join(BRAINS)}")
    module, _, attribute = BRAINS[name].factory.partition(":")
    brain: Brain = getattr(import_module(module), attribute)(seed)
    return brain
