"""What a check is, what can come of it, and the table of all checks."""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from rich.text import Text

from tengen.arena.check.conversation import Conversation, Entry, Failure, Skip
from tengen.game.json_text import Record


class Group(Enum):
    """Whether a program must pass a check. The values are what lists and records show."""

    MANDATORY = "mandatory"  # a manager may do this, and every program must cope with it
    OPTIONAL = "optional"  # UNKNOWN is allowed, a wrong answer is not
    YIXIN = "yixin"  # the dialect of Yixin-Board and the web front ends; checked on request


# The code of a check; the text it returns, if any, is shown beside the result.
Script = Callable[[Conversation], str | None]


@dataclass(frozen=True)
class Check:
    """One check. `why` says which manager needs it, for `--list` and the documentation. One that
    `is_burst` is about lines that are sent in one piece."""

    number: int
    group: Group
    title: str
    why: str
    script: Script
    is_burst: bool = False


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
class Finding:
    """The result of one check.

    note                what was measured, or why the check was skipped; may be empty.
    expected, received  for a failure.
    """

    title: str
    outcome: Outcome
    note: str = ""
    expected: str = ""
    received: str = ""

    @property
    def is_bad(self) -> bool:
        """It has failed, at least the first time."""
        return self.outcome in (Outcome.FAIL, Outcome.FLAKY)

    def as_record(self) -> Record:
        """The finding as plain values, for `--json`."""
        failure: Record = {"expected": self.expected, "received": self.received}
        return {
            "title": self.title,
            "outcome": self.outcome.value,
            "note": self.note,
            "failure": failure if self.is_bad else None,
        }


@dataclass(frozen=True, kw_only=True)
class Result(Finding):
    """The finding of a check, with the seconds that it took.

    sent     the last request.
    entries  the conversation.
    """

    check: Check
    elapsed_s: float = 0.0
    sent: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()

    def as_record(self) -> Record:
        """The result as plain values, for `--json`."""
        record = super().as_record()
        if isinstance(failure := record["failure"], dict):
            failure |= {
                "sent": list(self.sent),
                "conversation": [
                    {"at_s": round(at_s, 4), "direction": direction, "text": text}
                    for at_s, direction, text in self.entries
                ],
            }
        return {
            "number": self.check.number,
            "group": self.check.group.value,
            **record,
            "elapsed_s": round(self.elapsed_s, 4),
        }


def find(title: str, script: Callable[..., str | None], *arguments: object) -> Finding:
    """The finding of a script, which returns a note or raises `Failure` or `Skip`."""
    try:
        return Finding(title=title, outcome=Outcome.PASS, note=script(*arguments) or "")
    except Skip as skip:
        return Finding(title=title, outcome=Outcome.SKIP, note=str(skip))
    except Failure as failure:
        found = failure
    except OSError as error:
        # From the start of a process, or a write to it.
        found = Failure("the program to be running", str(error))
    return Finding(
        title=title, outcome=Outcome.FAIL, expected=found.expected, received=found.received
    )


def counts(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many there are of each outcome, by its value."""
    found = Counter(outcomes)
    return {each.value: found[each] for each in Outcome}


# By number. Filled by the decorator when the modules with the scripts are imported.
CHECKS: dict[int, Check] = {}


def check(
    number: int, group: Group, title: str, *, is_burst: bool = False
) -> Callable[[Script], Script]:
    """Registers a script as a check. Its docstring says which manager needs it, and why."""

    def register(script: Script) -> Script:
        if number in CHECKS:
            raise ValueError(f"two checks have the number {number}")
        why = " ".join((inspect.getdoc(script) or "").split())
        CHECKS[number] = Check(number, group, title, why, script, is_burst)
        return script

    return register


def in_game(
    number: int, group: Group, title: str, *, is_burst: bool = False, turn_ms: int | None = None
) -> Callable[[Script], Script]:
    """As `check`, for a script that begins when a game has been started: START, OK and a limit for
    moves, which is `turn_ms` or that of the run."""

    def register(script: Script) -> Script:
        @functools.wraps(script)
        def started(c: Conversation) -> str | None:
            c.start(turn_ms=turn_ms)
            return script(c)

        return check(number, group, title, is_burst=is_burst)(started)

    return register
