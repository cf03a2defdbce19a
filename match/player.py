"""One running program that is asked for moves, with a deadline for every wait.

A player speaks the Gomocup protocol to a process. Whatever goes wrong is raised as `PlayerFailed`
with the reason as a `Termination`; afterwards the process is of no more use and must be closed.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from match.messages import Report, read_message
from match.process import EngineProcess
from match.program import Program
from match.referee import BLACK, WHITE, Referee
from match.termination import Termination

_MOVE = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*")
# Fields of a BOARD line: own stone, the opponent's, and one that counts for neither.
_OWN, _OPPONENT, _NEITHER = 1, 2, 3


class PlayerFailed(Exception):
    """A program has lost its game by what it did, or did not do."""

    def __init__(self, termination: Termination, detail: str) -> None:
        super().__init__(f"{termination.value}: {detail}")
        self.termination = termination
        self.detail = detail


@dataclass(frozen=True)
class Patience:
    """How long the arena waits, in seconds.

    start_s      for the OK after START, starting the process included.
    tolerance_s  beyond the time for a move; a move within it is on time.
    late_s       beyond that again: a move within it is late, none at all is a stall.
    unlimited_s  for a move that has no time limit.
    exit_s       between END and the kill.
    """

    start_s: float = 10.0
    tolerance_s: float = 1.0
    late_s: float = 2.0
    unlimited_s: float = 600.0
    exit_s: float = 1.0


@dataclass(frozen=True)
class Answer:
    """A move as it was answered (not judged yet), the time it took and what was said about it."""

    x: int
    y: int
    elapsed_s: float
    report: Report | None


class Player:
    """A process of `program`. Nothing is started before the first `new_game`."""

    def __init__(self, program: Program, patience: Patience | None = None) -> None:
        self.program = program
        self._patience = patience or Patience()
        self._process: EngineProcess | None = None
        # How many stones of the present game the program knows of.
        self._known_stones = 0
        self._interrupted = threading.Event()
        # When the line read last came in (`time.monotonic`).
        self._read_at = 0.0

    @property
    def pid(self) -> int | None:
        """The process id, None when not running."""
        return None if self._process is None else self._process.pid

    def new_game(self, width: int, height: int, rule: int) -> None:
        """Starts the process if there is none, and sets it up for an empty board."""
        deadline = time.monotonic() + self._patience.start_s
        try:
            self._process = self._process or EngineProcess(self.program.command)
        except OSError as error:
            raise PlayerFailed(Termination.CRASH, f"cannot be started: {error}") from None
        if self._interrupted.is_set():
            raise PlayerFailed(Termination.CRASH, "the run was stopped")
        self._known_stones = 0
        start = f"START {width}" if width == height else f"RECTSTART {width},{height}"
        self._process.discard_unread()
        self._send([start])
        self._wait_for_ok(start, deadline)
        self._send(self.program.info_lines(rule))

    def ask_move(
        self,
        board: Referee,
        colour: int,
        limit_s: float | None,
        left_line: str,
        on_report: Callable[[Report], None] | None = None,
    ) -> Answer:
        """Asks for the move of `colour` on `board`, the position after all stones so far.

        limit_s    time for this move; None = no limit.
        left_line  the INFO line sent before the request.
        on_report  hears of everything new that the program says while it thinks.
        """
        request = [left_line, *self._request(board, colour)]
        if self._process is not None:
            self._process.discard_unread()
        asked_at = time.monotonic()
        self._send(request)
        answer = self._wait_for_move(asked_at, limit_s, on_report)
        # The program takes its own move for played.
        self._known_stones = len(board.stones()) + 1
        return answer

    def close(self) -> None:
        """Ends the program: END, a little patience, then a kill of the whole tree."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError):
            process.send(["END"])
            process.close_input()
            process.wait(self._patience.exit_s)
        process.kill()

    def interrupt(self) -> None:
        """Kills the program from any thread, also one that is only being started. The thread that
        uses this player sees a crash, and closes it."""
        self._interrupted.set()
        process = self._process
        if process is not None:
            process.kill_tree()

    def _request(self, board: Referee, colour: int) -> list[str]:
        stones = board.stones()
        walls = board.walls()
        if not stones and not walls:
            return ["BEGIN"]
        if self._known_stones and self._known_stones == len(stones) - 1:
            x, y, _ = stones[-1]
            return [f"TURN {x},{y}"]
        field = {colour: _OWN, BLACK + WHITE - colour: _OPPONENT}
        return [
            "BOARD",
            *(f"{x},{y},{_NEITHER}" for x, y in walls),
            *(f"{x},{y},{field[stone]}" for x, y, stone in stones),
            "DONE",
        ]

    def _wait_for_ok(self, start: str, deadline: float) -> None:
        while (text := self._next_line(deadline)) is not None:
            match _first_word(text):
                case "OK":
                    return
                case "ERROR" | "UNKNOWN":
                    raise PlayerFailed(Termination.ILLEGAL, f"answered {start} with {text[:200]!r}")
        raise PlayerFailed(Termination.STALL, f"no OK to {start} in {self._patience.start_s:g} s")

    def _wait_for_move(
        self,
        asked_at: float,
        limit_s: float | None,
        on_report: Callable[[Report], None] | None,
    ) -> Answer:
        patience = self._patience
        if limit_s is None:
            on_time = deadline = asked_at + patience.unlimited_s
        else:
            on_time = asked_at + limit_s + patience.tolerance_s
            deadline = on_time + patience.late_s
        report: Report | None = None
        garbage: str | None = None
        while (text := self._next_line(deadline)) is not None:
            if move := _MOVE.fullmatch(text):
                elapsed_s = max(0.0, self._read_at - asked_at)
                if self._read_at > on_time:
                    took = f"took {elapsed_s:.3f} s"
                    raise PlayerFailed(
                        Termination.TIMEOUT,
                        took if limit_s is None else f"{took} of {limit_s:.3f} s",
                    )
                return Answer(int(move[1]), int(move[2]), elapsed_s, report)
            match _first_word(text):
                case "MESSAGE":
                    said = read_message(text.strip()[len("MESSAGE") :], report)
                    if said is not None and said is not report:
                        report = said
                        if on_report is not None:
                            on_report(report)
                case "DEBUG":
                    pass
                case "ERROR" | "UNKNOWN":
                    raise PlayerFailed(
                        Termination.ILLEGAL, f"answered a request for a move with {text[:200]!r}"
                    )
                case _:
                    # Some managers take any line for the answer, most wait for a move. We wait,
                    # but remember what came instead.
                    garbage = garbage or text[:80]
        waited = f"no move in {deadline - asked_at:.3g} s"
        if garbage is not None:
            raise PlayerFailed(Termination.ILLEGAL, f"{waited}, but {garbage!r}")
        raise PlayerFailed(Termination.STALL, waited)

    def _next_line(self, deadline: float) -> str | None:
        """The next line, None when there is none by `deadline`; keeps when it was read."""
        if self._process is None:
            raise PlayerFailed(Termination.CRASH, "is not running")
        line = self._process.next_line(deadline)
        # A program that floods its output always has one more line: its time is over all the same.
        if line is None or (line.text is not None and line.read_at > deadline):
            # Children can hold its output open although it is gone.
            if self._process.wait(0):
                raise PlayerFailed(Termination.CRASH, self._process.farewell())
            return None
        if line.text is None:
            raise PlayerFailed(Termination.CRASH, self._process.farewell())
        self._read_at = line.read_at
        return line.text

    def _send(self, lines: Sequence[str]) -> None:
        if self._process is None:
            raise PlayerFailed(Termination.CRASH, "is not running")
        try:
            self._process.send(lines)
        except OSError:
            raise PlayerFailed(Termination.CRASH, self._process.farewell()) from None


def _first_word(text: str) -> str:
    words = text.split(maxsplit=1)
    return words[0].upper() if words else ""
