"""A running program that is asked for moves: its process, its clock, and a deadline for every wait.

Everything that drives a program does it by this one: matches, openings, tuning, the library and the
board. A failure of the program is raised as `ProgramFailed`; afterwards the program must be closed.

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

from tengen.arena.programs.process import EngineProcess, Workdir
from tengen.arena.programs.spec import CannotStart, ProgramSpec
from tengen.game.played import NO_LIMIT_MS, Move, Report, Termination, TimeControl
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

# Called with every line of a conversation: the name of the program, `>` to it or `<` from it, the
# line.
Transcript = Callable[[str, str, str], None]


class ProgramFailed(Exception):
    """A program has failed.

    name         of the program.
    termination  how a game ends by this: a crash (it cannot be started, or has ended), a stall (no
                 answer came), a timeout (it came too late), an illegal answer, or its memory.
    detail       what happened, in words.
    """

    def __init__(self, name: str, termination: Termination, detail: str) -> None:
        super().__init__(name, termination, detail)
        self.name, self.termination, self.detail = name, termination, detail

    @property
    def reason(self) -> str:
        """The termination in a word: "crash", "stall", "timeout", "illegal" or "memory"."""
        return self.termination.value

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}: {self.detail}"


@dataclass(frozen=True)
class Timeouts:
    """How long a program is waited for, in seconds.

    start_s      for the OK after START, the start of the process included.
    tolerance_s  beyond the time for a move, and once beyond that for a game: a move within it is on
                 time.
    late_s       beyond that again: a move within it is late, no move is a stall.
    unlimited_s  for a move without a time limit.
    exit_s       between END and the kill.
    """

    start_s: float = 10.0
    tolerance_s: float = 1.0
    late_s: float = 2.0
    unlimited_s: float = 600.0
    exit_s: float = 1.0


class Clock:
    """One side's clock during one game, in seconds; `used_s` is the time used minus increments
    earned, negative while a program uses less than it earns."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.used_s = 0.0

    @property
    def left_s(self) -> float | None:
        """What is left of the match time, increments included, below zero for one that was late;
        None without a match limit."""
        return None if self.control.match_s is None else self.control.match_s - self.used_s

    @property
    def limit_s(self) -> float | None:
        """The time for the next move: the smaller of turn limit and match time left; None if there
        is neither."""
        limits = [limit for limit in (self.control.turn_s, self.left_s) if limit is not None]
        return min(limits, default=None)

    def spend(self, elapsed_s: float) -> None:
        """Charges the time of a move to the clock."""
        self.used_s += elapsed_s - self.control.increment_s

    def left_line(self) -> str:
        """The INFO line that precedes each request for a move."""
        left_s = self.left_s
        return f"INFO time_left {NO_LIMIT_MS if left_s is None else max(0, round(left_s * 1000))}"


class Program:
    """A process of the program that `spec` describes, with a folder to run in and one for files
    that it keeps. Process and folders are made when they are first needed.

    spec        what is started. Another one of the same command may be set between games.
    timeouts    how long it is waited for; times of `spec` come before these.
    core        the processor core that the process is bound to when it starts; None = any.
    transcript  called with every line; may be set at any time.
    peak_bytes  the most memory seen since `new_game`.
    """

    def __init__(
        self, spec: ProgramSpec, timeouts: Timeouts | None = None, core: int | None = None
    ) -> None:
        self.spec = spec
        self.transcript: Transcript | None = None
        self.peak_bytes = 0
        own = {"start_s": spec.start_s, "tolerance_s": spec.tolerance_s}
        given = {key: value for key, value in own.items() if value is not None}
        self._timeouts = replace(timeouts or Timeouts(), **given)
        self._core = core
        self._process: EngineProcess | None = None
        self._workdir: Path | None = None
        self._remove_workdir: Callable[[], object] = lambda: None
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

    # ---- requests

    def new_game(self, width: int, height: int, rule: int) -> None:
        """Starts the process if there is none, and sets it up for an empty board."""
        process = self._start()
        deadline = process.now_s() + self._timeouts.start_s
        self._known_stones = 0
        self._open_info_lines = 0
        self.peak_bytes = 0
        start = f"START {width}" if width == height else f"RECTSTART {width},{height}"
        process.discard_unread()
        self.send([start])
        while (text := self._next_line(deadline)) is not None:
            word = first_word(text)
            if word in REFUSALS:
                raise self._refused(start, text)
            if word == "OK":
                keep = self._folder("keep")
                return self.send([f"INFO folder {keep}", *self.spec.info_lines(rule)])
        waited = f"no OK to {start} in {self._timeouts.start_s:g} s"
        raise self.failure(Termination.STALL, waited)

    def about(self) -> str | None:
        """Starts the process if there is none, and sends ABOUT. Returns the answer, None if there
        is none in the time for a start or if it is a refusal. ProgramFailed if the program cannot
        be started."""
        process = self._start()
        deadline = process.now_s() + self._timeouts.start_s
        try:
            process.discard_unread()
            self.send(["ABOUT"])
            while (text := self._next_line(deadline)) is not None:
                word = first_word(text)
                if word not in REMARKS:
                    return None if word in REFUSALS else text
        except ProgramFailed:
            self.close()
        return None

    def send(self, lines: Sequence[str]) -> None:
        """Sends lines to the running program and does not wait for an answer."""
        process = self._running()
        if self.transcript is not None:
            for text in lines:
                self.transcript(self.spec.name, ">", text)
        self._open_info_lines += sum(text.startswith("INFO ") for text in lines)
        try:
            process.send(lines)
        except OSError:
            raise self._crashed(process) from None

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
        request = self._request(board, colour)
        found, elapsed_s, report = self._ask(request, clock, MOVE.fullmatch, "move", on_report)
        # The program counts its own move as played.
        self._known_stones = board.stone_count + 1
        return Move(int(found[1]), int(found[2]), colour, elapsed_s, report)

    def ask_swap2(self, stones: Sequence[Cell], clock: Clock) -> str:
        """Sends SWAP2BOARD with the stones on the board, in order. Returns the answer as it came,
        `SWAP` or one to three moves on a line; `clock` as in `ask_move`."""
        request = ["SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE"]
        found, *_ = self._ask(request, clock, _SWAP2.fullmatch, "swap2 answer", None)
        self._known_stones = 0
        return found[0].strip()

    def failure(self, termination: Termination, detail: str) -> ProgramFailed:
        """The exception for a failure of this program."""
        return ProgramFailed(self.spec.name, termination, detail)

    # ---- the process

    def suspend(self) -> None:
        """Suspends the program until something is sent to it again."""
        if self._process is not None and not self._is_suspended:
            self._process.suspend()
            self._is_suspended = True

    def check_memory(self) -> None:
        """Raises ProgramFailed if the program, with all that it has started, holds more memory than
        it was given. Without a limit nothing is measured: see `measure_memory`."""
        allowed = self.spec.memory_bytes
        if self._process is None or not allowed:
            return
        used = self._process.rss_bytes()
        if used > allowed:
            # Only the memory that is not shared counts, which takes longer to measure.
            used = self._process.uss_bytes()
        self.peak_bytes = max(self.peak_bytes, used)
        if used > allowed:
            mib = 2**20
            held = f"held {used / mib:.0f} MiB of {allowed / mib:.0f} MiB"
            raise self.failure(Termination.MEMORY, held)

    def measure_memory(self) -> None:
        """Takes the memory that the program holds now into `peak_bytes`, unless its moves do."""
        if self._process is not None and not self.spec.memory_bytes:
            self.peak_bytes = max(self.peak_bytes, self._process.rss_bytes())

    def last_errors(self) -> list[str]:
        """The last lines of its error output."""
        return [] if self._process is None else self._process.errors()

    def close(self) -> None:
        """Ends the program: END, a short wait, then a kill of the whole tree. It starts again when
        it is asked again."""
        process, self._process = self._process, None
        self._interrupted.clear()
        if process is None:
            return
        if self._is_suspended:
            self._is_suspended = False
            process.resume()
        with suppress(OSError):
            process.send(["END"])
            process.close_input()
            process.wait(self._timeouts.exit_s)
        process.kill()
        self._answers_info = False

    def dispose(self) -> None:
        """Ends the program and removes its folders."""
        self.close()
        self._remove_workdir()
        self._workdir = None

    def interrupt(self) -> None:
        """Kills the program from any thread, also one that is just being started. The thread that
        uses it sees a crash, and closes it."""
        self._interrupted.set()
        process = self._process
        if process is not None:
            process.kill_tree()

    def _start(self) -> EngineProcess:
        """The process, started if there is none, and awake."""
        if self._process is None:
            cwd = Path(self.spec.folder) if self.spec.folder else self._folder("work")
            try:
                self._process = EngineProcess(self.spec.command, cwd)
            except CannotStart as error:
                raise self.failure(Termination.CRASH, f"cannot be started: {error}") from None
            self._is_suspended = False
            if self._core is not None:
                self._process.bind(self._core)
        if self._is_suspended:
            self._is_suspended = False
            self._process.resume()
        if self._interrupted.is_set():
            raise self.failure(Termination.CRASH, "was interrupted")
        return self._process

    def _running(self) -> EngineProcess:
        if self._process is None:
            raise self.failure(Termination.CRASH, "is not running")
        return self._process

    def _folder(self, name: str) -> Path:
        if self._workdir is None:
            workdir = Workdir()
            self._workdir = workdir.path
            # Removed also when `dispose` is never called. A program just killed may still be
            # writing there: then some files remain.
            self._remove_workdir = weakref.finalize(self, workdir.remove)
        folder = self._workdir / name
        # Both may be gone: something may have tidied the temporary files.
        self._workdir.mkdir(0o700, exist_ok=True)
        folder.mkdir(exist_ok=True)
        return folder

    # ---- conversation

    def _request(self, board: Referee, colour: int) -> list[str]:
        knows_rest = self._known_stones and self._known_stones == board.stone_count - 1
        if knows_rest and not self.spec.sees_board:
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

    def _ask(
        self,
        request: Sequence[str],
        clock: Clock,
        parse: Callable[[str], re.Match[str] | None],
        what: str,
        on_report: Callable[[Report], None] | None,
    ) -> tuple[re.Match[str], float, Report | None]:
        """Sends a request after the time that is left, and waits for the line that `parse` takes
        for its answer; the match, the seconds, and all that was reported. `what` names the answer
        in failures. Here alone it is decided whether an answer is late."""
        process = self._running()
        self._discard_unread(process)
        asked_at = process.now_s()
        self.send([clock.left_line(), *request])
        if self._is_suspended:
            # What was sent lies in the pipe; the time begins when the program can read it.
            self._is_suspended = False
            asked_at = process.now_s()
            process.resume()
        timeouts, limit_s = self._timeouts, clock.limit_s
        if limit_s is None:
            on_time = deadline = asked_at + timeouts.unlimited_s
        else:
            on_time = asked_at + limit_s + timeouts.tolerance_s
            deadline = on_time + timeouts.late_s
        command = request[0]
        report: Report | None = None
        garbage: str | None = None
        while (text := self._next_line(deadline)) is not None:
            if found := parse(text):
                elapsed_s = max(0.0, self._read_at - asked_at)
                if self._read_at > on_time:
                    allowed = "" if limit_s is None else f" of {max(0.0, limit_s):.3f} s"
                    took = f"took {elapsed_s:.3f} s{allowed}"
                    raise self.failure(Termination.TIMEOUT, took)
                self._open_info_lines = 0
                clock.spend(elapsed_s)
                return found, elapsed_s, report
            word = first_word(text)
            if word == "MESSAGE":
                said = read_message(text.strip()[len("MESSAGE") :], report)
                if said is not None and said is not report:
                    report = said
                    if on_report is not None:
                        on_report(report)
            elif word in REFUSALS and not self._is_about_info(text, command):
                raise self._refused(command, text)
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
            raise self.failure(Termination.ILLEGAL, f"{waited}, but {garbage!r}")
        raise self.failure(Termination.STALL, waited)

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
            raise self._crashed(process) from None
        if line is None:
            return None
        self._read_at = line.read_at
        if self.transcript is not None:
            self.transcript(self.spec.name, "<", line.text)
        return line.text

    def _crashed(self, process: EngineProcess) -> ProgramFailed:
        status, last_error = process.finish()
        how = "closed its output" if status is None else f"ended with status {status}"
        return self.failure(Termination.CRASH, f"{how}: {last_error}" if last_error else how)

    def _refused(self, request: str, answer: str) -> ProgramFailed:
        return self.failure(Termination.ILLEGAL, f"answered {request} with {answer[:200]!r}")


def first_word(text: str) -> str:
    """The first word of a line, in capitals."""
    words = text.split(maxsplit=1)
    return words[0].upper() if words else ""


# No real number is longer than these, and Python refuses to read very long ones.
_PLIES = r"(\d{1,6})(?!\d)"
_COUNT = r"([+-]?\d{1,15}(?:\.\d{1,15})?)(?!\d)\s*([kmg]?)"
# The beginning of a field, and all of one with the expected moves.
_FIELD = re.compile(
    rf"\s*(?:depth\s*{_PLIES}(?:\s*-\s*{_PLIES})?|eval\s*(?:([+-])\s*m\s*{_PLIES}|{_COUNT})"
    rf"|nodes?\s*{_COUNT}|([a-z]\d{{1,2}}(?:\s+[a-z]\d{{1,2}})*)\s*$)"
)
_SCALE = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


def read_message(text: str, before: Report | None = None) -> Report | None:
    """The report `before` with what a MESSAGE line adds (`text` without the word MESSAGE); `before`
    itself if the line has no field that is read here.

    Several programs share this form, with fields between bars in any order:

        Depth 12-20 | Eval 35 | Node 123456 | Speed 1000000 | Time 812ms | H8 H9 I10

    `Eval` is a number or a distance to the end (`+M5`, `-M 4`), numbers may end in K, M or G. A
    field that is missing or unreadable stays unknown.
    """
    found: dict[str, int | str | None] = {}
    line: dict[str, str] = {}
    for part in text.split("|"):
        if (field := _FIELD.match(part.lower())) is None:
            continue
        depth, seldepth, sign, mate, value, value_scale, nodes, nodes_scale, _ = field.groups()
        if depth:
            found["depth_plies"] = int(depth)
            found["seldepth_plies"] = int(seldepth) if seldepth else None
        elif mate:
            found |= {"value": None, "mate_plies": int(sign + mate)}
        elif value:
            found |= {"value": _scaled(value, value_scale), "mate_plies": None}
        elif nodes:
            found["nodes"] = _scaled(nodes, nodes_scale)
        else:
            line = {"line": part.strip()}
    return replace(before or Report(), **found, **line) if found else before  # type: ignore[arg-type]


def _scaled(count: str, scale: str) -> int:
    return int(float(count) * _SCALE[scale])
