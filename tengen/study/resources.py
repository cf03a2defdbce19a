"""The threads and the memory of a search, as a person chooses them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.api import Engine  # not for --help: it takes a while

MOST_THREADS = 64
LEAST_MEMORY_MIB, MOST_MEMORY_MIB = 30, 1_000_000
DEFAULT_MEMORY_MIB = 350
_MIB = 1 << 20


@dataclass(frozen=True)
class Resources:
    """What an engine may use.

    threads     that search one position; only with one are the same nodes searched every time.
    memory_mib  for the engine; about half of it is its table. None = as in tournaments,
                DEFAULT_MEMORY_MIB.
    """

    threads: int = 1
    memory_mib: int | None = None

    def give(self, engine: Engine, hash_bytes: int | None = None) -> Engine:
        """The engine, which has them from now on; `hash_bytes` = the most that its table takes.
        ValueError if so little memory is not enough for so many threads."""
        memory = None if self.memory_mib is None else self.memory_mib * _MIB
        if problem := engine.set_memory(memory, hash_bytes) or engine.set_threads(self.threads):
            raise ValueError(problem)
        return engine
