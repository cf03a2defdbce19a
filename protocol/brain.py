"""What the protocol needs of an engine. `engine.api.Engine` and the built-in opponents have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from engine.model import Info, Limits, Point, Position, Result


class Brain(Protocol):
    """An engine that the protocol can drive.

    All methods are called from one thread at a time, except `request_stop`, which may come from
    another thread while `think` runs. A class that has nothing to discard, or none of these
    settings, inherits the methods that do nothing.
    """

    def new_game(self) -> None:
        """Discard everything learned: the next move depends on position and limits only."""
        return None

    def set_memory(self, max_bytes: int | None, hash_bytes: int | None = None) -> str | None:
        """Stay below `max_bytes` in all, from the next `think` on; None = no limit was given.

        The hash table gets `hash_bytes`, if there is room; None = any size. Returns None, or a
        text for a MESSAGE when the memory is too little.
        """
        return None

    def set_threads(self, count: int) -> str | None:
        """Search with so many threads, at least 1, from the next `think` on. Returns None, or a
        text for a MESSAGE when fewer search."""
        return None

    def set_parameter(self, name: str, value: int) -> None:
        """Set a parameter of the search. ValueError with a clear text for a name that does not
        exist and for a value out of range."""
        return None

    def set_position(self, position: Position) -> str | None:
        """Take over a whole position. ValueError with a clear text when it cannot be played.

        Returns None, or a text for a MESSAGE when something that belongs to the rule is missing.
        """

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """Choose a move for the side to move, none of `limits.excluded`; `on_info` is called after
        each finished iteration."""

    def request_stop(self) -> None:
        """Make `think` return soon, also one that starts only after this call."""

    def clear_stop(self) -> None:
        """Take back an earlier `request_stop`; called before each `think`."""


@runtime_checkable
class KnowsForbidden(Protocol):
    """A brain that knows the forbidden points of the position of the last `set_position`."""

    def is_forbidden(self, x: int, y: int) -> bool:
        """True when the rule forbids the side to move to play there."""

    def forbidden_points(self) -> list[Point]:
        """The points that the rule forbids to Black, whoever is to move, row by row."""


@runtime_checkable
class KnowsMachine(Protocol):
    """A brain that knows what the machine has."""

    def machine_bytes(self) -> int:
        """The memory of the machine; 0 where the system does not tell."""


@runtime_checkable
class HasStrength(Protocol):
    """A brain with levels of strength."""

    def set_strength(self, strength: int, seed: int | None = None) -> None:
        """Play so strongly, from 0 to engine.model.MAX_STRENGTH, from the next `think` on; `seed`
        decides what is left to chance, None = every game is another one."""


@runtime_checkable
class HasHashFiles(Protocol):
    """A brain whose hash table can be kept in a file. Both methods return the number of positions,
    and raise OSError, or ValueError with the reason, after which nothing has changed; after
    `request_stop` soon an InterruptedError that says what has."""

    def save_hash(self, path: str) -> int:
        """Write the table to a file."""

    def load_hash(self, path: str) -> int:
        """Take the positions of a file; they stay until `new_game`."""
