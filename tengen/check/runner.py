"""Runs checks one after another, each with a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from tengen.check.conversation import Conversation, Knowledge, first_word, shorten
from tengen.check.failure import Failure, Skip
from tengen.check.registry import Check, Group, Outcome, Result
from tengen.check.settings import Settings


def run_checks(
    settings: Settings,
    checks: Sequence[Check],
    on_result: Callable[[Result], None] | None = None,
) -> list[Result]:
    """The results, in the order of the checks; `on_result` is called with each as it comes. No
    process is left running, also after an exception."""
    results = []
    knowledge = Knowledge()
    no_program = _find_out(settings, knowledge)
    for check in checks:
        reason = no_program
        if knowledge.no_start and check.group is not Group.MANDATORY:
            reason = f"no game can be started: {knowledge.no_start}"
        result = _without_program(check, reason) if reason else None
        result = result or run_check(settings, knowledge, check)
        results.append(result)
        if on_result is not None:
            on_result(result)
    return results


def run_check(settings: Settings, knowledge: Knowledge, check: Check) -> Result:
    """One check with a fresh process."""
    started = time.perf_counter()

    def result(outcome: Outcome, note: str = "", failure: Failure | None = None) -> Result:
        return Result(
            check,
            outcome,
            time.perf_counter() - started,
            note=note,
            sent=talk.sent,
            expected=failure.expected if failure else "",
            received=failure.received if failure else "",
            entries=talk.entries,
        )

    try:
        talk = Conversation(settings, knowledge)
    except OSError as error:
        return _without_program(check, str(error))
    with talk:
        try:
            return result(Outcome.PASS, check.script(talk) or "")
        except Skip as skip:
            return result(Outcome.SKIP, str(skip))
        except Failure as failure:
            return result(Outcome.FAIL, failure=failure)
        except OSError as error:
            # From a write to the process, or the start of another one, in the middle of a script.
            return result(Outcome.FAIL, failure=Failure("the program to be running", str(error)))


def _find_out(settings: Settings, knowledge: Knowledge) -> str:
    """Finds a size that the program accepts; returns why it cannot be started, empty if it can."""
    sizes = [size for size in settings.sizes if size in (15, 20)]
    sizes += [size for size in (15, 20) if size not in sizes]
    reason = ""
    for size in sorted(sizes):
        try:
            with Conversation(settings, knowledge) as talk:
                talk.request(f"START {size}")
                text = talk.expect_line("OK", _is_answer)
        except Failure as failure:
            reason = reason or f"{failure.received} to START {size}"
            continue
        except OSError as error:
            return f"cannot be started: {error}"
        if first_word(text) == "OK":
            # The smallest size that works is used; the others need not be known.
            knowledge.size = size
            return ""
        knowledge.refused_sizes[size] = shorten(text)
        reason = reason or f"{shorten(text)!r} to START {size}"
    knowledge.no_start = reason
    return ""


def _is_answer(text: str) -> bool:
    return first_word(text) in ("OK", "ERROR", "UNKNOWN")


def _without_program(check: Check, reason: str) -> Result:
    if check.group is not Group.MANDATORY:
        return Result(check, Outcome.SKIP, 0.0, note=reason)
    return Result(check, Outcome.FAIL, 0.0, expected="the program to be running", received=reason)


def mandatory_failures(results: Sequence[Result]) -> int:
    """How many mandatory checks have failed."""
    return sum(
        result.outcome is Outcome.FAIL and result.check.group is Group.MANDATORY
        for result in results
    )
