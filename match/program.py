"""A program that takes part: its name, how to start it, and what it may use.

Written on the command line as `key=value` words:

    name=Tengen cmd="pbrain-tengen" turn=0.1 nodes=20000 option.caution_factor=3
"""

from __future__ import annotations

import math
import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from match.clockbook import TimeControl

# What tournaments allow, and what programs expect to be told.
DEFAULT_MEMORY_BYTES = 350 * 2**20


@dataclass(frozen=True)
class Program:
    """One entrant of a match.

    command       the words that start it; the first is found as a shell would find it.
    control       its time for a move and for a game.
    nodes, depth_plies, threads   sent as INFO max_node, max_depth, thread_num when given.
    memory_bytes  sent as INFO max_memory; 0 = no limit.
    options       further INFO keys and values, sent as they are.
    """

    name: str
    command: tuple[str, ...]
    control: TimeControl = field(default_factory=TimeControl)
    nodes: int | None = None
    depth_plies: int | None = None
    memory_bytes: int = DEFAULT_MEMORY_BYTES
    threads: int | None = None
    options: tuple[tuple[str, str], ...] = ()

    def info_lines(self, rule: int) -> list[str]:
        """The INFO lines sent before each game, in the order managers use."""
        lines = [
            f"INFO max_memory {self.memory_bytes}",
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


def read_program(words: Sequence[str], defaults: TimeControl | None = None) -> Program:
    """Reads the `key=value` words of one program.

    A word with `turn=`, `match=`, `nodes=` or `depth=` replaces `defaults`, which is for programs
    that say nothing about their limits. ValueError, in one line, for a word that is not
    understood, a missing `name=` or `cmd=`, or a program that cannot be found.
    """
    given: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not value:
            raise ValueError(f"--engine {word!r}: expected key=value")
        if key in given:
            raise ValueError(f"--engine: {key}= is given twice")
        given[key] = value
    for key in ("name", "cmd"):
        if key not in given:
            raise ValueError(f"--engine {' '.join(words)!r}: {key}= is missing")
    name = given.pop("name")
    program = Program(name, _read_command(name, given.pop("cmd")))
    if not given.keys() & {"turn", "match", "nodes", "depth"}:
        program = replace(program, control=defaults or TimeControl())
    options = []
    for key, value in given.items():
        if key.startswith("option.") and len(key) > len("option."):
            options.append((key.removeprefix("option."), value))
        elif key in _SETTERS:
            program = _SETTERS[key](program, value, f"engine {name}: {key}={value}")
        else:
            known = ", ".join(["name", "cmd", *_SETTERS])
            raise ValueError(f"engine {name}: {key}= is not known; known are {known}, option.KEY")
    return replace(program, options=tuple(options))


def _read_command(name: str, text: str) -> tuple[str, ...]:
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise ValueError(f"engine {name}: cmd={text}: {error}") from None
    found = shutil.which(words[0]) if words else None
    if found is None:
        raise ValueError(f"engine {name}: there is no program {words[0] if words else text!r}")
    # Not resolved further: an interpreter knows its environment by the link it is called through.
    return (str(Path(found).absolute()), *words[1:])


def _seconds(text: str, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not (math.isfinite(value) and 0 <= value <= 1_000_000):
        raise ValueError(f"{what}: expected seconds, such as 0.5")
    return value


def _count(text: str, what: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ValueError(f"{what}: expected a whole number above zero")
    return int(text)


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


_SETTERS: dict[str, Callable[[Program, str, str], Program]] = {
    "turn": _set_turn,
    "match": _set_match,
    "nodes": lambda program, text, what: replace(program, nodes=_count(text, what)),
    "depth": lambda program, text, what: replace(program, depth_plies=_count(text, what)),
    "memory": lambda program, text, what: replace(program, memory_bytes=_memory(text, what)),
    "threads": lambda program, text, what: replace(program, threads=_count(text, what)),
}


def as_record(program: Program) -> dict[str, Any]:
    """The program as plain values, for records."""
    return {
        "name": program.name,
        "command": list(program.command),
        "turn_s": program.control.turn_s,
        "match_s": program.control.match_s,
        "nodes": program.nodes,
        "depth_plies": program.depth_plies,
        "memory_bytes": program.memory_bytes,
        "threads": program.threads,
        "options": dict(program.options),
    }
