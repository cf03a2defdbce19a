"""The texts of answers and what is in them: squares, reports, refusals, the line of ABOUT."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine.model import Info, Limits, Point

# Eighteen digits fit into 64 bits; a longer number is an error.
MAX_DIGITS = 18


def parse_integer(text: str) -> int | None:
    """The decimal integer that `text` is, or None. ASCII digits only, without `1_000`."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    is_number = digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS
    return int(text) if is_number else None


def parse_integers(text: str, count: int) -> tuple[int, ...] | None:
    """`count` integers with commas between them and nothing else, or None."""
    parts = text.split(",")
    if len(parts) != count:
        return None
    numbers = [parse_integer(part) for part in parts]
    return None if None in numbers else tuple([n for n in numbers if n is not None])


def parse_point(text: str) -> Point | None:
    """The point `x,y` without blanks, on the board or off it; None for any other text."""
    numbers = parse_integers(text, 2)
    return None if numbers is None else Point(*numbers)


def format_point(point: Point) -> str:
    """`x,y`, as managers read a move."""
    return f"{point.x},{point.y}"


def name_point(point: Point, height: int) -> str:
    """Column letter and row number counted from the bottom, as people count: on a board with 15
    rows 7,7 is H8 and 0,0 is A15."""
    return f"{chr(ord('A') + point.x)}{height - point.y}"


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


def counted(number: int, noun: str) -> str:
    """`1 stone`, `2 stones`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


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


class Refusal(Exception):
    """A command that cannot be carried out; the text becomes an ERROR line."""


class Reply(NamedTuple):
    """What to do after a command: print `lines`, then think if there are `limits`."""

    lines: tuple[str, ...] = ()
    limits: Limits | None = None


SILENCE = Reply()
OK = Reply(("OK",))


def or_error(act: Callable[[], Reply]) -> Reply:
    """What a command leads to, or the ERROR line that refuses it."""
    try:
        return act()
    except Refusal as refusal:
        return Reply((error(str(refusal)),))


def error(text: str) -> str:
    """The line that refuses a command."""
    return f"ERROR {text}"
