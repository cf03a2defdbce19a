"""`tengen check`: does a program speak the protocol?"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import click
from rich.console import Console

from tengen.check.catalogue import all_checks, choose_checks
from tengen.check.registry import Group
from tengen.check.report import Report, as_document, list_text
from tengen.check.runner import mandatory_failures, run_checks
from tengen.check.terms import Settings
from tengen.rules.referee import MAX_SIZE, MIN_SIZE
from tengen.terminal.options import Rules

_EXTENSIONS = {Group.YIXIN.value: Group.YIXIN}


class _Numbers(click.ParamType[tuple[int, ...]]):
    """Whole numbers with commas between, `1,2,3`."""

    name = "numbers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        words = str(value).split(",")
        if not all(word.isascii() and word.isdigit() for word in words):
            self.fail(f"{value!r}: expected whole numbers, such as 1,2,3", param, ctx)
        return tuple(dict.fromkeys(int(word) for word in words))


@click.command("check")
@click.argument("command", metavar="CMD", required=False)
@click.option(
    "--extensions",
    "extensions",
    multiple=True,
    type=click.Choice(list(_EXTENSIONS)),
    help="Check a dialect as well.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of lines.")
@click.option("--only", type=_Numbers(), default=(), metavar="N[,N]", help="These checks only.")
@click.option(
    "--timeout",
    "timeout_s",
    type=click.FloatRange(0.1, 600),
    default=Settings.timeout_s,
    show_default=True,
    metavar="SECONDS",
    help="For an answer, besides the time for thinking.",
)
@click.option(
    "--turn",
    "turn_ms",
    type=click.IntRange(1, 60_000),
    default=Settings.turn_ms,
    show_default=True,
    metavar="MS",
    help="The time for a move.",
)
@click.option(
    "--rules",
    type=Rules(),
    default=",".join(map(str, Settings.rules)),
    show_default=True,
    metavar="RULE[,RULE]",
    help="The rules to try, by name or number.",
)
@click.option(
    "--sizes",
    type=_Numbers(),
    default=",".join(map(str, Settings.sizes)),
    show_default=True,
    metavar="N[,N]",
    help="The board sizes to try.",
)
@click.option("--list", "list_only", is_flag=True, help="Print all checks and why they are there.")
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
    """Checks a program that speaks the Gomocup protocol.

    CMD starts it, as one word of the shell. The status is 1 if a mandatory check has failed.
    Example:

    \b
      tengen check "python brain.py" --rules 0,1 --sizes 15,20
    """
    if list_only:
        click.echo(list_text(all_checks()))
        return
    if command is None:
        raise click.UsageError("Missing argument 'CMD': the program to check, in quotes")
    wrong = [size for size in sizes if not MIN_SIZE <= size <= MAX_SIZE]
    if wrong:
        raise click.UsageError(f"--sizes {wrong[0]}: expected {MIN_SIZE} to {MAX_SIZE}")
    try:
        checks = choose_checks(only, [_EXTENSIONS[name] for name in extensions])
        words = _read_command(command)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    settings = Settings(words, timeout_s, turn_ms, rules, sizes)
    report = Report(Console(), verbose)
    started = time.monotonic()
    with _ended_by_signal():
        results = run_checks(settings, checks, None if as_json else report.show)
    elapsed_s = time.monotonic() - started
    if as_json:
        click.echo(json.dumps(as_document(settings, results, elapsed_s), indent=1))
    else:
        report.show_summary(results, elapsed_s)
    ctx.exit(1 if mandatory_failures(results) else 0)


def _read_command(text: str) -> tuple[str, ...]:
    """The words of a command. A program that is not there is for the checks to find: it fails."""
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise ValueError(f"CMD {text}: {error}") from None
    if not words:
        raise ValueError("CMD is empty: expected the program to check, in quotes")
    found = shutil.which(words[0])
    # Not resolved further: an interpreter knows its environment by the link it is called through.
    return (str(Path(found).absolute()) if found else words[0], *words[1:])


@contextmanager
def _ended_by_signal() -> Iterator[None]:
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
