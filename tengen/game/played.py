"""How a game was played: the time for its moves, what programs reported, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

# What managers send as `INFO time_left` for "no limit".
NO_LIMIT_MS = 2147483647


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
        if turn_s is None:
            return []
        times = [("timeout_turn", turn_s), ("timeout_match", self.match_s or 0.0)]
        if self.increment_s:
            times.append(("time_increment", self.increment_s))
        return [f"INFO {key} {round(seconds * 1000)}" for key, seconds in times]

    def __str__(self) -> str:
        parts = []
        if self.turn_s is not None:
            parts.append(f"{self.turn_s:g} s/move")
        if self.match_s is not None:
            plus = f" + {self.increment_s:g} s/move" if self.increment_s else ""
            parts.append(f"{self.match_s:g} s/game{plus}")
        return ", ".join(parts) or "no time limit"


@dataclass(frozen=True)
class Report:
    """What a program reports about one move; None = not reported.

    value       for the side to move, in the program's own unit.
    mate_plies  > 0: the program wins with the n-th stone from now; < 0: it loses with that stone.
    line        the expected moves, as the program wrote them.
    """

    depth_plies: int | None = None
    seldepth_plies: int | None = None
    value: int | None = None
    mate_plies: int | None = None
    nodes: int | None = None
    line: str | None = None

    @property
    def score_text(self) -> str:
        """The value as programs print it: `35`, `+M5`, `-M4`; empty when unknown."""
        if self.mate_plies is not None:
            return f"{'+' if self.mate_plies > 0 else '-'}M{abs(self.mate_plies)}"
        return "" if self.value is None else str(self.value)


@dataclass(frozen=True)
class Move:
    """A stone as it was played. `elapsed_s` is 0 and `report` None for moves of the opening."""

    x: int
    y: int
    colour: int
    elapsed_s: float = 0.0
    report: Report | None = None


class Termination(Enum):
    """How and why a game ended. The values are what records and tables show."""

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


@dataclass(frozen=True)
class MatchFacts:
    """What a match knows of one of its games, besides the game itself.

    index          its number in the run, from zero; records are written in this order.
    pair           of two games from one opening with colours exchanged, from zero.
    opening_moves  the first moves, which the programs have not chosen.
    source         the number of the opening in the run's list, and the symmetry applied to it.
    peak_bytes     the most memory measured of Black's and of White's program; None if unknown.
    began_at       when it began, in seconds since 1970, and `host` the machine; None and empty if
                   unknown.
    transcript     every line sent and received, with the time since the beginning; empty unless
                   kept.
    """

    index: int = 0
    pair: int | None = None
    opening_moves: int = 0
    source: tuple[int, int] | None = None
    peak_bytes: tuple[int | None, int | None] = (None, None)
    began_at: float | None = None
    host: str = ""
    transcript: tuple[str, ...] = ()
