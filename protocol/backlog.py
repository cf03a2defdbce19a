"""Lines that wait to be carried out: how many of them ask for a move, and how many there may be."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from protocol.commands import SEARCHING_WORDS as YIXIN_SEARCHING_WORDS
from protocol.commands import Line

# These end a running search; its move is still printed.
STOPPING_WORDS = ("STOP", "YXSTOP", "START", "RECTSTART", "RESTART")
# These ask for a move.
SEARCHING_WORDS = ("BEGIN", "TURN", "BOARD", "SWAP2BOARD", *YIXIN_SEARCHING_WORDS)

MAX_WAITING_BYTES = 8 * 2**20
# What a line takes besides its characters, about.
LINE_BYTES = 100


class Lost(NamedTuple):
    """In place of lines that were not kept because too many waited."""

    read_ns: int


class Backlog:
    """The lines that wait, in the order in which they came.

    They are counted as they come and go, so that neither takes longer when many wait.

    searching  how many ask for a move.
    stopping   how many end the search that runs before them.
    """

    def __init__(self) -> None:
        self._lines: deque[Line | Lost] = deque()
        self.searching = 0
        self.stopping = 0

    def __len__(self) -> int:
        return len(self._lines)

    def append(self, line: Line | Lost) -> None:
        """Add a line behind the others."""
        self._lines.append(line)
        self._count(line, 1)

    def popleft(self) -> Line | Lost:
        """Remove the line that came first and return it; IndexError when there is none."""
        line = self._lines.popleft()
        self._count(line, -1)
        return line

    def _count(self, line: Line | Lost, change: int) -> None:
        word = line.word if isinstance(line, Line) else ""
        if word in SEARCHING_WORDS:
            self.searching += change
        elif word in STOPPING_WORDS:
            self.stopping += change


class Intake:
    """Bounds the memory of all lines that have been read and not yet carried out.

    `admit` belongs to the thread that reads, `release` to the one that carries out. When the lines
    are too many, further ones are lost until half of the memory is free again.
    """

    def __init__(self, max_bytes: int = MAX_WAITING_BYTES) -> None:
        self._max_bytes = max_bytes
        # Each of the two sums has one writer.
        self._admitted_bytes = 0
        self._released_bytes = 0
        self._is_closed = False

    def admit(self, line: Line) -> Line | Lost | None:
        """What waits for its turn: the line; or Lost for the first line that is lost, and None for
        those lost after it."""
        waiting_bytes = self._admitted_bytes - self._released_bytes
        was_closed = self._is_closed
        room = self._max_bytes // 2 if was_closed else self._max_bytes
        self._is_closed = waiting_bytes > room
        if self._is_closed:
            return None if was_closed else Lost(line.read_ns)
        self._admitted_bytes += _size_bytes(line)
        return line

    def release(self, line: Line) -> None:
        """An admitted line waits no longer."""
        self._released_bytes += _size_bytes(line)


def _size_bytes(line: Line) -> int:
    return len(line.text) + LINE_BYTES
