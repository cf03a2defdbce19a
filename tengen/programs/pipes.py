"""Threads that read a program's output, so that nobody else ever waits for a pipe."""

from __future__ import annotations

import os
import queue
import select
import sys
import threading
import time
from collections import deque
from typing import IO, NamedTuple

# Longer lines are cut, as managers do; no move or message is anywhere near.
MAX_LINE_BYTES = 8000
# Lines kept unread. A program that floods its output beyond this waits until someone reads.
MAX_UNREAD_LINES = 10_000


class Line(NamedTuple):
    """A line and the moment (`time.monotonic`) it was read; `text` is None at the end."""

    text: str | None
    read_at: float


class LineReader:
    """Reads lines from a pipe in a thread of its own; CR, LF and CR LF all end a line, empty
    lines are dropped, bytes that are not ASCII become question marks."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._lines: queue.Queue[Line] = queue.Queue(MAX_UNREAD_LINES)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._read, name="engine output", daemon=True)
        self._thread.start()

    def next_line(self, deadline: float | None) -> Line | None:
        """The next line, waiting for it until `deadline` (`time.monotonic`); None when there is
        none by then. Once the output has ended, a line with text None, again and again."""
        timeout = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            line = self._lines.get(timeout=timeout)
        except queue.Empty:
            return None
        if line.text is None:
            self._lines.put(line)
        return line

    def discard_unread(self) -> None:
        """Forgets the lines that have come so far, but not that the output has ended."""
        for _ in range(self._lines.qsize()):
            line = self.next_line(time.monotonic())
            if line is None or line.text is None:
                return

    def close(self) -> None:
        """Ends the thread; call it when nobody holds the other end of the pipe any more."""
        self._closed.set()
        _join_and_close(self._thread, self._pipe)

    def _read(self) -> None:
        pending = b""
        while chunk := self._read_chunk():
            now = time.monotonic()
            *whole, pending = (pending + chunk).replace(b"\r", b"\n").split(b"\n")
            # Of an endless line only the beginning is kept.
            pending = pending[:MAX_LINE_BYTES]
            for line in whole:
                if line:
                    text = line[:MAX_LINE_BYTES].decode("ascii", "replace").replace("\ufffd", "?")
                    self._put(Line(text, now))
        self._put(Line(None, time.monotonic()))

    def _read_chunk(self) -> bytes:
        try:
            return os.read(self._pipe.fileno(), 65536)
        except OSError:
            return b""

    def _put(self, line: Line) -> None:
        while not self._closed.is_set():
            try:
                return self._lines.put(line, timeout=0.1)
            except queue.Full:
                continue


class Tail:
    """Drains a pipe in a thread of its own and keeps the last bytes of it."""

    def __init__(self, pipe: IO[bytes], keep_chunks: int = 4) -> None:
        self._pipe = pipe
        self._chunks: deque[bytes] = deque(maxlen=keep_chunks)
        self._thread = threading.Thread(target=self._drain, name="engine errors", daemon=True)
        self._thread.start()

    def settle(self, patience_s: float) -> None:
        """Waits until what lies in the pipe has been read, where a pipe can be asked (POSIX)."""
        if sys.platform == "win32":
            return
        deadline = time.monotonic() + patience_s
        while self._thread.is_alive() and time.monotonic() < deadline:
            try:
                readable, _, _ = select.select([self._pipe], [], [], 0)
            except (OSError, ValueError):  # closed meanwhile
                return
            if not readable:
                return
            time.sleep(0.001)

    def lines(self) -> list[str]:
        """The last lines with text in them, each at most 200 characters."""
        text = b"".join(list(self._chunks)).decode("utf-8", "replace")
        # Nothing that a terminal would obey.
        text = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
        return [line.strip()[:200] for line in text.splitlines() if line.strip()]

    def last_line(self) -> str:
        """The last line with text in it; empty if there is none."""
        return (self.lines() or [""])[-1]

    def close(self) -> None:
        """Ends the thread; call it when nobody holds the other end of the pipe any more."""
        _join_and_close(self._thread, self._pipe)

    def _drain(self) -> None:
        try:
            while chunk := os.read(self._pipe.fileno(), 4096):
                self._chunks.append(chunk)
        except OSError:
            pass


def _join_and_close(thread: threading.Thread, pipe: IO[bytes]) -> None:
    thread.join(timeout=2)
    # A thread still reading must not find the number of its pipe given to another file.
    if not thread.is_alive():
        pipe.close()
