"""Reports during a search: Black can force a five here, and the engine soon finds it."""

from tengen import Engine, Position

position = Position("g10 j10 g9 f10 f9 h11 e9 h9 g8 g11")
print(position)

engine = Engine()
# What on_report gets is what analyze returns; print shows it in one line.
analysis = engine.analyze(position, nodes=200_000, on_report=print)

plies = analysis.score.mate_plies
if plies is not None and plies > 0:
    print(f"Black plays {analysis.move} and completes a five with stone number {plies} from now")
print(engine.solve(position))
