"""What the page can ask for: one JSON object for each request, checked before anything is done.

`{"do": "play", "x": 7, "y": 7}` has a word and the values that a class below names. Words that
are not in REQUESTS, such as `{"do": "undo"}`, come alone: see Room. A message of bytes is a request
in its first line, and the file that it is about.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from engine.text import RULE_NAMES, known_rules
from protocol.opening_rules import TEN, Opening
from tengen.game.referee import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Cell
from tengen.people.session.engine_player import COMMAND, MAX_LEVEL, names
from tengen.people.web.analysis import MOST_LINES
from tengen.study.resources import LEAST_MEMORY_MIB, MOST_MEMORY_MIB, MOST_THREADS

YOU = "you"
# No game in a text is longer, and no other request; no file is.
MOST_OPENED = 4_000_000
MOST_FILE_BYTES = 50_000_000
MOST_CHARACTERS = 10_000
_MOST_COMMAND = 1000
_MOST_TIME_S, _MOST_CLOCK_S = 3600.0, 86_400.0
_MOST_HANDICAP = 5
_MOST_GAMES = 10_000_000
_COLOURS = {"black": BLACK, "white": WHITE}


class Play(NamedTuple):
    """A stone of the side to move."""

    x: int
    y: int


class Analyse(NamedTuple):
    """Show so many of the best moves, and go on doing so; 0 = show none."""

    lines: int


class Use(NamedTuple):
    """What the search for the best moves may use from now on."""

    threads: int
    memory_mib: int


class Fifths(NamedTuple):
    """So many fifth moves are offered in an opening of renju."""

    number: int


class Balance(NamedTuple):
    """Tengen plays so many moves, one or two, after which neither side is better."""

    moves: int


class Show(NamedTuple):
    """The position after these moves."""

    cells: tuple[Cell, ...]


class Try(NamedTuple):
    """Say how good a move is after these moves, of which none is played."""

    cells: tuple[Cell, ...]
    x: int
    y: int


class Comment(NamedTuple):
    """What is said of the position with that number in the tree; "" = nothing."""

    node: int
    text: str


class Mark(NamedTuple):
    """A mark on a point, as for `Tree.mark`; `text` of a letter, else empty."""

    node: int
    x: int
    y: int
    mark: str
    text: str


class Delete(NamedTuple):
    """A game of the library is to be no more."""

    name: str


class Sit(NamedTuple):
    """Others play on.

    black, white  YOU, the name of a program, or `cmd=COMMAND`.
    level         of Tengen's strength, from 1 to MAX_LEVEL.
    time_s        how long programs may think about a move.
    """

    black: str
    white: str
    level: int
    time_s: float


class New(NamedTuple):
    """A new game; what it shares with `Sit` means the same.

    clock_s   how long each side may think in all; None, 0 in JSON = without limit.
    handicap  so many black stones stand on the board, and White begins; 0 = none.
    opening   how it begins; None, "" in JSON = with an empty board.
    """

    width: int
    height: int
    rule: int
    black: str
    white: str
    level: int
    time_s: float
    clock_s: float | None = None
    handicap: int = 0
    opening: Opening | None = None


class Setup(NamedTuple):
    """A position that was set up; `first` is to move."""

    width: int
    height: int
    rule: int
    black: tuple[Cell, ...]
    white: tuple[Cell, ...]
    first: int


class Open(NamedTuple):
    """A game in a text, in any form that `tengen play` loads; `rule` where it names none, `game`
    from one where it holds several, 0 for the only one."""

    text: str
    rule: int
    game: int


class File(NamedTuple):
    """A game in a file, by its bytes and its name; the rest as for `Open`."""

    data: bytes
    name: str
    rule: int
    game: int


class Load(NamedTuple):
    """A game of the library, by its name."""

    name: str


class Resume(NamedTuple):
    """Go on with the last game, where programs may think so long about a move."""

    time_s: float


class Word(NamedTuple):
    """A word without anything else."""

    word: str


class BadRequest(ValueError):
    """A message that no page of ours sends."""


_KINDS = (
    Play, Analyse, Use, Fifths, Balance, Show, Try, Comment, Mark, Sit, New, Setup, Open, File,
    Load, Resume, Delete,
)  # fmt: skip
Request = (
    Play | Analyse | Use | Fifths | Balance | Show | Try | Comment | Mark | Sit | New | Setup | Open
    | File | Load | Resume | Delete | Word
)  # fmt: skip
# By the word that is done.
REQUESTS: dict[str, type[Request]] = {kind.__name__.lower(): kind for kind in _KINDS}


def read_request(text: str | bytes) -> Request:
    """The request in a message. BadRequest, in one line, for anything else."""
    try:
        return _read_request(text)
    except ValueError as error:
        raise BadRequest(str(error)) from None


def _read_request(text: str | bytes) -> Request:
    data = None
    if isinstance(text, bytes):
        head, _, data = text.partition(b"\n")
        text = head[: MOST_CHARACTERS + 1].decode("utf-8", "replace")
    if len(text) > MOST_OPENED:
        raise ValueError(f"a message has at most {MOST_OPENED} characters")
    try:
        request = json.loads(text)
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict):
        raise ValueError("a message is one JSON object")
    word = request.pop("do", None)
    if data is not None and word == "file":
        request["data"] = data
    elif data is not None:
        raise ValueError("a message is text, but for files")
    if word not in ("open", "comment") and len(text) > MOST_CHARACTERS:
        raise ValueError(f"a message has at most {MOST_CHARACTERS} characters")
    if not isinstance(word, str):
        raise ValueError(f"{str(word)[:40]!r} cannot be done; do is a word")
    kind = REQUESTS.get(word)
    keys = () if kind is None else kind._fields
    if set(request) != set(keys):
        raise ValueError(f"{word[:40]} comes with {', '.join(keys) or 'nothing'}")
    if kind is None:
        return Word(word)
    read = _READ | {"black": _cells, "white": _cells} if kind is Setup else _READ
    return kind(**{key: read[key](key, value) for key, value in request.items()})


def _whole(low: int, high: int, key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{key} is a whole number from {low} to {high}")
    return value


def _rule(key: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in RULE_NAMES:
        raise ValueError(f"there is no rule {str(value)[:40]!r}; there are {known_rules()}")
    return value


def _seconds(most: float, key: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{key} is a number of seconds")
    if not 0.01 <= value <= most:
        raise ValueError(f"{key} is from 0.01 to {most:g}")
    return float(value)


def _clock(key: str, value: Any) -> float | None:
    return None if value == 0 else _seconds(_MOST_CLOCK_S, key, value)


def _cells(key: str, value: Any) -> tuple[Cell, ...]:
    if not isinstance(value, list) or len(value) > MAX_SIZE * MAX_SIZE:
        raise ValueError(f"{key} is a list of points [x, y]")
    return tuple(_cell(key, cell) for cell in value)


def _cell(key: str, value: Any) -> Cell:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError(f"{key} is a list of points [x, y]")
    return _coordinate("x", value[0]), _coordinate("y", value[1])


def _seat(key: str, value: Any) -> str:
    if isinstance(value, str):
        if value in (YOU, *names()):
            return value
        if value.startswith(COMMAND) and len(value) <= _MOST_COMMAND:
            return value
    known = ", ".join((YOU, *names()))
    raise ValueError(f"there is no player {str(value)[:40]!r}; there are {known}, cmd=COMMAND")


def _opening(key: str, value: Any) -> Opening | None:
    words = [opening.value for opening in Opening]
    if value not in ("", *words):
        raise ValueError(f"an opening is one of {', '.join(words)}, or empty")
    return Opening(value) if value else None


def _colour(key: str, value: Any) -> int:
    if not isinstance(value, str) or value not in _COLOURS:
        raise ValueError(f"{key} is black or white")
    return _COLOURS[value]


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{key} is a text")
    # Half of a character could not be written to a file.
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _data(key: str, value: Any) -> bytes:
    if not isinstance(value, bytes):
        raise ValueError("a file comes as bytes behind its request")
    return value


_coordinate = partial(_whole, 0, MAX_SIZE - 1)
_side = partial(_whole, MIN_SIZE, MAX_SIZE)
# What reads a value of a request, by its name.
_READ: dict[str, Callable[[str, Any], Any]] = {
    "x": _coordinate, "y": _coordinate, "cells": _cells, "lines": partial(_whole, 0, MOST_LINES),
    "number": partial(_whole, 1, TEN), "moves": partial(_whole, 1, 2),
    "threads": partial(_whole, 1, MOST_THREADS),
    "memory_mib": partial(_whole, LEAST_MEMORY_MIB, MOST_MEMORY_MIB),
    "black": _seat, "white": _seat, "level": partial(_whole, 1, MAX_LEVEL),
    "time_s": partial(_seconds, _MOST_TIME_S), "clock_s": _clock, "opening": _opening,
    "handicap": partial(_whole, 0, _MOST_HANDICAP), "width": _side, "height": _side, "rule": _rule,
    "first": _colour, "text": _text, "name": _text, "data": _data, "mark": _text,
    "game": partial(_whole, 0, _MOST_GAMES), "node": partial(_whole, 0, _MOST_GAMES),
}  # fmt: skip
