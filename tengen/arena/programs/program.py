"""A program of a match: its name, how to start it, and what it may use.

Written on the command line as `key=value` words:

    name=Tengen cmd="pbrain-tengen" turn=0.1 nodes=20000 option.caution_factor=3
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tengen.arena.programs.command_line import read_command
from tengen.game.record.numbers import read_count
from tengen.game.record.time_control import TimeControl, read_time_control

# The keys that limit a move.
_LIMITS = frozenset({"tc", "turn", "match", "nodes", "depth"})
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Program:
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
            parts.append(f"{self.nodes} nodes")
        if self.depth_plies is not None:
            parts.append(f"depth {self.depth_plies}")
        return ", ".join(parts) or "no limit"


def read_program(words: Sequence[str], each: Sequence[str] = ()) -> Program:
    """Reads the `key=value` words of one program.

    each  words for all programs; a key that the program has itself is ignored, and if it has any
          limit (`tc=`, `turn=`, `match=`, `nodes=`, `depth=`), so are all limits of `each`.

    Without `name=` the name is empty. ValueError, in one line, for a word that is not understood, a
    missing `cmd=`, or a program that cannot be found.
    """
    own = split_words(words, "--engine")
    if "cmd" not in own:
        raise ValueError(f"--engine {' '.join(words)!r}: cmd= is missing")
    called = f"engine {own['name']}" if "name" in own else "--engine"
    shared = split_words(each, "--each")
    for key in ("name", "cmd"):
        if key in shared:
            raise ValueError(f"--each: {key}= is not shared; give it to each --engine")
    if own.keys() & _LIMITS:
        shared = {key: value for key, value in shared.items() if key not in _LIMITS}
    given = shared | own
    name = given.pop("name", "")
    if not name.isprintable() or name != " ".join(name.split()) or len(name) > _LONGEST_NAME:
        raise ValueError(
            f"engine {name!r}: a name has 1 to {_LONGEST_NAME} characters that can be printed, and"
            " blanks only between words, one at a time"
        )
    try:
        program = Program(name, read_command(given.pop("cmd")))
    except ValueError as error:
        raise ValueError(f"{called}: {error}") from None
    if "tc" in given and given.keys() & {"turn", "match"}:
        raise ValueError(f"{called}: tc= sets turn= and match=; give tc= or those")
    options = []
    for key, value in given.items():
        if key.startswith("option.") and len(key) > len("option."):
            options.append((key.removeprefix("option."), value))
        elif key in _SETTERS:
            program = _SETTERS[key](program, value, f"{called}: {key}={value}")
        else:
            known = ", ".join(["name", "cmd", *_SETTERS])
            raise ValueError(f"{called}: {key}= is not a key; expected {known} or option.KEY")
    return replace(program, options=tuple(options))


def split_words(words: Sequence[str], option: str) -> dict[str, str]:
    """`key=value` words as a mapping; ValueError, naming `option`, for a word of another form and
    for a key given twice."""
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if key == "cmd" and equals and not value.strip():
            raise ValueError(f"{option}: cmd= is empty; expected a command that starts a program")
        if not equals or not key or not value:
            raise ValueError(f"{option} {word!r}: expected key=value")
        if key in given:
            raise ValueError(f"{option}: {key}= is given twice")
        given[key] = value
    return given


def is_known_word(word: str) -> bool:
    """True for `key=value` with a key that `read_program` knows."""
    key, equals, value = word.partition("=")
    return bool(equals and value) and (
        key in {"name", "cmd", *_SETTERS} or key.startswith("option.")
    )


def _seconds(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (math.isfinite(value) and 0 <= value <= 1_000_000):
        raise ValueError(f"{what}: expected seconds, such as 0.5")
    return value


def _count(text: str, what: str) -> int:
    try:
        count = read_count(text)
    except ValueError:
        count = 0
    if count == 0:
        raise ValueError(f"{what}: expected a whole number above zero, such as 20000 or 1e6")
    return count


def _memory(text: str, what: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ValueError(f"{what}: expected mebibytes, such as 350, or 0 for no limit")
    return int(text) * 2**20


def _set_turn(program: Program, text: str, what: str) -> Program:
    return replace(program, control=replace(program.control, turn_s=_seconds(text, what)))


def _set_match(program: Program, text: str, what: str) -> Program:
    match_s = _seconds(text, what)
    if match_s == 0:
        raise ValueError(f"{what}: expected seconds above zero")
    return replace(program, control=replace(program.control, match_s=match_s))


def _set_control(program: Program, text: str, what: str) -> Program:
    try:
        return replace(program, control=read_time_control(text))
    except ValueError as error:
        raise ValueError(f"{what}: {error}") from None


def _set_folder(program: Program, text: str, what: str) -> Program:
    if not Path(text).is_dir():
        raise ValueError(f"{what}: there is no such folder")
    return replace(program, folder=str(Path(text).absolute()))


_SETTERS: dict[str, Callable[[Program, str, str], Program]] = {
    "tc": _set_control,
    "turn": _set_turn,
    "match": _set_match,
    "nodes": lambda program, text, what: replace(program, nodes=_count(text, what)),
    "depth": lambda program, text, what: replace(program, depth_plies=_count(text, what)),
    "memory": lambda program, text, what: replace(program, memory_bytes=_memory(text, what)),
    "threads": lambda program, text, what: replace(program, threads=_count(text, what)),
    "dir": _set_folder,
    "tolerance": lambda program, text, what: replace(program, tolerance_s=_seconds(text, what)),
    "start": lambda program, text, what: replace(program, start_s=_seconds(text, what)),
}


def as_record(program: Program) -> dict[str, Any]:
    """The program as plain values, for records."""
    return {
        "name": program.name,
        "command": list(program.command),
        "turn_s": program.control.turn_s,
        "match_s": program.control.match_s,
        "increment_s": program.control.increment_s,
        "nodes": program.nodes,
        "depth_plies": program.depth_plies,
        "memory_bytes": program.memory_bytes,
        "threads": program.threads,
        "options": dict(program.options),
        "folder": program.folder,
        "tolerance_s": program.tolerance_s,
        "start_s": program.start_s,
    }


def from_record(record: Mapping[str, Any]) -> Program:
    """The program that `as_record` has described; KeyError or TypeError for any other record."""
    return Program(
        name=record["name"],
        command=tuple(record["command"]),
        control=TimeControl(record["turn_s"], record["match_s"], record["increment_s"]),
        nodes=record["nodes"],
        depth_plies=record["depth_plies"],
        memory_bytes=record["memory_bytes"],
        threads=record["threads"],
        options=tuple(record["options"].items()),
        folder=record["folder"],
        # Records of earlier versions have neither.
        tolerance_s=record.get("tolerance_s"),
        start_s=record.get("start_s"),
    )
