"""Chooses checks and runs them one after another, each with a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

# Imported for their checks.
from tengen.arena.check import extras, games, limits, managers, moves, yixin  # noqa: F401
from tengen.arena.check.conversation import (
    Conversation,
    Failure,
    Knowledge,
    Settings,
    Skip,
    shorten,
)
from tengen.arena.check.registry import (
    CHECKS,
    Check,
    Group,
    Outcome,
    Result,
    find,
)
from tengen.arena.check.starting import beginning
from tengen.arena.programs.program import first_word

# What was received of a program that cannot be started, before the reason.
NO_PROGRAM = "the program cannot be started"
# The check that fails where lines in one piece are answered wrongly.
_RACE = 7


def all_checks() -> list[Check]:
    """All checks, by number."""
    return [CHECKS[number] for number in sorted(CHECKS)]


def choose_checks(only: Collection[int] = (), extensions: Collection[Group] = ()) -> list[Check]:
    """The checks of a run: the mandatory and optional ones and those of `extensions`; or only the
    numbers in `only`, of any group. ValueError for a number that no check has."""
    if missing := sorted({*only} - CHECKS.keys()):
        raise ValueError(f"there is no check {missing[0]}; --list shows all numbers")
    groups = {Group.MANDATORY, Group.OPTIONAL, *extensions}
    return [
        check for check in all_checks() if (check.number in only if only else check.group in groups)
    ]


def run_checks(
    settings: Settings,
    checks: Sequence[Check],
    on_result: Callable[[Result], object] = lambda result: None,
) -> list[Result]:
    """The results, in the order of the checks; `on_result` is called with each as it comes. If the
    program cannot be started, the first one says so and is the only one. No process is left
    running, also after an exception."""
    results: list[Result] = []
    numbers = {check.number for check in checks}
    knowledge = Knowledge()
    try:
        _find_out(settings, knowledge)
    except OSError:
        checks = checks[:1]
    for check in checks:
        if knowledge.no_start and check.group is not Group.MANDATORY:
            result = _skipped(check, f"no game can be started: {knowledge.no_start}")
        elif knowledge.is_racing and check.is_burst and _RACE in numbers - {check.number}:
            result = _skipped(check, f"for the same reason as {_RACE} fails")
        else:
            result = _run_twice_if_failed(settings, knowledge, check)
        results.append(result)
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
        return Result(
            title=check.title,
            outcome=Outcome.FAIL,
            expected="the program to be running",
            received=f"{NO_PROGRAM}: {error}",
            check=check,
        )
    talk.is_paced = knowledge.is_racing and not check.is_burst
    with talk:
        found = find(check.title, check.script, talk)
        elapsed_s = time.perf_counter() - started
        return Result(
            **vars(found), check=check, elapsed_s=elapsed_s, sent=talk.sent, entries=talk.entries
        )


def _find_out(settings: Settings, knowledge: Knowledge) -> None:
    """Finds a size that the program accepts. OSError if it cannot be started."""
    for size in (15, 20):
        try:
            with Conversation(settings, knowledge) as talk:
                text = talk.learn_start(size, is_patient=not knowledge.no_start)
        except Failure as failure:
            reason = failure.received
        else:
            if first_word(text) == "OK":
                # The smallest size that works is used; the others need not be known.
                knowledge.size, knowledge.no_start = size, ""
                knowledge.is_racing = _is_racing(settings, knowledge)
                return
            knowledge.refused_sizes[size] = shorten(text)
            reason = repr(shorten(text))
        knowledge.no_start = knowledge.no_start or f"{reason} to START {size}"


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
