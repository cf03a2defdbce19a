"""What a run shows while it is played: a line for each game, a progress bar, or nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from tengen.arena.match.play_game import Watcher
from tengen.arena.match.scoreboard import Scoreboard, game_line, state_line
from tengen.arena.stats.sprt import Sprt
from tengen.common.console import print_line
from tengen.game.game import Game

_FRAMES_PER_S = 5
# Lines of running games.
_LINES = 8
# How long a game is taken to be before the first one has ended.
_USUAL_STONES = 40


@dataclass
class Progress:
    """What a display shows of a run whose games say little each: of tuning.

    line   printed instead of the last game; nothing if it is empty.
    state  how far the run is.
    """

    line: str = ""
    state: str = ""


class Display:
    """How a run is shown: entered before the first game, exited after the last. This one shows
    nothing until the end."""

    def __init__(self, console: Console, total: int, sprt: Sprt | None = None) -> None:
        self._console = console
        self._total = total
        self._sprt = sprt
        self._watchers: list[Watcher] = []
        # Shown instead of each game, if given.
        self.progress: Progress | None = None

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def watchers(self, count: int) -> list[Watcher]:
        """What follows the games of each of `count` workers."""
        self._watchers = [Watcher() for _ in range(count)]
        return self._watchers

    def resumed(self, scores: Scoreboard) -> None:
        """These games were played before the run was resumed."""

    def game_counted(self, game: Game, scores: Scoreboard) -> None:
        """A game has ended and was counted."""

    def line_of(self, game: Game, scores: Scoreboard) -> str:
        """What is printed when a game has been counted; nothing if it is empty."""
        return self.progress.line if self.progress else game_line(game, self._total, scores)

    def state_of(self, scores: Scoreboard) -> str:
        """The line below the progress bar."""
        return self.progress.state if self.progress else state_line(scores, self._sprt)


class PlainDisplay(Display):
    """One line per game, for logs and pipes."""

    def resumed(self, scores: Scoreboard) -> None:
        """Prints how many games there are already."""
        print_line(self._console, f"{scores.games} of {self._total} games were played before")

    def game_counted(self, game: Game, scores: Scoreboard) -> None:
        """Prints the line of the game."""
        if line := self.line_of(game, scores):
            print_line(self._console, line)


class LiveDisplay(PlainDisplay):
    """Progress, score, Elo, the test and the time left, redrawn in place, with a line for each
    running game; above them the line of each game that has ended."""

    def __init__(self, console: Console, total: int, sprt: Sprt | None = None) -> None:
        super().__init__(console, total, sprt)
        is_utf = console.encoding.lower().startswith("utf")
        self._spinner = Spinner("dots" if is_utf else "line")
        self._stones_done = 0
        self._began = time.monotonic()
        self._done = self._done_before = 0
        self._state = ""
        self._live = Live(
            console=console,
            get_renderable=self._render,
            refresh_per_second=_FRAMES_PER_S,
            transient=True,
        )

    def __enter__(self) -> Display:
        self._began = time.monotonic()
        self._live.start(refresh=True)
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def resumed(self, scores: Scoreboard) -> None:
        """Prints how many games there are already."""
        super().resumed(scores)
        self._done = self._done_before = scores.games
        self._state = self.state_of(scores)

    def game_counted(self, game: Game, scores: Scoreboard) -> None:
        """Prints the line of the game and advances the bar."""
        super().game_counted(game, scores)
        self._stones_done += len(game)
        self._done = scores.games
        self._state = self.state_of(scores)

    def _render(self) -> RenderableType:
        footer = Table.grid(padding=(0, 2))
        footer.add_row(
            self._spinner,
            ProgressBar(total=self._total, completed=self._done + self._part_done(), width=30),
            Text(f"{self._done}/{self._total} games{self._time_left()}"),
        )
        lines = [Text(line) for watcher in self._watchers if (line := watcher.line())]
        state = [Text(self._state)] if self._state else []
        return Group(*lines[:_LINES], footer, *state)

    def _part_done(self) -> float:
        """How much of the running games has been played, in games: a guess, for the bar."""
        played = self._done - self._done_before
        usual = self._stones_done / played if played and self._stones_done else _USUAL_STONES
        return sum(watcher.stones / (watcher.stones + usual) for watcher in self._watchers)

    def _time_left(self) -> str:
        played = self._done - self._done_before
        if not played or self._done >= self._total:
            return ""
        seconds = int((time.monotonic() - self._began) / played * (self._total - self._done))
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        left = f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"
        return f", at most {left} left" if self._sprt else f", {left} left"


def make_display(console: Console, total: int, sprt: Sprt | None, shown: str | None) -> Display:
    """The display of a word of --display, for so many games."""
    kinds = {"result": Display, "lines": PlainDisplay, "bar": LiveDisplay}
    return kinds[shown or ("bar" if console.is_terminal else "lines")](console, total, sprt)
