"""What the commands of this room have in common: how a position is named, limits, the help, the
threads and the memory of a search, and its end by Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from tengen.common.commands import (
    RULE_HELP,
    Count,
    Read,
    Rule,
    Seconds,
    Size,
    find_name,
    option,
    option_field,
    takes,
    usage_errors,
)
from tengen.common.process import signals_call
from tengen.game.files.positions import SIDES, Choice, StoredPosition

if TYPE_CHECKING:
    from engine.api import Engine  # not for --help: it takes a while

MOST_THREADS = 64
LEAST_MEMORY_MIB, MOST_MEMORY_MIB = 30, 1_000_000
DEFAULT_MEMORY_MIB = 350
_MIB = 1 << 20


def _read_side(text: str) -> int:
    return SIDES[find_name("side", text, [*SIDES])]


def _of_position(help_text: str, **more: Any) -> dict[str, Any]:
    return {"heading": "Which position", "help": help_text, **more}


# The options of a Choice, by its fields.
_CHOICE = {
    "rule": _of_position(
        f"{RULE_HELP}  [default: as the file says, else freestyle]", type=Rule(), metavar="RULE"
    ),
    "size": _of_position(
        "Board for points, such as 20x15.  [default: 15]", type=Size(), metavar="SIZE"
    ),
    "side": _of_position("The side to move.", type=Read("side", _read_side), metavar="black|white"),
    "after": _of_position("After N moves of a game.", type=Count(0)),
    "game": _of_position("The Nth game of a match or a file.", type=Count(1)),
    "from_top": _of_position("Count the rows of h8 from the top, not the bottom.", is_flag=True),
}


@dataclass(frozen=True)
class Resources:
    """What an engine may use.

    threads     that search one position; only with one are the same nodes searched every time.
    memory_mib  for the engine; about half of it is its table. None = as in tournaments,
                DEFAULT_MEMORY_MIB.
    """

    threads: int = option_field(
        "--threads", type=Count(1, MOST_THREADS), default=1, help="Threads of one search."
    )
    memory_mib: int | None = option_field(
        "--memory",
        type=Count(LEAST_MEMORY_MIB, MOST_MEMORY_MIB),
        metavar="MIB",
        help=f"For a search, half of it for the table.  [default: {DEFAULT_MEMORY_MIB}]",
    )

    def give(self, engine: Engine, hash_bytes: int | None = None) -> Engine:
        """The engine, which has them from now on; `hash_bytes` = the most that its table takes.
        ValueError if so little memory is not enough for so many threads."""
        memory = None if self.memory_mib is None else self.memory_mib * _MIB
        if problem := engine.set_memory(memory, hash_bytes) or engine.set_threads(self.threads):
            raise ValueError(problem)
        return engine


@contextmanager
def answers_at_once(engine: Engine) -> Iterator[list[int]]:
    """Inside the context Ctrl-C makes the engine answer with what it has found; a second one raises
    KeyboardInterrupt. Yields the signals received; searches that begin later are for the caller to
    leave out, or to stop as well."""
    received: list[int] = []

    def stop() -> None:
        received.append(0)
        if len(received) > 1:
            raise KeyboardInterrupt
        engine.request_stop()

    with signals_call(stop):
        yield received


def position_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the argument and the options that name a position to a command, which gets `words`, and
    what the options say as `choice`, a Choice."""

    made = takes("choice", Choice, **_CHOICE)(command)
    return click.argument("words", metavar="FILE|POSITION...", nargs=-1)(made)


def resource_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds --threads and --memory to a command, which gets `resources`. A net of the user's that
    cannot be used ends the command, because its values would be those of another net."""

    @wraps(command)
    def checked(*args: Any, resources: Resources, **others: Any) -> Any:
        from engine.api import Engine
        from engine.net import NetFiles

        with usage_errors():
            NetFiles().check()
            resources.give(Engine())
        return command(*args, resources=resources, **others)

    return takes("resources", Resources)(checked)


def time_option(least_s: float, text: str) -> Callable[..., Any]:
    """`--time` in seconds; the command gets `time_s`."""
    seconds = Seconds(least_s, 1_000_000)
    return option("--time", "time_s", type=seconds, metavar="SECONDS", help=text)


def limit_ms(time_s: float | None, nodes: int | None, default_s: float) -> int | None:
    """What --time says, in milliseconds; `default_s` where neither it nor --nodes is given, and
    None, no limit, where only --nodes is."""
    if time_s is None:
        if nodes is not None:
            return None
        time_s = default_s
    return max(1, round(time_s * 1000))


def say_which(position: StoredPosition) -> None:
    """Tells on standard error which game of its file it is, and what was not read as it stands."""
    for note in position.notes:
        click.echo(note, err=True)


def still_open(stored: StoredPosition) -> StoredPosition:
    """The position; ValueError, with its name, if the game is over in it."""
    stored.require_open()
    return stored
