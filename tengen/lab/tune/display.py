"""What a tuning run shows: that of a match, with a line for each iteration instead of each game."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console

from tengen.arena.match.display import Display, LiveDisplay, PlainDisplay
from tengen.arena.match.options import Execution
from tengen.arena.match.tally import Tally
from tengen.game.record.game import Game


@dataclass
class Progress:
    """What a display shows of a run besides its games.

    line   the iteration that the last game has ended; empty if it has ended none.
    state  how far the run is.
    """

    line: str = ""
    state: str = ""


class _Told:
    """What a display says of the run, instead of each game."""

    progress: Progress

    def line_of(self, game: Game, tally: Tally) -> str:
        """The line of the iteration."""
        return self.progress.line

    def state_of(self, tally: Tally) -> str:
        """How far the run is."""
        return self.progress.state


class _Lines(_Told, PlainDisplay):
    """One line per iteration, for logs and pipes."""


class _Live(_Told, LiveDisplay):
    """A progress bar with the state and the running games; above it the line of each iteration."""


def make_display(
    console: Console, total: int, workers: int, how: Execution, progress: Progress
) -> Display:
    """The display that `how` asks for.

    total    the games of the run.
    workers  how many are played at a time.
    """
    shown = how.display_on(console)
    if shown == "result":
        return Display(console, total)
    display: _Lines | _Live = _Lines(console, total)
    if shown != "lines":
        display = _Live(console, total, boards=min(workers, 2) * (shown == "boards"))
    display.progress = progress
    return display
