"""The line that is shown while a program thinks."""

from __future__ import annotations

from rich.console import Console


class Waiting:
    """`text`, with the seconds once there are two; on a terminal only."""

    def __init__(self, console: Console, text: str) -> None:
        self._console = console
        self._text = text
        self._shown = ""

    def tell(self, elapsed_s: float) -> None:
        """Shows how long it has taken."""
        text = self._text if elapsed_s < 2 else f"{self._text} {elapsed_s:.0f} s"
        if self._console.is_terminal and text != self._shown:
            self._write(f"\r{text}")
            self._shown = text

    def clear(self) -> None:
        """Removes the line."""
        if self._shown:
            self._write(f"\r{' ' * len(self._shown)}\r")
            self._shown = ""

    def _write(self, text: str) -> None:
        self._console.file.write(text)
        self._console.file.flush()
