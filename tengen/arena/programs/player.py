"""One running program that is asked for moves, with a deadline for every wait.

A player speaks the Gomocup protocol to a process. Every failure is raised as `PlayerFailed` with
its reason as a `Termination`; afterwards the process must be closed.

Lines that are no answer are passed over until the deadline, with one exception: ERROR or UNKNOWN
refuses the request, which is a failure at once. Some programs also answer INFO lines that way,
which the protocol forbids; `_is_about_info` tells such a line from a refusal.
"""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from tengen.arena.programs.clocks import Clock
from tengen.arena.programs.command_line import CannotStart
from tengen.arena.programs.messages import read_message
from tengen.arena.programs.places import Place
from tengen.arena.programs.process import EngineProcess
from tengen.arena.programs.program import Program
from tengen.game.played import Report, Termination
from tengen.game.record.game import Move
from tengen.game.referee import Cell, Referee, opponent_of

MOVE = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})\s*")
_SUGGEST = re.compile(rf"\s*SUGGEST\s{MOVE.pattern}", re.IGNORECASE)
# What can be an answer to SWAP2BOARD; swap2.py decides whether it is a legal one.
_CELL_TEXT = r"[+-]?\d{1,9}\s*,\s*[+-]?\d{1,9}"
_SWAP2 = re.compile(rf"\s*(?:SWAP.*|{_CELL_TEXT}(?:\s+{_CELL_TEXT})*)\s*", re.IGNORECASE)
# Fields of a BOARD line: own stone, the opponent's, and one that counts for neither.
OWN, OPPONENT, NEITHER = 1, 2, 3
# Lines that are no answer, and those that refuse a request.
REMARKS = ("MESSAGE", "DEBUG")
REFUSALS = ("ERROR", "UNKNOWN")


class PlayerFailed(Exception):
    """A program has lost its game by a failure; `detail` describes it in words."""

    def __init__(self, termination: Termination, detail: str) -> None:
        super().__init__(f"{termination.value}: {detail}")
        self.termination = termination
        self.detail = detail


@dataclass(frozen=True)
class Patience:
    """How long a match waits, in seconds.

    start_s      for the OK after START, the start of the process included.
    tolerance_s  beyond the time for a move: a move within it is on time.
    late_s       beyond that again: a move within it is late, no move is a stall.
    unlimited_s  for a move without a time limit.
    exit_s       between END and the kill.
    """

    start_s: float = 10.0
    tolerance_s: float = 1.0
    late_s: float = 2.0
    unlimited_s: float = 600.0
    exit_s: float = 1.0


# Called with every line of a conversation: the name of the program, `>` to it or `<` from it, the
# line.
Transcript = Callable[[str, str, str], None]


class Player:
    """A process of `program`, with a folder to run in and one for files that it keeps.

    The program's own times come before those of `patience`. Process and folders are made when they
    are first needed. `transcript` may be set at any time.
    """

    def __init__(self, program: Program, patience: Patience | None = None) -> None:
        self.program = program
        self.transcript: Transcript | None = None
        # The processor core that the process is bound to when it starts; None = any.
        self.core: int | None = None
        # The most memory seen since `new_game`.
        self.peak_bytes = 0
        own = {"start_s": program.start_s, "tolerance_s": program.tolerance_s}
        given = {key: value for key, value in own.items() if value is not None}
        self._patience = replace(patience or Patience(), **given)
        self._process: EngineProcess | None = None
        self._place: Path | None = None
        self._remove_place: Callable[[], object] = lambda: None
        self._is_suspended = False
        # How many stones of the present game the program knows of.
        self._known_stones = 0
        # How many INFO lines were sent since the last answer, and whether the program has answered
        # one with ERROR or UNKNOWN.
        self._open_info_lines = 0
        self._answers_info = False
        self._interrupted = threading.Event()
        # When the line read last came in, by the clock of the process.
        self._read_at = 0.0

    @property
    def pid(self) -> int | None:
        """The process id, None when not running."""
        return None if self._process is None else self._process.pid

    def new_game(self, width: int, height: int, rule: int) -> None:
        """Starts the process if there is none, and sets it up for an empty board."""
        process = self._start()
        deadline = process.now_s() + self._patience.start_s
        self._known_stones = 0
        self._open_info_lines = 0
        self.peak_bytes = 0
        start = f"START {width}" if width == height else f"RECTSTART {width},{height}"
        process.discard_unread()
        self.send([start])
        self._wait_for_ok(start, deadline)
        keep = self._folder("keep")
        self.send([f"INFO folder {keep}", *self.program.info_lines(rule)])

    def about(self) -> str | None:
        """Starts the process if there is none, and sends ABOUT. Returns the answer, None if there
        is none in the time for a start or if it is a refusal. PlayerFailed if the program cannot be
        started."""
        process = self._start()
        deadline = process.now_s() + self._patience.start_s
        try:
            process.discard_unread()
            self.send(["ABOUT"])
            while (text := self._next_line(deadline)) is not None:
                word = first_word(text)
                if word not in REMARKS:
                    return None if word in REFUSALS else text
        except PlayerFailed:
            self.close()
        return None

    def send(self, lines: Sequence[str]) -> None:
        """Sends lines to the running program and does not wait for an answer."""
        process = self._running()
        if self.transcript is not None:
            for text in lines:
                self.transcript(self.program.name, ">", text)
        self._open_info_lines += sum(text.startswith("INFO ") for text in lines)
        try:
            process.send(lines)
        except OSError:
            raise _crashed(process) from None

    def ask_move(
        self,
        board: Referee,
        colour: int,
        clock: Clock,
        on_report: Callable[[Report], None] | None = None,
    ) -> Move:
        """Asks for the move of `colour` on `board`, the position after all stones so far. Returns
        it as it was answered, not judged yet.

        clock      says what time there is, and is charged for the move.
        on_report  is called with everything new that the program reports while it thinks.
        """
        said: list[Report] = []

        def hear(report: Report) -> None:
            said.append(report)
            if on_report is not None:
                on_report(report)

        request = self._request(board, colour)
        found, elapsed_s = self._ask(request, clock, MOVE.fullmatch, "move", hear)
        # The program counts its own move as played.
        self._known_stones = board.stone_count + 1
        cell = int(found[1]), int(found[2])
        return Move(*cell, colour, elapsed_s, said[-1] if said else None)

    def ask_swap2(self, stones: Sequence[Cell], clock: Clock) -> str:
        """Sends SWAP2BOARD with the stones on the board, in order. Returns the answer as it came,
        `SWAP` or one to three moves on a line; `clock` as in `ask_move`."""
        request = ["SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE"]
        found, _ = self._ask(request, clock, _SWAP2.fullmatch, "swap2 answer", None)
        self._known_stones = 0
        return found[0].strip()

    def suspend(self) -> None:
        """Suspends the program until something is sent to it again."""
        if self._process is not None and not self._is_suspended:
            self._process.suspend()
            self._is_suspended = True

    def check_memory(self) -> None:
        """Raises PlayerFailed if the program, with all that it has started, holds more memory than
        it was given. Without a limit nothing is measured: see `measure_memory`."""
        allowed = self.program.memory_bytes
        if self._process is None or not allowed:
            return
        used = self._process.rss_bytes()
        if used > allowed:
            # Only the memory that is not shared counts, which takes longer to measure.
            used = self._process.uss_bytes()
        self.peak_bytes = max(self.peak_bytes, used)
        if used > allowed:
            mib = 2**20
            raise PlayerFailed(
                Termination.MEMORY, f"held {used / mib:.0f} MiB of {allowed / mib:.0f} MiB"
            )

    def measure_memory(self) -> None:
        """Takes the memory that the program holds now into `peak_bytes`, unless its moves do."""
        if self._process is not None and not self.program.memory_bytes:
            self.peak_bytes = max(self.peak_bytes, self._process.rss_bytes())

    def last_errors(self) -> list[str]:
        """The last lines of its error output."""
        return [] if self._process is None else self._process.errors()

    def close(self) -> None:
        """Ends the program: END, a short wait, then a kill of the whole tree."""
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
        self._answers_info = False

    def dispose(self) -> None:
        """Ends the program and removes its folders; the player must not be used afterwards."""
        self.close()
        self._remove_place()
        self._place = None

    def interrupt(self) -> None:
        """Kills the program from any thread, also one that is just being started. The thread that
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
            except CannotStart as error:
                raise PlayerFailed(Termination.CRASH, f"cannot be started: {error}") from None
            self._is_suspended = False
            if self.core is not None:
                self._process.bind(self.core)
        if self._is_suspended:
            self._is_suspended = False
            self._process.resume()
        if self._interrupted.is_set():
            raise PlayerFailed(Termination.CRASH, "the run was stopped")
        return self._process

    def _folder(self, name: str) -> Path:
        if self._place is None:
            place = Place()
            self._place = place.path
            # Removed also when `dispose` is never called. A program just killed may still be
            # writing there: then some files remain.
            self._remove_place = weakref.finalize(self, place.remove)
        folder = self._place / name
        # Both may be gone: something may have tidied the temporary files.
        self._place.mkdir(0o700, exist_ok=True)
        folder.mkdir(exist_ok=True)
        return folder

    def _request(self, board: Referee, colour: int) -> list[str]:
        knows_rest = self._known_stones and self._known_stones == board.stone_count - 1
        if knows_rest and not self.program.sees_board:
            x, y, _ = board.stones(-1)[0]
            return [f"TURN {x},{y}"]
        stones = board.stones()
        walls = board.walls()
        if not stones and not walls:
            return ["BEGIN"]
        field = {colour: OWN, opponent_of(colour): OPPONENT}
        return [
            "BOARD",
            *(f"{x},{y},{NEITHER}" for x, y in walls),
            *(f"{x},{y},{field[stone]}" for x, y, stone in stones),
            "DONE",
        ]

    def _wait_for_ok(self, start: str, deadline: float) -> None:
        while (text := self._next_line(deadline)) is not None:
            word = first_word(text)
            if word == "OK":
                return
            if word in REFUSALS:
                raise _refused(start, text)
        raise PlayerFailed(Termination.STALL, f"no OK to {start} in {self._patience.start_s:g} s")

    def _ask(
        self,
        request: Sequence[str],
        clock: Clock,
        parse: Callable[[str], re.Match[str] | None],
        what: str,
        on_report: Callable[[Report], None] | None,
    ) -> tuple[re.Match[str], float]:
        """Sends a request after the time that is left, and waits for the line that `parse` takes
        for its answer; the match and the seconds. `what` names the answer in failures."""
        process = self._running()
        self._discard_unread(process)
        asked_at = process.now_s()
        self.send([clock.left_line(), *request])
        if self._is_suspended:
            # What was sent lies in the pipe; the time begins when the program can read it.
            self._is_suspended = False
            asked_at = process.now_s()
            process.resume()
        patience, limit_s = self._patience, clock.limit_s
        if limit_s is None:
            on_time = deadline = asked_at + patience.unlimited_s
        else:
            on_time = asked_at + limit_s + patience.tolerance_s
            deadline = on_time + patience.late_s
        command = request[0]
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
                self._open_info_lines = 0
                clock.spend(elapsed_s)
                return found, elapsed_s
            word = first_word(text)
            if word == "MESSAGE":
                said = read_message(text.strip()[len("MESSAGE") :], report)
                if said is not None and said is not report:
                    report = said
                    if on_report is not None:
                        on_report(report)
            elif word in REFUSALS and not self._is_about_info(text, command):
                raise _refused(command, text)
            elif what == "move" and (suggested := _SUGGEST.fullmatch(text)):
                # As Piskvork does: the program is to play what it suggests, in the same time.
                command = f"PLAY {suggested[1]},{suggested[2]}"
                self.send([command])
            elif word != "DEBUG":
                # Some managers take any line as the answer; most, like this one, wait for a move.
                # The failure quotes what came instead.
                garbage = garbage or text[:80]
        waited = f"no {what} in {deadline - asked_at:.3g} s"
        if process.is_stopped:
            waited += ", its process is stopped"
        if garbage is not None:
            raise PlayerFailed(Termination.ILLEGAL, f"{waited}, but {garbage!r}")
        raise PlayerFailed(Termination.STALL, waited)

    def _discard_unread(self, process: EngineProcess) -> None:
        """Forgets what came since the last answer. A refusal among it answers an INFO line: there
        was no request it could have refused."""
        for line in process.discard_unread():
            if first_word(line.text) in REFUSALS and self._open_info_lines:
                self._open_info_lines -= 1
                self._answers_info = True

    def _is_about_info(self, text: str, request: str) -> bool:
        """True if this refusal answers an INFO line and not the request after it.

        It does if it says that INFO is unknown, or if the program has answered INFO lines before
        and not yet all of those that were sent since its last answer. It does not if it names the
        command of the request first: a list of the known commands may follow, with INFO in it.
        """
        if not self._open_info_lines:
            return False
        command = first_word(request)
        refusal, *words = re.findall(r"\w+", text.upper())
        named = next((word for word in words if word in ("INFO", command)), None)
        if named == command:
            return False
        says_so = refusal == "UNKNOWN" and named == "INFO"
        if says_so or self._answers_info:
            self._open_info_lines -= 1
        return says_so or self._answers_info

    def _next_line(self, deadline: float) -> str | None:
        """The next line, None when there is none by `deadline`; keeps when it was read."""
        process = self._running()
        try:
            line = process.next_line(deadline)
            if line is not None and not line.end:
                # It is no line yet; what comes next is the end of the output.
                line = process.next_line(deadline)
        except EOFError:
            raise _crashed(process) from None
        if line is None:
            return None
        self._read_at = line.read_at
        if self.transcript is not None:
            self.transcript(self.program.name, "<", line.text)
        return line.text

    def _running(self) -> EngineProcess:
        if self._process is None:
            raise PlayerFailed(Termination.CRASH, "is not running")
        return self._process


def _crashed(process: EngineProcess) -> PlayerFailed:
    status, last_error = process.finish()
    how = "closed its output" if status is None else f"ended with status {status}"
    return PlayerFailed(Termination.CRASH, f"{how}: {last_error}" if last_error else how)


def _refused(request: str, answer: str) -> PlayerFailed:
    return PlayerFailed(Termination.ILLEGAL, f"answered {request} with {answer[:200]!r}")


def first_word(text: str) -> str:
    """The first word of a line, in capitals."""
    words = text.split(maxsplit=1)
    return words[0].upper() if words else ""
