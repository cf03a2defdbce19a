"""Files of games in every format that is read, told apart by their content.

sgf   games with variations, one or several          `(;GM[4]...`
psq   Piskvork's files                               `Piskvorky 15x15, ...`
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.text import are_points
from tengen.record.encodings import decoded, unicode_text
from tengen.record.psq import psq_tree
from tengen.record.sgf import decoded_sgf, read_sgf
from tengen.record.tree import GameTree

# The endings of the names of such files.
ENDINGS = (".sgf", ".psq")
_EXPECTED = "expected sgf ((;...) or psq (Piskvorky ...)"

_SGF = re.compile(r"\s*\(")
_PSQ = re.compile(r"\s*Piskvorky")
_FORMATS: tuple[tuple[re.Pattern[str], Callable[[str], Sequence[GameTree]]], ...] = (
    (_SGF, read_sgf),
    (_PSQ, lambda text: [psq_tree(text)]),
)


def text_of(data: bytes, name: str = "") -> str:
    """The text of a file of games or positions, whose name may say what it is. ValueError if it is
    not text."""
    ending = name[name.rfind(".") :].lower()
    if ending == ".sgf" or re.match(rb"\s*\(\s*;", data):
        return decoded_sgf(data)
    if ending == ".psq" or re.match(rb"\s*Piskvorky", data):
        return decoded(data, otherwise="cp1250")  # Piskvork is Czech
    text = unicode_text(data)
    if text is None or "\0" in text:
        raise ValueError("is not text")
    return text


def is_saved_game(text: str) -> bool:
    """Does the text look like a file of games?"""
    # Points can be in brackets too: (7,7) (8,6).
    return any(beginning.match(text) for beginning, _ in _FORMATS) and not are_points(text)


def read_trees(text: str) -> Sequence[GameTree]:
    """All games of a file of games, at least one. ValueError in one line if it holds none."""
    for beginning, read in _FORMATS:
        if beginning.match(text):
            return read(text)
    raise ValueError(f"holds no game; {_EXPECTED}")
