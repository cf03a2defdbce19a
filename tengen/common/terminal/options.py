"""What all commands share: the types of their options, and one line for bad input.

Each type accepts every form that makes sense and refuses anything else in one line: a rule by name
or number, a size as one side or two, names in any case, counts such as 1e6.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from engine.text import RULE_NAMES, read_rule, read_size
from tengen.game.record.numbers import read_count

T = TypeVar("T")
*_FIRST, _LAST = RULE_NAMES.values()
# The help of --rule, the same in every command.
RULE_HELP = f"{', '.join(_FIRST)} or {_LAST}, or its number."


class Read(click.ParamType[T]):
    """What a function reads from a text; its ValueError is the error of the option. A default of
    another type is taken as it is."""

    def __init__(self, name: str, read: Callable[[str], T]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> T:
        try:
            return self._read(str(value)) if isinstance(value, str | int) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Rule(Read[int]):
    """A rule, by its name or its number: `renju`, `Renju`, `4`."""

    def __init__(self) -> None:
        super().__init__("rule", read_rule)


class Size(Read[tuple[int, int]]):
    """A board size: `15`, or `15x12` for width and height."""

    def __init__(self) -> None:
        super().__init__("size", read_size)


class Name(Read[str]):
    """One of some names, in capitals or not; becomes the name as it is written in the list.

    what   the word for such a thing, for errors: `opponent`.
    names  gives the list when it is needed.
    """

    def __init__(self, what: str, names: Callable[[], Sequence[str]]) -> None:
        super().__init__("name", lambda text: find_name(what, text, names()))


def find_name(what: str, text: str, names: Sequence[str]) -> str:
    """The one of `names` that is `text`, capitals or not. ValueError, with the list and the nearest
    one, if there is none; `what` is the word for such a thing."""
    folded = {name.casefold(): name for name in names}
    if found := folded.get(text.casefold()):
        return found
    near = get_close_matches(text.casefold(), folded, n=1)
    hint = f"did you mean {folded[near[0]]}? There are" if near else "there are"
    raise ValueError(f"there is no {what} {text[:40]!r}; {hint} {', '.join(names)}")


class Number(click.FloatRange):
    """A finite number within a range: not `inf`, and not `nan`, which lies in every range for
    click."""

    what = "a number"  # for errors

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not _is_within(number, self):
            self.fail(f"{value!s:.30}: expected {self.what}{_range(self)}", param, ctx)
        return number


class Seconds(Number):
    """A finite number of seconds."""

    what = "seconds"


class Count(click.IntRange):
    """A whole number within a range, in digits or with a power of ten: `20000`, `1e6`."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        try:
            # read_count knows no sign.
            count = int(text) if re.fullmatch("[+-]?[0-9]{1,20}", text) else read_count(text)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if not _is_within(count, self):
            self.fail(f"{count}: expected a whole number{_range(self)}", param, ctx)
        return count


def _is_within(number: float, kind: click.IntRange | click.FloatRange) -> bool:
    return (
        math.isfinite(number)
        and (kind.min is None or number > kind.min or (number == kind.min and not kind.min_open))
        and (kind.max is None or number <= kind.max)
    )


def _range(kind: click.IntRange | click.FloatRange) -> str:
    """` from 1 to 1,000`, for errors."""
    ends = (("above" if kind.min_open else "from", kind.min), ("to", kind.max))
    return "".join(f" {word} {end:,.10g}" for word, end in ends if end is not None)


def is_given(ctx: click.Context, name: str) -> bool:
    """Whether the parameter `name` of a command was given, by the user or a file of options."""
    return ctx.get_parameter_source(name) is not ParameterSource.DEFAULT


def refuse_without(ctx: click.Context, needed: str, is_there: object, *names: str) -> None:
    """UsageError if a parameter among `names` was given, but not the option `needed`, such as
    `--tree`, without which it has no effect."""
    for param in ctx.command.params:
        if not is_there and param.name in names and is_given(ctx, param.name):
            raise click.UsageError(f"{param.opts[0]} needs {needed}", ctx)


@contextmanager
def usage_errors(ctx: click.Context | None = None) -> Iterator[None]:
    """Bad input ends in one line and exit status 2."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error), ctx) from None
    except BrokenPipeError:  # who reads the output has ended
        raise
    except OSError as error:
        # Errors of the system have a text of their own; ours are sentences.
        text = f"{error.filename or 'output'}: {error.strerror}" if error.strerror else str(error)
        raise click.UsageError(text, ctx) from None
