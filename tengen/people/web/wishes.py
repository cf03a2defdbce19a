"""What the page can ask for: one JSON object for each wish, checked before anything is done.

* `{"do": "play", "x": 7, "y": 7}`
* `{"do": "undo"}`, and other words without anything else: see Room
* `{"do": "analyse", "lines": 3}`, with 0 lines for no analysis
* `{"do": "add", "cells": [[7, 7], [8, 8]]}`, White's and Black's next stones in swap2
* `{"do": "show", "cells": [[7, 7], [8, 8]]}`, the position after these moves
* `{"do": "new", "width": 15, "height": 15, "rule": 0, "black": "you", "white": "tengen",
  "level": 5, "time_s": 1.0, "clock_s": 0, "handicap": 0, "opening": ""}`; a player is a name, or
  `{"command": "wine other.exe"}`; a clock of 0 s is none
* `{"do": "sit", "black": "you", "white": "tengen", "level": 5, "time_s": 1.0}`, others play on
* `{"do": "setup", "width": 15, "height": 15, "rule": 0, "black": [[7, 7]], "white": [[8, 8]],
  "first": "black"}`
* `{"do": "open", "text": "h8i9g7", "rule": 0, "game": 0}`, a game in any form that `tengen play`
  loads; of several the one with that number, 0 for the only one
* `{"do": "file", "data": "KDtHTVs0XQ==", "name": "game.sgf", "rule": 0, "game": 0}`, the same for
  the bytes of a file
* `{"do": "load", "name": "game-20261124-130500.sgf"}`, a game of the library
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any, NamedTuple

from engine.text import RULE_NAMES, known_rules
from tengen.game.rules.referee import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Cell
from tengen.people.sitting.machine import MAX_LEVEL, names
from tengen.people.sitting.opening import Opening
from tengen.people.web.analysis import MOST_LINES

YOU = "you"
MOST_TIME_S = 3600.0
MOST_CLOCK_S = 86_400.0
MOST_HANDICAP = 5
# No game in a text is longer, and no other wish.
MOST_OPENED = 4_000_000
MOST_CHARACTERS = 10_000
# A player by its command.
_COMMAND = "command"
_MOST_COMMAND = 1000
_COLOURS = {"black": BLACK, "white": WHITE}


class Play(NamedTuple):
    """A stone of the side to move."""

    cell: Cell


class Word(NamedTuple):
    """A word without anything else."""

    word: str


class Analyse(NamedTuple):
    """Show so many of the best moves, and go on doing so; 0 = show none."""

    lines: int


class Add(NamedTuple):
    """Two more stones in swap2, White's first, so that the other player chooses."""

    cells: tuple[Cell, Cell]


class Show(NamedTuple):
    """The position after these moves."""

    cells: tuple[Cell, ...]


class Command(NamedTuple):
    """A player that this command line starts."""

    line: str


Seat = str | Command


class Sit(NamedTuple):
    """Others play on.

    seats    who is Black and who is White: YOU, the name of a program, or its command.
    level    of Tengen's strength, from 1 to MAX_LEVEL.
    time_s   how long programs may think about a move.
    """

    seats: tuple[Seat, Seat]
    level: int
    time_s: float


class New(NamedTuple):
    """A new game; what it shares with `Sit` means the same.

    opening   how it begins; None = with an empty board.
    clock_s   how long each side may think in all; None = without limit.
    handicap  so many black stones stand on the board, and White begins; 0 = none.
    """

    width: int
    height: int
    rule: int
    seats: tuple[Seat, Seat]
    level: int
    time_s: float
    opening: Opening | None
    clock_s: float | None = None
    handicap: int = 0


class Setup(NamedTuple):
    """A position that was set up, as (x, y, colour); `first` is to move."""

    width: int
    height: int
    rule: int
    stones: tuple[tuple[int, int, int], ...]
    first: int


class Open(NamedTuple):
    """A game in a text; `rule` where it names none, `game` from one where it holds several; `name`
    of the text, for errors."""

    text: str
    rule: int
    game: int | None
    name: str = "the text"


class File(NamedTuple):
    """A game in a file, by its bytes and its name; the rest as for `Open`."""

    data: bytes
    name: str
    rule: int
    game: int | None


class Load(NamedTuple):
    """A game of the library, by its name."""

    name: str


class Malformed(ValueError):
    """A message that no page of ours sends."""


Wish = Play | Word | Analyse | Add | Show | Sit | New | Setup | Open | File | Load


def read_wish(text: str | bytes) -> Wish:
    """The wish in a message. Malformed, in one line, for anything else."""
    try:
        return _read_wish(text)
    except ValueError as error:
        raise Malformed(str(error)) from None


def _read_wish(text: str | bytes) -> Wish:
    if isinstance(text, bytes):
        raise ValueError("a message is text, not bytes")
    if len(text) > MOST_OPENED:
        raise ValueError(f"a message has at most {MOST_OPENED} characters")
    try:
        wish = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("a message is one JSON object") from None
    if not isinstance(wish, dict):
        raise ValueError("a message is one JSON object")
    word = wish.get("do")
    if word not in ("open", "file") and len(text) > MOST_CHARACTERS:
        raise ValueError(f"a message has at most {MOST_CHARACTERS} characters")
    if not isinstance(word, str):
        raise ValueError(f"{str(word)[:40]!r} cannot be done; do is a word")
    if word not in WISHES:
        _require_keys(wish, ())
        return Word(word)
    keys, read = WISHES[word]
    _require_keys(wish, keys)
    return read(wish)


def _read_play(wish: dict[str, Any]) -> Play:
    return Play((_whole(wish, "x", 0, MAX_SIZE - 1), _whole(wish, "y", 0, MAX_SIZE - 1)))


def _read_add(wish: dict[str, Any]) -> Add:
    cells = _cells(wish, "cells")
    if len(cells) != 2:
        raise ValueError("cells are two points [x, y]")
    return Add((cells[0], cells[1]))


def _read_sit(wish: dict[str, Any]) -> Sit:
    seats = _seat(wish["black"]), _seat(wish["white"])
    return Sit(seats, _whole(wish, "level", 1, MAX_LEVEL), _seconds(wish, "time_s", MOST_TIME_S))


def _read_setup(wish: dict[str, Any]) -> Setup:
    stones = [(x, y, colour) for name, colour in _COLOURS.items() for x, y in _cells(wish, name)]
    if not isinstance(wish["first"], str) or wish["first"] not in _COLOURS:
        raise ValueError("first is black or white")
    return Setup(
        _whole(wish, "width", MIN_SIZE, MAX_SIZE),
        _whole(wish, "height", MIN_SIZE, MAX_SIZE),
        _rule(wish),
        tuple(stones),
        _COLOURS[wish["first"]],
    )


def _read_open(wish: dict[str, Any]) -> Open:
    if not isinstance(wish["text"], str):
        raise ValueError("text is a text")
    return Open(wish["text"], _rule(wish), _whole(wish, "game", 0, 10_000_000) or None)


def _read_file(wish: dict[str, Any]) -> File:
    if not isinstance(wish["data"], str) or not isinstance(wish["name"], str):
        raise ValueError("data and name are texts")
    try:
        data = base64.b64decode(wish["data"], validate=True)
    except ValueError:
        raise ValueError("data is in base64") from None
    return File(data, wish["name"], _rule(wish), _whole(wish, "game", 0, 10_000_000) or None)


def _read_load(wish: dict[str, Any]) -> Load:
    if not isinstance(wish["name"], str):
        raise ValueError("name is a text")
    return Load(wish["name"])


def _read_new(wish: dict[str, Any]) -> New:
    rule, time_s = _rule(wish), _seconds(wish, "time_s", MOST_TIME_S)
    clock_s = _seconds(wish, "clock_s", MOST_CLOCK_S) if wish["clock_s"] != 0 else None
    handicap = _whole(wish, "handicap", 0, MOST_HANDICAP)
    openings = {opening.value: opening for opening in Opening}
    word = wish["opening"]
    if not isinstance(word, str) or word not in ("", *openings):
        raise ValueError(f"an opening is one of {', '.join(openings)}, or empty")
    seats = _seat(wish["black"]), _seat(wish["white"])
    opening = openings.get(word)
    if seats == (YOU, YOU) and opening not in (None, Opening.BALANCE):
        raise ValueError(f"the opening {word} needs a game against a program")
    if handicap and opening is not None:
        raise ValueError("a game has an opening or handicap stones, not both")
    return New(
        _whole(wish, "width", MIN_SIZE, MAX_SIZE),
        _whole(wish, "height", MIN_SIZE, MAX_SIZE),
        rule,
        seats,
        _whole(wish, "level", 1, MAX_LEVEL),
        time_s,
        opening,
        clock_s,
        handicap,
    )


# By the word: what comes with it, and what reads it.
WISHES: dict[str, tuple[tuple[str, ...], Callable[[dict[str, Any]], Wish]]] = {
    "play": (("x", "y"), _read_play),
    "analyse": (("lines",), lambda wish: Analyse(_whole(wish, "lines", 0, MOST_LINES))),
    "add": (("cells",), _read_add),
    "show": (("cells",), lambda wish: Show(tuple(_cells(wish, "cells")))),
    "sit": (("black", "white", "level", "time_s"), _read_sit),
    "setup": (("width", "height", "rule", "black", "white", "first"), _read_setup),
    "open": (("text", "rule", "game"), _read_open),
    "file": (("data", "name", "rule", "game"), _read_file),
    "load": (("name",), _read_load),
    "new": (
        ("width", "height", "rule", "black", "white", "level", "time_s", "clock_s", "handicap",
         "opening"),
        _read_new,
    ),
}  # fmt: skip


def _require_keys(wish: dict[str, Any], keys: tuple[str, ...]) -> None:
    found = set(wish) - {"do"}
    if found != set(keys):
        wanted = ", ".join(keys) or "nothing"
        raise ValueError(f"{wish['do'][:40]} comes with {wanted}")


def _whole(wish: dict[str, Any], key: str, low: int, high: int) -> int:
    number = wish[key]
    if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
        raise ValueError(f"{key} is a whole number from {low} to {high}")
    return number


def _rule(wish: dict[str, Any]) -> int:
    rule = wish["rule"]
    if isinstance(rule, bool) or not isinstance(rule, int) or rule not in RULE_NAMES:
        raise ValueError(f"there is no rule {str(rule)[:40]!r}; there are {known_rules()}")
    return rule


def _seconds(wish: dict[str, Any], key: str, most: float) -> float:
    time_s = wish[key]
    if isinstance(time_s, bool) or not isinstance(time_s, int | float):
        raise ValueError(f"{key} is a number of seconds")
    if not 0.01 <= time_s <= most:
        raise ValueError(f"{key} is from 0.01 to {most:g}")
    return float(time_s)


def _cells(wish: dict[str, Any], key: str) -> list[Cell]:
    cells = wish[key]
    if not isinstance(cells, list) or len(cells) > MAX_SIZE * MAX_SIZE:
        raise ValueError(f"{key} is a list of points [x, y]")
    found = []
    for cell in cells:
        if not isinstance(cell, list) or len(cell) != 2:
            raise ValueError(f"{key} is a list of points [x, y]")
        point = {"x": cell[0], "y": cell[1]}
        found.append((_whole(point, "x", 0, MAX_SIZE - 1), _whole(point, "y", 0, MAX_SIZE - 1)))
    return found


def _seat(name: object) -> Seat:
    if isinstance(name, dict):
        line = name.get(_COMMAND)
        if set(name) != {_COMMAND} or not isinstance(line, str) or len(line) > _MOST_COMMAND:
            raise ValueError("a player is a name, or an object with its command")
        return Command(line)
    if not isinstance(name, str) or name not in (YOU, *names()):
        known = ", ".join((YOU, *names()))
        raise ValueError(f"there is no player {str(name)[:40]!r}; there are {known}")
    return name
