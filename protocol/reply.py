"""What a command makes of the session: lines to print, and perhaps a search."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.model import Limits


class Refusal(Exception):
    """A command that cannot be carried out; the text becomes an ERROR line."""


class Reply(NamedTuple):
    """What to do after a command: print `lines`, then think if there are `limits`."""

    lines: tuple[str, ...] = ()
    limits: Limits | None = None


SILENCE = Reply()
OK = Reply(("OK",))


def or_error(act: Callable[[], Reply]) -> Reply:
    """What a command leads to, or the ERROR line that refuses it."""
    try:
        return act()
    except Refusal as refusal:
        return Reply((error(str(refusal)),))


def error(text: str) -> str:
    """The line that refuses a command."""
    return f"ERROR {text}"
