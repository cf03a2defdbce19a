"""What people type at the board: a point, or a word with its argument; and the help about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from engine.text import RULE_NAMES, centre_name, is_point, read_point
from tengen.game.referee import Cell
from tengen.game.rules import RULE_TEXTS
from tengen.game.values import read_count
from tengen.people.session.game import Game
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
# Words with a number: how it is read, the least and the most, what else is accepted.
_NUMBERS: dict[str, tuple[Callable[[str], float], float, float, str]] = {
    "undo": (read_count, 1, 10_000, "a whole number such as undo 3"),
    "redo": (read_count, 1, 10_000, "a whole number such as redo 3"),
    "fifths": (read_count, 1, 10_000, "a whole number such as fifths 3"),
    "balance": (read_count, 1, 2, "1 or 2"),
    "nodes": (read_count, 1, MAX_NODES, "a whole number such as nodes 5000 or nodes 1e6"),
    "time": (float, 0, MAX_TIME_S, "seconds such as time 0.5"),
    "hint": (float, 0, MAX_TIME_S, "seconds such as hint 0.5"),
}
# Those that come without one too, and the number then.
_DEFAULTS = {"undo": 1, "redo": 1, "balance": 1, "hint": None}


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
    if word in ("save", "load"):
        return Command(word, text=_file(word, rest), insists=insists)
    if insists:
        raise ValueError(f"{shown(typed)}: only save and load take a !")
    if word in ("undo", "redo") and rest.lower() == "all":
        return Command(word, ALL_TURNS)
    if word in _NUMBERS:
        return Command(word, _number(word, rest))
    if rest:
        raise ValueError(f"{word} takes no argument such as {shown(rest)!r}")
    return Command(word)


def shown(text: str) -> str:
    """The beginning of what was typed, with `?` for characters that cannot be printed."""
    clean = "".join(c if c.isprintable() else "?" for c in text)
    return clean if len(clean) <= _SHOWN_CHARACTERS else f"{clean[: _SHOWN_CHARACTERS - 3]}..."


def rule_text(game: Game) -> str:
    """The size of the board and the rule in a line."""
    return f"{game.width}x{game.height}, {RULE_NAMES[game.rule]}: {RULE_TEXTS[game.rule]}."


def coordinates_text(game: Game) -> str:
    """How points are written, with one of this board as the example."""
    name = centre_name(game.width, game.height)
    return f"A point is a column's letter and a row's number from the bottom, such as {name}."


def help_text(game: Game) -> str:
    """Everything that can be typed."""
    rows = [(centre_name(game.width, game.height), "play there")]
    rows += [(f"{word} {argument}".strip(), does) for word, (argument, does) in WORDS.items()]
    lines = "\n".join(f"  {form:<10} {does}" for form, does in rows)
    return f"""{coordinates_text(game)}
{game.width // 2},{game.height // 2} is the same point in the protocol's notation:\
 column and row, counted from 0 at the top left.
{rule_text(game)}

{lines}

Commands can be abbreviated: u is undo. While a program thinks, Ctrl-C makes it move\
 now. A second Ctrl-C, or one at the prompt, quits and saves an unsaved game to a new\
 file. Ctrl-D is quit."""


def _full_word(typed: str) -> str | None:
    lower = typed.lower()
    if lower in WORDS:
        return lower
    meant = [word for word in WORDS if lower and word.startswith(lower)]
    if len(meant) > 1:
        raise ValueError(
            f"{typed} can mean {', '.join(meant[:-1])} or {meant[-1]}: type more of it"
        )
    return meant[0] if meant else None


def _number(word: str, text: str) -> float | None:
    if not text and word in _DEFAULTS:
        return _DEFAULTS[word]
    read, least, most, accepted = _NUMBERS[word]
    try:
        number = read(text)
    except ValueError:
        number = least - 1
    if not least <= number <= most:  # nan is not either
        instead = f", not {shown(text)!r}" if text else ""
        raise ValueError(f"{word}: expected {accepted}{instead}")
    return number


def _file(word: str, text: str) -> str:
    """The name of a file, which may hold blanks, without quotes around it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    if not text:
        raise ValueError(f"{word}: expected a file such as {word} game.psq")
    return text
