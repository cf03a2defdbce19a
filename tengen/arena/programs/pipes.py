"""Threads that read what a program prints, so that no other thread ever blocks on a pipe."""

from __future__ import annotations

import os
import queue
import select
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO

from tengen.common.process import awake_s

# `Line.text` is cut here, as managers do; no move or message is anywhere near as long.
_MAX_TEXT_BYTES = 8000
# Of an endless line only the beginning is kept.
MAX_LINE_BYTES = 64_000
# What is kept unread, where each line counts for more than it has, as it does in memory. A program
# that floods its output beyond this waits until lines have been read.
MAX_UNREAD_BYTES, _BYTES_PER_LINE = 4_000_000, 400
_FULL_LOOK_S = 0.01
_CHUNK_BYTES = 65536
_ERROR_CHUNK_BYTES, _KEPT_CHUNKS = 4096, 4
_LINE_ENDS = b"\r\n"


@dataclass(slots=True)
class Line:
    """One line of output, byte for byte.

    raw      the line without its end.
    end      CR, LF or CR LF; empty if the output ended before the line did.
    read_at  when its end was read, by `LineReader.now_s`.
    """

    raw: bytes
    end: bytes
    read_at: float

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.raw) + _BYTES_PER_LINE

    @property
    def text(self) -> str:
        """The line as a manager takes it: at most 8000 bytes, `?` for a byte that is not ASCII."""
        return self.raw[:_MAX_TEXT_BYTES].decode("ascii", "replace").replace("\ufffd", "?")

    @property
    def escaped(self) -> str:
        """The whole line in print: bytes that are not ASCII show as escapes."""
        return self.raw.decode("ascii", "backslashreplace")


class _Reader:
    """Reads a pipe in a thread of its own, by `_read`."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._thread = threading.Thread(target=self._read, name="engine output", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread; call it when no process holds the other end of the pipe any more."""
        self._thread.join(timeout=2)
        # While the thread still reads, the descriptor must stay open, so that no other file gets
        # its number.
        if not self._thread.is_alive():
            self._pipe.close()

    def _read(self) -> None:
        raise NotImplementedError

    def _read_chunk(self, size: int) -> bytes:
        """What there is, at most `size` bytes; empty at the end and when the pipe was closed."""
        try:
            return os.read(self._pipe.fileno(), size)
        except (OSError, ValueError):
            return b""


class LineReader(_Reader):
    """Reads lines from a pipe in a thread of its own; CR, LF and CR LF all end a line.

    on_line  is called with every line, blank ones included, in the thread that reads.
    longest  how many bytes of an endless line are kept.
    stopped_s  how long the program could not write because somebody had stopped it.
    """

    def __init__(
        self,
        pipe: IO[bytes],
        on_line: Callable[[Line], None] | None = None,
        longest: int = MAX_LINE_BYTES,
    ) -> None:
        self.stopped_s = 0.0
        self._longest = longest
        self._on_line = on_line
        self._pending = b""
        # None stands for the end of the output.
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        # What was put into the queue and taken from it. Each is written by one thread only.
        self._put_bytes = self._taken_bytes = 0
        # Taken from the queue and not handed out yet.
        self._next: Line | None = None
        self._has_ended = False
        self._closed = threading.Event()
        super().__init__(pipe)

    @property
    def unfinished(self) -> bytes:
        """What came after the last line end."""
        return self._pending

    def now_s(self) -> float:
        """The clock of the program, in seconds: it stands still while it was stopped, and while
        this process does not run."""
        return awake_s() - self.stopped_s

    def next_line(self, deadline: float) -> Line | None:
        """The next line that is not blank and was read by `deadline`, waiting for it until then;
        None if there is none. A later line is kept for the next call. EOFError once the output has
        ended and all its lines have been handed out."""
        while not self._has_ended:
            if self._next is None:
                left_s = deadline - self.now_s()
                try:
                    self._next = self._lines.get(timeout=max(0.0, left_s))
                except queue.Empty:
                    if left_s <= 0:
                        return None
                    continue  # the wait may have lasted longer by the system's clock than by ours
                if self._next is None:
                    self._has_ended = True
                    break
                self._taken_bytes += self._next.size
            if self._next.read_at > deadline:
                return None
            line, self._next = self._next, None
            if line.raw.strip():
                return line
        raise EOFError

    def discard_unread(self) -> list[Line]:
        """Forgets the lines that have come so far, and returns them."""
        if self._next is None and self._lines.empty():
            return []  # the usual case, before every request
        now = self.now_s()
        lines = []
        try:
            while (line := self.next_line(now)) is not None:
                lines.append(line)
        except EOFError:
            pass
        return lines

    def close(self) -> None:
        """See _Reader."""
        self._closed.set()
        super().close()

    def _read(self) -> None:
        last: Line | None = None
        while chunk := self._read_chunk(_CHUNK_BYTES):
            now = self.now_s()
            # A line ends with its CR; an LF right behind it, perhaps in the next chunk, belongs to
            # the same end.
            if last is not None and last.end == b"\r" and not self._pending and chunk[:1] == b"\n":
                last.end = b"\r\n"
                chunk = chunk[1:]
            *whole, pending = [*(self._pending + chunk).splitlines(keepends=True), b""]
            if whole and not whole[-1].endswith((b"\r", b"\n")):
                pending = whole.pop()
            self._pending = pending[: self._longest]
            for piece in whole:
                raw = piece.rstrip(_LINE_ENDS)
                last = Line(raw, piece[len(raw) :], now)
                self._hand_on(last)
        if self._pending:
            self._hand_on(Line(self._pending, b"", self.now_s()))
        self._lines.put(None)

    def _hand_on(self, line: Line) -> None:
        if self._on_line is not None:
            self._on_line(line)
        while self._put_bytes - self._taken_bytes >= MAX_UNREAD_BYTES:
            if self._closed.wait(_FULL_LOOK_S):
                return
        self._put_bytes += line.size
        self._lines.put(line)


class ErrorReader(_Reader):
    """Reads the error output in a thread of its own and keeps the last bytes of it.

    on_chunk  is called with every piece that is read, in the thread that reads.
    """

    def __init__(self, pipe: IO[bytes], on_chunk: Callable[[bytes], None] | None = None) -> None:
        self._on_chunk = on_chunk
        self._chunks: deque[bytes] = deque(maxlen=_KEPT_CHUNKS)
        super().__init__(pipe)

    def settle(self, patience_s: float) -> None:
        """Waits until what lies in the pipe has been read, where a pipe can be asked (POSIX)."""
        if sys.platform == "win32":
            return
        deadline = time.perf_counter() + patience_s
        while self._thread.is_alive() and time.perf_counter() < deadline:
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
        # No control characters, which a terminal would act on.
        text = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
        return [line.strip()[:200] for line in text.splitlines() if line.strip()]

    def last_line(self) -> str:
        """The last line with text in it; empty if there is none."""
        return (self.lines() or [""])[-1]

    def _read(self) -> None:
        while chunk := self._read_chunk(_ERROR_CHUNK_BYTES):
            self._chunks.append(chunk)
            if self._on_chunk is not None:
                self._on_chunk(chunk)
