"""Reports during a search: Black can force a five here, and the engine soon finds it."""

from engine.api import Engine
from engine.model import Info, Limits, Position

POSITION = Position.from_moves("g10 j10 g9 f10 f9 h11 e9 h9 g8 g11")


def report(info: Info) -> None:
    """Called after each finished iteration."""
    line = " ".join(map(POSITION.name_of, info.pv))
    print(f"depth {info.depth_plies:2}  value {info.score!s:>5}  nodes {info.nodes:7}  {line}")


engine = Engine()
engine.set_position(POSITION)
print(engine.dump())
result = engine.think(Limits(nodes=200_000), on_info=report)

plies = result.info.score.mate_plies
if plies is not None and plies > 0:
    move = POSITION.name_of(result.move)
    print(f"Black plays {move} and completes a five with stone number {plies} from now")
