"""What the user has chosen for a program that managers start without arguments: a settings file.

The file is optional and small:

    threads = 2
    hash_mb = 256
    log = "tengen.log"

Nothing in it can keep the program from playing: what cannot be used is left out, and told later.
"""

from __future__ import annotations

import os
from typing import NamedTuple

MAX_THREADS = 256
MAX_HASH_MB = 2**20
WANTED = {
    "threads": f"a whole number from 1 to {MAX_THREADS}",
    "hash_mb": f"a whole number from 1 to {MAX_HASH_MB}",
    "log": "the name of a file, in quotes",
}


class Preferences(NamedTuple):
    """What a settings file says. None: it says nothing about it.

    hash_bytes  wanted size of the hash table.
    log         file for a log of the conversation; a relative name was meant from the file.
    problems    what could not be used, a text for each.
    """

    threads: int | None = None
    hash_bytes: int | None = None
    log: str | None = None
    problems: tuple[str, ...] = ()


NO_PREFERENCES = Preferences()


def read_preferences(path: str) -> Preferences:
    """Read a settings file; one that does not exist says nothing."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            text = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return NO_PREFERENCES
    except (OSError, ValueError) as problem:
        return Preferences(problems=(f"{os.path.basename(path)} cannot be read: {problem}",))
    return _understand(text, path)


def _understand(text: str, path: str) -> Preferences:
    # Only here: hardly anybody has such a file, and the manager's clock is running.
    import tomllib

    name = os.path.basename(path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        return Preferences(problems=(f"{name} is not understood and not used: {problem}",))
    threads = _whole_number(table.get("threads"), MAX_THREADS)
    hash_mb = _whole_number(table.get("hash_mb"), MAX_HASH_MB)
    log = table.get("log")
    if not isinstance(log, str) or not log:
        log = None
    good = {"threads": threads, "hash_mb": hash_mb, "log": log}
    problems = [
        f"{name}: {key} must be {WANTED[key]}; it is not used"
        if key in WANTED
        else f"{name}: {key} is not known; {', '.join(WANTED)} are"
        for key in table
        if good.get(key) is None
    ]
    return Preferences(
        threads,
        hash_mb and hash_mb * 2**20,
        log and os.path.join(os.path.dirname(path), log),
        tuple(problems),
    )


def _whole_number(value: object, highest: int) -> int | None:
    """The value if it is a whole number from 1 to `highest`; TOML's true is none."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= highest:
        return value
    return None
