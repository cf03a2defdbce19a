"""Lines from whoever types them: a person with the keys for editing, or a file."""

from __future__ import annotations

import contextlib
import io
import sys


class Prompt:
    """Asks on standard input; lines that no terminal shows, as they are typed, are printed."""

    def __init__(self) -> None:
        if isinstance(sys.stdin, io.TextIOWrapper):
            # What cannot be read is answered like any other nonsense.
            sys.stdin.reconfigure(errors="replace")
        # Its import alone gives the arrow keys their meaning; not every system has it.
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401

    def ask(self, text: str) -> str | None:
        """The next line, without its end; None when there are no more, or nobody to ask."""
        if sys.stdin is None or sys.stdout is None:
            return None
        try:
            line = input(text)
        except (EOFError, OSError):
            # OSError: the terminal has gone.
            return None
        if not sys.stdin.isatty():
            print(line)
        return line
