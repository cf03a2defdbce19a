"""What came of a check: the outcome, what was expected and what was received."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from rich.console import Console
from rich.text import Text

from tengen.game.json_text import Record


class Failure(Exception):
    """The program did not do what was expected."""

    def __init__(self, expected: str, received: str) -> None:
        super().__init__(f"expected {expected}, received {received}")
        self.expected = expected
        self.received = received


class Skip(Exception):
    """The check does not apply to this program; the reason is the text."""


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

    def as_record(self) -> Record:
        """The finding as plain values, for `--json`."""
        failed = self.outcome in (Outcome.FAIL, Outcome.FLAKY)
        return {
            "title": self.title,
            "outcome": self.outcome.value,
            "note": self.note,
            "failure": {"expected": self.expected, "received": self.received} if failed else None,
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


def print_text(console: Console, line: Text) -> None:
    """Prints a line as it is."""
    console.print(line, highlight=False, soft_wrap=True)
