"""Commands whose options take several words (`--engine name=A cmd=a`), and their config files.

A config file holds the same options in TOML. They are read before those of the command line:

    rule = 4
    games = 200
    suspend = true

    [each]
    turn = 0.1

    [[engine]]
    name = "A"
    cmd = "pbrain-a"
    option = { key = "value" }

    [[engine]]
    name = "B"
    cmd = "python b.py"
    memory = 70

    [sprt]
    elo1 = 5
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from engine.files import read_file
from tengen.arena.programs.command_line import split_command
from tengen.arena.programs.program import is_known_word
from tengen.common.terminal.commands import Command
from tengen.common.terminal.options import usage_errors

# Separates the words of one option. A word that contains it already is refused.
_WORD_END = "\n"
# The options that take all `key=value` words that follow.
MANY_WORDS = (
    "--engine", "--each", "--sprt", "--resign", "--draw", "--patience", "--with", "--tags",
    "--schedule", "--order", "--display",
)  # fmt: skip
# Of these, the options whose first word may be a value alone: `--order random start=3`.
FIRST_WORD = ("--schedule", "--order", "--display")


class ManyWordsCommand(Command):
    """A command whose MANY_WORDS options take all `key=value` words up to the next option, and
    that reads the options in the file of `--config FILE` before all others."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts the config file first, gathers words, then parses as usual."""
        args = _with_config(args, self, ctx)
        gathered: list[str] = []
        words: list[str] | None = None
        for arg in args:
            if arg in MANY_WORDS:
                words = []
                gathered += [arg, ""]
            elif (
                words is not None
                and not arg.startswith("-")
                and ("=" in arg or (not words and gathered[-2] in FIRST_WORD))
            ):
                if _WORD_END in arg:
                    raise click.UsageError(f"{gathered[-2]} {arg!r}: expected one line", ctx)
                words.append(arg)
                gathered[-1] = _WORD_END.join(words)
            else:
                words = None
                gathered.append(arg)
        return super().parse_args(ctx, gathered)


def words_of_option(text: str, keys: Collection[str] | None = None) -> list[str]:
    """The words of an option as they were gathered. One argument that holds several is split at
    blanks; where values may have blanks, before its `keys`: `event=Winter cup site=Prague`."""
    if _WORD_END in text:
        return text.split(_WORD_END)
    if keys is None:
        return text.split()
    return re.split(rf"\s+(?=(?:{'|'.join(keys)})=)", text.strip()) if text else []


def words_of(text: str) -> list[str]:
    """The words of a program, as given to --engine or --each.

    One word that holds several is split as a shell would do it: `--engine "name=A cmd=a"` means
    the same as without the quotes. But `cmd="a depth=3"` alone is a command with an argument.
    """
    words = [word for word in text.split(_WORD_END) if word]
    if len(words) != 1:
        return words
    try:
        parts = split_command(words[0])
    except ValueError:  # a quote that is not closed
        return words
    keys = {part.partition("=")[0] for part in parts}
    is_split = all(map(is_known_word, parts)) and ("name" in keys or "cmd" not in keys)
    return parts if is_split else words


def _with_config(args: list[str], command: Command, ctx: click.Context) -> list[str]:
    if not any(param.name == "config" for param in command.params):
        return args
    for i, arg in enumerate(args):
        option, equals, value = arg.partition("=")
        if option != "--config":
            continue
        if not equals and i + 1 == len(args):
            raise click.UsageError("--config: expected a file", ctx)
        path = Path(value if equals else args[i + 1])
        others = [*args[:i], *args[i + (1 if equals else 2) :]]
        if any(other.partition("=")[0] == "--config" for other in others):
            raise click.UsageError("--config is given twice", ctx)
        with usage_errors(ctx):
            return [*_config_args(path, command), *others]
    return args


def _config_args(path: Path, command: Command) -> list[str]:
    try:
        config = tomllib.loads(read_file(path, 1 << 20).decode("utf-8-sig"))
    except OSError as error:
        raise ValueError(f"--config {path}: {error.strerror}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise ValueError(f"--config {path}: {error}") from None
    params = {name: param for param in command.params for name in param.opts}
    args: list[str] = []
    for key, value in config.items():
        option = f"--{key.replace('_', '-')}"
        param = params.get(option)
        if new := command.replaced.get(option):
            raise ValueError(f"--config {path}: {key} is now {new}")
        if not isinstance(param, click.Option) or option == "--config":
            raise ValueError(f"--config {path}: {key} is not known; see tengen match --help")
        where = f"--config {path}: {key}"
        if isinstance(value, list) and not param.multiple:
            raise ValueError(f"{where}: expected one value, not {value!r}")
        values = value if isinstance(value, list) else [value]
        if option in FIRST_WORD and isinstance(value, str):
            args += [option, value]
        elif option in MANY_WORDS:
            for table in values:
                if not isinstance(table, dict):
                    raise ValueError(f"{where}: expected a table of keys and values")
                args += [option, *_table_words(table, where)]
        elif param.is_flag:
            if not isinstance(value, bool):
                raise ValueError(f"{where}: expected true or false, not {value!r}")
            args += [option] if value else []
        else:
            for text in values:
                args += [option, _plain(text, where)]
    return args


def _table_words(table: Mapping[str, Any], where: str) -> Iterator[str]:
    for key, value in table.items():
        if key == "option" and isinstance(value, dict):
            for name, text in value.items():
                yield f"option.{name}={_plain(text, where)}"
        else:
            yield f"{key}={_plain(value, where)}"


def _plain(value: Any, where: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError(f"{where}: expected a text or a number, not {value!r}")
    return str(value)
