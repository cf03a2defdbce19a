"""The time a program is given for its moves, in seconds, and how it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

# What managers send as `INFO time_left` for "no limit".
NO_LIMIT_MS = 2147483647

_NUMBER = r"(\d{1,6}(?:\.\d{1,6})?)"
_TIME_CONTROL = re.compile(rf"{_NUMBER}(?:/{_NUMBER})?(?:\+{_NUMBER})?")


@dataclass(frozen=True)
class TimeControl:
    """The time a program is given. None = no such limit.

    turn_s       for each move; 0 means: answer at once.
    match_s      for all moves of a game together.
    increment_s  added to the match time after each own move; only together with `match_s`.
    """

    turn_s: float | None = None
    match_s: float | None = None
    increment_s: float = 0.0

    def info_lines(self) -> list[str]:
        """The INFO lines that tell a program its time control, sent before each game."""
        # Without a turn limit, programs assume one of their own, so a match limit alone is sent as
        # both.
        turn_s = self.turn_s if self.turn_s is not None else self.match_s
        lines = []
        if turn_s is not None:
            lines.append(f"INFO timeout_turn {round(turn_s * 1000)}")
        if turn_s is not None or self.match_s is not None:
            lines.append(f"INFO timeout_match {round((self.match_s or 0) * 1000)}")
        return lines

    def __str__(self) -> str:
        parts = []
        if self.turn_s is not None:
            parts.append(f"{self.turn_s:g} s/move")
        if self.match_s is not None:
            plus = f" + {self.increment_s:g} s/move" if self.increment_s else ""
            parts.append(f"{self.match_s:g} s/game{plus}")
        return ", ".join(parts) or "no time limit"


def read_time_control(text: str) -> TimeControl:
    """Reads `match/turn+increment` in seconds: `60`, `180/5`, `0/1`, `60+0.5`, `60/5+0.5`.

    A match time of 0 means: a limit for each move only. ValueError for anything else.
    """
    found = _TIME_CONTROL.fullmatch(text)
    match_s = float(found[1]) if found else 0.0
    turn_s = float(found[2]) if found and found[2] else None
    increment_s = float(found[3]) if found and found[3] else 0.0
    if found is None or (not match_s and (turn_s is None or increment_s)):
        raise ValueError(
            f"{text!r}: expected seconds as MATCH/TURN+INCREMENT, such as 60/5+0.5 or 0/1"
        )
    return TimeControl(turn_s, match_s or None, increment_s)
