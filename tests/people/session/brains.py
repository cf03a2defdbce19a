"""Brains that each do one thing wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine.model import Info, Limits, Point, Position, Result, Score
from protocol.brain import Brain


class Wild(Brain):
    """A brain that always answers the top left corner, even if it is taken."""

    def __init__(self, seed: int = 0) -> None:
        self.stopped = threading.Event()
        self.position = Position(15, 15)

    def set_position(self, position: Position) -> None:
        """Accepts any position."""
        self.position = position

    def request_stop(self) -> None:
        """Ends the `think` of brains that wait for it."""
        self.stopped.set()

    def clear_stop(self) -> None:
        """Cancels an earlier stop."""
        self.stopped.clear()

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """The corner."""
        corner = Point(0, 0)
        return Result(corner, Info(1, 1, Score(0), 1, 1, 0, (corner,)))


class Failing(Wild):
    """A brain that fails at the second stone."""

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """Fails with a text of several lines."""
        if self.position.stones:
            raise RuntimeError("no idea\nat all")
        return super().think(limits, on_info)


class Endless(Wild):
    """A brain that thinks until it is stopped, and then needs a moment."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.has_begun = threading.Event()
        self.games = 0

    def new_game(self) -> None:
        """Counts them."""
        self.games += 1

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """Waits."""
        self.has_begun.set()
        self.stopped.wait()
        time.sleep(0.1)
        self.has_begun.clear()
        return super().think(limits, on_info)
