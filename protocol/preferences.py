"""The settings file: choices of the user, since managers start the program without arguments.

The file is optional and small:

    hash_mb = 256
    threads = 2
    log = "tengen.log"
    net = "new.bin"
    level = 5
    seed = 1
    pondering = true
    yixin_coordinates = "auto"

Nothing in it can keep the program from playing: an entry that cannot be used is ignored, and a
MESSAGE says so later, as another one says what it changes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from engine.files import read_file
from engine.model import MAX_LEVEL, MAX_SEED

MAX_HASH_MB = 2**20
LIMIT_BYTES = 1 << 20
MAX_THREADS = 64  # more count as so many
WANTED = {
    "hash_mb": f"a whole number from 1 to {MAX_HASH_MB}",
    "threads": "a whole number, at least 1",
    "log": "the name of a file, in quotes",
    "net": "the name of a file, in quotes",
    "level": f"a whole number from 1 to {MAX_LEVEL}",
    "seed": f"a whole number from 0 to {MAX_SEED}",
    "pondering": "true or false",
    "yixin_coordinates": 'one of "auto", "row,col" and "x,y"',
}
# What the first number of a square is in the dialect of Yixin-Board: see docs/PROTOCOL.md.
AUTO, ROW_COL, X_Y = "auto", "row,col", "x,y"


class Preferences(NamedTuple):
    """The entries of a settings file; None for those it does not have.

    hash_bytes  wanted size of the hash table.
    threads     that search, at most MAX_THREADS.
    log         file for a log of the conversation; a relative name in the settings file starts at
                that file's folder.
    net         net file to play with (docs/NET.md), named likewise.
    notices     for MESSAGE lines: what the file changes, and what in it could not be used.
    yixin_coordinates  AUTO, ROW_COL or X_Y: the order of the two numbers of a square.
    level       of strength, from 1 to MAX_LEVEL, which is the whole engine.
    seed        decides what a lower level leaves to chance.
    is_pondering  think in the opponent's time.
    """

    hash_bytes: int | None = None
    threads: int | None = None
    log: str | None = None
    net: str | None = None
    notices: tuple[str, ...] = ()
    yixin_coordinates: str | None = None
    level: int | None = None
    seed: int | None = None
    is_pondering: bool | None = None


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

    name = os.path.basename(path)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # also for a number of 5,000 digits
        return Preferences(notices=(f"{name} is not valid TOML and is ignored: {problem}",))
    hash_mb = _whole_number(table.get("hash_mb"), MAX_HASH_MB)
    log, net = _file_name(table.get("log"), path), _file_name(table.get("net"), path)
    threads = _whole_number(table.get("threads"))
    level = _whole_number(table.get("level"), MAX_LEVEL)
    seed = _whole_number(table.get("seed"), MAX_SEED, lowest=0)
    pondering = table.get("pondering")
    is_pondering = pondering if isinstance(pondering, bool) else None
    order = table.get("yixin_coordinates")
    coordinates = order if order in (AUTO, ROW_COL, X_Y) else None
    good = {
        "hash_mb": hash_mb,
        "threads": threads,
        "log": log,
        "net": net,
        "level": level,
        "seed": seed,
        "pondering": is_pondering,
        "yixin_coordinates": coordinates,
    }
    used = [f"{key} = {_shown(table[key])}" for key in table if good.get(key) is not None]
    notices = [f"settings from {path}: {', '.join(used)}"] if used else []
    for key in table:
        if key not in WANTED:
            notices.append(f"{name}: {key} is not a setting; expected {_either(WANTED)}")
        elif good[key] is None:
            notices.append(f"{name}: {key} must be {WANTED[key]}; this entry is ignored")
    return Preferences(
        hash_mb and hash_mb * 2**20,
        threads and min(threads, MAX_THREADS),
        log,
        net,
        tuple(notices),
        coordinates,
        level,
        seed,
        is_pondering,
    )


def _file_name(value: object, path: str) -> str | None:
    """The value if it is the name of a file, from the folder of the settings file on, else None."""
    if isinstance(value, str) and value:
        return os.path.join(os.path.dirname(path), value)
    return None


def _shown(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        return f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def _either(words: Iterable[str]) -> str:
    """`a, b or c`."""
    *first, last = words
    return f"{', '.join(first)} or {last}"


def _whole_number(value: object, highest: int | None = None, lowest: int = 1) -> int | None:
    """The value if it is a whole number from `lowest` (to `highest`), else None; `true` is none."""
    if not isinstance(value, int) or isinstance(value, bool) or value < lowest:
        return None
    return value if highest is None or value <= highest else None
