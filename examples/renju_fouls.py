"""Renju: where Black must not play, and what the engine makes of the position at a glance."""

from engine.api import Engine
from engine.model import Placed, Position, Rule, Stone

PICTURE = """
. . . . . . . . .
. . . . . . . . .
. . . . X . . . .
. . . . X . . . .
. . X X . . . . .
. . . . . . . . .
. . . O . O . . .
. . . . O . . . .
. . . . . . . . .
"""
SIGNS = {"X": Stone.BLACK, "O": Stone.WHITE}

stones = tuple(
    Placed(x, y, SIGNS[sign])
    for y, row in enumerate(PICTURE.strip().splitlines())
    for x, sign in enumerate(row.split())
    if sign in SIGNS
)

engine = Engine()
engine.set_position(Position(9, 9, Rule.RENJU, stones, side_to_move=Stone.BLACK))

print(engine.dump())  # the forbidden points are marked with !
print("forbidden for Black:", [(point.x, point.y) for point in engine.forbidden_points()])
print(engine.explain())
