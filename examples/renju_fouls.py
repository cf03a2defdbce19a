"""Renju: where Black must not play, and how the engine values the position without a search."""

from engine.api import Engine
from engine.model import Position

POSITION = Position.from_text("""
rule: renju
to move: black

. . . . . . . . .
. . . . . . . . .
. . . . X . . . .
. . . . X . . . .
. . X X . . . . .
. . . . . . . . .
. . . O . O . . .
. . . . O . . . .
. . . . . . . . .
""")

engine = Engine()
engine.set_position(POSITION)

print(engine.dump())  # the forbidden points are marked with !
print("forbidden for Black:", *map(POSITION.name_of, engine.forbidden_points()))

value = engine.explain()
print("static value:", value.value)
if value.net:
    best = max(value.net.cells, key=value.net.cells.__getitem__)
    print("best cell:", POSITION.name_of(best), "with", value.net.cells[best])
