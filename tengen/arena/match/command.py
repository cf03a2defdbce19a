"""Commands with options of several words (`--engine name=A cmd=a`), and their config files.

A config file holds the same options in TOML, a table for the words of one: docs/MATCH.md has an
example. Options of the command line come after those of the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from engine.files import read_file
from tengen.arena.programs.spec import Reader, read_words, split_words
from tengen.common.commands import Command, option, usage_errors

# Separates the words of one option. A word that contains it already is refused.
_WORD_END = "\n"
_MOST_BYTES = 1 << 20
_QUOTES = "; a name with \\ stands in single quotes"


class Words(click.ParamType[dict[str, Any]]):
    """The `key=value` words of an option; they become the values by key.

    readers  read the values.
    first    the key of a first word without one: `--schedule gauntlet seeds=2`.
    """

    name = "words"

    def __init__(self, readers: Mapping[str, Reader], first: str = "") -> None:
        self.readers = readers
        self.first = first

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        assert param is not None
        with usage_errors(ctx):
            return self.read(value, param.opts[0])

    def read(self, value: str | Mapping[str, object], what: str) -> dict[str, Any]:
        """The values of words in one text, or of a table. ValueError, naming `what`, for words that
        are not known."""
        words = _split(value)
        if self.first and words and "=" not in words[0]:
            words[0] = f"{self.first}={words[0]}"
        if self.first and not words:
            raise ValueError(f"{what}: expected {self.first.upper()} or key=value")
        return read_words(what, split_words(words, what), self.readers)


class ProgramWords(Words):
    """The words of a program, as they are; `option.KEY` may be a table in a config file."""

    name = "program"

    def __init__(self) -> None:
        super().__init__({})

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, Mapping):
            return _split(value)
        words = []
        for key, text in value.items():
            is_table = isinstance(text, Mapping)
            table = {f"{key}.{each}": text[each] for each in text} if is_table else {key: text}
            words += _split(table)
        return words


def _split(value: str | Mapping[str, object]) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{key}={text}" for key, text in value.items()]
    return value.split(_WORD_END) if value else []


class ManyWordsCommand(Command):
    """A command whose options of the type Words take all `key=value` words up to the next option.
    Its hidden options are rare: they stand in a config file only."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Gathers words, then parses as usual."""
        rare = [p.opts[0] for p in self.params if isinstance(p, click.Option) and p.hidden]
        if found := next((name for name in rare for arg in args if arg.startswith(name)), None):
            raise click.UsageError(f"{found[2:]} is a setting for a file: --config", ctx)
        kinds = {
            name: param.type
            for param in self.params
            for name in param.opts
            if isinstance(param.type, Words)
        }
        gathered: list[str] = []
        kind: Words | None = None
        for arg in args:
            has_room = kind is not None and ("=" in arg or (kind.first and not gathered[-1]))
            if not has_room or arg.startswith("-"):
                kind = kinds.get(arg)
                gathered += [arg] if kind is None else [arg, ""]
            elif _WORD_END in arg:
                raise click.UsageError(f"{gathered[-2]} {arg!r}: expected one line", ctx)
            else:
                gathered[-1] += _WORD_END * bool(gathered[-1]) + arg
        return super().parse_args(ctx, gathered)


def _read_config(ctx: click.Context, param: click.Parameter, paths: Sequence[Path]) -> None:
    with usage_errors(ctx):
        if len(paths) > 1:
            raise ValueError("--config is given twice")
        for path in paths:
            try:
                config = tomllib.loads(read_file(path, _MOST_BYTES).decode("utf-8-sig"))
                ctx.default_map = dict(_values(ctx, key, value) for key, value in config.items())
            except ValueError as error:  # also: not TOML, not UTF-8
                hint = _QUOTES if isinstance(error, tomllib.TOMLDecodeError) else ""
                raise ValueError(f"--config {path}: {error}{hint}") from None


def _values(ctx: click.Context, key: str, value: Any) -> tuple[str, Any]:
    """The name of the parameter for a key of a config file, and what it would be given by the
    command line. ValueError for a key or a type that it does not take."""
    name = f"--{key.replace('_', '-')}"
    param = next((each for each in ctx.command.params if name in each.opts), None)
    if not isinstance(param, click.Option) or name == "--config":
        raise ValueError(f"{key} is not known; see {ctx.command_path} --help")
    if isinstance(value, list) and not param.multiple:
        raise ValueError(f"{key}: expected one value, not {value!r}")
    has_tables = isinstance(param.type, Words)
    values = [
        _plain(key, each, param.is_flag, has_tables)
        for each in (value if isinstance(value, list) else [value])
    ]
    return str(param.name), values if param.multiple else values[0]


def _plain(key: str, value: Any, is_flag: bool, has_tables: bool) -> Any:
    """A value as the command line would give it, which is a text."""
    if isinstance(value, Mapping) and has_tables:
        return {each: _plain(key, text, False, each == "option") for each, text in value.items()}
    if isinstance(value, bool) != is_flag or not isinstance(value, bool | str | int | float):
        expected = "true or false" if is_flag else "a text or a number"
        raise ValueError(f"{key}: expected {expected}, not {value!r}")
    if min(str(value), default=" ") < " ":
        raise ValueError(f"{key}: {value!r}: expected one line{_QUOTES}")
    return value if is_flag else str(value)


# Before other options, whose values it gives.
config_option = partial(
    option,
    "--config",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=_read_config,
    help="A TOML file with any of these options, and rarer ones.",
)
