"""What a run shows: whether the program works in each manager, a line for each check, the
conversation of those that failed; as text, as JSON, and as a page for the author of the program."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from tengen.arena.check.checks import NO_PROGRAM, Outcome, Result, counts
from tengen.arena.check.conversation import Settings, shorten
from tengen.arena.check.script import Check, Group
from tengen.arena.match.summary import print_line
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
_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .1rem .8rem .1rem 0; text-align: left; }
details { margin: .4rem 0; } summary { cursor: pointer; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid gray; }
.fail, .flaky { font-weight: bold; }
"""


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
        parts.append(f"fails {len(failed)} of {checks} ({_listed(failed, 8)})")
    if flaky:
        parts.append(f"{len(flaky)} flaky ({_listed(flaky, 8)})")
    return f"{manager['manager']}: " + (", ".join(parts) or f"works, by {checks}")


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
    """The page of a run and its document, with the reasons of the checks; it needs no other file
    and no network."""
    title = f"Protocol check of {html.escape(' '.join(document['command']))}"
    settings = document["settings"]
    bad = [_failed(result) for result in results if result.is_bad]
    parts = [
        f"<h1>{title}</h1>",
        f"<p>{counted(len(results), 'check')} by tengen check: {_summary(document)}. Rules"
        f" {_listed(settings['rules'])}, sizes {_listed(settings['sizes'])},"
        f" {settings['turn_s']:g} s a move.</p>",
        "<h2>Managers</h2><table>",
        "<tr><th>Manager<th>Checks<th>Failed<th>Flaky</tr>",
        *(
            f"<tr><td>{html.escape(each['manager'])}<td>{each['checks']}"
            f"<td>{_listed(each['failed'])}<td>{_listed(each['flaky'])}</tr>"
            for each in document["managers"]
        ),
        "</table>",
        "<h2>What failed</h2>" if bad else "<h2>Nothing failed</h2>",
        *bad,
        "<h2>Other checks</h2><table>",
        *(
            f"<tr><td>{result.check.number}<td>{html.escape(result.title)}<td>{result.outcome.value}"
            f"<td>{html.escape(result.note)}</tr>"
            for result in results
            if not result.is_bad
        ),
        "</table>",
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style>\n" + "\n".join(parts) + "\n</html>\n"
    )


def _failed(result: Result) -> str:
    outcome, check = result.outcome.value, result.check
    return (
        f'<details open><summary class="{outcome}">{check.number} {html.escape(check.title)}'
        f" ({check.group.value}, {outcome})</summary><p>{html.escape(check.why)}</p>"
        f"<table><tr><th>Sent<td>{html.escape(' | '.join(result.sent))}</tr>"
        f"<tr><th>Expected<td>{html.escape(result.expected)}</tr>"
        f"<tr><th>Received<td>{html.escape(result.received)}</tr></table>"
        f"<pre>{html.escape(chr(10).join(_said(result)))}</pre></details>"
    )


def _listed(numbers: Sequence[int], most: int | None = None) -> str:
    shown = ", ".join(map(str, numbers[:most])) or "–"
    return f"{shown}, ..." if most and len(numbers) > most else shown
