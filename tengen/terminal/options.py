"""What all commands share: the types of sizes, seconds and counts, and one line for bad input."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from tengen.record.numbers import read_count
from tengen.rules.referee import MAX_SIZE, MIN_SIZE


class Size(click.ParamType[tuple[int, int]]):
    """A board size: `15`, or `15x12` for width and height."""

    name = "size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        sides = str(value).lower().split("x")
        if len(sides) in (1, 2) and all(side.isascii() and side.isdigit() for side in sides):
            width, height = int(sides[0]), int(sides[-1])
            if MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE:
                return width, height
        self.fail(f"{value!r}: expected {MIN_SIZE} to {MAX_SIZE}, such as 15 or 20x15", param, ctx)


class Seconds(click.FloatRange):
    """A number of seconds that is one: not infinite, not "not a number"."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r}: expected seconds, such as 0.5", param, ctx)
        return seconds


class Count(click.IntRange):
    """A whole number, in digits or with a power of ten: `20000`, `1e6`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        try:
            # Digits, with a sign or without, are left to click and its message about the range.
            number = value if str(value).lstrip("+-").isdigit() else read_count(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        count: int = super().convert(number, param, ctx)
        return count


@contextmanager
def usage_errors(ctx: click.Context | None = None) -> Iterator[None]:
    """Bad input ends in one line and exit status 2."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    except OSError as error:
        # Errors of the system have a text of their own; ours are sentences.
        text = f"{error.filename or 'output'}: {error.strerror}" if error.strerror else str(error)
        raise click.UsageError(text, ctx) from None
