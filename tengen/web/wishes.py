"""What the page can ask for: one JSON object for each wish, checked before anything is done.

* `{"do": "play", "x": 7, "y": 7}`
* `{"do": "undo"}`, and redo, hint, now, go, wait, swap
* `{"do": "analyse", "lines": 3}`, with 0 lines for no analysis
* `{"do": "new", "width": 15, "height": 15, "rule": 0, "black": "you", "white": "tengen",
  "level": 5, "time_s": 1.0, "opening": ""}`
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from tengen.rules.names import RULE_NAMES, known_rules
from tengen.rules.referee import MAX_SIZE, MIN_SIZE, Cell
from tengen.sitting.machine import MAX_LEVEL, names
from tengen.sitting.opening import Opening
from tengen.web.analysis import MOST_LINES

YOU = "you"
# Wishes without anything else in them.
WORDS = ("undo", "redo", "hint", "now", "go", "wait", "swap")
MOST_TIME_S = 3600.0
# No wish is longer.
MOST_CHARACTERS = 2000


class Play(NamedTuple):
    """A stone of the side to move."""

    cell: Cell


class Word(NamedTuple):
    """One of WORDS."""

    word: str


class Analyse(NamedTuple):
    """Show so many of the best moves, and go on doing so; 0 = show none."""

    lines: int


class New(NamedTuple):
    """A new game.

    seats    who is Black and who is White: YOU, or the name of a program.
    level    of Tengen's strength, from 1 to MAX_LEVEL.
    time_s   how long programs may think about a move.
    opening  how it begins; None = with an empty board.
    """

    width: int
    height: int
    rule: int
    seats: tuple[str, str]
    level: int
    time_s: float
    opening: Opening | None


Wish = Play | Word | Analyse | New


def read_wish(text: str | bytes) -> Wish:
    """The wish in a message. ValueError, in one line, for anything else."""
    if isinstance(text, bytes):
        raise ValueError("a message is text, not bytes")
    if len(text) > MOST_CHARACTERS:
        raise ValueError(f"a message has at most {MOST_CHARACTERS} characters")
    try:
        wish = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("a message is one JSON object") from None
    if not isinstance(wish, dict):
        raise ValueError("a message is one JSON object")
    word = wish.get("do")
    if word == "play":
        _require_keys(wish, ("x", "y"))
        return Play((_whole(wish, "x", 0, MAX_SIZE - 1), _whole(wish, "y", 0, MAX_SIZE - 1)))
    if word == "analyse":
        _require_keys(wish, ("lines",))
        return Analyse(_whole(wish, "lines", 0, MOST_LINES))
    if word == "new":
        return _read_new(wish)
    if isinstance(word, str) and word in WORDS:
        _require_keys(wish, ())
        return Word(word)
    raise ValueError(
        f"{str(word)[:40]!r} cannot be done; there are {', '.join(WORDS)}, play, analyse, new"
    )


def _read_new(wish: dict[str, Any]) -> New:
    _require_keys(wish, ("width", "height", "rule", "black", "white", "level", "time_s", "opening"))
    rule = wish["rule"]
    if isinstance(rule, bool) or not isinstance(rule, int) or rule not in RULE_NAMES:
        raise ValueError(f"there is no rule {str(rule)[:40]!r}; there are {known_rules()}")
    time_s = wish["time_s"]
    if isinstance(time_s, bool) or not isinstance(time_s, int | float):
        raise ValueError("time_s is a number of seconds")
    if not 0.01 <= time_s <= MOST_TIME_S:
        raise ValueError(f"time_s is from 0.01 to {MOST_TIME_S:g}")
    openings = {opening.value: opening for opening in Opening}
    word = wish["opening"]
    if not isinstance(word, str) or word not in ("", *openings):
        raise ValueError(f"an opening is one of {', '.join(openings)}, or empty")
    seats = _seat(wish["black"]), _seat(wish["white"])
    opening = openings.get(word)
    if seats == (YOU, YOU) and opening not in (None, Opening.BALANCE):
        raise ValueError(f"the opening {word} needs a game against a program")
    return New(
        _whole(wish, "width", MIN_SIZE, MAX_SIZE),
        _whole(wish, "height", MIN_SIZE, MAX_SIZE),
        rule,
        seats,
        _whole(wish, "level", 1, MAX_LEVEL),
        float(time_s),
        opening,
    )


def _require_keys(wish: dict[str, Any], keys: tuple[str, ...]) -> None:
    found = set(wish) - {"do"}
    if found != set(keys):
        wanted = ", ".join(keys) or "nothing"
        raise ValueError(f"{wish['do']} comes with {wanted}")


def _whole(wish: dict[str, Any], key: str, low: int, high: int) -> int:
    number = wish[key]
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        raise ValueError(f"{key} is a whole number from {low} to {high}")
    return number


def _seat(name: object) -> str:
    if not isinstance(name, str) or name not in (YOU, *names()):
        known = ", ".join((YOU, *names()))
        raise ValueError(f"there is no player {str(name)[:40]!r}; there are {known}")
    return name
