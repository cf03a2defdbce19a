"""What the protocol needs of an engine. `engine.api.Engine` and the built-in opponents have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from engine.model import MAX_STRENGTH, Info, Limits, Point, Position, Result


class Brain(Protocol):
    """An engine that the protocol can drive.

    All methods are called from one thread at a time, except `request_stop`, which may come from
    another thread while `think` runs. A class that has nothing to discard, or lacks one of these
    settings and abilities, inherits what is written here.
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

    def set_strength(self, strength: int, seed: int | None = None) -> str | None:
        """Play so strongly, from 0 to engine.model.MAX_STRENGTH, from the next `think` on; `seed`
        decides what is left to chance, None = every game is another one. Returns None, or a text
        for a MESSAGE when that is not possible."""
        is_whole = strength == MAX_STRENGTH
        return None if is_whole else "INFO strength has no effect: this program has one strength"

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

    def is_forbidden(self, x: int, y: int) -> bool:
        """True when the rule forbids the side to move to play there, in the position of the last
        `set_position`."""
        return False

    def forbidden_points(self) -> list[Point]:
        """The points that the rule forbids to Black, whoever is to move, row by row."""
        return []

    def machine_bytes(self) -> int:
        """The memory of the machine; 0 where that is not known."""
        return 0

    def save_hash(self, path: str) -> int:
        """Write the hash table to a file. Returns the number of positions. OSError, or ValueError
        with the reason; after `request_stop` soon an InterruptedError that says what has changed.
        NotImplementedError where there is nothing to write."""
        return _refuse_files()

    def load_hash(self, path: str) -> int:
        """Take the positions of a file; they stay until `new_game`. Otherwise as `save_hash`; after
        an error nothing has changed."""
        return _refuse_files()


def _refuse_files() -> int:
    raise NotImplementedError("this program has no hash table that files can hold")


class Asked(Protocol):
    """What thinks in the place of a brain, by which it answers something else than a move."""

    @property
    def word(self) -> str:
        """The command that asks."""

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Any:
        """Answer within the limits."""


@runtime_checkable
class CanPonder(Protocol):
    """A brain that can think in the opponent's time: by `think` with Limits.is_ponder."""

    def ponder_hit(self, limits: Limits | None = None) -> bool:
        """The expected reply has come; the clock of these limits runs. False if nothing ponders
        (any more)."""
