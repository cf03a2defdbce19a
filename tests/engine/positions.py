"""Positions for the engine's tests: random games, and boards drawn as text."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from engine.model import Placed, Position, Rule, Stone

Cell = tuple[int, int]

# The shapes of board every check runs on, square and rectangular.
SHAPES = ((15, 15), (20, 20), (7, 5), (6, 9), (5, 5))


def random_moves(
    width: int, height: int, rnd: random.Random, walls: tuple[Cell, ...] = ()
) -> Iterator[Cell]:
    """Every playable cell once, in an order that makes lines, blocks and fouls likely.

    Most stones are put on a line through an earlier one, at most four cells away, the rest
    anywhere. The sequence ends when the board is full.
    """
    free = [(x, y) for y in range(height) for x in range(width) if (x, y) not in walls]
    open_cells = set(free)
    placed: list[Cell] = []
    while open_cells:
        cell = None
        if placed and rnd.random() < 0.9:
            x, y = rnd.choice(placed[-12:])
            dx, dy = rnd.choice(((1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1)))
            reach = rnd.choice((1, 1, 1, 2, 2, 3, 4))
            cell = (x + dx * reach, y + dy * reach)
        if cell not in open_cells:
            cell = rnd.choice(free)
            if cell not in open_cells:
                continue
        open_cells.discard(cell)
        placed.append(cell)
        yield cell


def random_walls(width: int, height: int, rnd: random.Random) -> tuple[Cell, ...]:
    """No wall three times out of four, else a few."""
    if rnd.random() < 0.75:
        return ()
    cells = [(x, y) for y in range(height) for x in range(width)]
    return tuple(rnd.sample(cells, 3))


def from_pos(text: str, rule: Rule = Rule.FREESTYLE, size: int = 15) -> Position:
    """A position from `h8i9...`: column letter and row number from the top, Black first."""
    stones: list[Placed] = []
    colour = Stone.BLACK
    for column, row in re.findall(r"([a-z])(\d+)", text.lower()):
        stones.append(Placed(ord(column) - ord("a"), int(row) - 1, colour))
        colour = colour.opponent
    return Position(size, size, rule, tuple(stones), colour)


def from_picture(
    picture: str, side: Stone = Stone.BLACK, rule: Rule = Rule.FREESTYLE
) -> tuple[Position, dict[str, set[Cell]]]:
    """A position drawn with `X` Black, `O` White, `#` wall, `.` empty; any other sign is an
    empty cell to be asked about. Returns the position and the cells of each such sign."""
    rows = [line.split() for line in picture.strip().splitlines()]
    stones: list[Placed] = []
    marks: dict[str, set[Cell]] = {}
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign in "XO#":
                stones.append(Placed(x, y, Stone(" XO#".index(sign))))
            elif sign != ".":
                marks.setdefault(sign, set()).add((x, y))
    return Position(len(rows[0]), len(rows), rule, tuple(stones), side), marks
