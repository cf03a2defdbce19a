"""The results of a run of checks as one HTML page, to be sent to the author of the program."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from typing import Any

from tengen.arena.check.registry import Check
from tengen.game.record.numbers import counted

_STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; } td, th { padding: .1rem .8rem .1rem 0; text-align: left; }
details { margin: .4rem 0; } summary { cursor: pointer; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid gray; }
.fail, .flaky { font-weight: bold; }
"""


def make_page(document: Mapping[str, Any], checks: Sequence[Check]) -> str:
    """The page of the document of `--json`, with the reasons of the checks; it needs no other file
    and no network."""
    why = {check.number: check.why for check in checks}
    command = " ".join(document["command"])
    count, settings = document["summary"], document["settings"]
    results = document["results"]
    bad = [each for each in results if each["failure"]]
    good = [each for each in results if not each["failure"]]
    parts = [
        f"<h1>Protocol check of {_text(command)}</h1>",
        f"<p>{counted(len(results), 'check')} by tengen check: {count['pass']} passed,"
        f" {count['skip']} skipped, {count['fail']} failed, {count['mandatory_failed']} of them"
        f" mandatory, {count['flaky']} flaky. Rules {_listed(settings['rules'])}, sizes"
        f" {_listed(settings['sizes'])}, {settings['turn_s']:g} s a move.</p>",
        "<h2>Managers</h2><table>",
        "<tr><th>Manager<th>Checks<th>Failed<th>Flaky</tr>",
        *(
            f"<tr><td>{_text(each['manager'])}<td>{each['checks']}"
            f"<td>{_listed(each['failed'])}<td>{_listed(each['flaky'])}</tr>"
            for each in document["managers"]
        ),
        "</table>",
        "<h2>What failed</h2>" if bad else "<h2>Nothing failed</h2>",
        *(_failed(each, why[each["number"]]) for each in bad),
        "<h2>Other checks</h2><table>",
        *(f"<tr><td>{_row(each)}<td>{_text(each['note'])}</tr>" for each in good),
        "</table>",
    ]
    return (
        f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Protocol check of'
        f" {_text(command)}</title><style>{_STYLE}</style>\n" + "\n".join(parts) + "\n</html>\n"
    )


def _failed(result: Mapping[str, Any], why: str) -> str:
    failure = result["failure"]
    said = "\n".join(
        f"{each['at_s']:8.3f} {each['direction']} {each['text']}"
        for each in failure["conversation"]
    )
    sent = " | ".join(failure["sent"])
    return (
        f'<details open><summary class="{result["outcome"]}">{_text(result["number"])}'
        f" {_text(result['title'])} ({result['group']}, {result['outcome']})</summary>"
        f"<p>{_text(why)}</p>"
        f"<table><tr><th>Sent<td>{_text(sent)}</tr>"
        f"<tr><th>Expected<td>{_text(failure['expected'])}</tr>"
        f"<tr><th>Received<td>{_text(failure['received'])}</tr></table>"
        f"<pre>{_text(said)}</pre></details>"
    )


def _row(result: Mapping[str, Any]) -> str:
    return f"{result['number']}<td>{_text(result['title'])}<td>{result['outcome']}"


def _listed(numbers: Sequence[object]) -> str:
    return ", ".join(map(str, numbers)) or "–"


def _text(value: object) -> str:
    return html.escape(str(value))
