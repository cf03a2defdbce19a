"""How a game begins: with stones drawn at random that give no side an advantage, or from a book."""

from __future__ import annotations

import random

from engine.api import Engine
from tengen.game.drawn_openings import Drawing
from tengen.game.openings import default_openings, symmetries
from tengen.game.referee import Cell
from tengen.lab.selfplay.setting import Setting, search

# Every so many games one begins with an opening of the book.
BOOK_EVERY = 8
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
        drawing = Drawing(setting.width, setting.height, setting.rule)
        for _ in range(_DRAWS):
            moves = drawing.draw(rng)
            if moves is not None and is_balanced(engine, setting, moves):
                return moves, False
    opening = rng.choice(default_openings(setting.width, setting.height, setting.rule))
    symmetry = rng.choice(symmetries(setting.width, setting.height))
    return list(opening.place(setting.width, setting.height, symmetry)), True


def is_balanced(engine: Engine, setting: Setting, moves: list[Cell]) -> bool:
    """Does a short search give neither side an advantage?"""
    engine.new_game()
    engine.set_position(setting.position(moves))
    score = search(engine, JUDGE_NODES).info.score
    return score.mate_plies is None and abs(score.value) <= BALANCE
