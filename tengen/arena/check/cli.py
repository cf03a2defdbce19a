"""`tengen check`: does a program keep to the protocol?"""

from __future__ import annotations

import json
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

import click
from rich.console import Console

from engine.text import read_rule
from tengen.arena.check.catalogue import all_checks, choose_checks
from tengen.arena.check.registry import Group
from tengen.arena.check.report import Report, as_document, list_text
from tengen.arena.check.runner import mandatory_failures, run_checks
from tengen.arena.check.settings import Settings
from tengen.arena.programs.command_line import read_command, split_command
from tengen.common.terminal.options import Seconds, usage_errors
from tengen.common.terminal.progress import counting_bar
from tengen.game.rules.referee import MAX_SIZE, MIN_SIZE

_EXTENSIONS = {Group.YIXIN.value: Group.YIXIN}


class _Numbers(click.ParamType[tuple[int, ...]]):
    """Numbers with commas between, `1,2,3`; `read_word` reads one, ValueError if it is none."""

    name = "numbers"

    def __init__(self, read_word: Callable[[str], int]) -> None:
        self._read_word = read_word

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return tuple(dict.fromkeys(self._read_word(word) for word in str(value).split(",")))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _read_number(word: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", word):
        raise ValueError(f"{word[:40]!r}: expected whole numbers, such as 1,2,3")
    return int(word)


def _read_size(word: str) -> int:
    if not (re.fullmatch("[0-9]{1,2}", word) and MIN_SIZE <= int(word) <= MAX_SIZE):
        raise ValueError(
            f"{word[:40]!r}: expected sizes from {MIN_SIZE} to {MAX_SIZE}, such as 15,20"
        )
    return int(word)


def _numbers_option(
    name: str, read_word: Callable[[str], int], default: tuple[int, ...], text: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        name,
        type=_Numbers(read_word),
        default=",".join(map(str, default)) or (),
        show_default=bool(default),
        metavar="N[,N]",
        help=text,
    )


@click.command("check")
@click.argument("command", metavar="CMD", required=False)
@click.option(
    "--extensions",
    "extensions",
    multiple=True,
    type=click.Choice(list(_EXTENSIONS)),
    help="Check this dialect of the protocol as well.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines.")
@_numbers_option("--only", _read_number, (), "Run only these checks, by number.")
@click.option(
    "--timeout",
    "timeout_s",
    type=Seconds(0.1, 600),
    default=Settings.timeout_s,
    show_default=True,
    metavar="SECONDS",
    help="Seconds that an answer may take beyond the time for a move.",
)
@click.option(
    "--turn",
    "turn_ms",
    type=click.IntRange(1, 60_000),
    default=Settings.turn_ms,
    show_default=True,
    metavar="MS",
    help="Milliseconds for a move.",
)
@_numbers_option(
    "--rules", read_rule, Settings.rules, "The rules to try, by number or name, such as renju."
)
@_numbers_option("--sizes", _read_size, Settings.sizes, "The board sizes to try.")
@click.option("--list", "list_only", is_flag=True, help="Print every check and its reason.")
@click.option("-v", "--verbose", is_flag=True, help="Show every conversation.")
@click.pass_context
def check_command(
    ctx: click.Context,
    command: str | None,
    extensions: tuple[str, ...],
    as_json: bool,
    only: tuple[int, ...],
    timeout_s: float,
    turn_ms: int,
    rules: tuple[int, ...],
    sizes: tuple[int, ...],
    list_only: bool,
    verbose: bool,
) -> None:
    """Checks whether a program keeps to the Gomocup protocol.

    CMD is the command that starts the program, in quotes. The exit status is 1 if a mandatory
    check has failed. Example:

    \b
      tengen check "python brain.py" --rules 0,1 --sizes 15,20
    """
    if list_only:
        click.echo(list_text(all_checks()))
        return
    if command is None:
        raise click.UsageError("Missing argument 'CMD': the program to check, in quotes")
    with usage_errors():
        checks = choose_checks(only, [_EXTENSIONS[name] for name in extensions])
        words = _read_command(command)
    settings = Settings(words, timeout_s, turn_ms, rules, sizes)
    report = Report(Console(), verbose)
    started = time.perf_counter()
    with ended_by_signal(), counting_bar() as progress:
        bar = progress.add_task("checking", total=len(checks))
        results = run_checks(settings, checks, lambda result: progress.advance(bar))
    elapsed_s = time.perf_counter() - started
    if as_json:
        click.echo(json.dumps(as_document(settings, results, elapsed_s), indent=1))
    else:
        report.show_all(results, elapsed_s)
    ctx.exit(1 if mandatory_failures(results) else 0)


def _read_command(text: str) -> tuple[str, ...]:
    """The words of a command. A program that cannot be found is no error here: it fails every
    check."""
    try:
        words = split_command(text)
    except ValueError as error:
        raise ValueError(f"CMD: {error}") from None
    with suppress(ValueError):
        return read_command(text)
    return tuple(words)


@contextmanager
def ended_by_signal() -> Iterator[None]:
    """SIGTERM ends the run as Ctrl-C does: the program under test is killed first."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
