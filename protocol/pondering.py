"""Thinking in the opponent's time.

After a move the engine goes on with the reply that it expects. If that reply comes, its search
becomes the search for our move, with what it has found, and its clock begins to run. At anything
else that needs the engine it ends, and only the hash table remembers it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, runtime_checkable

from engine.model import Info, Limits, Point, Position, Result
from protocol.brain import Brain, HasHashFiles, HasStrength, KnowsForbidden, KnowsMachine

# A recursive search is deeper than the default stack of a thread on some systems. It needs less
# than 2 MiB (debug builds more); Windows counts all of a thread's stack as used memory at once.
STACK_BYTES = (8 if sys.platform == "win32" else 64) * 2**20
# Where there is no room for so much.
LEAST_STACK_BYTES = 4 * 2**20
# The other threads need little.
SMALL_STACK_BYTES = 2**20

T = TypeVar("T", bound=threading.Thread)


def start_searcher(make: Callable[[], T]) -> T:
    """Starts a thread that searches, and returns it; threads that are started later have a small
    stack. RuntimeError when the system cannot start it."""
    threading.stack_size(STACK_BYTES)
    try:
        thread = make()
        thread.start()
    except RuntimeError:
        threading.stack_size(LEAST_STACK_BYTES)
        # A thread that could not be started cannot be started again.
        thread = make()
        thread.start()
    finally:
        threading.stack_size(SMALL_STACK_BYTES)
    return thread


# The limits that may differ between a search that ponders and the one for the move.
_NO_CLOCK: dict[str, Any] = dict.fromkeys(
    ("turn_ms", "match_ms", "left_ms", "increment_ms", "started_ns")
)


class CanPonder(Brain, HasStrength, KnowsForbidden, KnowsMachine, HasHashFiles, Protocol):
    """What `engine.api.Engine` has and this module needs."""

    def ponder_hit(self, limits: Limits | None = None) -> bool:
        """The expected reply has come; the clock runs. False if nothing ponders (any more)."""


@runtime_checkable
class Ponders(Protocol):
    """A brain that can think in the opponent's time."""

    def ponder(self, position: Position, limits: Limits) -> None:
        """Begin to think about a position that is expected, until `think` is called for it with
        limits that differ in time only, or until the brain is needed for something else."""

    def end_pondering(self) -> None:
        """Stop thinking in the opponent's time."""


class Ponderer:
    """An engine that ponders. All methods belong to one thread at a time, as those of a Brain do,
    `request_stop` to any."""

    def __init__(self, engine: CanPonder) -> None:
        self._engine = engine
        self._search: _Search | None = None
        self._position: Position | None = None
        self._is_stopped = False

    def ponder(self, position: Position, limits: Limits) -> None:
        """See Ponders. Without an effect where the position cannot be played, or the system has no
        room for another thread."""
        engine = self._idle()
        try:
            notice = engine.set_position(position)
            self._search = start_searcher(lambda: _Search(engine, position, limits, notice))
        except (ValueError, RuntimeError):
            self._search = None

    def end_pondering(self) -> None:
        """See Ponders."""
        if self._search is not None:
            search, self._search = self._search, None
            search.end()

    def set_position(self, position: Position) -> str | None:
        """See Brain. A search for the same position goes on."""
        self._position = position
        if self._search is not None and self._search.position == position:
            return self._search.notice
        return self._idle().set_position(position)

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """See Brain: the search that ponders, if it is about this, or a new one."""
        search = self._search
        if search is not None and search.position == self._position:
            result = search.take_over(limits, on_info)
            if result is not None:
                self._search = None
                return result
        return self._heeding_stops().think(limits, on_info)

    def request_stop(self) -> None:
        self._is_stopped = True
        self._engine.request_stop()

    def clear_stop(self) -> None:
        self._is_stopped = False
        if self._search is None:
            self._engine.clear_stop()

    def _idle(self) -> CanPonder:
        """The engine, after the end of a search that ponders."""
        self.end_pondering()
        return self._engine

    def _heeding_stops(self) -> CanPonder:
        """The same, told again of a stop: the search that pondered may have ended instead."""
        engine = self._idle()
        if self._is_stopped:
            engine.request_stop()
        return engine

    # -- the engine's other methods

    def new_game(self) -> None:
        self._idle().new_game()

    def set_memory(self, max_bytes: int | None, hash_bytes: int | None = None) -> str | None:
        return self._idle().set_memory(max_bytes, hash_bytes)

    def set_threads(self, count: int) -> str | None:
        return self._idle().set_threads(count)

    def set_parameter(self, name: str, value: int) -> None:
        self._idle().set_parameter(name, value)

    def set_strength(self, strength: int, seed: int | None = None) -> None:
        self._idle().set_strength(strength, seed)

    def is_forbidden(self, x: int, y: int) -> bool:
        return self._idle().is_forbidden(x, y)

    def forbidden_points(self) -> list[Point]:
        return self._idle().forbidden_points()

    def machine_bytes(self) -> int:
        return self._engine.machine_bytes()

    def save_hash(self, path: str) -> int:
        return self._heeding_stops().save_hash(path)

    def load_hash(self, path: str) -> int:
        return self._heeding_stops().load_hash(path)


class _Search(threading.Thread):
    """A search that ponders, in a thread of its own.

    notice  what the engine said of the position.
    """

    def __init__(
        self, engine: CanPonder, position: Position, limits: Limits, notice: str | None
    ) -> None:
        super().__init__(name="ponderer", daemon=True)
        self.position = position
        self.notice = notice
        self._engine = engine
        self._limits = _untimed(limits)
        self._on_info: Callable[[Info], None] | None = None
        self._result: Result | None = None
        self._failure: Exception | None = None
        self._is_over = threading.Event()

    def run(self) -> None:
        try:
            self._result = self._engine.think(self._limits._replace(is_ponder=True), self._hear)
        except Exception as failure:  # told if a move is wanted, as every failure of a search
            self._failure = failure
        self._is_over.set()

    def take_over(self, limits: Limits, on_info: Callable[[Info], None] | None) -> Result | None:
        """The move that was found within the limits, whose clock runs; None where the search is
        one with other limits, or was not to be continued. Raises what the search raised."""
        if _untimed(limits) != self._limits:
            return None
        self._on_info = on_info
        if not self._engine.ponder_hit(_clock(limits)):
            return None
        self._is_over.wait()
        if self._failure is not None:
            raise self._failure
        return self._result

    def end(self) -> None:
        """Stops the search and waits for its end."""
        self._engine.request_stop()
        self._is_over.wait()
        self._engine.clear_stop()

    def _hear(self, info: Info) -> None:
        # Nothing is told in the opponent's time.
        if self._on_info is not None:
            self._on_info(info)


def _untimed(limits: Limits) -> Limits:
    return limits._replace(**_NO_CLOCK)


def _clock(limits: Limits) -> Limits:
    return Limits(**{name: getattr(limits, name) for name in _NO_CLOCK})


def expected_reply(info: Info) -> Point | None:
    """The opponent's reply to the move of a search, where it is worth pondering: the game is not
    over before our next move."""
    plies = info.score.mate_plies
    if len(info.pv) < 2 or (plies is not None and -2 <= plies <= 1):
        return None
    return Point(*info.pv[1])
