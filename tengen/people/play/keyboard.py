"""Keys pressed while a program thinks.

The echo of the terminal is off then, because it would show the keys in the middle of the line about
the program. The keys are read as they are pressed and assembled into lines here. If standard input
or output is not a terminal, no keys are read.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import sys
from typing import Any


class Keyboard:
    """The base of keyboards, and itself a keyboard without keys."""

    def hold(self) -> None:
        """Switches the echo of the terminal off."""

    def release(self) -> None:
        """Restores the terminal as it was before `hold`."""

    def read(self) -> str | None:
        """The characters typed since the last call, without waiting for any; None at the end of
        the input."""
        return ""


class LineBuilder:
    """Assembles characters into lines; handles the keys that correct them."""

    def __init__(self) -> None:
        self.text = ""  # the line that is not complete yet
        self._escape = ""  # the beginning of an escape sequence, such as an arrow key's

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
        """A console echoes keys only while it reads a line, so there is no echo to switch off."""

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
                if os.tcgetpgrp(self._file) != os.getpgrp():
                    return ""
                while select.select([self._file], [], [], 0)[0]:
                    part = os.read(self._file, 1024)
                    if not part:
                        return None
                    data += part
            except OSError:  # the terminal has gone
                return None
            return self._decoder.decode(data)

        def _set(self, settings: list[Any]) -> None:
            with contextlib.suppress(OSError, self._termios.error):
                # The system would suspend a program that does this in the background.
                if os.tcgetpgrp(self._file) == os.getpgrp():
                    self._termios.tcsetattr(self._file, self._termios.TCSADRAIN, settings)
