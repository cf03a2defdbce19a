"""What all commands share: help with headings, options and their types, groups of commands and of
options, one line for errors.

A type of option accepts every form that makes sense and refuses anything else in one line: a rule
by name or number, a size as one side or two, names in any case, counts such as 1e6.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import field, fields
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from engine.text import RULE_NAMES, read_rule, read_size
from tengen.game.values import read_count

# Heading: {name of the command: (where it is, what it does in one line)}.
Table = Mapping[str, Mapping[str, tuple[str, str]]]


class Option(click.Option):
    """An option of `command`. `heading` is the heading in --help that it stands under. A whole
    number is an N there, unless another word is given, and a default is shown. An option that may
    be given several times adds to what a config file (the default map of click) has."""

    def __init__(self, *args: Any, heading: str = "Options", **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self.heading = heading
        if self.metavar is None and isinstance(self.type, click.types.IntParamType):
            self.metavar = "N"
        if self.show_default is None:
            self.show_default = self.default is not None and not self.is_flag

    def get_help_extra(self, ctx: click.Context) -> Any:
        """What --help says after the sentence: the default. Ranges are for errors."""
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        return extra

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, Any]
    ) -> tuple[Any, ParameterSource]:
        """The value, and where it comes from."""
        value, source = super().consume_value(ctx, opts)
        if self.multiple and source is ParameterSource.COMMANDLINE:
            value = [*(ctx.lookup_default(self.name or "") or ()), *value]
        return value, source


class Command(click.Command):
    """A command whose options stand under headings, in the order in which these are first used."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options for --help."""
        records: dict[str, list[tuple[str, str]]] = {"Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record and isinstance(param, click.Option):
                records.setdefault(getattr(param, "heading", "Options"), []).append(record)
        for heading, rows in records.items():
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


command = partial(click.command, cls=Command)
option = partial(click.option, cls=Option)


class Group(click.Group):
    """A group that lists the commands of its table without importing them."""

    def __init__(self, *args: Any, table: Table, **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self._table = table
        self._found = {name: row for rows in table.values() for name, row in rows.items()}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Reads `help COMMAND` as `COMMAND --help`."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(self._found)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Imports one command; None if there is none of that name."""
        if cmd_name not in self._found:
            return None
        module, _, attribute = self._found[cmd_name][0].partition(":")
        found = getattr(import_module(module), attribute)
        assert isinstance(found, click.Command)
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command of the first word; UsageError if there is none, with the nearest
        name."""
        name = args[0].lower()
        if name not in self._found and not name.startswith("-"):
            near = get_close_matches(name, self._found, n=1)
            hint = f"did you mean {near[0]}?" if near else f"{ctx.command_path} --help lists them"
            ctx.fail(f"{args[0][:40]!r} is not a command; {hint}")
        return super().resolve_command(ctx, [name, *args[1:]])

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; an error that is not about usage gets its name."""
        try:
            return super().invoke(ctx)
        except (click.UsageError, Failed):  # these have it
            raise
        except click.ClickException as error:
            raise Failed(f"{ctx.command_path} {ctx.invoked_subcommand}", error) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the lists for --help from the table."""
        for heading, rows in self._table.items():
            with formatter.section(heading):
                formatter.write_dl([(name, row[1]) for name, row in rows.items()])


def with_whole_name(error: click.ClickException, args: Sequence[str]) -> click.ClickException:
    """The error; where click names the first unknown letter of `-pgn`, one that names all of it,
    and `--pgn` if that is an option."""
    if not isinstance(error, click.NoSuchOption) or error.option_name.startswith("--"):
        return error
    letter = error.option_name[1]
    found = next((arg for arg in args if re.match(f"-[^-]*{re.escape(letter)}", arg)), None)
    if found is None or error.ctx is None:
        return error
    known = {name for param in error.ctx.command.params for name in param.opts}
    near = [f"-{found}"] if f"-{found}" in known else None
    return click.NoSuchOption(found, possibilities=near, ctx=error.ctx)


class Failed(click.ClickException):
    """An error of a command, with the words that started it."""

    def __init__(self, command: str, error: click.ClickException) -> None:
        super().__init__(error.format_message())
        self.command = command
        self.status = error.exit_code


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


# A rule, by its name or its number: `renju`, `Renju`, `4`.
Rule = partial(Read, "rule", read_rule)
# A board size: `15`, or `15x12` for width and height.
Size = partial(Read, "size", read_size)


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


def open_cluster(address: str) -> AbstractContextManager[Any]:
    """A client of the dask cluster at that address, as `tengen.common.cluster.connect`. ValueError
    also where its packages are missing."""
    try:
        from tengen.common.cluster import connect
    except ImportError as error:
        raise ValueError(
            f'--cluster: {error.name} is missing (pip install ".[cluster]", in Tengen\'s folder)'
        ) from None
    return connect(address)


_Command = Callable[..., Any]


def option_field(*names: str, **attributes: Any) -> Any:
    """A field of a group: the option of these names, with the attributes of `option`."""
    if attributes.get("multiple"):
        default: Any = ()
    else:
        default = attributes.get("default", False if attributes.get("is_flag") else None)
    return field(default=default, metadata={"names": names, "attributes": attributes})


def takes(
    argument: str, group: type[Any], *only: str, **changes: Mapping[str, Any]
) -> Callable[[_Command], _Command]:
    """Adds the options of a group to a command, which gets them as one value of the group.

    argument  the name of the command's argument.
    only      the fields that become options; without them all do. The others keep their defaults.
    changes   other attributes of `option`, by field; all of them where a field is none of
              `option_field`, whose option has its name.
    """
    chosen = [each for each in fields(group) if each.name in only or not only]

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def grouped(*args: Any, **given: Any) -> Any:
            values = {each.name: given.pop(each.name) for each in chosen}
            return command(*args, **given, **{argument: group(**values)})

        # Decorators nearest to the function come last in the help.
        for each in reversed(chosen):
            attributes = {**each.metadata.get("attributes", {}), **changes.get(each.name, {})}
            names = each.metadata.get("names", (f"--{each.name.replace('_', '-')}",))
            grouped = option(*names, each.name, **attributes)(grouped)
        return grouped

    return decorate
