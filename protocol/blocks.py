"""The bodies of commands that go on after their line: stones, squares, the name of a file."""

from __future__ import annotations

from typing import NamedTuple

from engine.model import Point
from protocol.commands import MAX_LINE_BYTES, SOOSORV_WORDS, Line, one_blank
from protocol.messages import Refusal, parse_integer, parse_integers, quote
from protocol.reader import TAIL_BYTES

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
        self.name = line.text.strip(" \t\v\f")
        if line.tail is not None:
            self.fault = f"the name of the file is longer than {MAX_LINE_BYTES} characters"
        return bool(self.name) or self.fault is not None


def begin_block(word: str) -> Block:
    """The body, still empty, of one of protocol.commands.OPENING_WORDS."""
    return PathBlock(word) if word.startswith("YXHASH") else Block(word)
