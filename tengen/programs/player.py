"""One running program that is asked for moves, with a deadline for every wait.

A player speaks the Gomocup protocol to a process. Whatever goes wrong is raised as `PlayerFailed`
with the reason as a `Termination`; afterwards the process is of no more use and must be closed.
"""

from __future__ import annotations

import re
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from tengen.programs.messages import read_message
from tengen.programs.process import EngineProcess
from tengen.programs.program import Program
from tengen.record.move_report import Report
from tengen.record.termination import Termination
from tengen.rules.referee import BLACK, WHITE, Cell, Referee

_MOVE = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*")
# What may be meant for an answer to SWAP2BOARD; tengen.programs.swap2 says whether it is one.
_CELL_TEXT = r"[+-]?\d{1,9}\s*,\s*[+-]?\d{1,9}"
_SWAP2 = re.compile(rf"\s*(?:SWAP.*|{_CELL_TEXT}(?:\s+{_CELL_TEXT})*)\s*", re.IGNORECASE)
# How often a program that is silent is looked at: children can hold the output of one that is gone.
_LOOK_S = 1.0
# For the answer to ABOUT, as one manager waits.
_ABOUT_S = 3.0
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


# Hears every line of a conversation: the program's name, `>` to it or `<` from it, the line.
Transcript = Callable[[str, str, str], None]


class Player:
    """A process of `program`, with a folder to run in and one for what it wants to keep.

    Nothing is started or made before it is needed. `transcript` may be set at any time.
    """

    def __init__(self, program: Program, patience: Patience | None = None) -> None:
        self.program = program
        self.transcript: Transcript | None = None
        # The most memory seen since `new_game`.
        self.peak_bytes = 0
        self._patience = patience or Patience()
        self._process: EngineProcess | None = None
        self._place: Path | None = None
        self._remove_place: Callable[[], object] | None = None
        self._is_suspended = False
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
        process = self._start()
        self._known_stones = 0
        self.peak_bytes = 0
        start = f"START {width}" if width == height else f"RECTSTART {width},{height}"
        process.discard_unread()
        self._send([start])
        self._wait_for_ok(start, deadline)
        keep = self._folder("keep")
        self._send([f"INFO folder {keep}", *self.program.info_lines(rule)])

    def about(self) -> str | None:
        """Starts the process if there is none, and asks who it is; None when it does not say, or
        says that it does not know."""
        deadline = time.monotonic() + min(_ABOUT_S, self._patience.start_s)
        try:
            self._start().discard_unread()
            self._send(["ABOUT"])
            while (text := self._next_line(deadline)) is not None:
                word = _first_word(text)
                if word not in ("MESSAGE", "DEBUG"):
                    return None if word in ("ERROR", "UNKNOWN") else text
        except PlayerFailed:
            self.close()
        return None

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
        said: list[Report] = []

        def hear(report: Report) -> None:
            said.append(report)
            if on_report is not None:
                on_report(report)

        request = [left_line, *self._request(board, colour)]
        found, elapsed_s = self._ask(request, limit_s, _MOVE.fullmatch, "move", hear)
        # The program takes its own move for played.
        self._known_stones = len(board.stones()) + 1
        return Answer(int(found[1]), int(found[2]), elapsed_s, said[-1] if said else None)

    def ask_swap2(
        self, stones: Sequence[Cell], limit_s: float | None, left_line: str
    ) -> tuple[str, float]:
        """Sends SWAP2BOARD with the stones that lie, in the order they were put down; the answer,
        `SWAP` or one to three moves on a line, as it came, and the seconds it took."""
        lines = [f"{x},{y}" for x, y in stones]
        request = [left_line, "SWAP2BOARD", *lines, "DONE"]
        found, elapsed_s = self._ask(request, limit_s, _SWAP2.fullmatch, "swap2 answer", None)
        self._known_stones = 0
        return found[0].strip(), elapsed_s

    def suspend(self) -> None:
        """Stops the program until it is asked or told something again."""
        if self._process is not None and not self._is_suspended:
            self._process.suspend()
            self._is_suspended = True

    def check_memory(self) -> None:
        """Fails a program that holds more memory than it may, all that it has started included."""
        allowed = self.program.memory_bytes
        if self._process is None or not allowed:
            return
        used = self._process.rss_bytes()
        if used > allowed:
            # Only what the program has for itself counts, which takes longer to find out.
            used = self._process.uss_bytes()
        self.peak_bytes = max(self.peak_bytes, used)
        if used > allowed:
            mib = 2**20
            raise PlayerFailed(
                Termination.MEMORY, f"held {used / mib:.0f} MiB of {allowed / mib:.0f} MiB"
            )

    def last_errors(self) -> list[str]:
        """The last lines of its error output."""
        return [] if self._process is None else self._process.errors()

    def close(self) -> None:
        """Ends the program: END, a little patience, then a kill of the whole tree."""
        process, self._process = self._process, None
        if process is None:
            return
        if self._is_suspended:
            self._is_suspended = False
            process.resume()
        with suppress(OSError):
            process.send(["END"])
            process.close_input()
            process.wait(self._patience.exit_s)
        process.kill()

    def dispose(self) -> None:
        """Ends the program and removes its folders; this player is of no more use."""
        self.close()
        if self._remove_place is not None:
            self._remove_place()
            self._place = self._remove_place = None

    def interrupt(self) -> None:
        """Kills the program from any thread, also one that is only being started. The thread that
        uses this player sees a crash, and closes it."""
        self._interrupted.set()
        process = self._process
        if process is not None:
            process.kill_tree()

    def _start(self) -> EngineProcess:
        """The process, started if there is none, and awake."""
        if self._process is None:
            cwd = Path(self.program.folder) if self.program.folder else self._folder("work")
            try:
                self._process = EngineProcess(self.program.command, cwd)
            except OSError as error:
                raise PlayerFailed(Termination.CRASH, f"cannot be started: {error}") from None
            self._is_suspended = False
        if self._is_suspended:
            self._is_suspended = False
            self._process.resume()
        if self._interrupted.is_set():
            raise PlayerFailed(Termination.CRASH, "the run was stopped")
        return self._process

    def _folder(self, name: str) -> Path:
        if self._place is None:
            self._place = Path(mkdtemp(prefix="match-"))
            # Also when nobody disposes of this player. A program just killed may still be writing
            # there: then a little stays behind.
            self._remove_place = weakref.finalize(self, rmtree, self._place, ignore_errors=True)
        folder = self._place / name
        folder.mkdir(exist_ok=True)
        return folder

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

    def _ask(
        self,
        request: Sequence[str],
        limit_s: float | None,
        parse: Callable[[str], re.Match[str] | None],
        what: str,
        on_report: Callable[[Report], None] | None,
    ) -> tuple[re.Match[str], float]:
        """Sends a request and waits for the line that `parse` takes for its answer; the match and
        the seconds. `what` names the answer in failures."""
        if self._process is not None:
            self._process.discard_unread()
        asked_at = time.monotonic()
        self._send(request)
        if self._is_suspended and self._process is not None:
            # What was sent lies in the pipe; the time begins when the program can read it.
            self._is_suspended = False
            asked_at = time.monotonic()
            self._process.resume()
        patience = self._patience
        if limit_s is None:
            on_time = deadline = asked_at + patience.unlimited_s
        else:
            on_time = asked_at + limit_s + patience.tolerance_s
            deadline = on_time + patience.late_s
        report: Report | None = None
        garbage: str | None = None
        while (text := self._next_line(deadline)) is not None:
            if found := parse(text):
                elapsed_s = max(0.0, self._read_at - asked_at)
                if self._read_at > on_time:
                    took = f"took {elapsed_s:.3f} s"
                    raise PlayerFailed(
                        Termination.TIMEOUT,
                        took if limit_s is None else f"{took} of {limit_s:.3f} s",
                    )
                return found, elapsed_s
            match _first_word(text):
                case "MESSAGE":
                    said = read_message(text.strip()[len("MESSAGE") :], report)
                    if said is not None and said is not report:
                        report = said
                        if on_report is not None:
                            on_report(report)
                case "DEBUG":
                    pass
                case _:
                    # Some managers take any line for the answer, most wait for a move; an UNKNOWN
                    # may be meant for the INFO before. We wait, but remember what came instead.
                    garbage = garbage or text[:80]
        waited = f"no {what} in {deadline - asked_at:.3g} s"
        if garbage is not None:
            raise PlayerFailed(Termination.ILLEGAL, f"{waited}, but {garbage!r}")
        raise PlayerFailed(Termination.STALL, waited)

    def _next_line(self, deadline: float) -> str | None:
        """The next line, None when there is none by `deadline`; keeps when it was read."""
        if self._process is None:
            raise PlayerFailed(Termination.CRASH, "is not running")
        line = self._process.next_line(min(deadline, time.monotonic() + _LOOK_S))
        while line is None and time.monotonic() < deadline and not self._process.wait(0):
            line = self._process.next_line(min(deadline, time.monotonic() + _LOOK_S))
        # A program that floods its output always has one more line: its time is over all the same.
        if line is None or (line.text is not None and line.read_at > deadline):
            if self._process.wait(0):
                raise PlayerFailed(Termination.CRASH, self._process.farewell())
            return None
        if line.text is None:
            raise PlayerFailed(Termination.CRASH, self._process.farewell())
        self._read_at = line.read_at
        if self.transcript is not None:
            self.transcript(self.program.name, "<", line.text)
        return line.text

    def _send(self, lines: Sequence[str]) -> None:
        if self._process is None:
            raise PlayerFailed(Termination.CRASH, "is not running")
        if self.transcript is not None:
            for text in lines:
                self.transcript(self.program.name, ">", text)
        try:
            self._process.send(lines)
        except OSError:
            raise PlayerFailed(Termination.CRASH, self._process.farewell()) from None


def _first_word(text: str) -> str:
    words = text.split(maxsplit=1)
    return words[0].upper() if words else ""
