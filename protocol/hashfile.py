"""YXHASHDUMP and YXHASHLOAD: the hash table in a file that the manager names on the next line."""

from __future__ import annotations

import os

from protocol.brain import Brain, HasHashFiles
from protocol.commands import BoardBlock
from protocol.messages import clip
from protocol.reader import MAX_LINE_BYTES, Line


class PathBlock(BoardBlock):
    """The body of a word that takes the name of a file: the rest of its line, or the next line.

    name  as it was sent; empty until it has come.
    """

    ending = "the name of the file"

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.name = ""

    def feed(self, line: Line) -> bool:
        """Take a line; True when it held the name, or was too long."""
        self.name = line.text.strip(" \t\v\f")
        if line.tail is not None:
            self._fail(f"the name of the file is longer than {MAX_LINE_BYTES} characters")
        return bool(self.name) or self.fault is not None


class NoHashFile(Exception):
    """A hash file that cannot be written or read; the text says why."""


def use_hash_file(block: PathBlock, brain: Brain) -> str:
    """Carry the word out; the text says what was done, for a MESSAGE. NoHashFile, and nothing has
    changed, where that is impossible."""
    if block.fault is not None:
        raise NoHashFile(f"{block.word}: {block.fault}")
    if not block.name:
        raise NoHashFile(f"{block.word}: send the name of a file on the next line")
    if not isinstance(brain, HasHashFiles):
        raise NoHashFile(f"{block.word}: this program has no hash table that files can hold")
    try:
        path = os.fsdecode(block.name.encode("latin-1"))
        if block.word == "YXHASHDUMP":
            return clip(f"MESSAGE {brain.save_hash(path)} positions written to {block.name}")
        return clip(f"MESSAGE {brain.load_hash(path)} positions read from {block.name}")
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise NoHashFile(f"{block.word}: {block.name}: {reason}") from problem
    except (ValueError, MemoryError) as problem:
        reason = str(problem) or "not enough memory"
        raise NoHashFile(f"{block.word}: {block.name}: {reason}") from problem
