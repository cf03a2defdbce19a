"""A program of a match: its name, how to start it, and what it may use.

Written on the command line as `key=value` words:

    name=Tengen cmd="pbrain-tengen" turn=0.1 nodes=20000 option.caution_factor=3
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from tengen.arena.programs.command_line import read_command
from tengen.game.json_text import Record
from tengen.game.numbers import counted, read_count
from tengen.game.played import TimeControl, read_clock

# The keys that limit a move.
_LIMITS = frozenset({"turn", "match", "nodes", "depth"})
_LONGEST_NAME = 60
_LONGEST_S = 1_000_000

# Reads the value of a word; ValueError, which says what is expected, for another text.
Reader = Callable[[str], Any]


@dataclass(frozen=True)
class ProgramSpec:
    """One program of a match.

    command       the words that start it; the first is found as a shell would find it.
    control       its time for a move and for a game.
    nodes, depth_plies, threads   sent as INFO max_node, max_depth, thread_num when given.
    memory_bytes  sent as INFO max_memory when given; 0 = no limit. None = nothing is sent, and the
                  program uses its own default.
    options       further INFO keys and values, sent as they are.
    folder        where it runs; None = an empty folder of its own.
    tolerance_s, start_s   how late its moves may be, and how long it may take to start; None = as
                  for all programs.
    restarts      every game has a new process.
    sees_board    every move is asked for by BOARD with the whole position.
    """

    name: str
    command: tuple[str, ...]
    control: TimeControl = field(default_factory=TimeControl)
    nodes: int | None = None
    depth_plies: int | None = None
    memory_bytes: int | None = None
    threads: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    folder: str | None = None
    tolerance_s: float | None = None
    start_s: float | None = None
    restarts: bool = False
    sees_board: bool = False

    def info_lines(self, rule: int) -> list[str]:
        """The INFO lines sent before each game, in the order managers use."""
        lines = [] if self.memory_bytes is None else [f"INFO max_memory {self.memory_bytes}"]
        lines += [
            *self.control.info_lines(),
            "INFO game_type 1",
            f"INFO rule {rule}",
        ]
        for key, value in (
            ("max_node", self.nodes),
            ("max_depth", self.depth_plies),
            ("thread_num", self.threads),
        ):
            if value is not None:
                lines.append(f"INFO {key} {value}")
        return lines + [f"INFO {key} {value}" for key, value in self.options]

    @property
    def limits_text(self) -> str:
        """The limits in words, for tables."""
        parts = [] if self.control == TimeControl() else [str(self.control)]
        if self.nodes is not None:
            parts.append(counted(self.nodes, "node"))
        if self.depth_plies is not None:
            parts.append(f"depth {self.depth_plies}")
        return ", ".join(parts) or "no limit"


def read_program(words: Sequence[str], each: Sequence[str] = ()) -> ProgramSpec:
    """Reads the `key=value` words of one program.

    each  words for all programs; a key that the program has itself is ignored, and if it has any
          limit (`turn=`, `match=`, `nodes=`, `depth=`), so are all limits of `each`.

    Without `name=` the name is empty. ValueError, in one line, for a word that is not understood, a
    missing `cmd=`, or a program that cannot be found.
    """
    own, shared = split_words(words, "--engine"), split_words(each, "--each")
    if "cmd" not in own:
        hint = " (quotes go around one word)" if any(" cmd=" in word for word in words) else ""
        raise ValueError(f"--engine {' '.join(words)!r}: cmd= is missing{hint}")
    for key in ("name", "cmd"):
        if key in shared:
            raise ValueError(f"--each: {key}= is not shared; give it to each --engine")
    if own.keys() & _LIMITS:
        shared = {key: value for key, value in shared.items() if key not in _LIMITS}
    called = f"engine {own['name']}" if "name" in own else "--engine"
    given = shared | own
    name = given.pop("name", "")
    if not name.isprintable() or name != " ".join(name.split()) or len(name) > _LONGEST_NAME:
        raise ValueError(
            f"engine {name!r}: a name has 1 to {_LONGEST_NAME} characters that can be printed, and"
            " blanks only between words, one at a time"
        )
    try:
        command = read_command(given.pop("cmd"))
    except ValueError as error:
        raise ValueError(f"{called}: {error}") from None
    options = tuple(
        (key.removeprefix("option."), given.pop(key))
        for key in list(given)
        if key.startswith("option.") and key != "option."
    )
    if unknown := next((key for key in given if key not in _READERS), None):
        known = ", ".join(["name", "cmd", *_READERS])
        raise ValueError(f"{called}: {unknown}= is not a key; expected {known} or option.KEY")
    values = read_words(called, given, _READERS)
    control = replace(values.pop("match", TimeControl()), turn_s=values.pop("turn", None))
    others = {_FIELDS.get(key, key): value for key, value in values.items()}
    return ProgramSpec(name, command, control, options=options, **others)


def program_of(command: str) -> ProgramSpec:
    """The program that a command line starts, named by its script, if it has one, or its last
    argument. ValueError, in one line, if there is none."""
    words = read_command(command)
    plain = [word for word in words if not word.startswith("-")]
    file = next((word for word in words[1:] if os.path.isfile(word)), plain[-1])
    return ProgramSpec(Path(file).stem.removeprefix("pbrain-")[:30] or "program", words)


def has_limit(words: Sequence[str]) -> bool:
    """True if one of the words limits a move."""
    return any(word.partition("=")[0] in _LIMITS for word in words)


def split_words(words: Sequence[str], option: str) -> dict[str, str]:
    """`key=value` words as a mapping; ValueError, naming `option`, for a word of another form and
    for a key given twice."""
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key or not value:
            raise ValueError(f"{option} {word!r}: expected key=value")
        if key in given:
            raise ValueError(f"{option}: {key}= is given twice")
        given[key] = value
    return given


def read_words(
    what: str, given: Mapping[str, str], readers: Mapping[str, Reader]
) -> dict[str, Any]:
    """The values of words by key. ValueError, naming `what`, for a key without a reader and for a
    value that cannot be read."""
    found = {}
    for key, text in given.items():
        if key not in readers:
            raise ValueError(f"{what}: {key}= is not a key; expected {', '.join(readers)}")
        try:
            found[key] = readers[key](text)
        except ValueError as error:
            raise ValueError(f"{what}: {key}={text}: {error}") from None
    return found


def read_seconds(text: str) -> float:
    """Seconds, 0 included."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not (math.isfinite(seconds) and 0 <= seconds <= _LONGEST_S):
        raise ValueError("expected seconds, such as 0.5")
    return seconds


def read_positive_seconds(text: str) -> float:
    """Seconds above zero."""
    if not (seconds := read_seconds(text)):
        raise ValueError("expected seconds above zero")
    return seconds


def read_whole(text: str) -> int:
    """A whole number in digits, 0 included."""
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise ValueError("expected a whole number")
    return int(text)


def read_positive(text: str) -> int:
    """A whole number above zero, in digits or with a power of ten."""
    try:
        count = read_count(text)
    except ValueError:
        count = 0
    if count == 0:
        raise ValueError("expected a whole number above zero, such as 20000 or 1e6")
    return count


def read_number(text: str) -> float:
    """Any number."""
    try:
        return float(text)
    except ValueError:
        raise ValueError("expected a number") from None


def _read_switch(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError("expected on or off")
    return text == "on"


def _read_memory(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError("expected mebibytes, such as 350, or 0 for no limit")
    return int(text) * 2**20


def _read_folder(text: str) -> str:
    if not Path(text).is_dir():
        raise ValueError("No such file or directory")
    return str(Path(text).absolute())


_READERS: dict[str, Reader] = {
    "turn": read_seconds,
    "match": read_clock,
    "nodes": read_positive,
    "depth": read_positive,
    "memory": _read_memory,
    "threads": read_positive,
    "dir": _read_folder,
    "tolerance": read_seconds,
    "start": read_positive_seconds,
    "restart": _read_switch,
    "board": _read_switch,
}
# The fields that words set, where they have another name.
_FIELDS = {
    "depth": "depth_plies",
    "memory": "memory_bytes",
    "dir": "folder",
    "tolerance": "tolerance_s",
    "start": "start_s",
    "restart": "restarts",
    "board": "sees_board",
}


def as_record(program: ProgramSpec) -> Record:
    """The program as plain values, for records; those of its time control are among them."""
    record = asdict(program) | asdict(program.control)
    del record["control"]
    return record | {"command": list(program.command), "options": dict(program.options)}


def from_record(record: Mapping[str, Any]) -> ProgramSpec:
    """The program that `as_record` has described, also in an earlier version, which wrote fewer
    fields; KeyError or TypeError for any other record."""
    own, times = (
        {each.name: record[each.name] for each in fields(kind) if each.name in record}
        for kind in (ProgramSpec, TimeControl)
    )
    command, options = tuple(own.pop("command")), tuple(own.pop("options").items())
    return ProgramSpec(**own, command=command, options=options, control=TimeControl(**times))
