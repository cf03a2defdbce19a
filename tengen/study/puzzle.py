"""A position to be studied, and what is known about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.model import Placed, Position, Rule, Stone
from tengen.game.record.positions import StoredPosition
from tengen.game.referee import Cell


@dataclass(frozen=True)
class Puzzle(StoredPosition):
    """A position, valid and not over yet, whose side to move is to win."""

    def __post_init__(self) -> None:
        """ValueError, with the name, for a board that cannot be or a game that is over."""
        self.require_open()

    def position(self, moves: Iterable[Cell] = ()) -> Position:
        """The position as the engine wants it, after some more moves in turns."""
        stones = [Placed(x, y, Stone(colour)) for x, y, colour in self.stones]
        side = Stone(self.side)
        for x, y in moves:
            stones.append(Placed(x, y, side))
            side = side.opponent
        return Position(self.width, self.height, Rule(self.rule & ~2), tuple(stones), side)


def puzzle_of(position: StoredPosition) -> Puzzle:
    """The position as a puzzle; ValueError, with its name, if the game is over in it."""
    return Puzzle(**vars(position))
