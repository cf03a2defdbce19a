"""Writes the answers: each line in one write call, at once, with LF at its end."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable

from protocol.log import Transcript
from protocol.messages import clip


class Writer:
    """Writes lines to a file descriptor; any thread may call it.

    When the manager no longer reads, `on_broken` is called once and all later lines are dropped.

    lines       how many were begun.
    is_writing  the last of them is not written yet.
    """

    def __init__(
        self, descriptor: int, on_broken: Callable[[], None], transcript: Transcript
    ) -> None:
        self._descriptor = descriptor
        self._on_broken = on_broken
        self._transcript = transcript
        self._lock = threading.Lock()
        self._is_mute = False
        self.lines = 0
        self.is_writing = False

    def write(self, lines: Iterable[str]) -> None:
        """Send each line by itself. Waits while the manager does not read."""
        for line in lines:
            text = clip(line)
            with self._lock:
                if self._is_mute:
                    return
                # Logged first: a manager may end the process as soon as it has the answer.
                self._transcript.sent(text)
                self.lines += 1
                self.is_writing = True
                try:
                    self._send(text.encode("ascii", "replace") + b"\n")
                except OSError:
                    self._is_mute = True
                    self._on_broken()
                self.is_writing = False

    def mute(self) -> None:
        """Drop everything from now on. Takes no lock, because a write may hold it and wait."""
        self._is_mute = True

    def _send(self, data: bytes) -> None:
        # A pipe takes a line at once; only a signal or a full pipe can split it.
        while data:
            data = data[os.write(self._descriptor, data) :]
