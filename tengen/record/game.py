"""A game as it is recorded: what was to be played, the stones, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from tengen.record.move_report import Report
from tengen.record.termination import Termination
from tengen.rules.referee import BLACK, WHITE, Cell


@dataclass(frozen=True)
class Setting:
    """What all games of a run share: the board, the rule and how they are played.

    draw_after      a game with so many stones on the board is a draw; None = never before it is
                    full.
    opening_rule    how the first stones come about: None = the opening of the job, or "swap2".
    is_suspending   a program is stopped while the other one thinks.
    keeps_transcripts   all lines to and from the programs are kept with the game.
    """

    width: int
    height: int
    rule: int
    draw_after: int | None = None
    opening_rule: str | None = None
    is_suspending: bool = False
    keeps_transcripts: bool = False


@dataclass(frozen=True)
class Job:
    """One game to play.

    index    its number in the run, from zero; records are written in this order.
    pair     the number of its pair: two games from one opening with colours exchanged.
    black, white   names of programs.
    opening  the first moves, black first, as cells of the board.
    source   the number of the opening in the run's list, and the symmetry it is turned by.
    """

    index: int
    pair: int
    black: str
    white: str
    opening: tuple[Cell, ...]
    source: tuple[int, int] = (0, 0)

    def name_of(self, colour: int) -> str:
        """The program that plays a colour."""
        return {BLACK: self.black, WHITE: self.white}[colour]


@dataclass(frozen=True)
class Move:
    """A stone as it was played. `elapsed_s` is 0 and `report` None for moves of the opening."""

    x: int
    y: int
    colour: int
    elapsed_s: float = 0.0
    report: Report | None = None


@dataclass(frozen=True)
class Game:
    """A game that has ended.

    job          with the colours as they were played, and the stones of the opening.
    winner       BLACK, WHITE, or 0: a draw, or nobody (INTERRUPTED).
    termination  why; after a failure, the loser is who failed.
    detail       the reason in words, for people; empty after FIVE and FULL.
    moves        all stones on the board; an illegal move is not among them, a forbidden one is.
    peak_bytes   the most memory seen of Black's and of White's program; 0 = not looked at.
    began_at     when, in seconds since 1970, and on which `host`.
    transcript   every line said, with the time into the game; empty unless wanted.
    """

    job: Job
    setting: Setting
    winner: int
    termination: Termination
    detail: str
    moves: tuple[Move, ...]
    peak_bytes: tuple[int, int] = (0, 0)
    began_at: float = 0.0
    host: str = ""
    transcript: tuple[str, ...] = ()
