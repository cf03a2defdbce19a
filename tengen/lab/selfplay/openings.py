"""How a game begins: with stones drawn at random that give no side an advantage, or from a book."""

from __future__ import annotations

import random

from engine.api import Engine
from tengen.game.record.books import default_openings
from tengen.game.record.openings import symmetries
from tengen.game.rules.referee import BLACK, WHITE, Cell, Referee
from tengen.lab.selfplay.setting import Setting, search

# Every so many games one begins with an opening of the book.
BOOK_EVERY = 8
STONES = (3, 9)
# A stone is at most so many columns and rows from another one.
REACH = 3
# The search that values an opening, and the greatest value, for either side, of one that is kept.
JUDGE_NODES = 2000
BALANCE = 120
# How often an opening is drawn for a game at most. If none was balanced, it comes from the book.
_DRAWS = 300


def find_opening(
    engine: Engine, setting: Setting, number: int, rng: random.Random
) -> tuple[list[Cell], bool]:
    """The moves before game `number`, and whether they are from the book. Leaves traces of its
    searches in the engine."""
    if number % BOOK_EVERY != BOOK_EVERY - 1:
        for _ in range(_DRAWS):
            moves = draw_opening(setting, rng)
            if moves is not None and is_balanced(engine, setting, moves):
                return moves, False
    opening = rng.choice(default_openings(setting.width, setting.height, setting.rule))
    symmetry = rng.choice(symmetries(setting.width, setting.height))
    return list(opening.place(setting.width, setting.height, symmetry)), True


def draw_opening(setting: Setting, rng: random.Random) -> list[Cell] | None:
    """Stones in the middle of the board, each near another one; None if one of them is a foul, or
    wins, or there is no room."""
    columns, rows = middle(setting.width), middle(setting.height)
    board = Referee(setting.width, setting.height, setting.rule)
    moves: list[Cell] = []
    for i in range(rng.randint(*STONES)):
        free = [
            (x, y)
            for y in rows
            for x in columns
            if (x, y) not in moves
            and (not moves or any(max(abs(x - a), abs(y - b)) <= REACH for a, b in moves))
        ]
        if not free:
            return None
        x, y = rng.choice(free)
        colour = WHITE if i % 2 else BLACK
        if colour == BLACK and board.foul(x, y) is not None:
            return None
        board.play(x, y, colour)
        if board.winner():
            return None
        moves.append((x, y))
    return None if board.is_full() else moves


def middle(side: int) -> range:
    """The columns or rows in which openings are drawn: 9 of 15, 12 of 20, and never fewer than 7
    if the board has that many."""
    wide = min(side, max(7, side * 3 // 5))
    first = (side - wide) // 2
    return range(first, first + wide)


def is_balanced(engine: Engine, setting: Setting, moves: list[Cell]) -> bool:
    """Does a short search give neither side an advantage?"""
    engine.new_game()
    engine.set_position(setting.position(moves))
    score = search(engine, JUDGE_NODES).info.score
    return score.mate_plies is None and abs(score.value) <= BALANCE
