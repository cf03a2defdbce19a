"""A protocol program, started by a command, as one of the programs at the board.

It gets each position as a match would give it: TURN where its own last move and one answer lead to
it, BOARD otherwise. To give up a search ends its process, because the protocol has no word for
that; the next search starts it again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from engine.model import Info, Limits, Placed, Point, Position, Result, Score
from protocol.brain import Brain
from tengen.arena.programs.player import Player, PlayerFailed
from tengen.arena.programs.program import Program
from tengen.game.record.move_report import Report
from tengen.game.rules.referee import Referee


class GivenUp(Exception):
    """The search was given up; nobody waits for its result."""


class ProgramBrain(Brain):
    """A program, started when it is first asked. Memory, threads and parameters are left to it."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._guard = threading.Lock()
        self._player: Player | None = None
        self._is_stopped = False
        self._is_new = True
        self._position = Position(15, 15)
        # What the program has on its board after its own last move.
        self._known: tuple[Placed, ...] | None = None

    def new_game(self) -> None:
        """START comes before the next search."""
        self._is_new = True

    def set_position(self, position: Position) -> str | None:
        """The position of the next search."""
        old = self._position
        if (old.width, old.height, old.rule) != (position.width, position.height, position.rule):
            self._is_new = True
        self._position = position
        return None

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """The program's move, as it answered. PlayerFailed if it fails, GivenUp after
        `request_stop`."""
        player = self._awake()
        try:
            return self._ask(player, limits, on_info)
        except PlayerFailed:
            self._end()
            if self._is_stopped:
                raise GivenUp from None
            raise

    def request_stop(self) -> None:
        """Gives the search up."""
        with self._guard:
            self._is_stopped = True
            if self._player is not None:
                self._player.interrupt()

    def clear_stop(self) -> None:
        """Cancels an earlier stop."""
        self._is_stopped = False

    def close(self) -> None:
        """Ends the program."""
        self.request_stop()
        self._end()

    def _awake(self) -> Player:
        with self._guard:
            if self._player is None:
                self._player = Player(self._program)
                self._is_new = True
            return self._player

    def _end(self) -> None:
        with self._guard:
            player, self._player = self._player, None
        if player is not None:
            player.dispose()

    def _ask(
        self, player: Player, limits: Limits, on_info: Callable[[Info], None] | None
    ) -> Result:
        position = self._position
        board = Referee(position.width, position.height, int(position.rule))
        for stone in position.stones:
            board.play(stone.x, stone.y, int(stone.stone))
        if self._is_new:
            player.new_game(position.width, position.height, int(position.rule))
            self._is_new = False
        elif position.stones[:-1] != self._known:
            player.forget_position()
        self._known = None

        def hear(report: Report) -> None:
            if on_info is not None:
                on_info(_info(report, ()))

        if limits.turn_ms is None:
            left, limit_s = f"INFO max_node {limits.nodes}", None
        else:
            left, limit_s = f"INFO timeout_turn {limits.turn_ms}", limits.turn_ms / 1000
        answer = player.ask_move(board, int(position.side_to_move), limit_s, left, hear)
        move = Point(answer.x, answer.y)
        self._known = (*position.stones, Placed(*move, position.side_to_move))
        return Result(move, _info(answer.report or Report(), (move,)))


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
