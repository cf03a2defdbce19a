"""What a run shows: whether the program works in each manager, a line for each check, the
conversation of those that failed; as text, as JSON, and as a page for the author of the program."""

from __future__ import annotations

import io
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from tengen.arena.check.checks import NO_PROGRAM, Outcome, Result, counts
from tengen.arena.check.conversation import Settings, shorten
from tengen.arena.check.script import Check, Group
from tengen.common.console import print_line
from tengen.game.values import counted

# Changes when programs that read the document have to change.
JSON_FORMAT = 3
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
    parts = []
    for check in checks:
        parts.append(f"{check.number:3}  {check.group.value:9}  {check.title}")
        parts.append(
            textwrap.fill(check.why, _WIDTH, initial_indent=" " * 5, subsequent_indent=" " * 5)
        )
    return "\n".join(parts)


# ---- the document


def as_document(settings: Settings, results: Sequence[Result], elapsed_s: float) -> dict[str, Any]:
    """The whole run as plain values: see docs/CHECK.md."""
    # A program that cannot be started has failed one, whatever its group.
    failed = sum(
        result.outcome is Outcome.FAIL
        and (result.check.group is Group.MANDATORY or _is_missing(result))
        for result in results
    )
    return {
        "format": JSON_FORMAT,
        "command": list(settings.command),
        "settings": {
            "timeout_s": settings.timeout_s,
            "turn_s": settings.turn_ms / 1000,
            "rules": list(settings.rules),
            "sizes": list(settings.sizes),
        },
        "managers": list(_managers(results)),
        "results": [result.as_record() for result in results],
        "summary": {
            **counts(result.outcome for result in results),
            "mandatory_failed": failed,
            "ok": failed == 0,
        },
        "elapsed_s": round(elapsed_s, 4),
    }


def _managers(results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """For each manager that a check concerns: how many checks do, and the numbers of those that
    failed and of those that are flaky."""
    has_dialect = any(result.check.group is Group.YIXIN for result in results)
    for name in _MANAGERS:
        if name in _OF_DIALECT and not has_dialect:
            continue
        own = [
            (result.outcome, result.check.number)
            for result in results
            if _concerns(result.check, name) and result.outcome is not Outcome.SKIP
        ]
        if own:
            failed, flaky = (
                [number for outcome, number in own if outcome is which]
                for which in (Outcome.FAIL, Outcome.FLAKY)
            )
            yield {"manager": name, "checks": len(own), "failed": failed, "flaky": flaky}


def _concerns(check: Check, manager: str) -> bool:
    """The reason of the check names the manager; of a mandatory one, it may name none at all."""
    if re.search(_MANAGERS[manager], check.why):
        return True
    names_any = any(re.search(pattern, check.why) for pattern in _MANAGERS.values())
    if check.group is Group.YIXIN:
        return manager in _OF_DIALECT and not names_any
    return check.group is Group.MANDATORY and not names_any


def _is_missing(result: Result) -> bool:
    return result.received.startswith(NO_PROGRAM)


# ---- the text


def print_report(
    console: Console, document: Mapping[str, Any], results: Sequence[Result], is_verbose: bool
) -> None:
    """Prints what works in which manager, then all checks, then how many there were; `is_verbose`
    shows every conversation in full."""
    lines = []
    if not any(map(_is_missing, results)):
        lines += [*(Text(_manager_line(each)) for each in document["managers"]), Text()]
    for result in results:
        lines += _result_lines(result, is_verbose)
    checks = counted(len(results), "check")
    lines.append(Text(f"{checks} in {document['elapsed_s']:.1f} s: {_summary(document)}"))
    for line in lines:
        print_line(console, line)


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
    )


def _result_lines(result: Result, is_verbose: bool) -> list[Text]:
    if _is_missing(result):
        return [Text(result.received, "bold red")]
    check = result.check
    line = Text(f"{check.number:3}  {check.group.value:9}  ")
    line.append(result.outcome.text)
    line.append(f"  {check.title}" + (f"  ({result.note})" if result.note else ""))
    more = []
    if result.is_bad:
        if result.sent:
            shown = " | ".join(result.sent[:4]) + (" | ..." if len(result.sent) > 4 else "")
            more.append(f"sent      {shown}")
        more += [f"expected  {result.expected}", f"received  {result.received}"]
    if more or is_verbose:
        said = _said(result)
        left_out = 0 if is_verbose else max(0, len(said) - _LAST_LINES)
        if left_out:
            more.append(f"... {counted(left_out, 'line')}")
        more += said[left_out:]
    return [line, *(Text(" " * 7 + shorten(text, _MAX_LINE)) for text in more)]


def _said(result: Result) -> list[str]:
    """The lines of the conversation."""
    return [f"{at_s:8.3f} {direction} {text}" for at_s, direction, text in result.entries]


# ---- the page


def make_page(document: Mapping[str, Any], results: Sequence[Result]) -> str:
    """A page for the author of the program: what works in which manager, every failure with the
    reason of the check and its whole conversation, then the other checks. It needs no other file
    and no network."""
    console = Console(file=io.StringIO(), record=True, width=_PAGE_WIDTH)
    title = f"Protocol check of {' '.join(document['command'])}: {_summary(document)}"
    lines = [Text(title, "bold"), Text(), *(Text(_manager_line(m)) for m in document["managers"])]
    for result in sorted(results, key=lambda result: not result.is_bad):
        shown = _result_lines(result, is_verbose=result.is_bad)
        if result.is_bad:
            shown = [Text(), shown[0], *_wrapped(result.check.why), *shown[1:], Text()]
        lines += shown
    for line in lines:
        print_line(console, line)
    return console.export_html(inline_styles=True)


def _wrapped(text: str) -> list[Text]:
    return [Text(" " * 7 + line) for line in textwrap.wrap(text, _WIDTH)]
