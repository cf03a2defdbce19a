"""What is checked, and with which times, rules and sizes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What is checked, and how patiently.

    command    the words that start the program.
    timeout_s  how long an answer may take beyond the time the program has for thinking.
    turn_ms    the time for a move that is sent wherever a check does not need another one.
    rules      rules that are tried, by their INFO number.
    sizes      board sizes that are tried.
    quiet_s    how long silence is listened to.
    """

    command: tuple[str, ...]
    timeout_s: float = 5.0
    turn_ms: int = 100
    rules: tuple[int, ...] = (0, 1, 4, 8, 9)
    sizes: tuple[int, ...] = (15, 20)
    quiet_s: float = 0.15
