"""Lines and Ctrl-C from a person at a terminal, or lines from a file; the signals that end it."""

from __future__ import annotations

import contextlib
import io
import signal
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tengen.common.workers.signals import hangups
from tengen.people.play.keyboard import Keyboard, LineBuilder, this_keyboard

_readline: Any = None  # where the system has it
with contextlib.suppress(ImportError):
    # Its import alone makes the arrow keys edit the line.
    import readline as _readline


class Prompt:
    """Standard input."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            # A line that cannot be decoded is answered like any other bad line.
            sys.stdin.reconfigure(errors="replace")
        self._keyboard = Keyboard()
        self._builder = LineBuilder()
        self._lines: deque[str] = deque()
        self._interrupts = 0
        self._ended_by = 0
        self._is_asking = False
        self._is_listening = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Within it, between two calls of `ask`, the terminal does not show keys, and Ctrl-C is
        counted instead of raised. SIGTERM and SIGHUP end the program by SystemExit, so that the
        game is saved and the terminal is as before: at the next `poll` or `ask`, after it at once.
        """
        handler = None
        is_main = threading.current_thread() is threading.main_thread()
        if is_main:
            for number in (signal.SIGTERM, *hangups()):
                signal.signal(number, self._on_end)
        # Not if Ctrl-C is ignored, as the shell has it for programs in the background.
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            handler = signal.signal(signal.SIGINT, self._on_interrupt)
        self._keyboard = this_keyboard()
        self._keyboard.hold()
        self._is_listening = True
        try:
            yield
        finally:
            self._is_listening = False
            self._keyboard.release()
            if handler is not None:
                signal.signal(signal.SIGINT, handler)

    @property
    def partial(self) -> str:
        """The line being typed that is not complete yet."""
        return self._builder.text

    @property
    def has_lines(self) -> bool:
        """`ask` has a line to return that was kept with `keep`."""
        return bool(self._lines)

    def poll(self) -> list[str]:
        """The lines completed since the last call, without waiting; `quit` at the end of input."""
        self._leave_if_ended()
        characters = self._keyboard.read()
        if characters is None:
            return ["quit"]
        # Some consoles deliver Ctrl-C as a character.
        self._interrupts += characters.count("\x03")
        return self._builder.feed(characters)

    def keep(self, line: str) -> None:
        """Keeps a line for `ask`."""
        self._lines.append(line)

    def take_interrupts(self) -> int:
        """How often Ctrl-C was pressed since the last call."""
        count, self._interrupts = self._interrupts, 0
        return count

    def ask(self, text: str) -> str | None:
        """The next line, without its end: one that was kept, or one typed now after `text`. None if
        there are no more. Raises KeyboardInterrupt for Ctrl-C."""
        if sys.stdin is None or sys.stdout is None:
            return None
        for line in self.poll():
            self.keep(line)
        if self._lines:
            line = self._lines.popleft()
            print(f"{text}{line}")
            if _readline is not None and line:
                _readline.add_history(line)
            return line
        self._keyboard.release()
        self._is_asking = True
        try:
            self._leave_if_ended()
            if self.take_interrupts():
                raise KeyboardInterrupt
            line = self._input(text)
        except (EOFError, OSError):
            # OSError: the terminal has gone.
            return None
        finally:
            self._is_asking = False
            self._keyboard.hold()
        if not sys.stdin.isatty():
            print(line)
        return line

    def _input(self, text: str) -> str:
        """A line that begins with what has been typed of it."""
        begun, self._builder = self._builder.text, LineBuilder()
        if not begun:
            return input(text)
        if _readline is None:
            return begun + input(text + begun)
        _readline.set_startup_hook(lambda: _readline.insert_text(begun))
        try:
            return input(text)
        finally:
            _readline.set_startup_hook()

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
