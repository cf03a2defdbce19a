"""A running game in the terminal: a line, or its board and what both programs say about it."""

from __future__ import annotations

import threading
import time

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from tengen.arena.match.play_game import Watcher
from tengen.common.console import TRUE_COLOURS, Diagram, Layout, draw_board, signs_for
from tengen.game.played import Report
from tengen.game.record.game import Game, Job, Move
from tengen.game.record.numbers import counted
from tengen.game.referee import BLACK, WALL, WHITE, Cell, Referee, opponent_of

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
