"""Opponents asked about boards drawn in text."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from engine.model import Limits, Placed, Position, Result, Rule, Stone
from engine.text import ParsedPosition, read_position
from tengen.game.referee import BLACK, Cell, Referee
from tengen.opponents.brain import Clock
from tengen.opponents.registry import create
from tests.game.boards import referee_of
from tests.manual import Manual

# Long enough that no opponent is cut short on a busy machine.
AMPLE = Limits(turn_ms=60_000)


def endless() -> Clock:
    """A clock that never ends a search."""
    return Clock(Limits(turn_ms=600_000), lambda: False)


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
    brain.set_position(position_of(board, side))
    return brain.think(limits)


def move_of(name: str, board: Referee, side: int = BLACK, seed: int = 0) -> Cell:
    """Where an opponent plays."""
    x, y = think(name, board, side, seed).move
    return x, y


def drawn(picture: str) -> tuple[Referee, ParsedPosition]:
    """The board of a picture, and what is marked in it."""
    drawing = read_position(picture)
    return referee_of(drawing), drawing


def diagram(number: int, size: tuple[int, int], row: int) -> tuple[Referee, ParsedPosition]:
    """The same of a diagram of docs/LADDER.md, which shows a part of the board from that row on."""
    width, height = size
    shown = re.findall(r"^```\n((?:[.XO! ]+\n)+)```$", Manual("LADDER.md").text, re.MULTILINE)
    rows = [". " * width] * height
    for y, line in enumerate(shown[number].splitlines(), start=row):
        rows[y] = line + rows[y][len(line) :]
    return drawn("\n".join(rows))


def random_boards(count: int, rules: Sequence[int] = (0,)) -> list[Referee]:
    """Boards of many sizes with some stones, every other one with a wall; the same ones always."""
    rng = random.Random(5)
    boards = []
    for i in range(count):
        walls = [(2, 2)] * (i % 2)
        board = Referee(rng.randint(5, 12), rng.randint(5, 12), rules[i % len(rules)], walls)
        for number, cell in enumerate(rng.sample(board.empties(), rng.randint(0, 22))):
            board.play(*cell, 1 + number % 2)
        boards.append(board)
    return boards
