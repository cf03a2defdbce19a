"""What people type at the board, read: a point, or a word with what belongs to it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tengen.rules.points import centre_name, is_point, read_point
from tengen.rules.referee import Cell

# Word: (what may follow, what it does). Every word may be cut short while it stays the only one.
WORDS = {
    "hint": ("", "what Tengen would play, why, and what it is worth"),
    "undo": ("[N]", "take back your last N moves (1), with the answers to them"),
    "redo": ("[N]", "bring back what was taken back"),
    "restart": ("", "take everything back and begin anew; redo brings it back"),
    "swap": ("", "change sides with the program"),
    "go": ("", "let the program play where it waits"),
    "time": ("S", "the program may think S seconds a move"),
    "nodes": ("N", "the program may search N nodes a move, whatever time that takes"),
    "level": ("", "who plays, and how long the program may think"),
    "save": ("FILE", "write the game to FILE.psq or FILE.sgf; save! also over another one"),
    "load": ("FILE", "go on with a game of such a file; load! also when this one is not saved"),
    "moves": ("", "the moves so far"),
    "board": ("", "the board once more; so does an empty line"),
    "numbers": ("", "numbers on the stones, or none"),
    "fouls": ("", "mark the points that renju forbids to Black, or not"),
    "help": ("", "this page"),
    "quit": ("", "leave"),
}
_OTHER_NAMES = {"?": "help", "exit": "quit"}
_SHOWN_CHARACTERS = 40
MAX_TIME_S = 1_000_000.0
MAX_NODES = 10**15
_MAX_COUNT = 10_000


@dataclass(frozen=True)
class Play:
    """Put a stone on a cell; `text` is how it was written."""

    cell: Cell
    text: str


@dataclass(frozen=True)
class Undo:
    """Take back so many turns."""

    turns: int


@dataclass(frozen=True)
class Redo:
    """Bring back so many turns."""

    turns: int


@dataclass(frozen=True)
class SetTime:
    """Seconds a move for the program."""

    time_s: float


@dataclass(frozen=True)
class SetNodes:
    """Nodes a move for the program."""

    nodes: int


@dataclass(frozen=True)
class Save:
    """Write the game; `overwrites` another file of that name."""

    file: str
    overwrites: bool


@dataclass(frozen=True)
class Load:
    """Read a game; `discards`: also when the one at the board is not saved."""

    file: str
    discards: bool


@dataclass(frozen=True)
class Word:
    """One of WORDS that takes nothing, or `board` for an empty line."""

    word: str


Command = Play | Undo | Redo | SetTime | SetNodes | Save | Load | Word


def parse(line: str, width: int, height: int) -> Command:
    """What a line means at a board of that size; ValueError, in one line, saying what was wrong
    with it and what is accepted."""
    text = line.strip()
    if not text:
        return Word("board")
    if is_point(text):
        return Play(read_point(text, width, height), text)
    typed, _, rest = text.partition(" ")
    rest = rest.strip()
    insists = typed.endswith("!")
    word = _full_word(typed.removesuffix("!"))
    if word is None:
        raise ValueError(
            f"{shown(text)!r} is no point such as {centre_name(width, height)} and no command;"
            " help lists them"
        )
    if insists and word not in ("save", "load"):
        raise ValueError(f"{shown(typed)}: only save and load take a !")
    match word:
        case "undo":
            return Undo(_whole(word, rest or "1", _MAX_COUNT))
        case "redo":
            return Redo(_whole(word, rest or "1", _MAX_COUNT))
        case "nodes":
            return SetNodes(_whole(word, rest, MAX_NODES))
        case "time":
            return SetTime(_seconds(rest))
        case "save":
            return Save(_file(word, rest), insists)
        case "load":
            return Load(_file(word, rest), insists)
    if rest:
        raise ValueError(f"{word} stands alone, without {shown(rest)!r}")
    return Word(word)


def shown(text: str) -> str:
    """The beginning of what was typed, fit to be printed."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= _SHOWN_CHARACTERS else f"{clean[: _SHOWN_CHARACTERS - 3]}..."


def _full_word(typed: str) -> str | None:
    lower = typed.lower()
    if lower in _OTHER_NAMES:
        return _OTHER_NAMES[lower]
    if lower in WORDS:
        return lower
    meant = [word for word in WORDS if lower and word.startswith(lower)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise ValueError(f"{typed} can mean {' or '.join(meant)}: type more of it")
    return None


def _whole(word: str, text: str, most: int) -> int:
    # As long as no number that is accepted is; Python refuses to read very long ones.
    if text.isascii() and text.isdecimal() and len(text) <= len(str(most)):
        number = int(text)
        if 1 <= number <= most:
            return number
    example = "5000" if word == "nodes" else "3"
    raise ValueError(f"{word}: expected a whole number such as {word} {example}{_instead(text)}")


def _seconds(text: str) -> float:
    try:
        time_s = float(text)
    except ValueError:
        time_s = math.nan
    if 0 <= time_s <= MAX_TIME_S:
        return time_s
    raise ValueError(f"time: expected seconds such as time 0.5{_instead(text)}")


def _file(word: str, text: str) -> str:
    """A file's name, blanks and all, without quotes around it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    if not text:
        raise ValueError(f"{word}: expected a file such as {word} game.psq")
    return text


def _instead(text: str) -> str:
    return f", not {shown(text)!r}" if text else ""
