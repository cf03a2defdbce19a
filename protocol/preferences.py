"""The settings file: choices of the user, since managers start the program without arguments.

The file is optional and small:

    hash_mb = 256
    threads = 2
    log = 'tengen.log'
    net = 'new.bin'
    level = 5
    seed = 1
    pondering = true
    yixin_coordinates = "auto"

Nothing in it can keep the program from playing: an entry that cannot be used is ignored, and a
MESSAGE says so later, as another one says what it changes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from engine.files import read_file
from engine.model import MAX_LEVEL, MAX_SEED

MAX_HASH_MB = 2**20
LIMIT_BYTES = 1 << 20
MAX_THREADS = 64  # more count as so many
# What the first number of a square is in the dialect of Yixin-Board: see docs/PROTOCOL.md.
AUTO, ROW_COL, X_Y = "auto", "row,col", "x,y"


class Wanted(NamedTuple):
    """What an entry accepts, in words, and which values these are."""

    text: str
    admits: Callable[[object], bool]


def _whole(lowest: int, highest: int | None = None) -> Wanted:
    """A whole number; `true` is none."""

    def admits(value: object) -> bool:
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return value >= lowest and (highest is None or value <= highest)

    to = f", at least {lowest}" if highest is None else f" from {lowest} to {highest}"
    return Wanted(f"a whole number{to}", admits)


# Between double quotes "C:\\temp\\new.log" has a tab and a line end, which no name of a file has.
_FILE = Wanted(
    "the name of a file, in single quotes, which keep every \\ as it is",
    lambda name: isinstance(name, str) and name != "" and min(name) >= " ",
)
WANTED = {
    "hash_mb": _whole(1, MAX_HASH_MB),
    "threads": _whole(1),
    "log": _FILE,
    "net": _FILE,
    "level": _whole(1, MAX_LEVEL),
    "seed": _whole(0, MAX_SEED),
    "pondering": Wanted("true or false", lambda value: isinstance(value, bool)),
    "yixin_coordinates": Wanted(
        'one of "auto", "row,col" and "x,y"', lambda value: value in (AUTO, ROW_COL, X_Y)
    ),
}


class Preferences(NamedTuple):
    """The entries of a settings file; None for those it does not have.

    hash_mb     wanted size of the hash table.
    threads     that search.
    log         file for a log of the conversation; a relative name in the settings file starts at
                that file's folder.
    net         net file to play with (docs/NET.md), named likewise.
    level       of strength, from 1 to MAX_LEVEL, which is the whole engine.
    seed        decides what a lower level leaves to chance.
    pondering   think in the opponent's time.
    yixin_coordinates  AUTO, ROW_COL or X_Y: the order of the two numbers of a square.
    notices     for MESSAGE lines: what the file changes, and what in it could not be used.
    """

    hash_mb: int | None = None
    threads: int | None = None
    log: str | None = None
    net: str | None = None
    level: int | None = None
    seed: int | None = None
    pondering: bool | None = None
    yixin_coordinates: str | None = None
    notices: tuple[str, ...] = ()


NO_PREFERENCES = Preferences()


def read_preferences(path: str) -> Preferences:
    """Read a settings file; one that does not exist is like an empty one."""
    try:
        text = read_file(path, LIMIT_BYTES).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return NO_PREFERENCES
    except OSError as problem:
        return Preferences(notices=(f"{path} cannot be read: {problem.strerror}",))
    except ValueError:
        return Preferences(notices=(f"{path} is not text in UTF-8 and is ignored",))
    return _understand(text, path)


def _understand(text: str, path: str) -> Preferences:
    # Imported here because most users have no such file and the manager's clock is running.
    import tomllib

    folder, name = os.path.split(path)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # also for a number of 5,000 digits
        hint = "; a name with \\ stands in single quotes" if "\\" in text else ""
        return Preferences(notices=(f"{name} is not valid TOML and is ignored: {problem}{hint}",))
    good: dict[str, Any] = {}
    used, wrong = [], []
    for key, value in table.items():
        if key not in WANTED:
            wrong.append(f"{name}: {key} is not a setting; expected {_either(WANTED)}")
        elif not WANTED[key].admits(value):
            wrong.append(f"{name}: {key} must be {WANTED[key].text}; this entry is ignored")
        else:
            good[key] = os.path.join(folder, value) if WANTED[key] is _FILE else value
            used.append(f"{key} = {_shown(value)}")
    notices = [f"settings from {path}: {', '.join(used)}"] if used else []
    return Preferences(**good, notices=(*notices, *wrong))


def _shown(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        return f"'{value}'" if "\\" in value else f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def _either(words: Iterable[str]) -> str:
    """`a, b or c`."""
    *first, last = words
    return f"{', '.join(first)} or {last}"
