"""Moves by chance, as wide as what a search looks at: so positions after bad moves occur too."""

from __future__ import annotations

import math
import random

from engine.api import Engine
from tengen.game.referee import Cell
from tengen.lab.selfplay.setting import Setting

# A move is drawn with the chances of the policy at this temperature: logits are divided by it.
TEMPERATURE = 1.75
# One in so many is any empty cell at most NEAR columns and rows from a stone.
UNIFORM_EVERY = 10
NEAR = 2
# Chances are whole numbers, so that they are the same on every machine.
_CHANCES = 2**30


def draw_move(
    engine: Engine, setting: Setting, cells: list[Cell], rng: random.Random
) -> Cell | None:
    """A move in the position on the engine's board, whose stones are `cells`; None if the rule
    allows none of those that could be drawn."""
    if rng.randrange(UNIFORM_EVERY) == 0:
        taken = set(cells)
        near = [
            (x, y)
            for y in range(setting.height)
            for x in range(setting.width)
            if (x, y) not in taken
            and any(max(abs(x - a), abs(y - b)) <= NEAR for a, b in cells)
            and not engine.is_forbidden(x, y)
        ]
        return rng.choice(near) if near else None
    moves = engine.policy()
    if not moves:
        return None
    most = max(logit for _, logit in moves)
    chances = [round(_CHANCES * math.exp((logit - most) / TEMPERATURE)) for _, logit in moves]
    [((x, y), _)] = rng.choices(moves, chances)
    return x, y
