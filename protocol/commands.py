"""Parses one line of the manager into one command value, without state and without exceptions.

Words are compared whole, without regard to case; blanks, tabs and blanks around commas do not
matter. Words after a command without arguments are ignored; a command with arguments takes no
others. A line that cannot be understood is a value too: `Bad` or `Unknown`.

Here and elsewhere in this package values are named tuples: as many dataclasses would add ten
milliseconds to every start of the program.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

from engine.model import Point
from protocol.coords import parse_integer, parse_integers, parse_point
from protocol.messages import quote
from protocol.reader import MAX_LINE_BYTES, TAIL_BYTES, Line

_COMMA = re.compile(r" ?, ?")
_BLANKS = re.compile(r"\s+", re.ASCII)
_YIXIN_WORD = re.compile("YX[A-Z0-9_]*")

KNOWN_WORDS = tuple(
    "START RECTSTART RESTART BEGIN TURN BOARD SWAP2BOARD DONE INFO END ABOUT TAKEBACK PLAY STOP"
    " YXSTOP".split()
)
# Words of the Yixin dialect that ask for a move.
SEARCHING_WORDS = ("YXNBEST", "YXSEARCHDEFEND", "YXBALANCEONE", "YXBALANCETWO")
# Fields of a BOARD line: our stone, the opponent's, and one that belongs to neither side.
OWN, OPPONENT, WALL = 1, 2, 3
# More than any board has squares: a longer block is wrong, and the rest of it is not kept.
MAX_BOARD_ENTRIES = 1000


class Bare(Enum):
    """Commands without arguments.

    ABOUT       asks for the name of the program.
    BEGIN       play the first move.
    END         exit at once.
    RESTART     the same board, empty.
    NOTHING     an empty line.
    """

    ABOUT = auto()
    BEGIN = auto()
    END = auto()
    RESTART = auto()
    NOTHING = auto()


class Start(NamedTuple):
    """START and RECTSTART: a new empty board."""

    width: int
    height: int


class Turn(NamedTuple):
    """TURN x,y: the opponent's move; answer it."""

    point: Point


class BoardOpening(NamedTuple):
    """BOARD: lines with stones follow, up to DONE; `body` is the rest of the same line. `word` is
    BOARD or YXBOARD, which asks for no move."""

    body: Line
    word: str = "BOARD"


class Swap2Opening(NamedTuple):
    """SWAP2BOARD: points follow, up to DONE; `body` is the rest of the same line."""

    body: Line


class PointsOpening(NamedTuple):
    """YXBLOCK and its relatives: squares follow, up to DONE; `body` is the rest of the line."""

    body: Line
    word: str


class PathOpening(NamedTuple):
    """YXHASHDUMP and YXHASHLOAD: the name of a file follows; `body` is the rest of the line."""

    body: Line
    word: str


class Setting(NamedTuple):
    """INFO key value; `key` in lower case, `value` the rest of the line without outer blanks."""

    key: str
    value: str


class TakeBack(NamedTuple):
    """TAKEBACK x,y: remove a stone."""

    point: Point


class Play(NamedTuple):
    """PLAY x,y: this is your move."""

    point: Point


class Stop(NamedTuple):
    """STOP and YXSTOP: end a running search and play its move; `is_yixin` for the second."""

    is_yixin: bool


class Extension(NamedTuple):
    """A word that begins with `yx`: `word` in upper case, `argument` the rest of the line.
    `is_lower` when it was written in lower case. protocol.yixin knows some of these words."""

    word: str
    argument: str
    is_lower: bool


class Stray(NamedTuple):
    """A body line (`7,7,1`, `DONE`) outside a block; `text` as it was sent."""

    text: str


class Unknown(NamedTuple):
    """A word that is not a command; `text` is the whole line."""

    text: str


class Bad(NamedTuple):
    """A known command with wrong arguments; `reason` says what is accepted."""

    command: str
    reason: str


Command = (
    Bare
    | Start
    | Turn
    | BoardOpening
    | Swap2Opening
    | PointsOpening
    | PathOpening
    | Setting
    | TakeBack
    | Play
    | Stop
    | Extension
    | Stray
    | Unknown
    | Bad
)


def first_word(line: Line) -> str:
    """The first word of a line in upper case; empty when there is none."""
    # No command word is longer than this.
    start = line.text.lstrip(" \t\v\f")[:32]
    return _BLANKS.split(start, maxsplit=1)[0].upper()


def _words(text: str) -> str:
    """A text with one blank between words and none around commas."""
    # In two steps: one pattern for blanks around a comma takes seconds where there are many.
    return _COMMA.sub(",", _BLANKS.sub(" ", text.strip()))


def is_command(word: str) -> bool:
    """True for the first word, in upper case, of a command; DONE only ends one, and `YXBOOK.BIN` is
    the name of a file."""
    return (word in KNOWN_WORDS and word != "DONE") or (_YIXIN_WORD.fullmatch(word) is not None)


def parse(line: Line) -> Command:
    """The command on a line outside a BOARD block."""
    words = _BLANKS.split(line.text.strip(" \t\v\f"), maxsplit=1)
    word = words[0].upper()
    rest = words[1] if len(words) > 1 else ""
    match word:
        case "":
            return Bare.NOTHING
        case "END":
            return Bare.END
        case "STOP" | "YXSTOP":
            return Stop(is_yixin=word == "YXSTOP")
        case "INFO":
            return _parse_setting(rest, line)
        case "BOARD" | "YXBOARD":
            return BoardOpening(Line(rest, line.read_ns, line.tail), word)
        case "SWAP2BOARD":
            return Swap2Opening(Line(rest, line.read_ns, line.tail))
        case "YXBLOCK" | "YXBLOCKUNDO" | "YXBLOCKPATH" | "YXBLOCKPATHUNDO":
            return PointsOpening(Line(rest, line.read_ns, line.tail), word)
        case "YXHASHDUMP" | "YXHASHLOAD":
            return PathOpening(Line(rest, line.read_ns, line.tail), word)
    if line.tail is not None and word in (*KNOWN_WORDS, *SEARCHING_WORDS):
        return Bad(word, f"the line is longer than {MAX_LINE_BYTES} characters")
    match word:
        case "START" | "RECTSTART":
            return _parse_start(word, rest)
        case "RESTART":
            return Bare.RESTART
        case "BEGIN":
            return Bare.BEGIN
        case "ABOUT":
            return Bare.ABOUT
        case "TURN" | "TAKEBACK" | "PLAY":
            return _parse_move(word, rest)
        case "DONE":
            return Stray(line.text)
    if word.startswith("YX"):
        return Extension(word, rest.strip(), words[0].islower())
    if word[0] in "-0123456789":
        return Stray(line.text)
    return Unknown(line.text)


class BoardBlock:
    """The body of BOARD, read line by line until DONE.

    word     BOARD or YXBOARD.
    entries  (x, y, field) in the order sent, up to the first that is wrong.
    fault    what was wrong with that one; None when all were right.
    ending   what ends the block, in words.
    """

    most = MAX_BOARD_ENTRIES
    ending = "DONE"

    def __init__(self, word: str = "BOARD") -> None:
        self.word = word
        self.entries: list[tuple[int, int, int]] = []
        self.fault: str | None = None

    def feed(self, line: Line) -> bool:
        """Take one line with any number of triples; True when it held DONE, the end."""
        for word in _words(line.text).split(" "):
            if word.upper() == "DONE":
                return True
            if word:
                self._take(word)
        if line.tail is None:
            return False
        self._fail(f"a line is longer than {MAX_LINE_BYTES} characters")
        # The word can begin before the tail.
        end = line.tail if len(line.tail) == TAIL_BYTES else line.text[-TAIL_BYTES:] + line.tail
        return _words(end).split(" ")[-1].upper() == "DONE"

    def _take(self, word: str) -> None:
        if self.fault is not None:
            return
        triple = parse_integers(word, 3)
        if triple is None or triple[2] not in (OWN, OPPONENT, WALL):
            self._fail(
                f"{quote(word)} is not a stone; send x,y,1 (own), x,y,2 (opponent's)"
                " or x,y,3 (neither's), then DONE"
            )
        elif len(self.entries) >= self.most:
            self._fail("more stones than any board has squares")
        else:
            self.entries.append((triple[0], triple[1], triple[2]))

    def _fail(self, fault: str) -> None:
        if self.fault is None:
            self.fault = fault


def _parse_start(word: str, rest: str) -> Command:
    # `START 20`, `START 20 15` and `START 20,15` all occur; RECTSTART has a comma.
    parts = re.split("[, ]", _words(rest))
    sizes = [size for size in map(parse_integer, parts) if size is not None]
    if len(sizes) != len(parts) or len(sizes) > 2:
        wanted = "START 20 or START 15" if word == "START" else "RECTSTART 20,15"
        return Bad(word, f"{quote(rest)} is not a board size; send {wanted}")
    if word == "RECTSTART" and len(sizes) == 1:
        return Bad(word, f"{quote(rest)} is only one number; send RECTSTART 20,15")
    return Start(sizes[0], sizes[-1])


def _parse_move(word: str, rest: str) -> Command:
    point = parse_point(_words(rest))
    if point is None:
        return Bad(word, f'{quote(rest)} is not a square; send {word} x,y such as "{word} 7,7"')
    match word:
        case "TURN":
            return Turn(point)
        case "TAKEBACK":
            return TakeBack(point)
        case _:
            return Play(point)


def _parse_setting(rest: str, line: Line) -> Command:
    parts = _BLANKS.split(rest.strip(), maxsplit=1)
    # The end of a line that is too long is lost, and half a value would be a wrong one.
    value = parts[1] if len(parts) > 1 and line.tail is None else ""
    return Setting(parts[0].lower(), value)
