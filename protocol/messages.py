"""The lines that people read: MESSAGE reports and the ABOUT line, clipped to printable ASCII."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.model import Info
from protocol.coords import name_point

# Managers read no more than about a thousand characters of a line, its end included.
MAX_LINE = 990
QUOTED_CHARACTERS = 40


class About(NamedTuple):
    """What ABOUT answers; empty values are left out. Values must not contain `=` or quotes."""

    name: str
    version: str
    author: str
    country: str = ""
    www: str = ""
    email: str = ""

    def __str__(self) -> str:
        return ", ".join(f'{key}="{value}"' for key, value in self._asdict().items() if value)


def clip(line: str) -> str:
    """A line of printable ASCII, short enough for every manager."""
    if not (line.isascii() and line.isprintable()):
        line = "".join(c if c.isascii() and c.isprintable() else "?" for c in line)
    return line if len(line) <= MAX_LINE else line[: MAX_LINE - 3] + "..."


def quote(text: str) -> str:
    """The beginning of a text that was sent, in quotes, for an answer."""
    shown = text.strip()[:QUOTED_CHARACTERS]
    return f'"{clip(shown)}{"..." if len(text.strip()) > QUOTED_CHARACTERS else ""}"'


def format_info(info: Info, height: int) -> str:
    """`MESSAGE Depth d-sd | Eval v | Node n | Speed s | Time tms | H8 H9 ...`.

    Speed is in nodes per second. `height` is the number of rows of the board, counted from the
    bottom in the names of squares. A line that is too long loses moves at its end.
    """
    text = (
        f"MESSAGE Depth {info.depth_plies}-{info.seldepth_plies} | Eval {info.score}"
        f" | Node {info.nodes} | Speed {info.speed_nps} | Time {info.time_ms}ms |"
    )
    return squares(text, [name_point(point, height) for point in info.pv])


def squares(text: str, names: Iterable[str]) -> str:
    """A text with squares behind it, each after a blank, as many as a line holds."""
    for name in names:
        if len(text) + 1 + len(name) > MAX_LINE:
            break
        text += f" {name}"
    return text
