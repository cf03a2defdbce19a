"""One random game on the engine's board and the referee's at once; every difference is an error."""

from __future__ import annotations

import random

from engine._probe import ProbeBoard
from tengen.game.rules.referee import Referee, opponent_of
from tests.engine.positions import Cell, random_moves, random_walls

THREAT_FIVE = 8


class Difference(AssertionError):
    """The engine and the referee, or the engine and its own recomputation, disagree."""


def _picture(referee: Referee) -> str:
    return "\n".join(
        " ".join(".XO#"[referee.cell(x, y)] for x in range(referee.width))
        for y in range(referee.height)
    )


def _differ(what: str, referee: Referee, engine: object, judge: object) -> Difference:
    return Difference(
        f"{what}: engine {engine}, referee {judge}, rule {referee.rule}\n{_picture(referee)}"
    )


def compare(board: ProbeBoard, referee: Referee) -> None:
    """Winner, legality, winning cells and forbidden points of one position."""
    if board.winner() != referee.winner_anywhere():
        raise _differ("winner", referee, board.winner(), referee.winner_anywhere())
    empties = referee.empties()
    if board.empties() != empties:
        raise _differ("legal cells", referee, board.empties(), empties)
    forbidden = {cell for cell in empties if board.is_forbidden(*cell, 1)}
    if forbidden != referee.forbidden_points():
        raise _differ("forbidden points", referee, forbidden, referee.forbidden_points())
    for colour in (1, 2):
        fives = {cell for cell in empties if board.threat(*cell, colour) == THREAT_FIVE}
        judged = {cell for cell in empties if referee.makes_win(*cell, colour)}
        if fives != judged:
            raise _differ(f"winning cells of {colour}", referee, fives, judged)


def symmetric(cell: Cell, symmetry: int, width: int, height: int) -> Cell:
    """A cell's image: bit 1 mirrors columns, 2 rows, 4 swaps the two (squares only)."""
    x, y = cell
    if symmetry & 1:
        x = width - 1 - x
    if symmetry & 2:
        y = height - 1 - y
    return (y, x) if symmetry & 4 else (x, y)


def check_symmetries(
    width: int, height: int, rule: int, walls: tuple[Cell, ...], stones: list[tuple[Cell, int]]
) -> None:
    """The static value is the same under all symmetries of the board."""
    values = set()
    for symmetry in range(8 if width == height else 4):
        turned = tuple(symmetric(wall, symmetry, width, height) for wall in walls)
        board = ProbeBoard(width, height, rule, turned)
        for cell, colour in stones:
            board.make(*symmetric(cell, symmetry, width, height), colour)
        values.add(board.static_value)
    if len(values) != 1:
        raise Difference(f"symmetric positions have values {sorted(values)}, rule {rule}")


def check_game(seed: int, rule: int, width: int, height: int, most: int) -> int:
    """Plays one random game, compares after every stone, takes it all back; positions compared.

    Colours alternate except now and then, as in a position set up by hand. `most` bounds the
    stones of the game.
    """
    rnd = random.Random(f"{seed}/{rule}/{width}/{height}")
    walls = random_walls(width, height, rnd)
    board = ProbeBoard(width, height, rule, walls)
    referee = Referee(width, height, rule, walls)
    stones: list[tuple[Cell, int]] = []
    colour = 1
    for cell in random_moves(width, height, rnd, walls):
        if len(stones) == most:
            break
        before = board.visible_state()
        board.make(*cell, colour)
        board.undo()
        if board.visible_state() != before:
            raise Difference(f"undo does not restore the board, rule {rule}, cell {cell}")
        board.make(*cell, colour)
        board.check()
        referee.play(*cell, colour)
        stones.append((cell, colour))
        compare(board, referee)
        if rnd.random() < 0.95:
            colour = opponent_of(colour)
    check_symmetries(width, height, rule, walls, stones)
    for _ in stones:
        board.undo()
        board.check()
    return len(stones)
