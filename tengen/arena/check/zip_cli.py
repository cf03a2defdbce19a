"""`tengen zip-check`: is a tournament entry ready to be sent?"""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from tengen.arena.check.cli import ended_by_signal
from tengen.arena.check.entry import ZIP_LIMIT_MB, Finding, ZipEntry
from tengen.arena.check.entry_run import EntryRun, Workplace
from tengen.arena.check.registry import Outcome
from tengen.arena.programs.command_line import read_command
from tengen.arena.programs.wine import (
    is_missing,
    windows_command,
    windows_path,
    wine_folders,
    wine_running,
)
from tengen.common.terminal.options import Seconds, usage_errors

# Changes when programs that read the document have to change.
JSON_FORMAT = 1
_WORDS = {Outcome.PASS: "ok", Outcome.SKIP: "skipped", Outcome.FAIL: "FAILED"}
_STYLES = {Outcome.PASS: "green", Outcome.SKIP: "yellow", Outcome.FAIL: "bold red"}
_COULD_NOT = 2


@click.command("zip-check")
@click.argument("path", metavar="ZIP", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--turn",
    "turn_ms",
    type=click.IntRange(1, 60_000),
    default=1000,
    show_default=True,
    metavar="MS",
    help="The time for a move.",
)
@click.option("--league-times", is_flag=True, help="Give each move the time of its league.")
@click.option(
    "--memory-search",
    "memory_s",
    type=Seconds(0.1, 600),
    default=3.0,
    show_default=True,
    metavar="SECONDS",
    help="How long to search while the memory is measured.",
)
@click.option(
    "--limit",
    "limit_mb",
    type=click.IntRange(1, 1000),
    default=ZIP_LIMIT_MB,
    show_default=True,
    metavar="MB",
    help="The limit for the zip.",
)
@click.option(
    "--runner",
    metavar="CMD",
    help="Start the program with this command, such as an interpreter, and not by wine.",
)
@click.option("--static", is_flag=True, help="Check the zip only; do not start the program.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines.")
@click.pass_context
def zip_check_command(
    ctx: click.Context,
    path: Path,
    turn_ms: int,
    league_times: bool,
    memory_s: float,
    limit_mb: int,
    runner: str | None,
    static: bool,
    as_json: bool,
) -> None:
    """Checks the zip of a tournament entry, of whatever program.

    It checks the zip itself, unpacks it into a temporary folder, starts the program (by wine where
    this is not Windows), and plays sanity positions of every league as Gomocup's judge does. The
    exit status is 0 if nothing has failed, 1 if something has, and 2 if the command line was wrong
    or the program could not be run here. Example:

    \b
      tengen zip-check TENGEN.zip
    """
    with usage_errors():
        words = _read_runner(runner)
    not_run = ""
    if static:
        not_run = "--static was given"
    elif words is None and is_missing():
        not_run = "wine is missing (Debian, Ubuntu: apt-get install wine wine64)"
    if not_run and not static:
        click.echo(f"{not_run}: the program is not started, only the zip is checked", err=True)
    console = Console()
    findings: list[Finding] = []
    with usage_errors(), ended_by_signal():
        for finding in _check(
            path, limit_mb, words, None if league_times else turn_ms, memory_s, bool(not_run)
        ):
            findings.append(finding)
            if not as_json:
                _show(console, finding)
    failures = sum(finding.outcome is Outcome.FAIL for finding in findings)
    if as_json:
        click.echo(json.dumps(_document(path, findings, not_run), indent=1))
    else:
        _print(console, Text(_summary(findings, not_run)))
    ctx.exit(1 if failures else _COULD_NOT if not_run and not static else 0)


def _check(
    path: Path,
    limit_mb: int,
    runner: tuple[str, ...] | None,
    turn_ms: int | None,
    memory_s: float,
    static: bool,
) -> Iterator[Finding]:
    with ExitStack() as stack:
        entry = stack.enter_context(ZipEntry(path, limit_mb))
        yield from entry.check()
        if static:
            return
        if not entry.can_be_unpacked:
            yield Finding("the program", Outcome.SKIP, "not started: see what has failed above")
            return
        # Windows may hold the file of a program a moment longer than the process lives.
        top = Path(
            stack.enter_context(
                tempfile.TemporaryDirectory(prefix="tengen-zip-", ignore_cleanup_errors=True)
            )
        ).resolve()
        program, data = top / "program", top / "data"
        data.mkdir()
        entry.unpack(program)
        if runner is None:
            stack.enter_context(wine_running())
            place = Workplace(program, data, windows_path(data), tuple(wine_folders()))
            run = EntryRun(entry.programs, place, windows_command, turn_ms, memory_s)
        else:
            place = Workplace(program, data, str(data), ())
            run = EntryRun(
                entry.programs, place, lambda file: (*runner, str(file)), turn_ms, memory_s
            )
        yield from run.checks()


def _read_runner(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    try:
        return read_command(text)
    except ValueError as error:
        raise ValueError(f"--runner: {error}") from None


def _show(console: Console, finding: Finding) -> None:
    line = Text(f"{_WORDS[finding.outcome]:8}", _STYLES[finding.outcome])
    line.append(finding.title, "default")
    if finding.outcome is Outcome.FAIL:
        line.append(f": expected {finding.expected}, received {finding.received}", "default")
    elif finding.note:
        line.append(f": {finding.note}", "default")
    _print(console, line)


def _print(console: Console, line: Text) -> None:
    console.print(line, highlight=False, soft_wrap=True)


def _summary(findings: Sequence[Finding], not_run: str) -> str:
    count = Counter(finding.outcome for finding in findings)
    text = (
        f"{len(findings)} checks: {count[Outcome.PASS]} ok, {count[Outcome.SKIP]} skipped,"
        f" {count[Outcome.FAIL]} failed"
    )
    return f"{text}; the program was not started: {not_run}" if not_run else text


def _document(path: Path, findings: Sequence[Finding], not_run: str) -> dict[str, Any]:
    count = Counter(finding.outcome for finding in findings)
    return {
        "format": JSON_FORMAT,
        "zip": str(path),
        "results": [finding.as_record() for finding in findings],
        "summary": {
            "pass": count[Outcome.PASS],
            "skip": count[Outcome.SKIP],
            "fail": count[Outcome.FAIL],
            "not_started": not_run,
            "ok": not count[Outcome.FAIL] and not not_run,
        },
    }
