"""Checks the zip of a tournament entry for `tengen check`: the zip, then the program in it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from tengen.arena.check.entry import ZipEntry
from tengen.arena.check.entry_run import EntryRun, Workplace
from tengen.arena.check.finding import Finding, Outcome, counts, print_text
from tengen.arena.programs.wine import (
    is_missing,
    windows_command,
    windows_path,
    wine_folders,
    wine_running,
)
from tengen.game.json_text import Record, json_text
from tengen.game.record.numbers import counted

# Changes when programs that read the document have to change.
JSON_FORMAT = 1
DEFAULT_TURN_MS = 1000
_COULD_NOT = 2


@dataclass(frozen=True)
class EntryWish:
    """What is checked of an entry, and how.

    turn_ms    the time for a move; None = that of each league.
    memory_s   how long the search is whose memory is measured.
    runner     the words that start the program, instead of wine; None = wine, where it is needed.
    is_static  the program is not started.
    """

    turn_ms: int | None = DEFAULT_TURN_MS
    memory_s: float = 3.0
    runner: tuple[str, ...] | None = None
    is_static: bool = False


def check_entry(path: Path, wish: EntryWish, is_json: bool) -> int:
    """Checks a zip and prints what is found. The exit status: 0 if nothing has failed, 1 if
    something has, 2 if the program could not be started here. OSError for no file, and for a wine
    that does not start."""
    not_run = ""
    if wish.is_static:
        not_run = "--static was given"
    elif wish.runner is None and is_missing():
        not_run = "wine is missing (Debian, Ubuntu: apt-get install wine wine64)"
        click.echo(f"{not_run}: the program is not started, only the zip is checked", err=True)
    console = Console()
    findings: list[Finding] = []
    for finding in _findings(path, wish, bool(not_run)):
        findings.append(finding)
        if not is_json:
            _show(console, finding)
    count = counts(finding.outcome for finding in findings)
    if is_json:
        click.echo(json_text(_document(path, findings, not_run), indent=1))
    else:
        told = f"; the program was not started: {not_run}" if not_run else ""
        checks = counted(len(findings), "check")
        line = f"{checks}: {count['pass']} passed, {count['skip']} skipped,"
        print_text(console, Text(f"{line} {count['fail']} failed{told}"))
    return 1 if count["fail"] else _COULD_NOT if not_run and not wish.is_static else 0


def _findings(path: Path, wish: EntryWish, is_static: bool) -> Iterator[Finding]:
    with ExitStack() as stack:
        entry = stack.enter_context(ZipEntry(path))
        yield from entry.check()
        if is_static:
            return
        if not entry.can_be_unpacked:
            note = "not started: see what has failed above"
            yield Finding(title="the program", outcome=Outcome.SKIP, note=note)
            return
        # Windows may hold the file of a program a moment longer than the process lives.
        folder = tempfile.TemporaryDirectory(prefix="tengen-zip-", ignore_cleanup_errors=True)
        top = Path(stack.enter_context(folder)).resolve()
        program, data = top / "program", top / "data"
        data.mkdir()
        entry.unpack(program)
        if runner := wish.runner:
            place = Workplace(program, data, str(data), lambda file: (*runner, str(file)))
        else:
            stack.enter_context(wine_running())
            place = Workplace(program, data, windows_path(data), windows_command, wine_folders())
        yield from EntryRun(entry.programs, place, wish.turn_ms, wish.memory_s).checks()


def _show(console: Console, finding: Finding) -> None:
    line = finding.outcome.text.append(f"  {finding.title}", "default")
    if finding.outcome is Outcome.FAIL:
        line.append(f": expected {finding.expected}, received {finding.received}", "default")
    elif finding.note:
        line.append(f": {finding.note}", "default")
    print_text(console, line)


def _document(path: Path, findings: Sequence[Finding], not_run: str) -> Record:
    count = counts(finding.outcome for finding in findings)
    return {
        "format": JSON_FORMAT,
        "zip": str(path),
        "results": [finding.as_record() for finding in findings],
        "summary": {
            **count,
            "not_started": not_run,
            "ok": not count["fail"] and not not_run,
        },
    }
