"""The line that is shown while a program thinks."""

from __future__ import annotations

from rich.console import Console


class Waiting:
    """`text`, with the seconds once there are two, and what is being typed; on a terminal only."""

    def __init__(self, console: Console, text: str) -> None:
        self._console = console
        self._text = text
        self._shown = ""

    def tell(self, elapsed_s: float, typed: str = "") -> None:
        """Shows how long it has taken, and the end of what has been typed."""
        text = self._text if elapsed_s < 2 else f"{self._text} {elapsed_s:.0f} s"
        if typed:
            room = max(1, self._console.width - len(text) - 4)
            text += f" > {typed[-room:]}"
        if self._console.is_terminal and text != self._shown:
            rest = " " * (len(self._shown) - len(text))
            # Back to the end of the text, so that the cursor stands there.
            self._write(f"\r{text}{rest}" + "\b" * len(rest))
            self._shown = text

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            self._write(f"\r{' ' * len(self._shown)}\r")
            self._shown = ""

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()
