"""Lines and Ctrl-C from a person at a terminal, or lines from a file; the signals that end it."""

from __future__ import annotations

import io
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from tengen.common.process import hangups

with suppress(ImportError):
    # Its import alone makes the arrow keys edit the line.
    import readline as _readline  # noqa: F401


class Prompt:
    """Standard input."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            # A line that cannot be decoded is answered like any other bad line.
            sys.stdin.reconfigure(errors="replace")
        self._interrupts = 0
        self._ended_by = 0
        self._is_asking = False
        self._is_listening = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within it, between two calls of `ask`, Ctrl-C is counted instead of raised. SIGTERM and
        SIGHUP end the program by SystemExit, so that the game is saved: at the next call of `ask`
        or `take_interrupts`, after it at once."""
        handler = None
        is_main = threading.current_thread() is threading.main_thread()
        if is_main:
            for number in (signal.SIGTERM, *hangups()):
                signal.signal(number, self._on_end)
        # Not if Ctrl-C is ignored, as the shell has it for programs in the background.
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            handler = signal.signal(signal.SIGINT, self._on_interrupt)
        self._is_listening = True
        try:
            yield
        finally:
            self._is_listening = False
            if handler is not None:
                signal.signal(signal.SIGINT, handler)

    def take_interrupts(self) -> int:
        """How often Ctrl-C was pressed since the last call."""
        self._leave_if_ended()
        count, self._interrupts = self._interrupts, 0
        return count

    def ask(self, text: str) -> str | None:
        """The next line, without its end, typed after `text`. None if there are no more. Raises
        KeyboardInterrupt for Ctrl-C."""
        if sys.stdin is None or sys.stdout is None:
            return None
        self._is_asking = True
        try:
            if self.take_interrupts():
                raise KeyboardInterrupt
            line = input(text)
        except (EOFError, OSError):
            # OSError: the terminal has gone.
            return None
        finally:
            self._is_asking = False
        if not sys.stdin.isatty():
            print(line)
        return line

    def _leave_if_ended(self) -> None:
        if self._ended_by:
            raise SystemExit(128 + self._ended_by)

    def _on_end(self, number: int, frame: FrameType | None) -> None:
        # An exception that is raised in a finalizer is lost: Python only prints it.
        self._ended_by = number
        if self._is_asking or not self._is_listening:
            self._leave_if_ended()

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._is_asking:
            raise KeyboardInterrupt
        self._interrupts += 1
