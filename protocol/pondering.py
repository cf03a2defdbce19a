"""Thinking in the opponent's time.

After a move the engine goes on with the reply that it expects. If that reply comes, its search
becomes the search for our move, with what it has found, and its clock begins to run. At anything
else that needs the engine it ends, and only the hash table remembers it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from engine.model import Info, Limits, Point, Position, Result
from protocol.brain import Brain, CanPonder

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


class Ponderer:
    """A brain, and the search in the opponent's time that it is busy with. All methods belong to
    one thread at a time, `request_stop` to any."""

    def __init__(self, brain: Brain) -> None:
        self._brain = brain
        self._search: _Search | None = None
        self._position: Position | None = None
        self._is_stopped = False

    def idle(self) -> Brain:
        """The brain, after the end of a search that ponders."""
        if self._search is not None:
            search, self._search = self._search, None
            search.end()
            if self._is_stopped:  # told again: the search that pondered may have ended instead
                self._brain.request_stop()
        return self._brain

    def ponder(self, position: Position, limits: Limits) -> None:
        """Begin to think about a position that is expected, until `think` is called for it with
        limits that differ in time only, or until the brain is needed for something else. Without
        an effect where it cannot ponder or cannot play the position, and where the system has no
        room for another thread."""
        brain = self.idle()
        if not isinstance(brain, CanPonder):
            return
        try:
            notice = brain.set_position(position)
            self._search = start_searcher(lambda: _Search(brain, position, limits, notice))
        except (ValueError, RuntimeError):
            self._search = None

    def set_position(self, position: Position) -> str | None:
        """See Brain. A search for the same position goes on."""
        self._position = position
        if self._search is not None and self._search.position == position:
            return self._search.notice
        return self.idle().set_position(position)

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        """See Brain: the search that ponders, if it is about this, or a new one."""
        search = self._search
        if search is not None and search.position == self._position:
            result = search.take_over(limits, on_info)
            if result is not None:
                self._search = None
                return result
        return self.idle().think(limits, on_info)

    def request_stop(self) -> None:
        """See Brain."""
        self._is_stopped = True
        self._brain.request_stop()

    def clear_stop(self) -> None:
        """See Brain."""
        self._is_stopped = False
        if self._search is None:
            self._brain.clear_stop()


class _Search(threading.Thread):
    """A search that ponders, in a thread of its own.

    notice  what the engine said of the position.
    """

    def __init__(
        self, brain: Brain, position: Position, limits: Limits, notice: str | None
    ) -> None:
        super().__init__(name="ponderer", daemon=True)
        self.position = position
        self.notice = notice
        self._brain = brain
        self._limits = _untimed(limits)
        self._on_info: Callable[[Info], None] | None = None
        self._result: Result | None = None
        self._failure: Exception | None = None
        self._is_over = threading.Event()

    def run(self) -> None:
        try:
            self._result = self._brain.think(self._limits._replace(is_ponder=True), self._hear)
        except Exception as failure:  # told if a move is wanted, as every failure of a search
            self._failure = failure
        self._is_over.set()

    def take_over(self, limits: Limits, on_info: Callable[[Info], None] | None) -> Result | None:
        """The move that was found within the limits, whose clock runs; None where the search is
        one with other limits, or was not to be continued. Raises what the search raised."""
        if _untimed(limits) != self._limits:
            return None
        self._on_info = on_info
        if not (isinstance(self._brain, CanPonder) and self._brain.ponder_hit(_clock(limits))):
            return None
        self._is_over.wait()
        if self._failure is not None:
            raise self._failure
        return self._result

    def end(self) -> None:
        """Stops the search and waits for its end."""
        self._brain.request_stop()
        self._is_over.wait()
        self._brain.clear_stop()

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
