"""Brains that each do one thing wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from engine.model import Info, Limits, Point, Result, Score
from tests.protocol.fake_brain import FakeBrain


class Wild(FakeBrain):
    """A brain that always answers the top left corner, even if it is taken."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()

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
        super().__init__()
        self.has_begun = threading.Event()

    @property
    def games(self) -> int:
        """How many have begun."""
        return self.calls.count(("new_game", None))

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """Waits."""
        self.has_begun.set()
        self._stop.wait()
        time.sleep(0.1)
        self.has_begun.clear()
        return super().think(limits, on_info)
