"""Analysis: the three best moves of a position, each with its value and what follows."""

from engine.api import Engine
from engine.model import Limits, Position

POSITION = Position.from_moves("h8 i9 g9 i7")

engine = Engine()
engine.set_position(POSITION)
result = engine.think(Limits(nodes=100_000, lines=3))

for number, line in enumerate(result.lines, 1):
    move, *rest = map(POSITION.name_of, line.pv)
    depth = line.depth_plies
    print(f"{number}. {move:3}  value {line.score!s:>5}  depth {depth:2}  {' '.join(rest)}")
