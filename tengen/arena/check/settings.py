"""The settings of a run: the program, and the times, rules and sizes to try."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Settings:
    """The program under test, with the times, rules and sizes to use.

    command    the words that start the program.
    timeout_s  how long an answer may take beyond the time for a move.
    turn_ms    the time for a move, where a check needs no other.
    rules      the rules to try, by their INFO number.
    sizes      the board sizes to try.
    quiet_s    how long the program must print nothing where silence is expected.
    folder     where the program runs; None = the present folder.
    """

    command: tuple[str, ...]
    timeout_s: float = 5.0
    turn_ms: int = 100
    rules: tuple[int, ...] = (0, 1, 4, 8, 9)
    sizes: tuple[int, ...] = (15, 20)
    quiet_s: float = 0.15
    folder: Path | None = None
