"""Records what passes through the pipes of a program under test, byte for byte and with times."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tengen.arena.programs.pipes import MAX_UNREAD_BYTES, Line
from tengen.arena.programs.process import EngineProcess

# How much of a conversation, and of the error output, is kept.
_MAX_ENTRIES = 2_000
_MAX_TEXT = 8_000
_MAX_ERROR_BYTES = 64_000
# These make Python, Fortran and what stdbuf starts write every line at once. Managers do not set
# them, so a program that never flushes would pass and hang there.
_UNBUFFERED = (
    "PYTHONUNBUFFERED",
    "GFORTRAN_UNBUFFERED_ALL",
    "GFORTRAN_UNBUFFERED_PRECONNECTED",
    "_STDBUF_O",
)


class Entry(NamedTuple):
    """One line of a conversation: seconds since the process was started, direction, text.

    The direction is `>` for a line to the program, `<` for one from it, `!` for one on its error
    output and `#` for a remark of the checker.
    """

    at_s: float
    direction: str
    text: str


class RecordedProcess(EngineProcess):
    """Runs `command` in the folder `cwd`. OSError if it cannot be started.

    entries       the conversation: at most its last 2000 lines, and of each 8000 characters.
    lines         all lines of output so far, blank ones included, at most the first 10,000, fewer
                  where they are long.
    error_output  what was written to the error output, at most the first 64,000 bytes.
    """

    def __init__(self, command: Sequence[str], cwd: Path | None = None) -> None:
        self._started_at = time.perf_counter()
        self.entries: deque[Entry] = deque(maxlen=_MAX_ENTRIES)
        self.lines: list[Line] = []
        self._line_bytes = 0
        self.error_output = b""
        super().__init__(
            command,
            cwd,
            on_line=self._keep_line,
            on_errors=self._keep_errors,
            without=_UNBUFFERED,
        )

    def write(self, data: bytes) -> None:
        """As `EngineProcess.write`, and records the lines in `data`."""
        if not self._stdin.closed:
            for line in data.decode("ascii", "backslashreplace").splitlines() or [""]:
                self._note(">", line)
        super().write(data)

    def close_input(self) -> None:
        """As `EngineProcess.close_input`, and records it the first time."""
        if not self._stdin.closed:
            self._note("#", "end of the input")
        super().close_input()

    def remark(self, text: str) -> None:
        """Adds a remark to the conversation."""
        self._note("#", text)

    def _note(self, direction: str, text: str) -> None:
        at_s = time.perf_counter() - self._started_at
        self.entries.append(Entry(at_s, direction, text[:_MAX_TEXT]))

    def _keep_line(self, line: Line) -> None:
        self._note("<", line.escaped)
        if self._line_bytes < MAX_UNREAD_BYTES:
            self._line_bytes += line.size
            self.lines.append(line)

    def _keep_errors(self, chunk: bytes) -> None:
        for line in chunk.decode("utf-8", "replace").splitlines():
            self._note("!", line)
        self.error_output = (self.error_output + chunk)[:_MAX_ERROR_BYTES]
