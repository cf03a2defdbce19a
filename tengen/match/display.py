"""What one sees of a run while it goes on: a line for each game, a bar, boards, or nothing."""

from __future__ import annotations

import time
from typing import Protocol

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tengen.match.board_view import BoardView
from tengen.match.story import Nobody, Watcher
from tengen.match.summary import game_line, print_line, state_line
from tengen.match.tally import Tally
from tengen.record.game import Game
from tengen.stats.sprt import Sprt

_FRAMES_PER_S = 5


class Display(Protocol):
    """How a run is shown: entered before the first game, left after the last."""

    def __enter__(self) -> Display: ...

    def __exit__(self, *error: object) -> None: ...

    def watchers(self, count: int) -> list[Watcher]:
        """Those who follow the games of `count` workers."""

    def resumed(self, tally: Tally) -> None:
        """The games of this tally have been played before, and are not told one by one."""

    def game_counted(self, game: Game, tally: Tally) -> None:
        """A game has ended and is in the tally."""


class QuietDisplay:
    """Nothing until the end; what the other displays are made of."""

    def __init__(self, console: Console, total: int, sprt: Sprt | None = None) -> None:
        self._console = console
        self._total = total
        self._sprt = sprt

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def watchers(self, count: int) -> list[Watcher]:
        """Nobody looks at single moves."""
        return [Nobody() for _ in range(count)]

    def resumed(self, tally: Tally) -> None:
        """Says nothing."""

    def game_counted(self, game: Game, tally: Tally) -> None:
        """Says nothing."""


class PlainDisplay(QuietDisplay):
    """One line per game, for logs and pipes."""

    def resumed(self, tally: Tally) -> None:
        """Says where the run goes on."""
        print_line(self._console, f"{tally.games} of {self._total} games were played before")

    def game_counted(self, game: Game, tally: Tally) -> None:
        """Prints the line of the game."""
        print_line(self._console, game_line(game, self._total, tally))


class LiveDisplay(PlainDisplay):
    """Progress, score, Elo, the test and the time left, redrawn in place; above it the line of each
    game that has ended; with `boards`, the games that are being played."""

    def __init__(
        self, console: Console, total: int, sprt: Sprt | None = None, boards: int = 0
    ) -> None:
        super().__init__(console, total, sprt)
        self._views = [BoardView(console.encoding) for _ in range(boards)]
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

    def watchers(self, count: int) -> list[Watcher]:
        """The boards for the first workers, nobody for the others."""
        return [*self._views[:count], *(Nobody() for _ in range(count - len(self._views)))]

    def resumed(self, tally: Tally) -> None:
        """Says where the run goes on."""
        super().resumed(tally)
        self._done = self._done_before = tally.games
        self._state = state_line(tally, self._sprt)

    def game_counted(self, game: Game, tally: Tally) -> None:
        """Prints the line of the game and moves the bar on."""
        super().game_counted(game, tally)
        self._done = tally.games
        self._state = state_line(tally, self._sprt)

    def _render(self) -> RenderableType:
        footer = Table.grid(padding=(0, 2))
        footer.add_row(
            ProgressBar(total=self._total, completed=self._done, width=30),
            Text(f"{self._done}/{self._total} games{self._time_left()}"),
        )
        boards = [Columns([view.render() for view in self._views])] if self._views else []
        return Group(*boards, footer, Text(self._state))

    def _time_left(self) -> str:
        played = self._done - self._done_before
        if not played or self._done >= self._total:
            return ""
        seconds = int((time.monotonic() - self._began) / played * (self._total - self._done))
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        left = f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"
        return f", at most {left} left" if self._sprt else f", {left} left"
