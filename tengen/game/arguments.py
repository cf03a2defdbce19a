"""The arguments of the library's functions, each checked under the name that callers write.

All raise TypeError for a value of another kind and ValueError for one that is out of range, in one
line that says what is accepted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from numbers import Real
from operator import index
from typing import Any

MOST_SECONDS = 1e6
MOST_MIB = 1_000_000
_LONGEST = 40  # characters of a value in an error


def shown(value: object) -> str:
    """A value for an error, in one line."""
    line = " ".join(repr(value).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """A whole number from `least` to `most`; None = to any."""
    expected = f"a whole number from {least}" + (f" to {most:,}" if most is not None else "")
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        raise _other_kind(name, value, expected) from None
    if isinstance(value, bool):
        raise _other_kind(name, value, expected)
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name}={shown(value)}: expected {expected}")
    return number


def real(name: str, value: object, least: float, most: float, what: str = "a number") -> float:
    """A number within two others."""
    expected = f"{what} from {least:,g} to {most:,.0f}"
    if isinstance(value, bool) or not isinstance(value, Real):
        raise _other_kind(name, value, expected)
    if not least <= (number := float(value)) <= most:
        raise ValueError(f"{name}={shown(value)}: expected {expected}")
    return number


def seconds(name: str, value: object) -> float | None:
    """A time; None stays None."""
    return None if value is None else real(name, value, 0, MOST_SECONDS, "seconds")


def milliseconds(name: str, value: object) -> int | None:
    """A time in seconds, as milliseconds; None stays None."""
    time_s = seconds(name, value)
    return None if time_s is None else round(time_s * 1000)


def text(name: str, value: object) -> str:
    """A text."""
    found: str = of_type(name, value, str, "a text")
    return found


def file_name(name: str, value: object) -> str:
    """The path of a file or a folder, as a text."""
    path = os.fsdecode(of_type(name, value, (str, os.PathLike), "a path"))
    try:
        is_path = bool(path) and "\n" not in path and b"\0" not in os.fsencode(path)
    except UnicodeEncodeError:
        is_path = False
    if not is_path:
        raise ValueError(f"{name}={shown(value)}: expected a path")
    return path


def several(name: str, value: object) -> Iterable[Any]:
    """Points, or a mapping by points; one point alone is a text like others."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise _other_kind(name, value, "several points, such as ['h8', 'i9']")
    return value


def of_type(name: str, value: object, wanted: Any, expected: str) -> Any:
    """A value of a type, or of one of several."""
    if not isinstance(value, wanted):
        raise _other_kind(name, value, expected)
    return value


def function(name: str, value: object) -> None:
    """A function, or None."""
    of_type(name, value, (Callable, type(None)), "a function")


def _other_kind(name: str, value: object, expected: str) -> TypeError:
    return TypeError(f"{name}={shown(value)}: expected {expected}")
