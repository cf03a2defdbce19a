"""What the protocol needs of an engine; `engine.api.Engine` has it, and so can any opponent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from engine.model import Info, Limits, Position, Result


class Brain(Protocol):
    """A player of positions.

    All methods are called from one thread at a time, except `request_stop`, which may come from
    another thread while `think` runs.
    """

    def new_game(self) -> None:
        """Forget everything learned: the next move depends on position and limits only."""

    def set_memory(self, max_bytes: int | None, hash_bytes: int | None = None) -> str | None:
        """Stay below `max_bytes` in all, from the next `think` on; None = no limit was given.

        A table to remember positions in gets `hash_bytes`, if there is room; None = any size.
        Returns None; or, when it is too little, what the manager should know about that.
        """

    def set_parameter(self, name: str, value: int) -> None:
        """Give a number of the search another value; ValueError with a clear text when there is
        none of that name, or it cannot have this value."""

    def set_position(self, position: Position) -> None:
        """Take over a whole position. ValueError with a clear text when it cannot be played."""

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """Choose a move for the side to move; `on_info` hears of each finished iteration."""

    def request_stop(self) -> None:
        """Make `think` return soon, also one that starts only after this call."""

    def clear_stop(self) -> None:
        """Take back an earlier `request_stop`; called before each `think`."""
