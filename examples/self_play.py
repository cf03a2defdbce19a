"""A whole game: the engine plays both sides, 2000 nodes a move, so that every run is the same."""

from engine.api import Engine
from engine.model import Limits, Position, Rule

SIZE = 15

engine = Engine()
engine.set_position(Position(SIZE, SIZE, Rule.STANDARD))

moves = 0
while engine.winner() is None and moves < SIZE * SIZE:
    move = engine.think(Limits(nodes=2000)).move
    engine.play(move.x, move.y)
    moves += 1

print(engine.dump())
winner = engine.winner()
print("draw" if winner is None else f"{winner.name} wins after {moves} moves")

engine.undo()
print(f"one move earlier: {engine.winner()}")
