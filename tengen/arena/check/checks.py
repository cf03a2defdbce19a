"""Runs checks one after another, each with a process of its own, and says what has come of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

from rich.text import Text

from tengen.arena.check.conversation import (
    SLOW_START,
    Conversation,
    Entry,
    Failure,
    Knowledge,
    Settings,
    Skip,
    shorten,
)
from tengen.arena.check.runner import Runner
from tengen.arena.check.script import Check, Group, Scripts
from tengen.arena.programs.program import REFUSALS, first_word
from tengen.game.values import Record

# What was received of a program that cannot be started, before the reason.
NO_PROGRAM = "the program cannot be started"
# The check that fails where lines in one piece are answered wrongly.
_RACE = 7


class Outcome(Enum):
    """The outcome of a check."""

    PASS = "pass"
    SKIP = "skip"
    FAIL = "fail"
    FLAKY = "flaky"  # failed, and passed when it was repeated

    @property
    def text(self) -> Text:
        """The word of lists; failures stand out."""
        bad = {Outcome.FAIL: "bold red", Outcome.FLAKY: "red"}
        if self in bad:
            return Text(self.value.upper(), bad[self])
        return Text(self.value, "green" if self is Outcome.PASS else "yellow")


@dataclass(frozen=True, kw_only=True)
class Result:
    """What has come of a check.

    note                what was measured, or why the check was skipped; may be empty.
    expected, received  for a failure.
    elapsed_s, sent, entries   how long it took, the last request, the conversation.
    """

    check: Check
    outcome: Outcome
    note: str = ""
    expected: str = ""
    received: str = ""
    elapsed_s: float = 0.0
    sent: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()

    @property
    def is_bad(self) -> bool:
        """It has failed, at least the first time."""
        return self.outcome in (Outcome.FAIL, Outcome.FLAKY)

    def as_record(self) -> Record:
        """The result as plain values, for `--json`."""
        failure: Record = {
            "expected": self.expected,
            "received": self.received,
            "sent": list(self.sent),
            "conversation": [
                {"at_s": round(at_s, 4), "direction": direction, "text": text}
                for at_s, direction, text in self.entries
            ],
        }
        return {
            "number": self.check.number,
            "group": self.check.group.value,
            "title": self.check.title,
            "outcome": self.outcome.value,
            "note": self.note,
            "elapsed_s": round(self.elapsed_s, 4),
            "failure": failure if self.is_bad else None,
        }


def find(check: Check, script: Callable[..., str | None], *arguments: object) -> Result:
    """The result of a script, which returns a note or raises `Failure` or `Skip`."""
    started = time.perf_counter()
    note = expected = received = ""
    outcome = Outcome.PASS
    try:
        note = script(*arguments) or ""
    except Skip as skip:
        outcome, note = Outcome.SKIP, str(skip)
    except Failure as failure:
        outcome, expected, received = Outcome.FAIL, failure.expected, failure.received
    except OSError as error:
        # From the start of a process, or a write to it.
        outcome, expected, received = Outcome.FAIL, "the program to be running", str(error)
    return Result(
        check=check,
        outcome=outcome,
        note=note,
        expected=expected,
        received=received,
        elapsed_s=time.perf_counter() - started,
    )


def skipped(check: Check, note: str) -> Result:
    """The result of a check that is not played, and why."""
    return Result(check=check, outcome=Outcome.SKIP, note=note)


def choose_checks(
    scripts: Scripts, only: Collection[int] = (), extensions: Collection[Group] = ()
) -> list[Check]:
    """The checks of a run: the mandatory and optional ones and those of `extensions`; or only the
    numbers in `only`, of any group. ValueError for a number that no check has."""
    if missing := sorted({*only} - scripts.checks.keys()):
        raise ValueError(f"there is no check {missing[0]}; --list shows all numbers")
    groups = {Group.MANDATORY, Group.OPTIONAL, *extensions}
    return [
        check
        for check in scripts.checks.values()
        if (check.number in only if only else check.group in groups)
    ]


@dataclass
class Run:
    """A run of checks of one program, with what it has learnt about the program."""

    settings: Settings
    scripts: Scripts
    knowledge: Knowledge = field(default_factory=Knowledge)

    def play(self, checks: Sequence[Check]) -> Iterator[Result]:
        """The result of each check in turn. If the program cannot be started, the first one says so
        and is the only one. No process is left running, also after an exception."""
        numbers = {check.number for check in checks}
        try:
            self._find_out()
        except OSError:
            checks = checks[:1]
        no_start = self.knowledge.no_start
        for check in checks:
            if no_start and check.group is not Group.MANDATORY:
                yield skipped(check, f"no game can be started: {no_start}")
            elif self.knowledge.is_racing and check.is_burst and _RACE in numbers - {check.number}:
                yield skipped(check, f"for the same reason as {_RACE} fails")
            else:
                yield self._play_twice_if_failed(check)

    def _play_twice_if_failed(self, check: Check) -> Result:
        """A check that fails is repeated; if it passes then, it is flaky. If the repetition is
        skipped, the failure stands."""
        first = self.play_once(check)
        if first.outcome is not Outcome.FAIL:
            return first
        second = self.play_once(check)
        if second.outcome is Outcome.FAIL:
            return second
        if second.outcome is Outcome.SKIP:
            return replace(first, note=f"failed once, and skipped when repeated: {second.note}")
        return replace(first, outcome=Outcome.FLAKY, note="failed once, and passed when repeated")

    def play_once(self, check: Check, values: Mapping[str, str] | None = None) -> Result:
        """One check with a fresh process; `values` as for `Runner`."""
        try:
            talk = Conversation(self.settings, self.knowledge)
        except OSError as error:
            received = f"{NO_PROGRAM}: {error}"
            expected = "the program to be running"
            return Result(check=check, outcome=Outcome.FAIL, expected=expected, received=received)
        talk.is_paced = self.knowledge.is_racing and not check.is_burst
        with talk, Runner(talk, self.scripts, values) as runner:
            found = find(check, runner.note_of, check.steps)
            return replace(found, sent=talk.sent, entries=talk.entries)

    def _find_out(self) -> None:
        """Finds a size that the program accepts. OSError if it cannot be started."""
        settings, knowledge = self.settings, self.knowledge
        for size in (15, 20):
            # The first start may be slow, as one check finds.
            more_s = 0.0 if knowledge.no_start else (SLOW_START - 1) * settings.timeout_s
            try:
                with Conversation(settings, knowledge) as talk:
                    talk.send(f"START {size}\n")
                    text = talk.expect(
                        "OK",
                        lambda text: first_word(text) in ("OK", *REFUSALS),
                        thinking_s=more_s,
                    )
                    if talk.elapsed_s > settings.timeout_s:
                        knowledge.start_s = talk.elapsed_s
            except Failure as failure:
                reason = failure.received
            else:
                if first_word(text) == "OK":
                    # The smallest size that works is used; the others need not be known.
                    knowledge.size, knowledge.no_start = size, ""
                    # Several lines in one piece are answered wrongly, and rightly one by one.
                    knowledge.is_racing = not self._begins(False) and self._begins(True)
                    return
                reason = repr(shorten(text))
            knowledge.no_start = knowledge.no_start or f"{reason} to START {size}"

    def _begins(self, is_paced: bool) -> bool:
        try:
            with Conversation(self.settings, self.knowledge) as talk:
                talk.is_paced = is_paced
                Runner(talk, self.scripts).play(self.scripts.checks[_RACE].steps)
        except (Failure, Skip, OSError):
            return False
        return True
