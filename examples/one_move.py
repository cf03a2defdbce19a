"""One move: Black has opened in the centre, White may think for half a second."""

from engine.api import Engine
from engine.model import Limits, Position

position = Position.from_moves("h8")
engine = Engine()
engine.set_position(position)
result = engine.think(Limits(turn_ms=500))

print(f"White plays {position.name_of(result.move)}")
print(f"value {result.info.score} after {result.info.nodes} nodes")
