"""Reports while thinking: Black can force a five here, and the engine sees it after a few steps."""

from engine.api import Engine
from engine.model import Info, Limits, Placed, Position, Rule, Stone

BLACK = [(6, 5), (6, 6), (5, 6), (4, 6), (6, 7)]
WHITE = [(9, 5), (5, 5), (7, 4), (7, 6), (6, 4)]


def report(info: Info) -> None:
    """Called after each finished iteration."""
    line = " ".join(f"{point.x},{point.y}" for point in info.pv)
    print(f"depth {info.depth_plies:2}  value {info.score!s:>5}  nodes {info.nodes:7}  {line}")


stones = [Placed(x, y, Stone.BLACK) for x, y in BLACK]
stones += [Placed(x, y, Stone.WHITE) for x, y in WHITE]

engine = Engine()
engine.set_position(Position(15, 15, Rule.FREESTYLE, tuple(stones), Stone.BLACK))
print(engine.dump())
result = engine.think(Limits(nodes=200_000), on_info=report)

plies = result.info.score.mate_plies
if plies is not None and plies > 0:
    x, y = result.move
    print(f"Black wins with the stone number {plies} from now, beginning at {x},{y}")
