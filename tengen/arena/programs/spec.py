"""A program of a match: its name, how to start it, and what it may use.

Written on the command line as `key=value` words:

    name=Tengen cmd="pbrain-tengen" turn=0.1 nodes=20000 option.caution_factor=3
"""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from errno import ENOENT, ENOEXEC
from itertools import pairwise
from pathlib import Path
from typing import Any

from tengen.game.played import TimeControl
from tengen.game.values import Record, counted, read_count

# The keys that limit a move.
_LIMITS = frozenset({"turn", "match", "nodes", "depth"})
_LONGEST_NAME = 60
_LONGEST_S = 1_000_000
_NUMBER = r"\d{1,6}(?:\.\d{1,6})?"
_CLOCK = re.compile(rf"({_NUMBER})(?:/({_NUMBER}))?(\+{_NUMBER})?", re.ASCII)

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
    if unknown := next((key for key in given if key not in _WORDS), None):
        known = ", ".join(["name", "cmd", *_WORDS])
        raise ValueError(f"{called}: {unknown}= is not a key; expected {known} or option.KEY")
    values = read_words(called, given, {key: reader for key, (_, reader) in _WORDS.items()})
    control = replace(values.pop("match", TimeControl()), turn_s=values.pop("turn", None))
    others = {_WORDS[key][0]: value for key, value in values.items()}
    return ProgramSpec(name, command, control, options=options, **others)


def words_of(program: ProgramSpec) -> list[str]:
    """The words that `read_program` reads as this program, without its name and command."""
    times, memory = program.control, program.memory_bytes
    given: dict[str, Any] = {key: getattr(program, name, None) for key, (name, _) in _WORDS.items()}
    plus = f"+{_shown(times.increment_s)}" if times.increment_s else ""
    clock = None if times.match_s is None else _shown(times.match_s) + plus
    given |= {"turn": times.turn_s, "match": clock, "memory": memory and memory >> 20}
    given |= {f"option.{key}": value for key, value in program.options}
    said = {key: each for key, each in given.items() if each is not None and each is not False}
    return [f"{key}={_shown(value)}" for key, value in said.items()]


def _shown(value: object) -> str:
    """The value of a word, as its reader takes it."""
    if value is True:
        return "on"
    return f"{value:f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


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


def read_clock(text: str) -> TimeControl:
    """Reads the time for a game in seconds, with what each own move adds: `60`, `60+0.5`.

    ValueError for anything else. `40/60` is not guessed: it means 40 moves in 60 s in chess, and
    40 s for the game with 60 s for a move in c-gomoku-cli.
    """
    found = _CLOCK.fullmatch(text)
    if found is None or not (found[2] or float(found[1])):
        raise ValueError("expected the seconds for a game, such as 60 or 60+0.5")
    if found[2]:
        match = f"match={found[1]}{found[3] or ''} " if float(found[1]) else ""
        raise ValueError(
            "a number before / is moves for some programs and seconds for others; if it is"
            f" seconds, write {match}turn={found[2]}"
        )
    return TimeControl(match_s=float(found[1]), increment_s=float(found[3] or 0))


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


# The field that each word sets, and how it is read.
_WORDS: dict[str, tuple[str, Reader]] = {
    "turn": ("turn", read_seconds),
    "match": ("match", read_clock),
    "nodes": ("nodes", read_positive),
    "depth": ("depth_plies", read_positive),
    "memory": ("memory_bytes", _read_memory),
    "threads": ("threads", read_positive),
    "dir": ("folder", _read_folder),
    "tolerance": ("tolerance_s", read_seconds),
    "start": ("start_s", read_positive_seconds),
    "restart": ("restarts", _read_switch),
    "board": ("sees_board", _read_switch),
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


# How files begin that systems start, by the system.
_SYSTEMS = {
    b"MZ": "Windows",
    b"\x7fELF": "Linux",
    b"\xcf\xfa\xed\xfe": "macOS",
    b"\xca\xfe\xba\xbe": "macOS",
}
_HEAD_BYTES = 256


class CannotStart(OSError):
    """A program cannot be started; the text says why."""


def read_command(text: str) -> tuple[str, ...]:
    """The words of a command, the first as the absolute path of the program. Files that others
    name are absolute as well, so that the program finds them from any folder. ValueError, in one
    line, if there is no such program."""
    words = split_command(text)
    try:
        found = find_program(words[0])
    except ValueError as error:
        for count in range(2, len(words) + 1):
            if os.path.isfile(path := " ".join(words[:count])):
                raise ValueError(f"{error}; put quotes around the path {path!r}") from None
        raise
    rest = (
        # What follows -m is a module of Python, also where a folder has its name.
        str(Path(word).absolute()) if before != "-m" and os.path.exists(word) else word
        for before, word in pairwise(words)
    )
    return (found, *rest)


def split_command(text: str, is_windows: bool = os.name == "nt") -> list[str]:
    """The words of a command as a shell would read them, one at least; on Windows a backslash is an
    ordinary character. ValueError for no word, for a quote that is not closed, and for a null
    character."""
    if "\0" in text:
        raise ValueError(f"{text!r}: a command has no null characters")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if is_windows:
        lexer.escape = ""
    try:
        words = list(lexer)
    except ValueError:
        raise ValueError(f"{text}: a quote is not closed, or nothing follows a backslash") from None
    if not words or not words[0]:
        raise ValueError("the command is empty; expected one that starts a program")
    return words


def find_program(word: str) -> str:
    """The absolute path of a program, found as a shell would find it, or among the commands of the
    Python that runs, whose environment need not be activated. ValueError, in one line, if there is
    none or it may not be started."""
    own = os.pathsep.join((os.path.dirname(sys.executable), sysconfig.get_path("scripts")))
    if found := shutil.which(word) or shutil.which(word, path=own):
        # Links are not resolved: an interpreter knows its environment by the link it is called
        # through.
        return str(Path(found).absolute())
    if not os.path.exists(word):
        is_relative = os.path.dirname(word) and not os.path.isabs(word)
        raise ValueError(
            f"there is no program {word!r}" + (f" in {Path.cwd()}" if is_relative else "")
        )
    if os.path.isdir(word):
        raise ValueError(f"{word!r} is a folder, not a program")
    if not os.path.isfile(word):
        raise ValueError(f"{word!r} is no plain file, so it is no program")
    if not os.path.dirname(word):
        here = os.path.join(os.curdir, word)
        raise ValueError(f"there is no program {word!r}; for the file in this folder write {here}")
    if system := _system(Path(word)):
        raise ValueError(f"{word!r} is not executable; it is a program for {system}")
    raise ValueError(
        f"{word!r} is not executable; name what runs it, such as python {word}, or chmod +x it"
    )


def why_not_started(command: Sequence[str], error: OSError) -> str:
    """Why the system has refused to start a program, in one line."""
    try:
        path = Path(find_program(command[0]))
    except ValueError as reason:
        return str(reason)
    word, head = command[0], _head(path)
    if error.errno == ENOENT and error.filename == command[0]:
        if head.startswith(b"#!"):
            first = head[2:].split(b"\n")[0].decode("utf-8", "replace")
            because = ": its lines end in CR LF" if first.endswith("\r") else ""
            return f"{word!r} is to be run by {first.strip(' ')!r}, which is missing{because}"
        return f"{word!r} is made for another system: what loads it is missing here"
    if error.errno == ENOEXEC:
        if not head:
            return f"{word!r} is an empty file"
        if not (system := _system(path)):
            return f"{word!r} has no first line such as #!/bin/sh; name what runs it"
        if system == "Windows":
            return f"{word!r} is a program for Windows; start it by wine"
        return f"{word!r} is a program for another system or processor ({system})"
    return f"{error.filename or word}: {error.strerror}"


def _system(path: Path) -> str:
    """The system that a file's first bytes belong to; empty for a script or a text."""
    head = _head(path)
    return next((name for magic, name in _SYSTEMS.items() if head.startswith(magic)), "")


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD_BYTES)
    except OSError:  # it may be run and not read
        return b""
