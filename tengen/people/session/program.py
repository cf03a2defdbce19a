"""A protocol program, started by a command, as one of the programs at the board: the library's
Program with the methods of a brain.

To give up a search ends its process, because the protocol has no word for that; the next search
starts it again.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.model import Info, Limits, Point, Position, Result, Score
from protocol.brain import Brain
from tengen.game.played import Report
from tengen.game.position import COLOURS
from tengen.game.position import Position as Shown
from tengen.library.program import Program, ProgramFailed


class GivenUp(Exception):
    """The search was given up; nobody waits for its result."""


class ProgramBrain(Brain):
    """A program, started when it is first asked. Memory, threads and parameters are left to it.
    ValueError if there is no such program."""

    def __init__(self, command: str) -> None:
        try:
            self._program = Program(command)
        except ProgramFailed as failed:
            raise ValueError(failed.detail) from None
        self.name = self._program.name
        self._is_stopped = False
        self._position = Position(15, 15)

    def new_game(self) -> None:
        """Nothing: a position that does not continue the program's game begins another one."""

    def set_position(self, position: Position) -> str | None:
        """The position of the next search."""
        self._position = position
        return None

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """The program's move. ProgramFailed if it fails, GivenUp after `request_stop`."""

        def hear(report: Report) -> None:
            if on_info is not None:
                on_info(_info(report, ()))

        position = _shown(self._position)
        turn_s = None if limits.turn_ms is None else limits.turn_ms / 1000
        try:
            move = self._program.play(position, turn_s=turn_s, nodes=limits.nodes, on_report=hear)
        except ProgramFailed:
            if self._is_stopped:
                raise GivenUp from None
            raise
        point = Point(move.x, move.y)
        return Result(point, _info(move.report or Report(), (point,)))

    def request_stop(self) -> None:
        """Gives the search up, or the next one."""
        self._is_stopped = True
        self._program.interrupt()

    def clear_stop(self) -> None:
        """Cancels an earlier stop."""
        if self._is_stopped:
            self._program.close()
        self._is_stopped = False

    def close(self) -> None:
        """Ends the program."""
        self.request_stop()
        self._program.close()


def _shown(position: Position) -> Shown:
    """The position for the library, where the last stone is a move if it can have been one."""
    size, rule = (position.width, position.height), int(position.rule)
    stones, side = position.stones, int(position.side_to_move)
    shown = Shown.begin(size, rule, stones[:-1], side)
    shown.play_stones(stones[-1:])
    if shown.turn != COLOURS[side] or shown.is_over:  # it was set up, perhaps where renju forbids
        shown = Shown.begin(size, rule, stones, side)
    return shown


def _info(report: Report, pv: tuple[Point, ...]) -> Info:
    return Info(
        report.depth_plies or 0,
        report.seldepth_plies or 0,
        Score(report.value or 0, report.mate_plies),
        report.nodes or 0,
        0,
        0,
        pv,
    )
