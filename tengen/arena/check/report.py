"""What a run prints: whether the program works in each manager, a line for each check, the
conversation of those that failed; and all of it as JSON."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from tengen.arena.check.conversation import Settings
from tengen.arena.check.finding import Outcome, counts, print_text
from tengen.arena.check.recording import Entry
from tengen.arena.check.registry import Check, Group, Result
from tengen.arena.check.runner import NO_PROGRAM, mandatory_failures
from tengen.game.json_text import Record
from tengen.game.record.numbers import counted

# Changes when programs that read the document have to change.
JSON_FORMAT = 3
_LAST_LINES = 12
_MAX_LINE = 160
_WIDTH = 96
# By manager: how the reasons of checks name it.
_MANAGERS = {
    "Piskvork": r"\bPiskvork\b",
    "qpiskvork": r"\bqpiskvork\b",
    "the judge of Gomocup": r"\bGomocup\b|\bjudge\b",
    "c-gomoku-cli": r"\bc-gomoku-cli\b",
    "Yixin-Board": r"\bYixin-Board\b",
    "web front ends": r"\bweb front ends\b",
}
# These two send words of the dialect, which is checked on request.
_OF_DIALECT = ("Yixin-Board", "web front ends")


def print_report(
    console: Console, results: Sequence[Result], elapsed_s: float, is_verbose: bool
) -> None:
    """Prints what works in which manager, then all checks, then how many there were; `is_verbose`
    shows every conversation in full."""
    lines = []
    if not any(result.note == NO_PROGRAM for result in results):
        lines += [*map(Text, _manager_lines(results)), Text()]
    for result in results:
        lines += _result_lines(result, is_verbose)
    count = counts(result.outcome for result in results)
    lines.append(
        Text(
            f"{counted(len(results), 'check')} in {elapsed_s:.1f} s: {count['pass']} passed,"
            f" {count['skip']} skipped, {count['fail']} failed"
            + (f", {mandatory_failures(results)} of them mandatory" if count["fail"] else "")
            + (f", {count['flaky']} flaky" if count["flaky"] else "")
        )
    )
    for line in lines:
        print_text(console, line)


def _result_lines(result: Result, is_verbose: bool) -> list[Text]:
    if result.note == NO_PROGRAM:
        return []  # the line before says it
    if result.received.startswith(NO_PROGRAM):
        return [Text(result.received, "bold red")]
    check = result.check
    line = Text(f"{check.number:3}  {check.group.value:9}  ")
    line.append(result.outcome.text)
    line.append(f"  {check.title}")
    if result.note:
        line.append(f"  ({result.note})")
    more = []
    if result.outcome in (Outcome.FAIL, Outcome.FLAKY):
        more = _failure_lines(result)
    if more or is_verbose:
        more += _conversation(result.entries, is_verbose)
    return [line, *(Text(f"       {text}") for text in more)]


def as_document(settings: Settings, results: Sequence[Result], elapsed_s: float) -> Record:
    """The whole run as plain values: see docs/CHECK.md."""
    failed = mandatory_failures(results)
    return {
        "format": JSON_FORMAT,
        "command": list(settings.command),
        "settings": {
            "timeout_s": settings.timeout_s,
            "turn_s": settings.turn_ms / 1000,
            "rules": list(settings.rules),
            "sizes": list(settings.sizes),
        },
        "managers": [
            {"manager": name, "checks": count, "failed": failed, "flaky": flaky}
            for name, count, failed, flaky in _managers(results)
        ],
        "results": [result.as_record() for result in results],
        "summary": {
            **counts(result.outcome for result in results),
            "mandatory_failed": failed,
            "ok": failed == 0,
        },
        "elapsed_s": round(elapsed_s, 4),
    }


def list_text(checks: Iterable[Check]) -> str:
    """Numbers, groups, titles and reasons of checks, for `--list`."""
    parts = []
    for check in checks:
        parts.append(f"{check.number:3}  {check.group.value:9}  {check.title}")
        parts.append(
            textwrap.fill(check.why, _WIDTH, initial_indent=" " * 5, subsequent_indent=" " * 5)
        )
    return "\n".join(parts)


def _failure_lines(result: Result) -> list[str]:
    lines = []
    if result.sent:
        shown = " | ".join(result.sent[:4]) + (" | ..." if len(result.sent) > 4 else "")
        lines.append(f"sent      {_cut(shown)}")
    lines.append(f"expected  {_cut(result.expected)}")
    lines.append(f"received  {_cut(result.received)}")
    return lines


def _conversation(entries: Sequence[Entry], whole: bool) -> list[str]:
    shown = entries if whole else entries[-_LAST_LINES:]
    lines = (
        ["... " + counted(len(entries) - len(shown), "line")] if len(shown) < len(entries) else []
    )
    lines += [f"{at_s:8.3f} {direction} {_cut(text)}" for at_s, direction, text in shown]
    return lines


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_LINE else text[: _MAX_LINE - 3] + "..."


def _managers(results: Sequence[Result]) -> Iterator[tuple[str, int, list[int], list[int]]]:
    """For each manager that a check concerns: its name, how many checks do, and the numbers of
    those that failed and of those that are flaky."""
    has_dialect = any(result.check.group is Group.YIXIN for result in results)
    for name in _MANAGERS:
        if name in _OF_DIALECT and not has_dialect:
            continue
        own = [
            result
            for result in results
            if _concerns(result.check, name) and result.outcome is not Outcome.SKIP
        ]
        if own:
            failed, flaky = (_numbers(own, which) for which in (Outcome.FAIL, Outcome.FLAKY))
            yield name, len(own), failed, flaky


def _manager_lines(results: Sequence[Result]) -> list[str]:
    """The same in words, a line each."""
    lines = []
    for name, count, failed, flaky in _managers(results):
        checks = counted(count, "check")
        parts = []
        if failed:
            parts.append(f"fails {len(failed)} of {checks} ({_listed(failed)})")
        if flaky:
            parts.append(f"{len(flaky)} flaky ({_listed(flaky)})")
        said = ", ".join(parts) or f"works, by {checks}"
        lines.append(f"{name}: {said}")
    return lines


def _concerns(check: Check, manager: str) -> bool:
    """The reason of the check names the manager; of a mandatory one, it may name none at all."""
    if re.search(_MANAGERS[manager], check.why):
        return True
    names_any = any(re.search(pattern, check.why) for pattern in _MANAGERS.values())
    if check.group is Group.YIXIN:
        return manager in _OF_DIALECT and not names_any
    return check.group is Group.MANDATORY and not names_any


def _numbers(results: Sequence[Result], outcome: Outcome) -> list[int]:
    return [result.check.number for result in results if result.outcome is outcome]


def _listed(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:8]))
    return f"{shown}, ..." if len(numbers) > 8 else shown
