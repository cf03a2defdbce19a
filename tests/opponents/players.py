"""Opponents asked about boards drawn in text."""

from __future__ import annotations

from engine.model import Limits, Placed, Position, Result, Rule, Stone
from engine.text import Written, read_position
from tengen.game.rules.referee import BLACK, Cell, Referee
from tengen.opponents.registry import create
from tests.game.rules.boards import referee_of

# Long enough that no opponent is cut short on a busy machine.
AMPLE = Limits(turn_ms=20_000)


def position_of(board: Referee, side: int) -> Position:
    """The position on a referee's board."""
    walls = [Placed(x, y, Stone.WALL) for x, y in board.walls()]
    stones = [Placed(x, y, Stone(colour)) for x, y, colour in board.stones()]
    return Position(board.width, board.height, Rule(board.rule), (*walls, *stones), Stone(side))


def think(
    name: str, board: Referee, side: int = BLACK, seed: int = 0, limits: Limits = AMPLE
) -> Result:
    """What an opponent answers to a position."""
    brain = create(name, seed)
    brain.new_game()
    brain.set_memory(None)
    brain.set_position(position_of(board, side))
    brain.clear_stop()
    return brain.think(limits)


def move_of(name: str, board: Referee, side: int = BLACK, seed: int = 0) -> Cell:
    """Where an opponent plays."""
    x, y = think(name, board, side, seed).move
    return x, y


def drawn(picture: str) -> tuple[Referee, Written]:
    """The board of a picture, and what is marked in it."""
    drawing = read_position(picture)
    return referee_of(drawing), drawing
