"""The bodies of commands that go on after their line: stones, squares, the name of a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from engine.model import Point
from protocol.commands import MAX_LINE_BYTES, SOOSORV_WORDS, Line, one_blank
from protocol.messages import parse_integer, parse_integers, parse_point, quote
from protocol.reader import TAIL_BYTES

# Fields of a BOARD line: our stone, the opponent's, and one that belongs to neither side.
OWN, OPPONENT, WALL = 1, 2, 3
# More than any board has squares: a longer body is wrong, and the rest of it is not kept.
MAX_ENTRIES = 1000

Stone = tuple[int, int, int]
Entry = TypeVar("Entry")


class Block(ABC, Generic[Entry]):
    """A body, read line by line until DONE.

    word     the command.
    entries  in the order sent, up to the first that is wrong.
    fault    what was wrong with that one; None when all were right.
    """

    # What ends the body, how many entries it can have, and what is said of others and of more.
    ending = "DONE"
    most = MAX_ENTRIES
    wanted: str
    too_many: str

    def __init__(self, word: str) -> None:
        self.word = word
        self.entries: list[Entry] = []
        self.fault: str | None = None

    def feed(self, line: Line) -> bool:
        """Take one line with any number of entries; True when it held DONE, the end."""
        for word in one_blank(line.text).split(" "):
            if word.upper() == "DONE":
                return True
            if word and self.fault is None:
                self._take(word)
        if line.tail is None:
            return False
        self._fail(f"a line is longer than {MAX_LINE_BYTES} characters")
        # The word can begin before the tail.
        end = line.tail if len(line.tail) == TAIL_BYTES else line.text[-TAIL_BYTES:] + line.tail
        return one_blank(end).split(" ")[-1].upper() == "DONE"

    def _take(self, word: str) -> None:
        entry = self._read(word)
        if entry is None:
            self._fail(f"{quote(word)} {self.wanted}")
        elif len(self.entries) == self.most:
            self._fail(self.too_many)
        else:
            self.entries.append(entry)

    def _fail(self, fault: str) -> None:
        if self.fault is None:
            self.fault = fault

    @abstractmethod
    def _read(self, word: str) -> Entry | None:
        """The entry that a word is; None for any other word."""


class BoardBlock(Block[Stone]):
    """The body of BOARD and YXBOARD: stones x,y,field."""

    wanted = "is not a stone; send x,y,1 (own), x,y,2 (opponent's) or x,y,3 (neither's), then DONE"
    too_many = "more stones than any board has squares"

    def _read(self, word: str) -> Stone | None:
        triple = parse_integers(word, 3)
        if triple is None or triple[2] not in (OWN, OPPONENT, WALL):
            return None
        return triple[0], triple[1], triple[2]


class PointsBlock(Block[Point]):
    """The body of YXBLOCK and its relatives: squares x,y."""

    wanted = "is not a square; send x,y for each square, then DONE"
    too_many = "more squares than any board has"

    def _read(self, word: str) -> Point | None:
        return parse_point(word)


class Swap2Block(PointsBlock):
    """The body of SWAP2BOARD: the stones in order of play."""

    wanted = "is not a stone; send x,y for each stone, then DONE"
    most = 5
    too_many = f"more than {most} stones; send none, three or five"


class SoosorvBlock(PointsBlock):
    """The body of YXSOOSORVSTEP2 and those after it: stones in order of play; before them, in steps
    4 and 5, the number of fifth moves, `count`."""

    wanted = Swap2Block.wanted
    too_many = "more stones than any board has squares"
    count = 0

    def _take(self, word: str) -> None:
        number = parse_integer(word)
        if number is None or self.entries:
            super()._take(word)
        else:
            self.count = number


class PathBlock:
    """The body of a word that takes the name of a file: the rest of its line, or the next line.

    name  as it was sent; empty until it has come. `word` and `fault` as in Block.
    """

    ending = "the name of the file"

    def __init__(self, word: str) -> None:
        self.word = word
        self.name = ""
        self.fault: str | None = None

    def feed(self, line: Line) -> bool:
        """Take a line; True when it held the name, or was too long."""
        self.name = line.text.strip(" \t\v\f")
        if line.tail is not None:
            self.fault = f"the name of the file is longer than {MAX_LINE_BYTES} characters"
        return bool(self.name) or self.fault is not None


AnyBlock = BoardBlock | PointsBlock | PathBlock


def begin_block(word: str) -> AnyBlock:
    """The body, still empty, of one of protocol.commands.OPENING_WORDS."""
    if word.startswith("YXHASH"):
        return PathBlock(word)
    if word in SOOSORV_WORDS:
        return SoosorvBlock(word)
    if word.startswith("YXBLOCK"):
        return PointsBlock(word)
    return Swap2Block(word) if word == "SWAP2BOARD" else BoardBlock(word)
