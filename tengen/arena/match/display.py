"""What a run shows while it is played: a line for each game, a progress bar, boards, or nothing."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from tengen.arena.match.play_game import Watcher
from tengen.arena.match.schedule import Job
from tengen.arena.match.scoreboard import Scoreboard, game_line, state_line
from tengen.arena.stats.sprt import Sprt
from tengen.common.console import TRUE_COLOURS, Diagram, Layout, draw_board, print_line, signs_for
from tengen.game.game import Game
from tengen.game.played import Move, Report
from tengen.game.referee import BLACK, WALL, WHITE, Cell, Referee, opponent_of
from tengen.game.values import counted

_LAYOUT = Layout()
_COLOUR_NAMES = {BLACK: "black", WHITE: "white"}


class BoardView(Watcher):
    """Follows one game after the other and draws the current one at any moment."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._lock = threading.Lock()
        self._signs = signs_for(encoding)
        self._job: Job | None = None
        self._size = (0, 0)
        self._stones: dict[Cell, int] = {}
        self._last: Cell | None = None
        self._reports: dict[int, Report] = {}
        self._last_s: dict[int, float] = {}
        self._total_s: dict[int, float] = {}
        # 0 while no game is played.
        self._to_move = 0
        self._began = self._since = 0.0

    def game_started(self, job: Job, board: Referee) -> None:
        """Takes over the opening."""
        with self._lock:
            self._job = job
            self._size = (board.width, board.height)
            self._stones = {(x, y): colour for x, y, colour in board.stones()}
            self._stones |= {cell: WALL for cell in board.walls()}
            self._last = None
            self._reports = {}
            self._last_s = {}
            self._total_s = {BLACK: 0.0, WHITE: 0.0}
            self._to_move = WHITE if len(job.opening) % 2 else BLACK
            self._began = self._since = time.monotonic()

    def report(self, job: Job, colour: int, report: Report) -> None:
        """Shows what a program reports while it thinks."""
        with self._lock:
            self._reports[colour] = report

    def moved(self, job: Job, board: Referee, move: Move) -> None:
        """Shows a stone."""
        with self._lock:
            self._last = (move.x, move.y)
            self._stones[self._last] = move.colour
            self._last_s[move.colour] = move.elapsed_s
            self._total_s[move.colour] += move.elapsed_s
            self._to_move = opponent_of(move.colour)
            self._since = time.monotonic()

    def game_ended(self, game: Game) -> None:
        """No program is to move any more."""
        with self._lock:
            self._to_move = 0

    @property
    def stones(self) -> int:
        """The stones on the board; 0 between games."""
        with self._lock:
            return self._played() if self._to_move else 0

    def line(self) -> str:
        """The game in a line; empty without one."""
        with self._lock:
            if not self._job or not self._to_move:
                return ""
            job, took_s = self._job, time.monotonic() - self._began
            return (
                f"game {job.index + 1}  {job.black} (black) - {job.white} (white),"
                f" {counted(self._played(), 'stone')}, {took_s:.0f} s"
            )

    def _played(self) -> int:
        return sum(stone != WALL for stone in self._stones.values())

    def render(self) -> RenderableType:
        """The board beside the two programs."""
        with self._lock:
            if self._job is None:
                return Text("starting the programs")
            grid = Table.grid(padding=(0, 3))
            grid.add_column(no_wrap=True, min_width=_LAYOUT.board_width(self._size[0]))
            grid.add_column(overflow="ellipsis")
            grid.add_row(self._board(), self._sides(self._job))
            return grid

    def _board(self) -> Text:
        diagram = Diagram(*self._size, self._stones, last=self._last)
        return draw_board(diagram, _LAYOUT, self._signs, TRUE_COLOURS)

    def _sides(self, job: Job) -> Table:
        table = Table.grid(padding=(0, 1))
        table.add_row(Text(f"game {job.index + 1}, move {self._played() + 1}"))
        for colour in (BLACK, WHITE):
            table.add_row(Text())
            name = Text(f"{self._signs.stone(colour)} {job.name_of(colour)}", style="bold")
            if self._to_move == colour:
                name.append(f"   thinks {time.monotonic() - self._since:.1f} s", "italic")
            table.add_row(name)
            table.add_row(
                Text(f"  {_COLOUR_NAMES[colour]}   {_report_text(self._reports, colour)}")
            )
            if colour in self._last_s:
                table.add_row(
                    Text(
                        f"  last move {self._last_s[colour]:.2f} s,"
                        f" all {self._total_s[colour]:.1f} s"
                    )
                )
        return table


def _report_text(reports: dict[int, Report], colour: int) -> str:
    report = reports.get(colour)
    if report is None:
        return ""
    parts = [f"value {report.score_text}"] if report.score_text else []
    if report.depth_plies is not None:
        parts.append(f"depth {report.depth_plies}")
    if report.nodes is not None:
        parts.append(counted(report.nodes, "node"))
    return ", ".join(parts)


_FRAMES_PER_S = 5
# Boards shown side by side.
_BOARDS = 2
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
        # Shown instead of each game, if given.
        self.progress: Progress | None = None

    def __enter__(self) -> Display:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def watchers(self, count: int) -> list[Watcher]:
        """What follows the games of each of `count` workers."""
        return [Watcher() for _ in range(count)]

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
    running game, or its board; above them the line of each game that has ended.

    boards  how many running games are shown as a board.
    """

    def __init__(
        self,
        console: Console,
        total: int,
        sprt: Sprt | None = None,
        boards: int = 0,
    ) -> None:
        super().__init__(console, total, sprt)
        self._boards = boards
        self._views: list[BoardView] = []
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

    def watchers(self, count: int) -> list[Watcher]:
        """A view of each game; the first ones are shown as boards, the others as lines."""
        self._views = [BoardView(self._console.encoding) for _ in range(count)]
        return list(self._views)

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
        boards = [view.render() for view in self._views[: self._boards]]
        lines = [Text(line) for view in self._views[self._boards :] if (line := view.line())]
        state = [Text(self._state)] if self._state else []
        return Group(*([Columns(boards)] if boards else []), *lines[:_LINES], footer, *state)

    def _part_done(self) -> float:
        """How much of the running games has been played, in games: a guess, for the bar."""
        played = self._done - self._done_before
        usual = self._stones_done / played if played and self._stones_done else _USUAL_STONES
        return sum(view.stones / (view.stones + usual) for view in self._views)

    def _time_left(self) -> str:
        played = self._done - self._done_before
        if not played or self._done >= self._total:
            return ""
        seconds = int((time.monotonic() - self._began) / played * (self._total - self._done))
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        left = f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"
        return f", at most {left} left" if self._sprt else f", {left} left"


def make_display(
    console: Console, total: int, sprt: Sprt | None, workers: int, shown: str | None
) -> Display:
    """The display of a word of --display, for so many games, `workers` of them at a time."""
    shown = shown or ("bar" if console.is_terminal else "lines")
    if shown == "result":
        return Display(console, total, sprt)
    if shown == "lines":
        return PlainDisplay(console, total, sprt)
    return LiveDisplay(console, total, sprt, min(workers, _BOARDS) * (shown == "boards"))
