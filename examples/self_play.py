"""A whole game: the engine plays both sides, 2000 nodes a move, so that every run is the same."""

from tengen import Engine, Position

engine = Engine()
position = Position(rule="standard")
while not position.is_over:
    position.play(engine.play(position, nodes=2000))

print(position)
winner = position.winner()
print(f"{winner} wins after {len(position.moves)} moves" if winner else "draw")
