"""Why a game ended: one value of an enumeration for each reason."""

from __future__ import annotations

from enum import Enum


class Termination(Enum):
    """How a game ended. The values are what records and tables show."""

    FIVE = "five"  # a winning line, by the rule of the game
    FULL = "full board"  # no empty cell left: a draw
    TIMEOUT = "timeout"  # a move came, but after its time
    CRASH = "crash"  # the program could not be started, or ended
    STALL = "stall"  # no move came at all, long after its time
    ILLEGAL = "illegal"  # a move off the board or on a stone, or an answer that is no move
    FORBIDDEN = "forbidden"  # a renju foul by Black
    MEMORY = "memory"  # more memory than allowed
    RESIGNED = "resigned"  # the loser gave up
    ADJUDICATED = "adjudicated"  # declared won or drawn by the match before its end
    INTERRUPTED = "interrupted"  # the run was stopped; the game does not count

    @property
    def is_failure(self) -> bool:
        """True when the loser lost by a failure and not by the play."""
        return self in _FAILURES


_FAILURES = frozenset(
    {
        Termination.TIMEOUT,
        Termination.CRASH,
        Termination.STALL,
        Termination.ILLEGAL,
        Termination.FORBIDDEN,
        Termination.MEMORY,
    }
)
