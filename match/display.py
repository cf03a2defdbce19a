"""What one sees of a run: a live board with values and score, or one line per game."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Protocol

from rich import box
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from match.game import Game, Move, Watcher
from match.messages import Report
from match.referee import BLACK, WALL, WHITE, Cell, Referee
from match.schedule import Job
from match.tally import Tally
from match.termination import Termination

_BOARD_STYLE = "black on rgb(214,176,112)"
_STONE_STYLES = {BLACK: "bold black", WHITE: "bold bright_white"}
_LAST_STYLE = "on rgb(240,220,120)"
_STONES = {BLACK: "●", WHITE: "○", WALL: "#"}
_STONES_ASCII = {BLACK: "X", WHITE: "O", WALL: "#"}
_COLOUR_NAMES = {BLACK: "black", WHITE: "white"}
_FRAMES_PER_S = 5


class Display(Protocol):
    """How a run is shown: entered before the first game, left after the last."""

    def __enter__(self) -> Display: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def watchers(self, count: int) -> list[Watcher]:
        """Those who follow the games of `count` workers."""

    def game_counted(self, game: Game, tally: Tally) -> None:
        """A game has ended and is in the tally."""


def game_line(game: Game, total: int, tally: Tally) -> str:
    """One line that says how a game went and where the match stands."""
    job = game.job
    result = {BLACK: f"{job.black} wins", WHITE: f"{job.white} wins"}.get(game.winner, "draw")
    how = game.termination.value + (f" ({game.detail})" if game.detail else "")
    first, second = tally.standings.values()
    score = f"{first.name} {first.points:g} - {second.points:g} {second.name}"
    return (
        f"game {job.index + 1}/{total}  {job.black} (black) - {job.white} (white):"
        f" {result}, {how}, {len(game.moves)} stones   [{score}]"
    )


class PlainDisplay:
    """One line per game, for logs and pipes."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total

    def __enter__(self) -> PlainDisplay:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def watchers(self, count: int) -> list[Watcher]:
        """Nobody looks at single moves."""
        return [_Nobody() for _ in range(count)]

    def game_counted(self, game: Game, tally: Tally) -> None:
        """Prints the line of the game."""
        print_line(self._console, game_line(game, self._total, tally))


class LiveDisplay:
    """The board of the first worker's game, both programs, progress and score, redrawn in place;
    above it the line of each game that has ended."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self._first = BoardView(console.encoding)
        self._tally: Tally | None = None
        self._live = Live(
            console=console,
            get_renderable=self._render,
            refresh_per_second=_FRAMES_PER_S,
            transient=True,
        )

    def __enter__(self) -> LiveDisplay:
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def watchers(self, count: int) -> list[Watcher]:
        """The view of the board for the first worker, nobody for the others."""
        return [self._first, *(_Nobody() for _ in range(count - 1))]

    def game_counted(self, game: Game, tally: Tally) -> None:
        """Prints the line of the game and moves the bar on."""
        self._tally = tally
        print_line(self._console, game_line(game, self._total, tally))

    def _render(self) -> RenderableType:
        done = self._tally.games if self._tally is not None else 0
        score = Text()
        if self._tally is not None:
            first, second = self._tally.standings.values()
            score.append(f"{first.name} {first.points:g} - {second.points:g} {second.name}")
        footer = Table.grid(padding=(0, 2))
        footer.add_row(
            ProgressBar(total=self._total, completed=done, width=40),
            Text(f"{done}/{self._total} games"),
            score,
        )
        return Group(self._first.render(), footer)


class BoardView:
    """Follows one game after the other and can draw the present one at any moment."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self._lock = threading.Lock()
        self._glyphs = _STONES if encoding.lower().startswith("utf") else _STONES_ASCII
        self._job: Job | None = None
        self._size = (0, 0)
        self._stones: dict[Cell, int] = {}
        self._last: Cell | None = None
        self._reports: dict[int, Report] = {}
        self._last_s: dict[int, float] = {}
        self._total_s: dict[int, float] = {}
        self._to_move = BLACK
        self._since = 0.0

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
            self._since = time.monotonic()

    def report(self, job: Job, colour: int, report: Report) -> None:
        """Shows a value while the program still thinks."""
        with self._lock:
            self._reports[colour] = report

    def moved(self, job: Job, board: Referee, move: Move) -> None:
        """Shows a stone."""
        with self._lock:
            self._last = (move.x, move.y)
            self._stones[self._last] = move.colour
            self._last_s[move.colour] = move.elapsed_s
            self._total_s[move.colour] += move.elapsed_s
            self._to_move = BLACK + WHITE - move.colour
            self._since = time.monotonic()

    def game_ended(self, game: Game) -> None:
        """Nobody is to move any more."""
        with self._lock:
            self._to_move = 0

    def render(self) -> RenderableType:
        """The board beside the two programs."""
        with self._lock:
            if self._job is None:
                return Text("starting the programs")
            grid = Table.grid(padding=(0, 3))
            grid.add_column(no_wrap=True, min_width=3 + 2 * self._size[0])
            grid.add_column(overflow="ellipsis")
            grid.add_row(self._board(), self._sides(self._job))
            return grid

    def _board(self) -> Text:
        width, height = self._size
        letters = " ".join(chr(ord("A") + x) for x in range(width))
        text = Text(f"   {letters}\n")
        for y in range(height):
            text.append(f"{y + 1:2} ")
            for x in range(width):
                colour = self._stones.get((x, y), 0)
                style = f"{_STONE_STYLES.get(colour, 'black')} {_BOARD_STYLE.partition(' ')[2]}"
                if (x, y) == self._last:
                    style = f"{_STONE_STYLES[colour]} {_LAST_STYLE}"
                text.append(self._glyphs.get(colour, "."), style)
                text.append(" " if x + 1 < width else "", _BOARD_STYLE)
            if y + 1 < height:
                text.append("\n")
        return text

    def _sides(self, job: Job) -> Table:
        table = Table.grid(padding=(0, 1))
        played = sum(stone != WALL for stone in self._stones.values())
        table.add_row(Text(f"game {job.index + 1}, move {played + 1}"))
        for colour in (BLACK, WHITE):
            table.add_row(Text())
            name = Text(f"{self._glyphs[colour]} {job.name_of(colour)}", style="bold")
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


class _Nobody:
    """A watcher who does not look."""

    def game_started(self, job: Job, board: Referee) -> None:
        """Does not look."""

    def report(self, job: Job, colour: int, report: Report) -> None:
        """Does not look."""

    def moved(self, job: Job, board: Referee, move: Move) -> None:
        """Does not look."""

    def game_ended(self, game: Game) -> None:
        """Does not look."""


def _report_text(reports: dict[int, Report], colour: int) -> str:
    report = reports.get(colour)
    if report is None:
        return ""
    parts = [f"value {report.score_text}"] if report.score_text else []
    if report.depth_plies is not None:
        parts.append(f"depth {report.depth_plies}")
    if report.nodes is not None:
        parts.append(f"{report.nodes:,} nodes")
    return ", ".join(parts)


def print_result(console: Console, tally: Tally, limits: Sequence[tuple[str, str]]) -> None:
    """The table at the end of a run; `limits` are (name, limits in words)."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("program")
    table.add_column("limits")
    for heading in ("points", "won", "lost", "drawn", "s/move", "longest s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, limit in limits:
        standing = tally.standings[name]
        table.add_row(
            escape(name),
            escape(limit),
            f"{standing.points:g}",
            str(standing.wins),
            str(standing.losses),
            str(standing.draws),
            f"{standing.mean_s:.3f}",
            f"{standing.longest_s:.3f}",
        )
    console.print(table)
    ends = [
        f"{count} {reason.value}" for reason in Termination if (count := tally.terminations[reason])
    ]
    print_line(console, f"{tally.games} games, ended by: {', '.join(ends) or 'nothing yet'}")
    by_colour = [
        sum(standing.wins_by_colour[colour] for standing in tally.standings.values())
        for colour in (BLACK, WHITE)
    ]
    print_line(console, f"won by black {by_colour[0]}, by white {by_colour[1]}")
    for number, loser, why in tally.failures:
        print_line(console, f"game {number}: {loser} lost by {why}")


def print_line(console: Console, line: str) -> None:
    """One line as it is, whatever the width, and without reading markup in names."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)
