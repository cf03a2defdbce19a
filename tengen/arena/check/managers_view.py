"""What the results mean for each manager: does the program work in it?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tengen.arena.check.finding import Outcome
from tengen.arena.check.registry import Check, Group, Result

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


def manager_records(results: Sequence[Result]) -> list[dict[str, Any]]:
    """For each manager that a check concerns: its name, how many checks do, and the numbers of
    those that failed or are flaky."""
    records = []
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
            records.append(
                {
                    "manager": name,
                    "checks": len(own),
                    "failed": _numbers(own, Outcome.FAIL),
                    "flaky": _numbers(own, Outcome.FLAKY),
                }
            )
    return records


def manager_lines(results: Sequence[Result]) -> list[str]:
    """The same in words, a line each."""
    lines = []
    for record in manager_records(results):
        failed, flaky = record["failed"], record["flaky"]
        parts = []
        if failed:
            parts.append(f"{len(failed)} of {record['checks']} checks fail ({_listed(failed)})")
        if flaky:
            parts.append(f"{len(flaky)} flaky ({_listed(flaky)})")
        said = ", ".join(parts) or f"works, by {record['checks']} checks"
        lines.append(f"{record['manager']}: {said}")
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
