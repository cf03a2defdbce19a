"""Coordinates as text: `x,y` in commands and answers, `H8` in MESSAGE lines, which people read."""

from __future__ import annotations

from engine.model import Point

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
