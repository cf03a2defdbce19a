"""Replays a win on a referee's board, stone by stone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from engine.text import name_or_pair
from tengen.game.rules.referee import BLACK, Cell, Referee, opponent_of


class NotAWin(Exception):
    """The win does not hold: `line` leads to where it fails, and `reason` says why."""

    def __init__(self, line: Iterable[Cell], reason: str) -> None:
        super().__init__(reason)
        self.line = tuple(line)
        self.reason = reason


class Replay:
    """The stones of a replay, on the board of a position in which `attacker` is to move.

    nodes  stones put on the board so far; a replay of more than `max_nodes` is given up.
    line   the moves on the board since the position, in order.
    """

    def __init__(self, board: Referee, attacker: int, max_nodes: int | None) -> None:
        self.board = board
        self.attacker = attacker
        self.defender = opponent_of(attacker)
        self.nodes = 0
        self.line: list[Cell] = []
        self._max_nodes = max_nodes

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Leaves the board as it was, however the replay ends."""
        stones = len(self.board.stones())
        try:
            yield
        finally:
            while len(self.board.stones()) > stones:
                self.board.undo()

    def play(self, cell: Cell, colour: int) -> None:
        """Puts a stone on the board; NotAWin when there have been too many."""
        self.nodes += 1
        if self._max_nodes is not None and self.nodes > self._max_nodes:
            raise self.failed(f"given up after {self._max_nodes} stones")
        self.board.play(*cell, colour)
        self.line.append(cell)

    def undo(self) -> None:
        """Takes the last stone off the board."""
        self.board.undo()
        self.line.pop()

    def require_empty(self, move: Cell) -> None:
        """NotAWin if the attacker's move is not an empty cell."""
        if not self.board.legal(*move):
            raise self.failed(f"the attacker's move {self.name(move)} is not an empty cell")

    def require_no_foul(self, move: Cell) -> None:
        """NotAWin if the attacker's move, to an empty cell, is a foul."""
        foul = self.board.foul(*move) if self.attacker == BLACK else None
        if foul is not None:
            raise self.failed(f"the attacker's move {self.name(move)} is a foul: {foul}")

    def name(self, cell: Cell) -> str:
        """The cell as people write it."""
        return name_or_pair(cell, self.board.width, self.board.height)

    def failed(self, reason: str, *last: Cell) -> NotAWin:
        """The error that the win fails after the moves on the board, and then `last`."""
        return NotAWin([*self.line, *last], reason)
