"""Reads what people type at the board: a point, or a word with its argument."""

from __future__ import annotations

import math
from dataclasses import dataclass
from difflib import get_close_matches

from engine.text import centre_name, is_point, read_point
from tengen.game.record.numbers import read_count
from tengen.game.referee import Cell
from tengen.people.session.session import ALL_TURNS, HINT_TIME_S

# Word: (its argument, what it does). A word may be abbreviated as long as no other begins in the
# same way.
WORDS = {
    "hint": ("[S]", f"show Tengen's move, why, and its value, after S seconds ({HINT_TIME_S:g})"),
    "undo": ("[N]", "take back your last N moves (1 or all), with the answers to them"),
    "redo": ("[N]", "bring back N moves, or all; after restart the whole game"),
    "resign": ("", "give the game up; undo goes on all the same"),
    "restart": ("", "begin a new game; redo brings the old one back"),
    "swap": ("", "change sides with the program, or where an opening offers it"),
    "add": ("", "in swap2, put down two more stones, and let the other player choose"),
    "fifths": ("N", "in soosyrv8 and taraguchi10, say that Black offers N fifth moves"),
    "balance": ("[N]", "let Tengen play 1 or 2 moves after which neither side is better"),
    "go": ("", "let the program play if it waits, after it has failed"),
    "time": ("S", "let programs think S seconds a move"),
    "nodes": ("N", "let programs search N nodes a move, however long that takes"),
    "level": ("", "show who plays, and how long programs may think"),
    "save": ("FILE", "write the game to FILE.psq or FILE.sgf; save! overwrites a file"),
    "load": ("FILE", "go on with a game from a file; load! discards an unsaved game"),
    "moves": ("", "show the moves so far"),
    "board": ("", "show the board again; an empty line does the same"),
    "numbers": ("", "switch the numbers on the stones on or off"),
    "fouls": ("", "switch the marks on points that renju forbids on or off"),
    "help": ("", "show this page"),
    "quit": ("", "leave"),
}
_OTHER_NAMES = {"?": "help", "exit": "quit"}
_SHOWN_CHARACTERS = 40
MAX_TIME_S = 1_000_000.0
MAX_NODES = 10**15
_MAX_COUNT = 10_000


@dataclass(frozen=True)
class Command:
    """What a line means.

    word     one of WORDS, or `play`, a point.
    number   turns, nodes, seconds, moves, where there are some.
    cells    the one of `play`.
    text     how the point was written, or the file of `save` and `load`.
    insists  `save` or `load` was written with a `!`.
    """

    word: str
    number: float | None = None
    cells: tuple[Cell, ...] = ()
    text: str = ""
    insists: bool = False


def parse(line: str, width: int, height: int) -> Command:
    """What a line means at a board of that size; ValueError if it means nothing, in one line that
    says what is wrong and what is accepted."""
    text = line.strip()
    if not text:
        return Command("board")
    if is_point(text):
        return Command("play", cells=(read_point(text, width, height),), text=text)
    text = _OTHER_NAMES.get(text.lower(), text)
    typed, _, rest = text.partition(" ")
    rest = rest.strip()
    insists = typed.endswith("!")
    word = _full_word(typed.removesuffix("!"))
    if word is None:
        near = get_close_matches(typed.lower(), WORDS, n=1, cutoff=0.7)
        raise ValueError(
            f"{shown(text)!r} is neither a point such as {centre_name(width, height)} nor a"
            f" command; {f'did you mean {near[0]}?' if near else 'help lists the commands'}"
        )
    if insists and word not in ("save", "load"):
        raise ValueError(f"{shown(typed)}: only save and load take a !")
    match word:
        case "undo" | "redo" if rest.lower() == "all":
            return Command(word, ALL_TURNS)
        case "undo" | "redo":
            return Command(word, _whole(word, rest or "1"))
        case "fifths":
            return Command(word, _whole(word, rest))
        case "balance":
            if rest not in ("", "1", "2"):
                raise ValueError(f"balance: expected 1 or 2{_instead(rest)}")
            return Command(word, int(rest or "1"))
        case "hint":
            return Command(word, _seconds(word, rest) if rest else None)
        case "nodes":
            return Command(word, _nodes(word, rest))
        case "time":
            return Command(word, _seconds(word, rest))
        case "save" | "load":
            return Command(word, text=_file(word, rest), insists=insists)
    if rest:
        raise ValueError(f"{word} takes no argument such as {shown(rest)!r}")
    return Command(word)


def shown(text: str) -> str:
    """The beginning of what was typed, with `?` for characters that cannot be printed."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= _SHOWN_CHARACTERS else f"{clean[: _SHOWN_CHARACTERS - 3]}..."


def _full_word(typed: str) -> str | None:
    lower = typed.lower()
    if lower in WORDS:
        return lower
    meant = [word for word in WORDS if lower and word.startswith(lower)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        *first, last = meant
        raise ValueError(f"{typed} can mean {', '.join(first)} or {last}: type more of it")
    return None


def _whole(word: str, text: str) -> int:
    # Longer texts are not read at all: Python refuses to read very long numbers.
    if text.isascii() and text.isdecimal() and len(text) <= len(str(_MAX_COUNT)):
        number = int(text)
        if 1 <= number <= _MAX_COUNT:
            return number
    raise ValueError(f"{word}: expected a whole number such as {word} 3{_instead(text)}")


def _nodes(word: str, text: str) -> int:
    try:
        number = read_count(text)
    except ValueError:
        number = 0
    if 1 <= number <= MAX_NODES:
        return number
    raise ValueError(
        f"{word}: expected a whole number such as {word} 5000 or {word} 1e6{_instead(text)}"
    )


def _seconds(word: str, text: str) -> float:
    try:
        time_s = float(text)
    except ValueError:
        time_s = math.nan
    if 0 <= time_s <= MAX_TIME_S:
        return time_s
    raise ValueError(f"{word}: expected seconds such as {word} 0.5{_instead(text)}")


def _file(word: str, text: str) -> str:
    """The name of a file, which may hold blanks, without quotes around it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    if not text:
        raise ValueError(f"{word}: expected a file such as {word} game.psq")
    return text


def _instead(text: str) -> str:
    return f", not {shown(text)!r}" if text else ""
