"""The lines between the manager and this program: read, kept, written and logged.

They are read in a thread of its own, so that they arrive during a search.

Bytes are read with `os.read`, which returns as soon as there are any: no line waits in a buffer.
CR, LF and CRLF all end a line. The memory for a line is bounded.
Lines that wait to be carried out are kept here too: how many of them ask for a move, and how many
there may be.

Answers are written each in one write call, at once, with LF at its end. The log has both directions
with times, for finding out later what happened.
"""

from __future__ import annotations

import os
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import IO, NamedTuple

from protocol.commands import (
    MAX_LINE_BYTES,
    SEARCHING_WORDS,
    STOPPING_WORDS,
    TAIL_BYTES,
    Line,
)
from protocol.messages import clip
from protocol.start_up import StartUp

CHUNK_BYTES = 65536
# Another program can have set a descriptor not to block; it is tried again after so long.
AGAIN_S = 0.005
# A first read that takes longer has waited for its bytes, so they have just been sent. It decides
# where the system does not tell whether bytes are there, or says no: wine does that now and then
# although they are.
AT_ONCE_NS = 20_000_000
BLANKS = b" \t\v\f"
_BLANKS = re.compile(rb"[ \t\v\f]+")
# The end of a line with all empty lines after it, and the blanks that the next line begins with.
_LINE_END = re.compile(rb"[\r\n][ \t\v\f\r\n]*")
UTF8_MARK = b"\xef\xbb\xbf"


class EndOfInput(NamedTuple):
    """The manager has closed our input; no line follows."""

    read_ns: int


class LineSplitter:
    """Cuts a stream of bytes into lines, without the blanks they begin with. Empty lines are
    dropped, also the one within CRLF."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = b""
        self._is_cut = False
        self._is_first = True

    def feed(self, chunk: bytes) -> list[tuple[str, str | None]]:
        """Take the next bytes; return the lines they finish as pairs (text, tail)."""
        # Many empty lines at once cost no more than one.
        chunk = _LINE_END.sub(b"\n", chunk)
        *finished, rest = chunk.split(b"\n")
        lines = []
        for piece in finished:
            self._extend(piece)
            lines += self.flush()
        self._extend(rest)
        return lines

    def flush(self) -> list[tuple[str, str | None]]:
        """The line read so far, if any, although its end is missing: the input is over."""
        head, tail = bytes(self._head), self._tail
        is_cut = self._is_cut
        self._head.clear()
        self._tail = b""
        self._is_cut = False
        if self._is_first:
            # Files saved by some editors begin with this mark.
            head = head.removeprefix(UTF8_MARK)
            self._is_first = False
        if not head:
            return []
        return [(head.decode("latin-1"), tail.decode("latin-1") if is_cut else None)]

    def _extend(self, piece: bytes) -> None:
        if not self._head:
            piece = piece.lstrip(BLANKS)
        room = MAX_LINE_BYTES - len(self._head)
        self._head += piece[:room]
        if len(piece) > room:
            self._is_cut = True
            # Blanks after the last word must not push it out.
            tail = _BLANKS.sub(b" ", self._tail + piece[room:])
            self._tail = tail[-TAIL_BYTES:]


def has_bytes(descriptor: int) -> bool | None:
    """Can a read return at once, because bytes wait there or the input is over? None if the system
    does not tell."""
    try:
        if sys.platform == "win32":
            import _winapi
            import msvcrt

            return _winapi.PeekNamedPipe(msvcrt.get_osfhandle(descriptor), 0)[0] > 0
        # Frozen programs do not have it.
        from select import select

        return bool(select([descriptor], [], [], 0)[0])
    except (ImportError, OSError, ValueError):
        return None


class Reader(threading.Thread):
    """Reads a file descriptor to its end and hands over each line as soon as it is complete.

    `deliver` is called in this thread, at the end once with EndOfInput. A read error means that the
    manager is gone and counts as the end.

    Lines that are there before the first read have waited while the program started and the
    manager's clock ran: their time is set earlier by what counts of `start_up`, which ends here.
    """

    def __init__(
        self,
        descriptor: int,
        deliver: Callable[[Line | EndOfInput], None],
        start_up: StartUp | None = None,
    ) -> None:
        super().__init__(name="reader", daemon=True)
        self._descriptor = descriptor
        self._deliver = deliver
        self._start_up = start_up
        self._end_start = start_up.end if start_up else lambda: 0

    def run(self) -> None:
        """Read until the end of the input."""
        splitter = LineSplitter()
        begin_ns = time.perf_counter_ns()
        # Asked before the read: on a busy machine a read can take long although bytes wait.
        have_waited = has_bytes(self._descriptor)
        if have_waited is False:
            self._end_start()  # not when a manager writes at last
        is_first = True
        while chunk := self._read():
            read_ns = time.perf_counter_ns()
            created_ns = None
            if is_first:
                is_first = False
                have_waited = have_waited or read_ns - begin_ns <= AT_ONCE_NS
                start_up_ns = self._end_start()
                if have_waited:
                    read_ns -= start_up_ns
                    created_ns = self._start_up.created_ns if self._start_up else None
            for text, tail in splitter.feed(chunk):
                self._deliver(Line(text, read_ns, tail, created_ns))
        now_ns = time.perf_counter_ns()
        for text, tail in splitter.flush():
            self._deliver(Line(text, now_ns, tail))
        self._deliver(EndOfInput(now_ns))

    def _read(self) -> bytes:
        while True:
            try:
                return os.read(self._descriptor, CHUNK_BYTES)
            except BlockingIOError:
                time.sleep(AGAIN_S)
            except OSError:
                return b""


MAX_WAITING_BYTES = 8 * 2**20
# What a line takes besides its characters, about.
LINE_BYTES = 100


class Lost(NamedTuple):
    """In place of lines that were not kept because too many waited."""

    read_ns: int


class Backlog:
    """The lines that wait, in the order in which they came.

    They are counted as they come and go, so that neither takes longer when many wait. The memory of
    all lines that have been read and not yet carried out is bounded: when they are too many,
    further ones are lost until half of the memory is free again. `admit` belongs to the thread that
    reads, everything else to the one that carries out.

    searching  how many ask for a move.
    stopping   how many end the search that runs before them.
    """

    def __init__(self, max_bytes: int = MAX_WAITING_BYTES) -> None:
        self._lines: deque[Line | Lost] = deque()
        self.searching = 0
        self.stopping = 0
        self._max_bytes = max_bytes
        # Each of the two sums has one writer.
        self._admitted_bytes = 0
        self._released_bytes = 0
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._lines)

    def admit(self, line: Line) -> Line | Lost | None:
        """What is to wait for its turn: the line; or Lost for the first line that is lost, and None
        for those lost after it."""
        waiting_bytes = self._admitted_bytes - self._released_bytes
        was_closed = self._is_closed
        room = self._max_bytes // 2 if was_closed else self._max_bytes
        self._is_closed = waiting_bytes > room
        if self._is_closed:
            return None if was_closed else Lost(line.read_ns)
        self._admitted_bytes += len(line.text) + LINE_BYTES
        return line

    def append(self, line: Line | Lost) -> None:
        """Add what was admitted behind the others."""
        self._lines.append(line)
        self._count(line, 1)

    def popleft(self) -> Line | Lost:
        """Remove the line that came first and return it; IndexError when there is none."""
        line = self._lines.popleft()
        self._count(line, -1)
        if isinstance(line, Line):
            self._released_bytes += len(line.text) + LINE_BYTES
        return line

    def _count(self, line: Line | Lost, change: int) -> None:
        word = line.word if isinstance(line, Line) else ""
        if word in SEARCHING_WORDS:
            self.searching += change
        elif word in STOPPING_WORDS:
            self.stopping += change


# -- to the manager, and the log

# The rest of a longer line is left out.
MAX_LOGGED = 1000


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
