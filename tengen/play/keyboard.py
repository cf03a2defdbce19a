"""Keys pressed while nobody is asked for a line.

While a program thinks, the terminal must not show what is typed by itself, where the line about the
program stands. So its echo is off then; keys are read as they come and put together to lines here.
Where standard input or output is no terminal, nothing is read before somebody is asked.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
import threading
from typing import Any


class Keyboard:
    """No keyboard at all; the base of those that there are."""

    def hold(self) -> None:
        """From now on the terminal shows no keys."""

    def release(self) -> None:
        """The terminal is as it was before `hold`."""

    def read(self) -> str | None:
        """The characters typed since the last call, which may be none; None at the end of the
        input. Never waits."""
        return ""


class LineBuilder:
    """Puts characters together to lines, with the keys that correct them."""

    def __init__(self) -> None:
        self.text = ""  # the line that is not complete yet
        self._escape = ""  # of a key such as an arrow, which means nothing here

    def feed(self, characters: str) -> list[str]:
        """Takes characters; returns the lines that they complete. Ctrl-D on an empty line is
        `quit`."""
        lines = []
        for character in characters:
            if self._escape:
                self._continue_escape(character)
            elif character in "\r\n":
                lines.append(self.text)
                self.text = ""
            elif character == "\x04" and not self.text:
                lines.append("quit")
            elif character in "\x7f\b":
                self.text = self.text[:-1]
            elif character == "\x15":  # Ctrl-U
                self.text = ""
            elif character == "\x17":  # Ctrl-W
                self.text = self.text.rstrip().rpartition(" ")[0]
            elif character == "\x1b":
                self._escape = character
            elif character.isprintable():
                self.text += character
        return lines

    def _continue_escape(self, character: str) -> None:
        """ESC, `[` or `O`, then anything up to a letter or `~`; or ESC and one character."""
        is_over = self._escape != "\x1b" and "@" <= character <= "~"
        if is_over or (self._escape == "\x1b" and character not in "[O"):
            self._escape = ""
        else:
            self._escape += character


def this_keyboard() -> Keyboard:
    """The keyboard of the terminal that the program runs in."""
    try:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return Keyboard()
        if sys.platform == "win32":
            return _WindowsKeyboard()
        else:
            return _PosixKeyboard(sys.stdin.fileno())
    except (AttributeError, ImportError, OSError, ValueError):
        # AttributeError: without standard input there is None.
        return Keyboard()


if sys.platform == "win32":
    import msvcrt

    class _WindowsKeyboard(Keyboard):
        """The console shows keys only where a line is read, so there is nothing to switch off."""

        def read(self) -> str | None:
            characters = ""
            while msvcrt.kbhit():
                character = msvcrt.getwch()
                if character in "\x00\xe0":
                    msvcrt.getwch()  # the second half of a key such as an arrow
                else:
                    characters += character
            return characters

else:
    import select

    class _PosixKeyboard(Keyboard):
        def __init__(self, file: int) -> None:
            import termios

            self._file = file
            self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
            self._termios = termios
            self._before = termios.tcgetattr(file)
            quiet = termios.tcgetattr(file)
            quiet[3] &= ~(termios.ECHO | termios.ICANON)
            quiet[6] = [*quiet[6]]
            quiet[6][termios.VMIN], quiet[6][termios.VTIME] = 1, 0
            self._quiet = quiet

        def hold(self) -> None:
            self._set(self._quiet)

        def release(self) -> None:
            self._set(self._before)

        def read(self) -> str | None:
            data = b""
            try:
                while select.select([self._file], [], [], 0)[0]:
                    part = os.read(self._file, 1024)
                    if not part:
                        return None
                    data += part
            except OSError:  # the terminal has gone
                return None
            return self._decoder.decode(data)

        def _set(self, settings: list[Any]) -> None:
            # In the background this would suspend the program; only the main thread talks.
            if threading.current_thread() is threading.main_thread():
                with contextlib.suppress(self._termios.error):
                    self._termios.tcsetattr(self._file, self._termios.TCSADRAIN, settings)
