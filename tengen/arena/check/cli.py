"""`tengen check`: does a program keep to the protocol, and is the zip of an entry ready?"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
from rich.console import Console

from engine.files import replace_file
from engine.text import read_rule
from tengen.arena.check.checks import Run, choose_checks
from tengen.arena.check.conversation import Settings
from tengen.arena.check.entry import EntryWish, check_entry
from tengen.arena.check.report import (
    as_document,
    list_text,
    make_page,
    print_check,
    print_summary,
)
from tengen.arena.check.script import Group, load_scripts
from tengen.arena.programs.spec import read_command, read_whole, split_command
from tengen.common.commands import Read, Seconds, command, option, refuse_without, usage_errors
from tengen.common.process import signals_call
from tengen.game.referee import MAX_SIZE, MIN_SIZE
from tengen.game.values import Record, json_text

_PROTOCOL = "Checks of the protocol"
_ZIP = "Zip of a tournament entry"


def _numbers_option(
    name: str, read_word: Callable[[str], int], default: tuple[int, ...], text: str
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """An option that takes numbers with commas between, `1,2,3`; `read_word` reads one."""
    return option(
        name,
        type=Read("numbers", lambda text: tuple(dict.fromkeys(map(read_word, text.split(","))))),
        default=",".join(map(str, default)) or (),
        show_default=bool(default),
        metavar="N,...",
        help=text,
        heading=_PROTOCOL,
    )


def _read_size(word: str) -> int:
    if not (re.fullmatch("[0-9]{1,2}", word) and MIN_SIZE <= int(word) <= MAX_SIZE):
        raise ValueError(
            f"{word[:40]!r}: expected sizes from {MIN_SIZE} to {MAX_SIZE}, such as 15,20"
        )
    return int(word)


@command("check")
@click.argument("program", metavar="PROGRAM", required=False)
@option(
    "--turn",
    "turn_s",
    type=Seconds(0.001, 60),
    help="Seconds for a move.  [default: 0.1; of a zip 1]",
)
@option("--json", "is_json", is_flag=True, help="Print one JSON document instead of lines.")
@option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write a page (html) for the author.",
)
@option("--list", "list_only", is_flag=True, help="Print every check and its reason.")
@option("-v", "--verbose", is_flag=True, help="Show every conversation.")
@option(
    "--extensions",
    multiple=True,
    type=click.Choice([Group.YIXIN.value]),
    help="Check this dialect of the protocol as well.",
    heading=_PROTOCOL,
)
@_numbers_option("--only", read_whole, (), "Run only these checks, by number.")
@option(
    "--timeout",
    "timeout_s",
    type=Seconds(0.1, 600),
    default=Settings.timeout_s,
    help="Seconds to wait beyond the time of an answer.",
    heading=_PROTOCOL,
)
@_numbers_option("--rules", read_rule, Settings.rules, "The rules, by number or name.")
@_numbers_option("--sizes", _read_size, Settings.sizes, "The board sizes.")
@option(
    "--scripts",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Run the checks of these scripts as well.",
    heading=_PROTOCOL,
)
@option("--league-times", is_flag=True, help="Give each move the time of its league.", heading=_ZIP)
@option(
    "--runner",
    type=Read("command", read_command),
    metavar="CMD",
    help="Start the program with this command, not by wine.",
    heading=_ZIP,
)
@option("--static", "is_static", is_flag=True, help="Do not start the program.", heading=_ZIP)
@click.pass_context
def check_command(
    ctx: click.Context,
    program: str | None,
    turn_s: float | None,
    is_json: bool,
    out: Path | None,
    list_only: bool,
    verbose: bool,
    extensions: tuple[str, ...],
    only: tuple[int, ...],
    timeout_s: float,
    rules: tuple[int, ...],
    sizes: tuple[int, ...],
    folders: tuple[Path, ...],
    league_times: bool,
    runner: tuple[str, ...] | None,
    is_static: bool,
) -> None:
    """Checks whether a program keeps to the Gomocup protocol, or the zip of a tournament entry.

    PROGRAM is the command that starts the program, in quotes, or the name of the zip. The exit
    status is 1 if a mandatory check, or one of a zip, has failed. Example:

    \b
      tengen check "python brain.py" --rules 0,1 --sizes 15,20
    """
    with usage_errors():
        scripts = load_scripts(*folders)
    if list_only:
        click.echo(list_text(scripts.checks.values()))
        return
    if program is None:
        raise click.UsageError("Missing argument 'PROGRAM': a command in quotes, or a zip")
    is_zip = _is_zip(program)
    heading, kind = (_PROTOCOL, "a command") if is_zip else (_ZIP, "a zip")
    params = ctx.command.params
    others = [each.name or "" for each in params if getattr(each, "heading", "") == heading]
    refuse_without(ctx, kind, False, *others)
    turn_ms = None if turn_s is None else round(turn_s * 1000)
    console, results, started = Console(), [], time.perf_counter()
    not_started = ""
    about: Record
    received: list[int]
    # Ctrl-C and SIGTERM end the run: the program under test is killed first.
    with signals_call(lambda: sys.exit(128 + received[-1])) as received, usage_errors():
        if is_zip:
            if league_times and turn_s is not None:
                raise ValueError("--turn and --league-times exclude each other")
            limit_ms = None if league_times else turn_ms or EntryWish.turn_ms
            wish = EntryWish(limit_ms, runner, is_static)
            about, not_started = {"zip": program}, wish.why_not_started
            if not_started and not is_static:
                click.echo(f"{not_started}: only the zip is checked", err=True)
            coming = check_entry(Path(program), wish, scripts)
        else:
            checks = choose_checks(scripts, only, list(map(Group, extensions)))
            words = _read_command(program)
            settings = Settings(words, timeout_s, turn_ms or Settings.turn_ms, rules, sizes)
            about = {"command": list(words), "settings": settings.as_record()}
            coming = Run(settings, scripts).play(checks)
        for result in coming:
            results.append(result)
            if not is_json:
                print_check(console, result, verbose)
        document = as_document(about, results, time.perf_counter() - started, not_started)
        if out is not None:
            replace_file(out, make_page(document, results))
    if is_json:
        click.echo(json_text(document, indent=1))
    else:
        print_summary(console, document)
    is_unable = not_started and not is_static
    ctx.exit(1 if document["summary"]["mandatory_failed"] else 2 if is_unable else 0)


def _is_zip(text: str) -> bool:
    """A name that ends in `.zip`, and not a command with such a name at its end."""
    return text.lower().endswith(".zip") and (" " not in text or Path(text).exists())


def _read_command(text: str) -> tuple[str, ...]:
    """The words of a command; ValueError for what is none. A program under test that cannot be
    found is no error here: it fails every check."""
    try:
        words = split_command(text)
    except ValueError as error:
        raise ValueError(f"PROGRAM: {error}") from None
    with suppress(ValueError):
        return read_command(text)
    return tuple(words)
