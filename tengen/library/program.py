"""Any program that speaks the Gomocup protocol, driven from Python as the arena drives it."""

from __future__ import annotations

import os
import shlex
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from typing import Self, TypedDict, TypeVar, Unpack

from tengen.arena.programs import program as driver
from tengen.arena.programs.program import ProgramFailed as ProgramFailed
from tengen.arena.programs.spec import program_of
from tengen.arena.programs.swap2 import illegal_move
from tengen.game.arguments import (
    MOST_MIB,
    MOST_SECONDS,
    file_name,
    function,
    milliseconds,
    of_type,
    real,
    shown,
    whole,
)
from tengen.game.played import Report, Termination, TimeControl
from tengen.game.position import Point, Position
from tengen.study.results import Move

_MIB = 1 << 20
# A program may flood its output.
_MOST_MESSAGES = 2000
_T = TypeVar("_T")


class PlayLimits(TypedDict, total=False):
    """The arguments of `Program.play` besides the position."""

    turn_s: float | None
    left_s: float | None
    nodes: int | None
    depth_plies: int | None
    on_report: Callable[[Report], None] | None


class Program:
    """A program that speaks the protocol, in a process of its own.

        with Program("pbrain-x") as program:
            move = program.play(position, turn_s=1)

        async with Program("pbrain-x") as program:
            move = await program.play(position, turn_s=1)

    command      as in a shell, or its words.
    threads      how many it may search with, and `memory_mb`, the memory that it may hold, in MiB.
    options      further INFO keys with their values, sent as they are.
    folder       where it runs; None = an empty folder of its own.
    start_s      how long it may take to start, and `tolerance_s`, how late its moves may be.

    The first question starts it, and so does the first one after a failure. It ends, with all that
    it has started: by `close`, with this object, and when Python ends, also by a kill. One thread
    at a time may use it. ProgramFailed if there is no such program.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        threads: int | None = None,
        memory_mb: int | None = None,
        options: Mapping[str, object] | None = None,
        folder: str | os.PathLike[str] | None = None,
        start_s: float = 10.0,
        tolerance_s: float = 1.0,
    ) -> None:
        text = _line_of(command)
        of_type("options", options, (Mapping, type(None)), "INFO keys with their values")
        try:
            found = program_of(text)
        except ValueError as error:
            name = " ".join(text.split()) or "''"
            raise ProgramFailed(name, Termination.CRASH, str(error)) from None
        memory = None if memory_mb is None else whole("memory_mb", memory_mb, 0, MOST_MIB) * _MIB
        spec = replace(
            found,
            threads=None if threads is None else whole("threads", threads, 1),
            memory_bytes=memory,
            options=tuple((str(key), str(value)) for key, value in (options or {}).items()),
            folder=None if folder is None else file_name("folder", folder),
        )
        start_s = real("start_s", start_s, 0, MOST_SECONDS, "seconds")
        tolerance_s = real("tolerance_s", tolerance_s, 0, MOST_SECONDS, "seconds")
        timeouts = driver.Timeouts(start_s=start_s, tolerance_s=tolerance_s)
        self._driver = driver.Program(spec, timeouts)
        weakref.finalize(self, self._driver.dispose)
        self._for_async: AsyncProgram
        self._messages: deque[str] = deque(maxlen=_MOST_MESSAGES)
        self._driver.transcript = partial(_keep_message, self._messages)
        # What the process knows: the board after its last move, and the limits that it was told.
        self._known: object = None
        self._limits: dict[str, int] = {}

    @property
    def name(self) -> str:
        """The name of its file."""
        return self._driver.spec.name

    @property
    def pid(self) -> int | None:
        """The number of its process; None while there is none."""
        return self._driver.pid

    def about(self) -> str | None:
        """The answer to ABOUT: name, version, author. None if there is none. ProgramFailed if it
        cannot be started."""
        try:
            return self._driver.about()
        except ProgramFailed:
            self.close()
            raise

    def play(
        self,
        position: Position,
        *,
        turn_s: float | None = None,
        left_s: float | None = None,
        nodes: int | None = None,
        depth_plies: int | None = None,
        on_report: Callable[[Report], None] | None = None,
    ) -> Move:
        """Asks for a move, and waits for it no longer than the time that it has. The position is
        not changed. If it is the one after the program's last move and an answer, it goes on with
        its game; otherwise it begins a new one.

        turn_s       the time for this move, and `left_s`, what is left for all moves of the game.
        nodes        sent as INFO max_node, and `depth_plies`, as INFO max_depth.
        on_report    called with everything new that the program says of its search.
        ValueError if the game is over, and without any limit. ProgramFailed if the program fails;
        its process has ended then. A forbidden point of renju is a move like any other.
        """
        of_type("position", position, Position, "a tengen.Position")
        function("on_report", on_report)
        if position.is_over:
            raise ValueError("the game is over in this position")
        limits = _info_of(turn_s, left_s, nodes, depth_plies)
        try:
            return self._play(position, limits, TimeControl(turn_s, left_s), on_report)
        except BaseException:  # a failure, or Ctrl-C in the middle of a search
            self.close()
            raise

    def interrupt(self) -> None:
        """Kills the process, from any thread: the question that is being asked fails, or else the
        next one, unless `close` is called before it."""
        self._driver.interrupt()

    def close(self) -> None:
        """Ends the program: END, a second, then a kill. The next question starts it again."""
        self._driver.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    async def __aenter__(self) -> AsyncProgram:
        self._for_async = AsyncProgram(self)
        return self._for_async

    async def __aexit__(self, *error: object) -> None:
        await self._for_async._ask(self.close)
        self._for_async._thread.shutdown(wait=False)

    def _play(
        self,
        position: Position,
        limits: dict[str, int],
        control: TimeControl,
        on_report: Callable[[Report], None] | None,
    ) -> Move:
        running, board, side = self._driver, position.referee(), position.side
        if self._limits.keys() - limits.keys():
            self.close()  # no program can be told that there is no limit any more
        if running.pid is None:
            self._known, self._limits = None, {}
        before = position.copy()
        if before.moves:
            before.undo()
        if self._known is None or before != self._known:
            running.new_game(position.width, position.height, board.rule)
            self._limits = {}
        # A limit for the game is told once: what is left of it follows before each move.
        changed = {
            key: value
            for key, value in limits.items()
            if self._limits.get(key) != value
            and not (key == "timeout_match" and self._limits.get(key))
        }
        running.send([f"INFO {key} {value}" for key, value in changed.items()])
        self._known, self._limits = None, limits
        self._messages.clear()
        answer = running.ask_move(board, side, driver.Clock(control), on_report)
        running.check_memory()
        cell = answer.x, answer.y
        if not board.legal(*cell):
            fault = illegal_move(cell, position.width, position.height)
            raise running.failure(Termination.ILLEGAL, fault)
        move = Point(*cell, position.height)
        self._known = position.copy()
        self._known.play(move)
        return Move.of(move, answer.elapsed_s, answer.report, tuple(self._messages))


class AsyncProgram:
    """A program for `async` code, as `async with Program(...)` gives it. Its methods are those of
    Program. A call that is cancelled ends the program; the next question starts it again."""

    def __init__(self, program: Program) -> None:
        from concurrent.futures import ThreadPoolExecutor

        self._program = program
        self._thread = ThreadPoolExecutor(1, "program")
        self._was_cancelled = False

    @property
    def name(self) -> str:
        """The name of its file."""
        return self._program.name

    @property
    def pid(self) -> int | None:
        """The number of its process; None while there is none."""
        return self._program.pid

    async def about(self) -> str | None:
        """As `Program.about`."""
        return await self._ask(self._program.about)

    async def play(self, position: Position, **limits: Unpack[PlayLimits]) -> Move:
        """As `Program.play`; `on_report` is called in another thread."""
        return await self._ask(partial(self._program.play, copy(position), **limits))

    async def _ask(self, question: Callable[[], _T]) -> _T:
        import asyncio  # 30 ms, which other callers need not wait for

        was_cancelled, self._was_cancelled = self._was_cancelled, False

        def ask() -> _T:
            if was_cancelled:
                self._program.close()
            return question()

        asked = self._thread.submit(ask)
        try:
            return await asyncio.wrap_future(asked)
        except asyncio.CancelledError:
            if not asked.cancelled():  # it had begun
                self._program.interrupt()
                self._was_cancelled = True
            raise


def _keep_message(messages: deque[str], name: str, way: str, line: str) -> None:
    """Keeps the text of a MESSAGE line."""
    word, _, text = line.strip().partition(" ")
    if way == "<" and word.upper() == "MESSAGE":
        messages.append(text)


def _line_of(command: str | Sequence[str]) -> str:
    """The command in one line."""
    if isinstance(command, str):
        return command
    if not isinstance(command, list | tuple) or not all(isinstance(each, str) for each in command):
        raise TypeError(f"command={shown(command)}: expected a command, or a list of its words")
    return shlex.join(command)


def _info_of(
    turn_s: float | None, left_s: float | None, nodes: int | None, depth_plies: int | None
) -> dict[str, int]:
    """The limits of a move by their INFO keys. ValueError if there is none, or a wrong one."""
    limits: dict[str, int] = {}
    turn_ms, left_ms = milliseconds("turn_s", turn_s), milliseconds("left_s", left_s)
    if nodes is not None:
        limits["max_node"] = whole("nodes", nodes, 1)
    if depth_plies is not None:
        limits["max_depth"] = whole("depth_plies", depth_plies, 1)
    turn_ms = left_ms if turn_ms is None else turn_ms
    if turn_ms is not None:
        limits["timeout_turn"] = turn_ms
        limits["timeout_match"] = left_ms or 0
    if not limits:
        raise ValueError("a move needs a limit: turn_s, left_s, nodes or depth_plies")
    return limits
