"""Options and errors that all commands share: sizes, seconds, and one line for bad input."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

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
