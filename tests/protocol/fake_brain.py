"""A brain that does not search, for tests of the protocol; run as a program it serves a manager.

It plays a square that depends only on the position. With `--slow` it thinks until it is stopped
or its time is up, reporting as it goes. Each option adds one misbehaviour:

  --deaf    ignores stops          --crash   raises instead of moving
  --occupy  plays an occupied square    --standard-only  refuses all other rules
  --spin    keeps a processor busy      --still   waits for nothing, using no processor
  --late    takes four seconds to make  --impatient      is given up early
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.model import Info, Limits, Point, Position, Result, Rule, Score
from protocol.brain import Brain

POLL_S = 0.002
DEFAULT_S = 5.0
LEAST_BYTES = 16 * 2**20


class FakeBrain(Brain):
    """Plays without looking; keeps what it was told in `calls` for tests to see."""

    def __init__(self, *, is_slow: bool = False, options: frozenset[str] = frozenset()) -> None:
        self.calls: list[tuple[str, object]] = []
        self.position = Position(15, 15)
        self._is_slow = is_slow
        self._options = options
        self._stop = threading.Event()
        self._max_bytes: int | None = None

    def new_game(self) -> None:
        self.calls.append(("new_game", None))

    def set_parameter(self, name: str, value: int) -> None:
        self.calls.append(("set_parameter", (name, value)))
        if name != "known":
            raise ValueError("there is no parameter of that name")

    def set_memory(self, max_bytes: int | None, hash_bytes: int | None = None) -> str | None:
        self.calls.append(("set_memory", (max_bytes, hash_bytes)))
        self._max_bytes = max_bytes
        is_enough = max_bytes is None or max_bytes >= LEAST_BYTES
        return None if is_enough else f"{max_bytes} bytes of memory are too little for this brain"

    def set_strength(self, strength: int, seed: int | None = None) -> None:
        self.calls.append(("set_strength", (strength, seed)))

    def set_threads(self, count: int) -> str | None:
        self.calls.append(("set_threads", count))
        if self._max_bytes is None or count * 2**20 <= self._max_bytes:
            return None
        return f"{self._max_bytes} bytes of memory are too little for {count} threads"

    def set_position(self, position: Position) -> str | None:
        self.calls.append(("set_position", position))
        if "--standard-only" in self._options and position.rule is not Rule.STANDARD:
            raise ValueError("only standard is known to this brain")
        self.position = position
        return "this brain dislikes boards of 13" if position.width == 13 else None

    def request_stop(self) -> None:
        if "--deaf" not in self._options:
            self._stop.set()

    def clear_stop(self) -> None:
        self._stop.clear()

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        self.calls.append(("think", limits))
        if "--crash" in self._options:
            raise RuntimeError("no idea")
        taken = {(placed.x, placed.y) for placed in self.position.stones}
        width, height = self.position.width, self.position.height
        free = [Point(x, y) for y in range(height) for x in range(width) if (x, y) not in taken]
        move = random.Random(len(free)).choice(free)
        if "--occupy" in self._options:
            move = Point(*self.position.stones[0][:2])
        if self._is_slow:
            self._wait(limits, move, on_info)
        info = Info(1, 1, Score(0), len(free), 1000, 0, (move,))
        if on_info is not None:
            on_info(info)
        return Result(move, info)

    def _wait(self, limits: Limits, move: Point, on_info: Callable[[Info], None] | None) -> None:
        times_ms = [ms for ms in (limits.turn_ms, limits.left_ms) if ms is not None]
        limit_s = min(times_ms) / 1000 if times_ms else DEFAULT_S
        started_ns = limits.started_ns or time.perf_counter_ns()
        depth_plies = 1
        while not self._stop.is_set():
            if "--spin" in self._options:
                continue
            if "--still" in self._options:
                threading.Event().wait()
            elapsed_s = (time.perf_counter_ns() - started_ns) / 1e9
            if on_info is not None and elapsed_s > 0.05 * depth_plies:
                depth_plies += 1
                on_info(Info(depth_plies, 9, Score(0, 7), 10, 200, int(elapsed_s * 1e3), (move,)))
            if elapsed_s >= limit_s:
                return
            time.sleep(POLL_S)


class Valuer(FakeBrain):
    """Searches as many nodes as it may, and finds the values that a function gives for the side to
    move."""

    def __init__(self, value: Callable[[Position], Score]) -> None:
        super().__init__()
        self._value = value
        self.nodes = 0

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        assert limits.nodes is not None
        self.nodes += limits.nodes
        taken = {(placed.x, placed.y) for placed in self.position.stones}
        move = next(Point(x, 0) for x in range(self.position.width) if (x, 0) not in taken)
        return Result(move, Info(1, 1, self._value(self.position), limits.nodes, 1, 0, (move,)))


if __name__ == "__main__":
    import protocol.loop
    from protocol.loop import run
    from protocol.messages import About

    arguments = frozenset(sys.argv[1:])

    def make_brain() -> FakeBrain:
        # Longer than a loop that goes by the clock waits.
        time.sleep(2 if "--late" in arguments else 0)
        return FakeBrain(is_slow="--slow" in arguments, options=arguments)

    if "--impatient" in arguments:
        protocol.loop.EOF_GIVE_UP_S, protocol.loop.MOST_STILL_LOOKS = 0.5, 8
    run(make_brain, About(name="Fake", version="1.0", author="nobody"))
