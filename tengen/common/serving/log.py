"""What a server tells in the terminal: at most a line a minute for the same cause."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

PAUSE_S = 60.0


class SparingLog:
    """Passes lines on. The cause of a line is its text before the first colon; the lines of a cause
    that were held back are counted in its next one."""

    def __init__(
        self, log: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._log = log
        self._clock = clock
        # By cause: when it was told, and how many lines were held back since.
        self._told: dict[str, tuple[float, int]] = {}

    def __call__(self, line: str) -> None:
        cause = line.partition(":")[0]
        now = self._clock()
        told_at, held_back = self._told.get(cause, (None, 0))
        if told_at is not None and now - told_at < PAUSE_S:
            self._told[cause] = told_at, held_back + 1
            return
        self._told[cause] = now, 0
        self._log(f"{line} (and {held_back} more before it)" if held_back else line)


class LogHandler(logging.Handler):
    """Tells what a library logs, errors without their traceback, in one line."""

    def __init__(self, log: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = log

    def emit(self, record: logging.LogRecord) -> None:
        """Tells a record."""
        error = record.exc_info[1] if record.exc_info else None
        text = f"{type(error).__name__}: {error}" if error else record.getMessage()
        what = "failed" if error else "warns"
        self._tell(f"the server {what}: {' '.join(text.split())}")
