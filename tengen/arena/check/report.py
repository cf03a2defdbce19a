"""What a run shows: a line for each check, the conversation of those that failed, whether the
program works in each manager; as text, as JSON, and as a page for the author of the program."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from tengen.arena.check.checks import NO_PROGRAM, Outcome, Result
from tengen.arena.check.conversation import shorten
from tengen.arena.check.script import Check, Group
from tengen.common.console import print_line
from tengen.game.values import Record, counted

# Changes when programs that read the document have to change.
JSON_FORMAT = 4
_LAST_LINES = 12
_MAX_LINE = 160
_WIDTH = 96
_PAGE_WIDTH = 240
_MOST_NUMBERS = 8
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


def list_text(checks: Iterable[Check]) -> str:
    """Numbers, groups, titles and reasons of checks, for `--list`."""
    return "\n".join(
        f"{check.number:3}  {check.group.value:9}  {check.title}\n"
        + textwrap.indent(textwrap.fill(check.why, _WIDTH - 5), " " * 5)
        for check in checks
    )


def as_document(
    about: Record, results: Sequence[Result], elapsed_s: float, not_started: str = ""
) -> dict[str, Any]:
    """The whole run as plain values: see docs/CHECK.md.

    about        what was checked, and how.
    not_started  why the program of an entry was not started.
    """
    outcomes = [result.outcome for result in results]
    # A program that cannot be started has failed one, whatever its group.
    failed = sum(
        result.outcome is Outcome.FAIL
        and (result.check.group is Group.MANDATORY or _is_missing(result))
        for result in results
    )
    return {
        "format": JSON_FORMAT,
        **about,
        "results": [result.as_record() for result in results],
        "managers": list(_managers(results)),
        "summary": {
            **{each.value: outcomes.count(each) for each in Outcome},
            "mandatory_failed": failed,
            "not_started": not_started,
            "ok": not failed and not not_started,
        },
        "elapsed_s": round(elapsed_s, 4),
    }


def _managers(results: Sequence[Result]) -> Iterator[Record]:
    """For each manager that a check concerns: how many checks do, and the numbers of those that
    failed and of those that are flaky."""
    has_dialect = any(result.check.group is Group.YIXIN for result in results)
    for name in _MANAGERS:
        if name in _OF_DIALECT and not has_dialect:
            continue
        own = [
            (result.outcome, result.check.number)
            for result in results
            if _concerns(result.check, name)
            and result.outcome is not Outcome.SKIP
            and not _is_missing(result)
        ]
        if own:
            failed, flaky = (
                [number for outcome, number in own if outcome is which]
                for which in (Outcome.FAIL, Outcome.FLAKY)
            )
            yield {"manager": name, "checks": len(own), "failed": failed, "flaky": flaky}


def _concerns(check: Check, manager: str) -> bool:
    """The reason of the check names the manager; of a mandatory one, it may name none at all.
    Those of an entry are about none."""
    if not check.number:
        return False
    if re.search(_MANAGERS[manager], check.why):
        return True
    names_any = any(re.search(pattern, check.why) for pattern in _MANAGERS.values())
    if check.group is Group.YIXIN:
        return manager in _OF_DIALECT and not names_any
    return check.group is Group.MANDATORY and not names_any


def _is_missing(result: Result) -> bool:
    return result.received.startswith(NO_PROGRAM)


# ---- the text


def print_check(console: Console, result: Result, is_verbose: bool) -> None:
    """Prints what has come of one check; `is_verbose` shows the conversation in full."""
    for line in _result_lines(result, is_verbose):
        print_line(console, line)


def print_summary(console: Console, document: Mapping[str, Any]) -> None:
    """Prints what works in which manager, and how many checks there were."""
    if document["managers"]:
        print_line(console, "")
    for manager in document["managers"]:
        print_line(console, _manager_line(manager))
    checks = counted(len(document["results"]), "check")
    print_line(console, f"{checks} in {document['elapsed_s']:.1f} s: {_summary(document)}")


def _manager_line(manager: Mapping[str, Any]) -> str:
    checks, failed, flaky = counted(manager["checks"], "check"), manager["failed"], manager["flaky"]
    parts = []
    if failed:
        parts.append(f"fails {len(failed)} of {checks} ({_listed(failed)})")
    if flaky:
        parts.append(f"{len(flaky)} flaky ({_listed(flaky)})")
    return f"{manager['manager']}: " + (", ".join(parts) or f"works, by {checks}")


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:_MOST_NUMBERS])) + ", ..." * (len(numbers) > _MOST_NUMBERS)


def _summary(document: Mapping[str, Any]) -> str:
    count = document["summary"]
    return (
        f"{count['pass']} passed, {count['skip']} skipped, {count['fail']} failed"
        + (f", {count['mandatory_failed']} of them mandatory" if count["fail"] else "")
        + (f", {count['flaky']} flaky" if count["flaky"] else "")
        + (f"; not started: {count['not_started']}" if count["not_started"] else "")
    )


def _result_lines(result: Result, is_verbose: bool) -> list[Text]:
    if _is_missing(result):
        return [Text(result.received, "bold red")]
    check = result.check
    # Those of an entry have no number.
    line = Text(f"{check.number:3}  {check.group.value:9}  " if check.number else "")
    line.append(result.outcome.text)
    line.append(f"  {check.title}" + (f"  ({result.note})" if result.note else ""))
    more = []
    if result.is_bad:
        if result.sent:
            shown = " | ".join(result.sent[:4]) + (" | ..." if len(result.sent) > 4 else "")
            more.append(f"sent      {shown}")
        more += [f"expected  {result.expected}", f"received  {result.received}"]
    if more or is_verbose:
        said = [f"{at_s:8.3f} {direction} {text}" for at_s, direction, text in result.entries]
        left_out = 0 if is_verbose else max(0, len(said) - _LAST_LINES)
        if left_out:
            more.append(f"... {counted(left_out, 'line')}")
        more += said[left_out:]
    return [line, *(Text(" " * 7 + shorten(text, _MAX_LINE)) for text in more)]


def make_page(document: Mapping[str, Any], results: Sequence[Result]) -> str:
    """A page for the author of the program: what works in which manager, every failure with the
    reason of the check and its whole conversation, then the other checks. It needs no other file
    and no network."""
    console = Console(file=io.StringIO(), record=True, width=_PAGE_WIDTH)
    of = document.get("zip") or " ".join(document["command"])
    lines = [Text(f"Check of {of}: {_summary(document)}", "bold"), Text()]
    lines += [Text(_manager_line(manager)) for manager in document["managers"]]
    for result in sorted(results, key=lambda result: not result.is_bad):
        shown = _result_lines(result, is_verbose=result.is_bad)
        if result.is_bad:
            why = [Text(" " * 7 + line) for line in textwrap.wrap(result.check.why, _WIDTH)]
            shown = [Text(), shown[0], *why, *shown[1:], Text()]
        lines += shown
    for line in lines:
        print_line(console, line)
    return console.export_html(inline_styles=True)
