"""A clock that stands still while this process does not run: stopped by Ctrl-Z, frozen with its
container, asleep with its machine.

In such a time nobody here could hear an answer or a click, so it counts for no program and no
person. A thread looks at the clock at short intervals; a long gap between two looks, by any thread,
was a pause. A busy machine makes such gaps too, and nobody could hear in those either.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

_LOOK_S = 0.05
_PAUSE_S = 0.25


class AwakeClock:
    """The clock `now_s`, in seconds, without the gaps between two looks that are longer than
    `_PAUSE_S`. Any thread may look."""

    def __init__(self, now_s: Callable[[], float] = time.perf_counter) -> None:
        self._now_s = now_s
        self._begin()
        if hasattr(os, "register_at_fork"):  # the lock may be held there, and no thread looks
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        # A finalizer may end a program, and look, while its thread looks.
        self._lock = threading.RLock()
        self._looked_at = self._paused_s = 0.0
        self._watcher: threading.Thread | None = None

    def look(self) -> float:
        """The time; only differences mean something."""
        with self._lock:
            now = self._now_s()
            gap_s = now - self._looked_at
            if gap_s > _PAUSE_S:
                # All of it, so that an answer that came meanwhile is read before anyone is late.
                self._paused_s += gap_s
                if self._watcher is None:  # this is the first look
                    self._watcher = threading.Thread(target=self._watch, name="clock", daemon=True)
                    self._watcher.start()
            self._looked_at = now
            return now - self._paused_s

    def _watch(self) -> None:
        while True:
            self.look()
            time.sleep(_LOOK_S)


# The clock of this process.
awake_s = AwakeClock().look
