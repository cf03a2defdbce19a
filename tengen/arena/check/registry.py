"""What a check is (number, title, script), its results, and the table of all checks."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from tengen.arena.check.conversation import Conversation
from tengen.arena.check.finding import Finding
from tengen.arena.check.recording import Entry
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


# Filled by the decorator when the modules with the scripts are imported, and not changed later.
_CHECKS: dict[int, Check] = {}


def check(
    number: int, group: Group, title: str, *, is_burst: bool = False
) -> Callable[[Script], Script]:
    """Registers a script as a check. Its docstring says which manager needs it, and why."""

    def register(script: Script) -> Script:
        if number in _CHECKS:
            raise ValueError(f"two checks have the number {number}")
        why = " ".join((inspect.getdoc(script) or "").split())
        _CHECKS[number] = Check(number, group, title, why, script, is_burst)
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


def registered() -> list[Check]:
    """All checks of the modules imported so far, by number."""
    return [_CHECKS[number] for number in sorted(_CHECKS)]
