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
from functools import cached_property
from typing import NamedTuple

from engine.model import Point
from protocol.messages import parse_integer, parse_point, quote

_COMMA = re.compile(r" ?, ?")
_BLANKS = re.compile(r"\s+", re.ASCII)
_YIXIN_WORD = re.compile("YX[A-Z0-9_]*")

KNOWN_WORDS = tuple(
    "START RECTSTART RESTART BEGIN TURN BOARD SWAP2BOARD DONE INFO END ABOUT TAKEBACK PLAY STOP"
    " YXSTOP".split()
)
# These end a running search; its move is still printed.
STOPPING_WORDS = ("STOP", "YXSTOP", "START", "RECTSTART", "RESTART")
# These ask for a search; SOOSORV_WORDS have a body.
SOOSORV_WORDS = tuple([f"YXSOOSORVSTEP{step}" for step in range(2, 7)])
SEARCHING_WORDS = (
    *("BEGIN", "TURN", "BOARD", "SWAP2BOARD"),
    *("YXNBEST", "YXSEARCHDEFEND", "YXBALANCEONE", "YXBALANCETWO"),
    *("YXSWAP2STEP1", "YXSWAP2STEP2", "YXSWAP2STEP3", "YXSOOSORVSTEP1"),
    *SOOSORV_WORDS,
)
# Words whose body follows, on the same line or on others; see protocol.blocks.
OPENING_WORDS = (
    *("BOARD", "SWAP2BOARD", "YXBOARD"),
    *("YXBLOCK", "YXBLOCKUNDO", "YXBLOCKPATH", "YXBLOCKPATHUNDO"),
    *("YXHASHDUMP", "YXHASHLOAD"),
    *SOOSORV_WORDS,
)
# A full 22x22 board on one line, with blanks around every comma, needs less than 8 KiB.
MAX_LINE_BYTES = 32768


class _Text(NamedTuple):
    """What a Line consists of."""

    text: str
    read_ns: int = 0
    tail: str | None = None
    created_ns: int | None = None


class Line(_Text):
    """One line without its end. It is parsed once, by whoever asks first.

    text     every byte is one character (Latin-1), so that no byte fails to decode.
    read_ns  `time.perf_counter_ns()` when its last byte had been read.
    tail     None; or, when the line was too long and `text` is only its beginning, its end, in
             which each run of blanks is one.
    created_ns   when the process was created, for a line that waited while it started.
    """

    @cached_property
    def word(self) -> str:
        """The first word in upper case; empty when there is none."""
        # No command word is longer than this.
        start = self.text.lstrip(" \t\v\f")[:32]
        return _BLANKS.split(start, maxsplit=1)[0].upper()

    @cached_property
    def command(self) -> Command:
        """The command that the line is outside the body of another one."""
        return parse(self)


class Bare(Enum):
    """Commands without arguments.

    ABOUT       asks for the name of the program.
    BEGIN       play the first move.
    END         exit at once.
    RESTART     the same board, empty.
    STOP        end a running search and play its move; YXSTOP in the Yixin dialect.
    NOTHING     an empty line.
    """

    ABOUT = auto()
    BEGIN = auto()
    END = auto()
    RESTART = auto()
    STOP = auto()
    YXSTOP = auto()
    NOTHING = auto()


class Start(NamedTuple):
    """START and RECTSTART: a new empty board."""

    width: int
    height: int


class Move(NamedTuple):
    """TURN x,y: the opponent's move, to be answered. TAKEBACK x,y: remove a stone. PLAY x,y: this
    is your move."""

    word: str
    point: Point


class Opening(NamedTuple):
    """One of OPENING_WORDS; `body` is the rest of the same line."""

    word: str
    body: Line


class Setting(NamedTuple):
    """INFO key value; `key` in lower case, `value` the rest of the line without outer blanks."""

    key: str
    value: str


class Extension(NamedTuple):
    """A word that begins with `yx`: `word` in upper case, `argument` the rest of the line.
    `is_lower` when it was written in lower case. protocol.dialect knows some of these words."""

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


Command = Bare | Start | Move | Opening | Setting | Extension | Stray | Unknown | Bad


def one_blank(text: str) -> str:
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
        case "END" | "STOP" | "YXSTOP":
            return Bare[word]
        case "INFO":
            return _parse_setting(rest, line)
    if word in OPENING_WORDS:
        return Opening(word, Line(rest, line.read_ns, line.tail))
    if line.tail is not None and word in (*KNOWN_WORDS, *SEARCHING_WORDS):
        return Bad(word, f"the line is longer than {MAX_LINE_BYTES} characters")
    match word:
        case "START" | "RECTSTART":
            return _parse_start(word, rest)
        case "RESTART" | "BEGIN" | "ABOUT":
            return Bare[word]
        case "TURN" | "TAKEBACK" | "PLAY":
            return _parse_move(word, rest)
        case "DONE":
            return Stray(line.text)
    if word.startswith("YX"):
        return Extension(word, rest.strip(), words[0].islower())
    if word[0] in "-0123456789":
        return Stray(line.text)
    return Unknown(line.text)


def _parse_start(word: str, rest: str) -> Command:
    # `START 20`, `START 20 15` and `START 20,15` all occur; RECTSTART has a comma.
    parts = re.split("[, ]", one_blank(rest))
    sizes = [size for size in map(parse_integer, parts) if size is not None]
    if len(sizes) != len(parts) or len(sizes) > 2:
        wanted = "START 20 or START 15" if word == "START" else "RECTSTART 20,15"
        return Bad(word, f"{quote(rest)} is not a board size; send {wanted}")
    if word == "RECTSTART" and len(sizes) == 1:
        return Bad(word, f"{quote(rest)} is only one number; send RECTSTART 20,15")
    return Start(sizes[0], sizes[-1])


def _parse_move(word: str, rest: str) -> Command:
    point = parse_point(one_blank(rest))
    if point is None:
        return Bad(word, f'{quote(rest)} is not a square; send {word} x,y such as "{word} 7,7"')
    return Move(word, point)


def _parse_setting(rest: str, line: Line) -> Command:
    parts = _BLANKS.split(rest.strip(), maxsplit=1)
    # The end of a line that is too long is lost, and half a value would be a wrong one.
    value = parts[1] if len(parts) > 1 and line.tail is None else ""
    return Setting(parts[0].lower(), value)
