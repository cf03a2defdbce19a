"""Commands and groups of commands: help with headings, and one line for spellings of before.

A group names its commands with the module of each, which is imported when the command is used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from typing import Any

import click

# Heading: {name of the command: (where it is, what it does in one line)}.
Table = Mapping[str, Mapping[str, tuple[str, str]]]


class Option(click.Option):
    """An option of `command`. `heading` is the heading in --help that it stands under. A whole
    number is an N there, unless another word is given, and a default is shown."""

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


class Command(click.Command):
    """A command whose options stand under headings, in the order in which these are first used.

    replaced  for options of before: what is written now, such as `--jobs`.
    """

    def __init__(self, *args: Any, replaced: Mapping[str, str] | None = None, **attrs: Any) -> None:
        super().__init__(*args, **attrs)
        self.replaced = replaced or {}

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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """UsageError that names the new option for one of before, and for each one that begins with
        one dash, as in other managers of matches."""
        given = list(args)  # which click takes apart
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            known = {name for param in self.get_params(ctx) for name in param.opts}
            one_dash = dict.fromkeys(arg for arg in given if re.fullmatch("-[a-z][a-z-]+", arg))
            said = {
                arg: name if (name := f"-{arg}") in known else self.replaced.get(name)
                for arg in one_dash
            }
            if found := [f"{new} for {arg}" for arg, new in said.items() if new]:
                raise click.UsageError(f"write {', '.join(found)}", ctx) from None
            name = error.option_name if isinstance(error, click.NoSuchOption) else ""
            if new := self.replaced.get(name):
                raise click.UsageError(f"{name} is now {new}", ctx) from None
            raise


command = partial(click.command, cls=Command)
option = partial(click.option, cls=Option)


class Group(click.Group):
    """A group that lists its commands, those of `table`, without importing them."""

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


class Failed(click.ClickException):
    """An error of a command, with the words that started it."""

    def __init__(self, command: str, error: click.ClickException) -> None:
        super().__init__(error.format_message())
        self.command = command
        self.status = error.exit_code
