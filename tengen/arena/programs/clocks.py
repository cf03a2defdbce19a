"""The clocks of one game: the time for the next move, and the time left for the game.

All times are in seconds, floating point, and measured by the caller; milliseconds appear only in
lines of the protocol.
"""

from __future__ import annotations

from tengen.game.played import NO_LIMIT_MS, TimeControl


class Clock:
    """One side's clock during one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        # Time used minus increments earned; negative while a program uses less than it earns.
        self.used_s = 0.0

    @property
    def left_s(self) -> float | None:
        """What is left of the match time, increments included, at least zero; None without a match
        limit."""
        if self.control.match_s is None:
            return None
        return max(0.0, self.control.match_s - self.used_s)

    @property
    def limit_s(self) -> float | None:
        """The time for the next move: the smaller of turn limit and match time left; None if there
        is neither."""
        limits = [limit for limit in (self.control.turn_s, self.left_s) if limit is not None]
        return min(limits, default=None)

    def spend(self, elapsed_s: float) -> None:
        """Charges the time of a move to the clock."""
        self.used_s += elapsed_s - self.control.increment_s

    def left_line(self) -> str:
        """The INFO line that precedes each request for a move."""
        left_s = self.left_s
        return f"INFO time_left {NO_LIMIT_MS if left_s is None else round(left_s * 1000)}"
