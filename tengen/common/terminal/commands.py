"""Commands and groups of commands: help with headings, and one line for errors.

A group names its commands with the module of each, which is imported when the command is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import Any

import click
from click.core import ParameterSource

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
