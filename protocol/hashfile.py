"""YXHASHDUMP and YXHASHLOAD: the hash table in a file that the manager names on the next line."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from engine.model import Info, Limits
from protocol.blocks import PathBlock
from protocol.brain import Brain, HasHashFiles
from protocol.messages import clip
from protocol.reply import Refusal, error


class HashFile(NamedTuple):
    """What is to be done with a file; it thinks in the place of a brain, so that END and STOP act
    meanwhile.

    word   YXHASHDUMP or YXHASHLOAD.
    name   of the file, as it was sent.
    """

    word: str
    name: str
    brain: HasHashFiles

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Done:
        """Write or read the file. The limits have no effect."""
        path = os.fsdecode(self.name.encode("latin-1"))
        if self.word == "YXHASHDUMP":
            return Done(f"{self.brain.save_hash(path)} positions written to {self.name}")
        return Done(f"{self.brain.load_hash(path)} positions read from {self.name}")

    def answer(self, outcome: object) -> str:
        """The line that tells what think() has returned or raised."""
        if isinstance(outcome, Done):
            return clip(f"MESSAGE {outcome.text}")
        reason = outcome.strerror if isinstance(outcome, OSError) else None
        return error(f"{self.word}: {self.name}: {reason or str(outcome) or 'not enough memory'}")


class Done(NamedTuple):
    """A file has been written or read; the text says how much."""

    text: str


def hash_file(block: PathBlock, brain: Brain) -> HashFile:
    """What a word with its body asks for. Refusal where that is impossible."""
    if block.fault is not None:
        raise Refusal(f"{block.word}: {block.fault}")
    if not block.name:
        raise Refusal(f"{block.word}: send the name of a file on the next line")
    if not isinstance(brain, HasHashFiles):
        raise Refusal(f"{block.word}: this program has no hash table that files can hold")
    return HashFile(block.word, block.name, brain)
