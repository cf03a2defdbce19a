"""One move: Black has opened in the centre, White may think for half a second."""

from tengen import Engine, Position

position = Position("h8")
move = Engine().play(position, turn_s=0.5)
position.play(move)

print(position)
print(f"White plays {move}")
if move.report:
    print(f"value {move.report.score_text} after {move.report.nodes} nodes")
