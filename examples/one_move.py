"""One move: Black has opened in the centre, White may think for half a second."""

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Stone

engine = Engine()
engine.new_game()
engine.set_position(
    Position(15, 15, Rule.FREESTYLE, (Placed(7, 7, Stone.BLACK),), side_to_move=Stone.WHITE)
)
result = engine.think(Limits(turn_ms=500))

print(f"White plays {result.move.x},{result.move.y}")
print(f"value {result.info.score} after {result.info.nodes} nodes")
