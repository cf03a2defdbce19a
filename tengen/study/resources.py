"""The threads and the memory of a search, as a person chooses them, and its end by Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tengen.common.process import signals_call

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


@contextmanager
def answers_at_once(engine: Engine) -> Iterator[list[int]]:
    """Inside the context Ctrl-C makes the engine answer with what it has found; a second one raises
    KeyboardInterrupt. Yields the signals received; searches that begin later are for the caller to
    leave out, or to stop as well."""
    received: list[int] = []

    def stop() -> None:
        received.append(0)
        if len(received) > 1:
            raise KeyboardInterrupt
        engine.request_stop()

    with signals_call(stop):
        yield received
