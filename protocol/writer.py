"""Writes the answers, each line in one write call, at once, with LF at its end; and a log of the
conversation, both directions with times, for finding out later what happened."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import IO

from protocol.messages import clip

# The rest of a longer line is left out.
MAX_LOGGED = 1000
# Another program can have set a descriptor not to block; it is tried again after so long.
AGAIN_S = 0.005


class Transcript:
    """Writes the lines of a conversation to an open text file; without a file it does nothing.

    Each line is `seconds direction text`: seconds since the transcript began, `>` for a line
    read from the manager, `<` for a line written to it. Characters that do not print are shown as
    escapes. Every line is flushed, because the process may be killed at any time.
    """

    def __init__(self, file: IO[str] | None = None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._begin_ns = time.perf_counter_ns()
        self._note("#", "begin " + time.strftime("%Y-%m-%d %H:%M:%S"))

    def received(self, text: str) -> None:
        """Note a line from the manager that has just been read."""
        self._note(">", text)

    def sent(self, text: str) -> None:
        """Note a line to the manager, just before it is written."""
        self._note("<", text)

    def close(self) -> None:
        """End the transcript; later lines are dropped."""
        with self._lock:
            self._end()

    def _note(self, direction: str, text: str) -> None:
        if self._file is None:
            return
        shown = text if len(text) <= MAX_LOGGED else f"{text[:MAX_LOGGED]}... ({len(text)})"
        escaped = shown.encode("unicode_escape").decode("ascii")
        seconds = (time.perf_counter_ns() - self._begin_ns) / 1e9
        with self._lock:
            if self._file is None:
                return
            try:
                self._file.write(f"{seconds:11.6f} {direction} {escaped}\n")
                self._file.flush()
            except (OSError, ValueError):
                # A full disk must not end a game: the log ends and the game goes on.
                self._end()

    def _end(self) -> None:
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        except OSError:
            pass


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
            try:
                data = data[os.write(self._descriptor, data) :]
            except BlockingIOError:
                time.sleep(AGAIN_S)
