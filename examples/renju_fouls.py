"""Renju: where Black must not play, and how the engine values the position without a search."""

from tengen import Engine, Position

position = Position("""
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

print(position)  # the forbidden points are marked with !
for point, foul in position.forbidden().items():
    print(f"forbidden for Black: {point}, {foul}")
print("static value:", Engine().explain(position))
