"""Runs checks one after another, each with a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from tengen.arena.check.conversation import Conversation, Knowledge, Settings, shorten
from tengen.arena.check.finding import Failure, Outcome, Skip, find
from tengen.arena.check.registry import Check, Group, Result
from tengen.arena.check.starting import beginning
from tengen.arena.programs.player import first_word

# The note of checks that were not tried because the program cannot be started.
NO_PROGRAM = "the program cannot be started"
# The check that fails where lines in one piece are answered wrongly.
_RACE = 7


def run_checks(
    settings: Settings,
    checks: Sequence[Check],
    on_result: Callable[[Result], None] | None = None,
) -> list[Result]:
    """The results, in the order of the checks; `on_result` is called with each as it comes. No
    process is left running, also after an exception."""
    results: list[Result] = []
    numbers = {check.number for check in checks}
    knowledge = Knowledge()
    no_program = _find_out(settings, knowledge)
    for check in checks:
        if no_program:
            result = _without_program(check, no_program, is_first=not results)
        elif knowledge.no_start and check.group is not Group.MANDATORY:
            result = _skipped(check, f"no game can be started: {knowledge.no_start}")
        elif knowledge.is_racing and check.is_burst and _RACE in numbers - {check.number}:
            result = _skipped(check, f"for the same reason as {_RACE} fails")
        else:
            result = _run_twice_if_failed(settings, knowledge, check)
        results.append(result)
        if on_result is not None:
            on_result(result)
    return results


def _run_twice_if_failed(settings: Settings, knowledge: Knowledge, check: Check) -> Result:
    """A check that fails is repeated; if it passes then, it is flaky. If the repetition is skipped,
    the failure stands."""
    first = run_check(settings, knowledge, check)
    if first.outcome is not Outcome.FAIL:
        return first
    second = run_check(settings, knowledge, check)
    if second.outcome is Outcome.FAIL:
        return second
    if second.outcome is Outcome.SKIP:
        return replace(first, note=f"failed once, and skipped when repeated: {second.note}")
    return replace(first, outcome=Outcome.FLAKY, note="failed once, and passed when repeated")


def run_check(settings: Settings, knowledge: Knowledge, check: Check) -> Result:
    """One check with a fresh process."""
    started = time.perf_counter()
    try:
        talk = Conversation(settings, knowledge)
    except OSError as error:
        return _without_program(check, f"{NO_PROGRAM}: {error}", is_first=True)
    talk.is_paced = knowledge.is_racing and not check.is_burst
    with talk:
        found = find(check.title, check.script, talk)
        elapsed_s = time.perf_counter() - started
        return Result(
            **vars(found), check=check, elapsed_s=elapsed_s, sent=talk.sent, entries=talk.entries
        )


def _find_out(settings: Settings, knowledge: Knowledge) -> str:
    """Finds a size that the program accepts; returns why it cannot be started, empty if it can."""
    sizes = [size for size in settings.sizes if size in (15, 20)]
    sizes += [size for size in (15, 20) if size not in sizes]
    reason = ""
    for size in sorted(sizes):
        try:
            with Conversation(settings, knowledge) as talk:
                text = talk.learn_start(size, is_patient=not reason)
        except Failure as failure:
            reason = reason or f"{failure.received} to START {size}"
            continue
        except OSError as error:
            return f"{NO_PROGRAM}: {error}"
        if first_word(text) == "OK":
            # The smallest size that works is used; the others need not be known.
            knowledge.size = size
            knowledge.is_racing = _is_racing(settings, knowledge)
            return ""
        knowledge.refused_sizes[size] = shorten(text)
        reason = reason or f"{shorten(text)!r} to START {size}"
    knowledge.no_start = reason
    return ""


def _is_racing(settings: Settings, knowledge: Knowledge) -> bool:
    """The beginning of a game in one piece is answered wrongly, and rightly line by line."""
    return not _begins(settings, knowledge, False) and _begins(settings, knowledge, True)


def _begins(settings: Settings, knowledge: Knowledge, is_paced: bool) -> bool:
    try:
        with Conversation(settings, knowledge) as talk:
            talk.is_paced = is_paced
            talk.request(*beginning(talk))
            talk.expect_plain_ok()
            talk.expect_move(settings.turn_ms / 1000)
    except (Failure, Skip, OSError):
        return False
    return True


def _skipped(check: Check, note: str) -> Result:
    return Result(title=check.title, outcome=Outcome.SKIP, note=note, check=check)


def _without_program(check: Check, reason: str, is_first: bool) -> Result:
    """The first check tells that there is no program, and the others are skipped."""
    if not is_first:
        return _skipped(check, NO_PROGRAM)
    expected = "the program to be running"
    return Result(
        title=check.title, outcome=Outcome.FAIL, expected=expected, received=reason, check=check
    )


def mandatory_failures(results: Sequence[Result]) -> int:
    """How many mandatory checks have failed, each time they were tried; a program that cannot be
    started has failed one, whatever its group."""
    is_missing = any(result.note == NO_PROGRAM for result in results)
    return sum(
        result.outcome is Outcome.FAIL and (is_missing or result.check.group is Group.MANDATORY)
        for result in results
    )
