"""The manager's lines: the first word, what comes after it, and the bodies that some commands have.

Words are compared whole, without regard to case; blanks, tabs and blanks around commas do not
matter. Words after a command without arguments are ignored; a command with arguments takes no
others. What cannot be understood is a Refusal.

Here and elsewhere in this package values are named tuples: as many dataclasses would add ten
milliseconds to every start of the program.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import NamedTuple

from engine.model import Point
from protocol.messages import Refusal, parse_integer, parse_integers, parse_point, quote

_COMMA = re.compile(r" ?, ?")
_BLANKS = re.compile(r"\s+", re.ASCII)
_OUTER = " \t\v\f"
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
# Words whose body follows, on the same line or on others: see Block.
OPENING_WORDS = (
    *("BOARD", "SWAP2BOARD", "YXBOARD"),
    *("YXBLOCK", "YXBLOCKUNDO", "YXBLOCKPATH", "YXBLOCKPATHUNDO"),
    *("YXHASHDUMP", "YXHASHLOAD"),
    *SOOSORV_WORDS,
)
# A full 22x22 board on one line, with blanks around every comma, needs less than 8 KiB.
MAX_LINE_BYTES = 32768
# The last bytes of a longer line are kept too: a BOARD block may end in them.
TAIL_BYTES = 16


class _Text(NamedTuple):
    """What a Line consists of."""

    text: str
    read_ns: int = 0
    tail: str | None = None
    created_ns: int | None = None


class Line(_Text):
    """One line without its end.

    text     every byte is one character (Latin-1), so that no byte fails to decode.
    read_ns  `time.perf_counter_ns()` when its last byte had been read.
    tail     None; or, when the line was too long and `text` is only its beginning, its end, in
             which each run of blanks is one.
    created_ns   when the process was created, for a line that waited while it started.
    """

    @cached_property
    def first(self) -> str:
        """The first word; empty when there is none. More than 32 characters are cut off: no command
        has as many."""
        return _BLANKS.split(self.text.lstrip(_OUTER)[:32], maxsplit=1)[0]

    @property
    def word(self) -> str:
        """The first word in upper case."""
        return self.first.upper()

    @property
    def rest(self) -> str:
        """What comes after the first word, without outer blanks."""
        _, *rest = _BLANKS.split(self.text.strip(_OUTER), maxsplit=1)
        return rest[0] if rest else ""

    @property
    def body(self) -> Line:
        """The rest as a line of its own, where a body begins on the line of its command."""
        return Line(self.rest, self.read_ns, self.tail)

    @property
    def is_stray(self) -> bool:
        """Outside a body it is one of its lines: `7,7,1`, `DONE`."""
        return self.word == "DONE" or self.first.startswith(tuple("-0123456789"))

    def check_whole(self) -> None:
        """Refusal where the line was too long."""
        if self.tail is not None:
            raise Refusal(f"{self.word}: the line is longer than {MAX_LINE_BYTES} characters")


def one_blank(text: str) -> str:
    """A text with one blank between words and none around commas."""
    # In two steps: one pattern for blanks around a comma takes seconds where there are many.
    return _COMMA.sub(",", _BLANKS.sub(" ", text.strip()))


def is_command(word: str) -> bool:
    """True for the first word, in upper case, of a command; DONE only ends one, and `YXBOOK.BIN` is
    the name of a file."""
    return (word in KNOWN_WORDS and word != "DONE") or (_YIXIN_WORD.fullmatch(word) is not None)


# -- arguments


def size_of(line: Line) -> tuple[int, int]:
    """Width and height, of START and RECTSTART."""
    word, rest = line.word, line.rest
    # `START 20`, `START 20 15` and `START 20,15` all occur; RECTSTART has a comma.
    parts = re.split("[, ]", one_blank(rest))
    sizes = [size for size in map(parse_integer, parts) if size is not None]
    if len(sizes) != len(parts) or len(sizes) > 2:
        wanted = "START 20 or START 15" if word == "START" else "RECTSTART 20,15"
        raise Refusal(f"{word}: {quote(rest)} is not a board size; send {wanted}")
    if word == "RECTSTART" and len(sizes) == 1:
        raise Refusal(f"{word}: {quote(rest)} is only one number; send RECTSTART 20,15")
    return sizes[0], sizes[-1]


def point_of(line: Line) -> Point:
    """The square of TURN, PLAY or TAKEBACK, on the board or off it."""
    word, rest = line.word, line.rest
    point = parse_point(one_blank(rest))
    if point is None:
        wanted = f'send {word} x,y such as "{word} 7,7"'
        raise Refusal(f"{word}: {quote(rest)} is not a square; {wanted}")
    return point


def setting_of(line: Line) -> tuple[str, str]:
    """The key of an INFO line, in lower case, and its value, the rest without outer blanks."""
    key, *value = _BLANKS.split(line.rest, maxsplit=1)
    # The end of a line that is too long is lost, and half a value would be a wrong one.
    return key.lower(), value[0] if value and line.tail is None else ""


# -- bodies


# Fields of a BOARD line: our stone, the opponent's, and one that belongs to neither side.
OWN, OPPONENT, WALL = 1, 2, 3


class Form(NamedTuple):
    """What a body consists of: entries of so many numbers, at most `most`. `wanted` is said of
    other words, and `too_many` of more entries. (More than any board has squares are not kept.)"""

    numbers: int
    wanted: str
    too_many: str
    most: int = 1000


_STONES = Form(
    3,
    "is not a stone; send x,y,1 (own), x,y,2 (opponent's) or x,y,3 (neither's), then DONE",
    "more stones than any board has squares",
)
_SQUARES = Form(
    2, "is not a square; send x,y for each square, then DONE", "more squares than any board has"
)
# In order of play.
_MOVES = Form(2, "is not a stone; send x,y for each stone, then DONE", _STONES.too_many)
_SWAP2 = Form(2, _MOVES.wanted, "more than 5 stones; send none, three or five", 5)


class Block:
    """A body, read line by line until DONE.

    word     the command.
    entries  their numbers, in the order sent, up to the first that is wrong.
    count    the number before the stones in steps 4 and 5 of Soosyrv-8: of fifth moves.
    fault    what was wrong with an entry; None when all were right.
    """

    ending = "DONE"

    def __init__(self, word: str) -> None:
        self.word = word
        self.entries: list[tuple[int, ...]] = []
        self.count = 0
        self.fault: str | None = None
        self._form = _STONES
        if word == "SWAP2BOARD":
            self._form = _SWAP2
        elif not word.endswith("BOARD"):
            self._form = _MOVES if word in SOOSORV_WORDS else _SQUARES

    @property
    def points(self) -> list[Point]:
        """The entries as squares."""
        return [Point(*entry[:2]) for entry in self.entries]

    def check(self) -> None:
        """Refusal for what was wrong."""
        if self.fault is not None:
            raise Refusal(f"{self.word}: {self.fault}")

    def feed(self, line: Line) -> bool:
        """Take one line with any number of entries; True when it held DONE, the end."""
        for word in one_blank(line.text).split(" "):
            if word.upper() == "DONE":
                return True
            if word and self.fault is None:
                self._take(word)
        if line.tail is None:
            return False
        self.fault = self.fault or f"a line is longer than {MAX_LINE_BYTES} characters"
        # The word can begin before the tail.
        end = line.tail if len(line.tail) == TAIL_BYTES else line.text[-TAIL_BYTES:] + line.tail
        return one_blank(end).split(" ")[-1].upper() == "DONE"

    def _take(self, word: str) -> None:
        number = parse_integer(word) if self.word in SOOSORV_WORDS and not self.entries else None
        if number is not None:
            self.count = number
            return
        entry = parse_integers(word, self._form.numbers)
        if entry is None or (len(entry) > 2 and entry[2] not in (OWN, OPPONENT, WALL)):
            self.fault = f"{quote(word)} {self._form.wanted}"
        elif len(self.entries) == self._form.most:
            self.fault = self._form.too_many
        else:
            self.entries.append(entry)


class PathBlock(Block):
    """The body of a word that takes the name of a file: the rest of its line, or the next line.

    name  as it was sent; empty until it has come.
    """

    ending = "the name of the file"
    name = ""

    def feed(self, line: Line) -> bool:
        """Take a line; True when it held the name, or was too long."""
        self.name = line.text.strip(_OUTER)
        if line.tail is not None:
            self.fault = f"the name of the file is longer than {MAX_LINE_BYTES} characters"
        return bool(self.name) or self.fault is not None


def begin_block(word: str) -> Block:
    """The body, still empty, of one of OPENING_WORDS."""
    return PathBlock(word) if word.startswith("YXHASH") else Block(word)
