"""Pondering: White thinks in Black's time, on the move that it expects of Black."""

import threading
import time

from engine.api import Engine
from engine.model import Limits, Position, Result

POSITION = Position.from_moves("h8 i9 g9")  # White to move
results: list[Result] = []

engine = Engine()
engine.set_position(POSITION)
line = engine.think(Limits(nodes=50_000)).info.pv  # nodes, not time: the same line on every machine
engine.play(*line[0])
print(f"White plays {POSITION.name_of(line[0])} and expects {POSITION.name_of(line[1])}")

engine.play(*line[1])
ponderer = threading.Thread(target=lambda: results.append(engine.think(Limits(is_ponder=True))))
ponderer.start()
time.sleep(0.5)  # Black thinks

# Black has played the expected move. After another one, engine.request_stop() would end the search;
# its result would be dropped, and the position set anew.
while not engine.ponder_hit(Limits(turn_ms=1000)):
    time.sleep(0.001)  # the other thread has not begun yet
hit = time.monotonic()
ponderer.join()
waited_s = time.monotonic() - hit
print(f"White plays {POSITION.name_of(results[0].move)} {waited_s:.1f} s later")
