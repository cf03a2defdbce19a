"""The settings: those of the user's file, and limits and options that INFO makes, with units.

Managers start the program without arguments, so a user puts settings in a file. It is optional and
small; `ENTRIES` says what it can hold:

    hash_mb = 256
    log = 'tengen.log'

Nothing in it can keep the program from playing: an entry that cannot be used is ignored, and a
MESSAGE says so later, as another one says what it changes.

INFO is never answered. A value that cannot be used leaves the setting as it was and is kept as a
remark about its key, until either a good value for the same key arrives or a MESSAGE before the
next answer reports it. No value costs an answer, not even a rule that does not exist: managers
send START once, and go on.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from engine import rulebook
from engine.files import read_file
from engine.model import MAX_LEVEL, MAX_SEED, MAX_STRENGTH, Limits, Point, Rule, strength_of
from protocol.messages import MAX_DIGITS, parse_integer, quote

MILLISECOND_NS = 1_000_000
# Kept back from a limit that comes during a search, as the brain does with all others.
RESERVE_MS = 30
# A first move gets this part of its limit, however long the start took.
LEAST_SHARE = 20
# Managers write "no limit" as the largest 32-bit number.
NO_LIMIT = 2147483647
# Some write it as the largest 64-bit number. A number with more digits than parse_integer() reads
# counts as this one.
HUGE = 10**MAX_DIGITS
# The limits of a turn and of a match that Yixin-Board sends together for "no limit".
YIXIN_PAIR_MS = (2_000_000, 100_000_000)

# `INFO rule` is a sum of bits. Bit 2, the continuous game, changes what a manager does after a five
# but not which move is best: it is removed before the look-up.
CONTINUOUS = 2
RULES = {int(rule): rule for rule in Rule}
_KNOWN_RULES = ", ".join(f"{row.number} {row.name}" for row in rulebook.RULES)
# No sums: freestyle where the second player may swap after the first stone and, in the Yixin
# dialect, freestyle with a swap2 opening.
SWAP = 5
SWAP2 = 6

_TIME_KEYS = ("timeout_turn", "timeout_match", "time_left")
_LIMIT_KEYS = (*_TIME_KEYS, "time_increment", "max_node", "max_depth")
_NUMBER_KEYS = (
    *_LIMIT_KEYS,
    *("max_memory", "hash_size", "thread_num", "strength", "seed", "show_detail"),
    *("pondering", "rule", "swapable"),
)
_PARAMETER = "param."
# More than the engine has parameters; a manager that sends more names is out of order.
MAX_PARAMETERS = 1000
MAX_NAME = 60
# So many values that cannot be used are kept for MESSAGE lines.
MAX_REMARKS = 10
# 1000, 1000.0 and 1000ms; not 0x10, 1e6 or 1,000, whose first digits are another number.
_LEADING_NUMBER = re.compile(r"([+-]?)([0-9]+)(?:\.[0-9]*)?[a-zA-Z]*", re.ASCII)
MAX_HASH_MB = 2**20
LIMIT_BYTES = 1 << 20
MAX_THREADS = 64  # more count as so many
# What the first number of a square is in the dialect of Yixin-Board: see docs/PROTOCOL.md.
AUTO, ROW_COL, X_Y = "auto", "row,col", "x,y"


# -- the file


class Entry(NamedTuple):
    """What an entry accepts, in words, and which values these are."""

    text: str
    admits: Callable[[object], bool]


def _whole(lowest: int, highest: int | None = None) -> Entry:
    """A whole number; `true` is none."""

    def admits(value: object) -> bool:
        if not isinstance(value, int) or isinstance(value, bool):
            return False
        return value >= lowest and (highest is None or value <= highest)

    to = f", at least {lowest}" if highest is None else f" from {lowest} to {highest}"
    return Entry(f"a whole number{to}", admits)


# Between double quotes "C:\\temp\\new.log" has a tab and a line end, which no name of a file has.
_FILE = Entry(
    "the name of a file, in single quotes, which keep every \\ as it is",
    lambda name: isinstance(name, str) and name != "" and min(name) >= " ",
)
ENTRIES = {
    "hash_mb": _whole(1, MAX_HASH_MB),
    "threads": _whole(1),
    "log": _FILE,
    "net": _FILE,
    "level": _whole(1, MAX_LEVEL),
    "seed": _whole(0, MAX_SEED),
    "pondering": Entry("true or false", lambda value: isinstance(value, bool)),
    "yixin_coordinates": Entry(
        'one of "auto", "row,col" and "x,y"', lambda value: value in (AUTO, ROW_COL, X_Y)
    ),
}


class FileSettings(NamedTuple):
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


NO_FILE = FileSettings()


def read_settings(path: str) -> FileSettings:
    """Read a settings file; one that does not exist is like an empty one."""
    try:
        text = read_file(path, LIMIT_BYTES).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return NO_FILE
    except OSError as problem:
        return FileSettings(notices=(f"{path} cannot be read: {problem.strerror}",))
    except ValueError:
        return FileSettings(notices=(f"{path} is not text in UTF-8 and is ignored",))
    return _understand(text, path)


def _understand(text: str, path: str) -> FileSettings:
    # Imported here because most users have no such file and the manager's clock is running.
    import tomllib

    folder, name = os.path.split(path)
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # also for a number of 5,000 digits
        hint = "; a name with \\ stands in single quotes" if "\\" in text else ""
        return FileSettings(notices=(f"{name} is not valid TOML and is ignored: {problem}{hint}",))
    good: dict[str, Any] = {}
    used, wrong = [], []
    for key, value in table.items():
        if key not in ENTRIES:
            wrong.append(f"{name}: {key} is not a setting; expected {_either(ENTRIES)}")
        elif not ENTRIES[key].admits(value):
            wrong.append(f"{name}: {key} must be {ENTRIES[key].text}; this entry is ignored")
        else:
            good[key] = os.path.join(folder, value) if ENTRIES[key] is _FILE else value
            used.append(f"{key} = {_shown(value)}")
    notices = [f"settings from {path}: {', '.join(used)}"] if used else []
    return FileSettings(**good, notices=(*notices, *wrong))


def _shown(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        return f"'{value}'" if "\\" in value else f'"{value}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def _either(words: Iterable[str]) -> str:
    """`a, b or c`."""
    *first, last = words
    return f"{', '.join(first)} or {last}"


# -- INFO


class Settings:
    """The settings of a session: the settings file's, overridden by INFO.

    START and RESTART do not change them.

    memory_bytes  limit for the whole process; None = not sent, or 0 = no limit.
    hash_bytes    wanted size of the hash table; None = whatever the memory allows.
    threads       that search, from 1 to MAX_THREADS.
    strength      from 0 to MAX_STRENGTH, which is the whole engine (engine.limits).
    seed          decides what a lower strength leaves to chance; None = every game is another one.
    is_pondering  Tengen thinks in the opponent's time.
    parameters    parameters of the search sent as `INFO param.NAME N`, by name, for tuning.
    detail        the value of show_detail: what else is printed about a search (protocol.dialect).
    is_yixin      the manager has spoken the Yixin dialect, in which rule 2 is renju.
    is_row_first  the first number of a square is its row, as in Yixin-Board, not its column.
    """

    def __init__(self, file: FileSettings = NO_FILE) -> None:
        self.memory_bytes: int | None = None
        self.hash_bytes = file.hash_mb and file.hash_mb * 2**20
        self.threads = min(file.threads or 1, MAX_THREADS)
        self.strength = MAX_STRENGTH if file.level is None else strength_of(file.level)
        self.seed = file.seed
        self.is_pondering = bool(file.pondering)
        self.parameters: dict[str, int] = {}
        self.detail = 0
        self.is_row_first = file.yixin_coordinates == ROW_COL
        self._is_order_open = file.yixin_coordinates in (None, AUTO)
        self.is_yixin = False
        self._rule_sum = 0
        # As sent, in milliseconds, nodes and plies.
        self._limits: dict[str, int] = {}
        self._is_swapable = False
        # By key.
        self._remarks: dict[str, str] = {}

    def apply(self, key: str, value: str) -> None:
        """Take one `INFO key value`; `key` in lower case. Other keys are ignored, also those that
        every manager sends and Tengen does not use: game_type, folder, evaluate."""
        if key == "show_detail":
            self.is_yixin = True
        if key in _NUMBER_KEYS or key.startswith(_PARAMETER):
            word = (value.split(maxsplit=1) or [""])[0]
            is_exact = key == "rule" or key.startswith(_PARAMETER)
            number = parse_integer(word) if is_exact else leading_number(word)
            problem = (
                f"needs a whole number, {quote(word)} is not one"
                if number is None
                else self._set_number(key, number)
            )
            self._remarks.pop(key, None)
            if problem is not None and (key == "rule" or len(self._remarks) < MAX_REMARKS):
                self._remarks[key] = f"INFO {key[:MAX_NAME]} {problem}"

    def note_front_end(self, is_lower: bool) -> None:
        """yxshowinfo has come, in lower case or not, and tells who the manager is: Yixin-Board
        writes in lower case, and its squares are row,col; web front ends write in upper case, and
        theirs are x,y. No effect where the settings file says which it is."""
        if self._is_order_open:
            self.is_row_first = is_lower

    def take_remarks(self) -> list[str]:
        """Texts on the values that could not be used since the last call."""
        texts = [f"{text}; the earlier value stays" for text in self._remarks.values()]
        self._remarks.clear()
        return texts

    @property
    def rule(self) -> Rule:
        """The rule in force."""
        if self.is_yixin and self._rule_sum == CONTINUOUS:
            return Rule.RENJU
        if self._rule_sum == SWAP or self.is_yixin and self._rule_sum == SWAP2:
            return Rule.FREESTYLE
        return RULES[self._rule_sum & ~CONTINUOUS]

    @property
    def is_continuous(self) -> bool:
        """True when the game goes on after a finished line, whose stones then belong to nobody."""
        return (
            bool(self._rule_sum & CONTINUOUS) and self.rule is RULES[self._rule_sum & ~CONTINUOUS]
        )

    @property
    def may_swap(self) -> bool:
        """True where the second player may answer the first stone by taking it: SWAP."""
        return self._rule_sum == SWAP and self._is_swapable

    def limits(self, started_ns: int, used_ns: int = 0, excluded: tuple[Point, ...] = ()) -> Limits:
        """The limits for a move whose clock started at `started_ns` (`time.perf_counter_ns()`).

        `used_ns` is what the earlier moves of the game took, less their increments, for a manager
        that never says how much of the game's time is left. `excluded` are points not to be played.
        """
        sent = self._limits.get
        turn_ms, match_ms, left_ms = (time_limit_ms(key, sent(key)) for key in _TIME_KEYS)
        nodes, depth_plies = _positive(sent("max_node")), _positive(sent("max_depth"))
        if (turn_ms, match_ms) == YIXIN_PAIR_MS:
            # Yixin-Board means: until stopped. The turn limit of half an hour is kept, because a
            # brain without any limit takes only a few seconds.
            turn_ms = None if nodes or depth_plies else turn_ms
            match_ms = left_ms = None
        if left_ms is None and sent("time_left") is not None:
            match_ms = None  # endless time that is left overrides it
        if match_ms is not None and left_ms is None and used_ns:
            left_ms = match_ms - used_ns // MILLISECOND_NS
        return Limits(
            turn_ms=turn_ms,
            match_ms=match_ms,
            left_ms=left_ms,
            nodes=nodes,
            depth_plies=depth_plies,
            started_ns=started_ns,
            excluded=excluded,
            increment_ms=_positive(self._limits.get("time_increment")),
        )

    def _set_number(self, key: str, number: int) -> str | None:
        """Store a number; returns what is wrong with it, if anything."""
        match key:
            case "rule":
                if number != SWAP and (number < 0 or number & ~CONTINUOUS not in RULES):
                    return (
                        f"{number} does not exist: the rules are {_KNOWN_RULES},"
                        " each also with 2 added for a continuous game, and 5 freestyle with swap"
                    )
                self._rule_sum = number
            case "max_memory":
                if number < 0:
                    return f"{number} is not a limit: send a number of bytes, or 0 for no limit"
                # With this number a manager says that there is no limit.
                self.memory_bytes = number if 0 < number < HUGE else None
            case "hash_size":
                self.hash_bytes = number * 1024 if number > 0 else None
            case "swapable":
                self._is_swapable = number > 0
            case "show_detail":
                self.detail = max(0, number)
            case "thread_num":
                self.threads = min(max(1, number), MAX_THREADS)
            case "pondering":
                self.is_pondering = number > 0
            case "strength":
                if not 0 <= number <= MAX_STRENGTH:
                    shown = quote(str(number))
                    return f"{shown} does not exist: send a whole number from 0 to {MAX_STRENGTH}"
                self.strength = number
            case "seed":
                if number > MAX_SEED:
                    return f"is too large: send a whole number from 0 to {MAX_SEED}, or -1 for none"
                self.seed = number if number >= 0 else None
            case _ if key in _LIMIT_KEYS:
                self._limits[key] = number
            case _:
                name = key.removeprefix(_PARAMETER)
                if len(name) > MAX_NAME:
                    return "does not exist: no parameter has a name of that length"
                if name not in self.parameters and len(self.parameters) >= MAX_PARAMETERS:
                    return f"is one name too many: {MAX_PARAMETERS} are kept"
                self.parameters[name] = number
        return None


def with_whole_start(limits: Limits, created_ns: int, now_ns: int) -> Limits:
    """The limits of a move that was asked for before the process, created at `created_ns`, had
    started. Its clock, `limits.started_ns`, leaves out pauses that may have been a suspension
    (start_up.py). They count as well where the move could still be in time: then the limit of the
    turn is that much shorter, but the move gets a twentieth of it in any case.
    """
    if limits.turn_ms is None or limits.started_ns is None:
        return limits
    whole_ms = (now_ns - created_ns) // MILLISECOND_NS
    counted_ms = (now_ns - limits.started_ns) // MILLISECOND_NS
    if not counted_ms < whole_ms < limits.turn_ms:
        return limits
    turn_ms = limits.turn_ms - (whole_ms - counted_ms)
    least_ms = counted_ms + limits.turn_ms // LEAST_SHARE
    return limits._replace(turn_ms=min(limits.turn_ms, max(turn_ms, least_ms)))


def end_of_search_ns(
    key: str, value: str, started_ns: int, used_ns: int, read_ns: int
) -> int | None:
    """When `INFO key value`, read at `read_ns`, ends a search that is running, whose clock began at
    `started_ns`; None if it does not. It applies to the next search besides, in its turn.

    `used_ns` is what the earlier moves of the game took, less their increments.
    """
    if key not in _TIME_KEYS:
        return None
    word = (value.split(maxsplit=1) or [""])[0]
    number_ms = time_limit_ms(key, leading_number(word))
    if number_ms is None:
        return None
    begin_ns = read_ns if key == "time_left" else started_ns
    if key == "timeout_match":
        begin_ns -= used_ns
    return begin_ns + (number_ms - RESERVE_MS) * MILLISECOND_NS


def time_limit_ms(key: str, number: int | None) -> int | None:
    """The milliseconds that this number for a key leaves for a move or a game; None where it sets
    no limit. `timeout_turn 0` is a limit, `timeout_match 0` is none."""
    if number is None or number >= NO_LIMIT:
        return None
    if number < 0 and key == "timeout_turn" or number <= 0 and key == "timeout_match":
        return None
    return number


def leading_number(word: str) -> int | None:
    """The whole number that a word begins with, such as 1000 for `1000.0` and `1000ms`; None where
    it begins with none. One of more digits than parse_integer() reads becomes HUGE or -HUGE."""
    match = _LEADING_NUMBER.fullmatch(word)
    if match is None:
        return None
    sign, digits = match[1], match[2].lstrip("0") or "0"
    number = int(digits) if len(digits) <= MAX_DIGITS else HUGE
    return -number if sign == "-" else number


def _positive(number: int | None) -> int | None:
    """The number if it is a limit, else None: managers send 0, -1 or a huge number for no limit."""
    return number if number is not None and 0 < number < HUGE else None
