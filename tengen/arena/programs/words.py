"""`key=value` words, in which programs and rarer settings are written on the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tengen.game.record.numbers import read_count

_LONGEST_S = 1_000_000

# Reads the value of a word; ValueError, which says what is expected, for another text.
Reader = Callable[[str], Any]


def split_words(words: Sequence[str], option: str) -> dict[str, str]:
    """`key=value` words as a mapping; ValueError, naming `option`, for a word of another form and
    for a key given twice."""
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise ValueError(f"{option} {word!r}: expected key=value")
        if key in given:
            raise ValueError(f"{option}: {key}= is given twice")
        given[key] = value
    return given


def read_words(
    what: str, given: Mapping[str, str], readers: Mapping[str, Reader]
) -> dict[str, Any]:
    """The values of words by key. ValueError, naming `what`, for a key without a reader and for a
    value that cannot be read."""
    found = {}
    for key, text in given.items():
        if key not in readers:
            raise ValueError(f"{what}: {key}= is not a key; expected {', '.join(readers)}")
        try:
            found[key] = readers[key](text)
        except ValueError as error:
            raise ValueError(f"{what}: {key}={text}: {error}") from None
    return found


def read_seconds(text: str) -> float:
    """Seconds, 0 included."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not (math.isfinite(seconds) and 0 <= seconds <= _LONGEST_S):
        raise ValueError("expected seconds, such as 0.5")
    return seconds


def read_positive_seconds(text: str) -> float:
    """Seconds above zero."""
    if not (seconds := read_seconds(text)):
        raise ValueError("expected seconds above zero")
    return seconds


def read_whole(text: str) -> int:
    """A whole number in digits, 0 included."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ValueError("expected a whole number")
    return int(text)


def read_positive(text: str) -> int:
    """A whole number above zero, in digits or with a power of ten."""
    try:
        count = read_count(text)
    except ValueError:
        count = 0
    if count == 0:
        raise ValueError("expected a whole number above zero, such as 20000 or 1e6")
    return count


def read_number(text: str) -> float:
    """Any number."""
    try:
        return float(text)
    except ValueError:
        raise ValueError("expected a number") from None
