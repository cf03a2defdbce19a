"""A conversation with a program whose pipes are recorded, byte for byte and with times: what was
sent and has come, and the board that follows from it.

A conversation reads as the most tolerant manager does: lines that are not an answer are passed
over, so that a fault of the program shows in the check that is about it and not in all of them.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

import psutil

from tengen.arena.programs.process import MAX_UNREAD_BYTES, EngineProcess, Line, encoded
from tengen.arena.programs.program import OPPONENT, OWN, REFUSALS, REMARKS, first_word
from tengen.arena.programs.watchdog import is_running
from tengen.game.referee import FREESTYLE, Cell, Referee
from tengen.game.values import Record

# What Piskvork and the Gomocup judge add to every limit before they call a move late.
TOLERANCE_S = 1.0
# After so many requests in a row without any answer the waits become shorter: otherwise every check
# would wait in full for a program that answers nothing.
_STALLS_UNTIL_IMPATIENT = 3
_IMPATIENT_S = 0.5
# A program that starts late is waited for so many times as long; one check is about that.
SLOW_START = 4
# Before each line to a program that cannot take several at a time.
_PACE_S = 0.05

# A process is gone from the system's list a moment after it has ended.
_GONE_S = 1.0
# A MESSAGE or DEBUG line that was written before END arrived does not count.
_UNDER_WAY_S = 0.05

# A prime larger than any side, so that steps of it visit all cells of a board.
_STEP = 47

_NUMBER = re.compile(r"[+-]?\d{1,9}")
_COMMA = re.compile(r"\s*,\s*")
_ENTRY = re.compile(r"(\d{1,9}),(\d{1,9})(?:,([123]))?")
_BLOCKS = ("BOARD", "YXBOARD", "SWAP2BOARD")
_MOVE = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})(?![\d,]).*", re.DOTALL)
_COMMANDS = ("START", "RECTSTART", "RESTART", "BEGIN", "TURN", *_BLOCKS)
_STARTS = ("START", "RECTSTART", "RESTART")
# How much of a conversation, and of the error output, is kept.
_MAX_ENTRIES = 2_000
_MAX_TEXT = 8_000
_MAX_ERROR_BYTES = 64_000
# These make Python, Fortran and what stdbuf starts write every line at once. Managers do not set
# them, so a program that never flushes would pass and hang there.
_UNBUFFERED = (
    "PYTHONUNBUFFERED",
    "GFORTRAN_UNBUFFERED_ALL",
    "GFORTRAN_UNBUFFERED_PRECONNECTED",
    "_STDBUF_O",
)


class Failure(Exception):
    """The program did not do what was expected."""

    def __init__(self, expected: str, received: str) -> None:
        super().__init__(f"expected {expected}, received {received}")
        self.expected = expected
        self.received = received


class Skip(Exception):
    """The check does not apply to this program; the reason is the text."""


class Entry(NamedTuple):
    """One line of a conversation: seconds since the process was started, direction, text.

    The direction is `>` for a line to the program, `<` for one from it, `!` for one on its error
    output and `#` for a remark of the checker.
    """

    at_s: float
    direction: str
    text: str


class RecordedProcess(EngineProcess):
    """Runs `command` in the folder `cwd`. OSError if it cannot be started.

    entries       the conversation: at most its last 2000 lines, and of each 8000 characters.
    lines         all lines of output so far, blank ones included, at most the first 10,000, fewer
                  where they are long.
    error_output  what was written to the error output, at most the first 64,000 bytes.
    """

    def __init__(self, command: Sequence[str], cwd: Path | None = None) -> None:
        self._started_at = time.perf_counter()
        self.entries: deque[Entry] = deque(maxlen=_MAX_ENTRIES)
        self.lines: list[Line] = []
        self._line_bytes = 0
        self.error_output = b""
        super().__init__(
            command,
            cwd,
            on_line=self._keep_line,
            on_errors=self._keep_errors,
            without=_UNBUFFERED,
        )

    def write(self, data: bytes) -> None:
        """As `EngineProcess.write`, and records the lines in `data`."""
        if not self._stdin.closed:
            for line in data.decode("ascii", "backslashreplace").splitlines() or [""]:
                self._note(">", line)
        super().write(data)

    def close_input(self) -> None:
        """As `EngineProcess.close_input`, and records it the first time."""
        if not self._stdin.closed:
            self._note("#", "end of the input")
        super().close_input()

    def remark(self, text: str) -> None:
        """Adds a remark to the conversation."""
        self._note("#", text)

    def _note(self, direction: str, text: str) -> None:
        at_s = time.perf_counter() - self._started_at
        self.entries.append(Entry(at_s, direction, text[:_MAX_TEXT]))

    def _keep_line(self, line: Line) -> None:
        self._note("<", line.escaped)
        if self._line_bytes < MAX_UNREAD_BYTES:
            self._line_bytes += line.size
            self.lines.append(line)

    def _keep_errors(self, chunk: bytes) -> None:
        for line in chunk.decode("utf-8", "replace").splitlines():
            self._note("!", line)
        self.error_output = (self.error_output + chunk)[:_MAX_ERROR_BYTES]


@dataclass(frozen=True)
class Settings:
    """The program under test, with the times, rules and sizes to use.

    command    the words that start the program.
    timeout_s  how long an answer may take beyond the time for a move.
    turn_ms    the time for a move, where a check needs no other.
    rules      the rules to try, by their INFO number.
    sizes      the board sizes to try.
    quiet_s    how long the program must print nothing where silence is expected.
    folder     where the program runs; None = the present folder.
    """

    command: tuple[str, ...]
    timeout_s: float = 5.0
    turn_ms: int = 100
    rules: tuple[int, ...] = (0, 1, 4, 8, 9)
    sizes: tuple[int, ...] = (15, 20)
    quiet_s: float = 0.15
    folder: Path | None = None

    def as_record(self) -> Record:
        """What the user has chosen, as plain values."""
        return {
            "timeout_s": self.timeout_s,
            "turn_s": self.turn_ms / 1000,
            "rules": list(self.rules),
            "sizes": list(self.sizes),
        }


@dataclass
class Knowledge:
    """What the checks of one run have learnt about the program.

    size      the board size used where the size does not matter.
    start_s   how long the first OK to START took, if longer than an answer may take; else 0.
    no_start  why no game can be started at all; empty if it can.
    stalls    how many requests in a row have had no answer.
    is_racing  lines in one piece are answered wrongly, and rightly where each is given time.
    """

    size: int = 15
    start_s: float = 0.0
    no_start: str = ""
    stalls: int = 0
    is_racing: bool = False


class Board:
    """The board as the lines that were sent, and the moves that have come, leave it.

    width, height   as the manager writes them.
    stones     by their cells, in the order in which they came: OWN, OPPONENT or neither.
    swap2      the stones of the last SWAP2BOARD, in order of play.
    turn_s     the time for a move.
    """

    def __init__(self, size: int, turn_s: float) -> None:
        self.width = self.height = size
        self.stones: dict[Cell, int] = {}
        self.swap2: list[Cell] = []
        self.turn_s = turn_s
        # The beginning of a line that was sent in pieces, and the entries of an open block.
        self._pending = ""
        self._block: str | None = None
        self._cells: dict[Cell, int] = {}
        self._is_wrong = False

    def holds(self, cell: Cell) -> bool:
        """Is there such a cell?"""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def free_cell(self) -> Cell:
        """An empty cell. Successive cells are scattered over the board and make no row."""
        cells = self.width * self.height
        for i in range(cells):
            at = (i * _STEP + self.width + 1) % cells
            cell = (at % self.width, at // self.width)
            if cell not in self.stones:
                return cell
        raise ValueError("the board is full")

    def beside(self) -> Cell:
        """The empty cell nearest to the last stone, or to the middle; of several, the first in
        reading order."""
        x, y = next(reversed(self.stones), (self.width // 2, self.height // 2))
        return min(
            self.referee().empties(),
            key=lambda cell: (max(abs(cell[0] - x), abs(cell[1] - y)), cell[1], cell[0]),
        )

    def block(self) -> Cell:
        """Where the program would make five; else `beside`."""
        board = self.referee()
        wins = (cell for cell in board.empties() if board.makes_win(*cell, OWN))
        return next(wins, None) or self.beside()

    def is_over(self) -> bool:
        """Has one side five in a row, under rule 0, or is the board full?"""
        board = self.referee()
        return bool(board.winner_anywhere()) or board.is_full()

    def referee(self) -> Referee:
        """The stones on a board of rule 0; those of neither side are the opponent's."""
        board = Referee(self.width, self.height, FREESTYLE)
        for cell, side in self.stones.items():
            board.play(*cell, side if side == OWN else OPPONENT)
        return board

    def send(self, text: str) -> None:
        """Notes what is sent: lines, or pieces of them."""
        *lines, self._pending = re.split("[\r\n]", self._pending + text)
        for line in lines:
            self._take(_COMMA.sub(",", line).split())

    def _take(self, words: list[str]) -> None:
        word = words[0].upper() if words else ""
        if word in _COMMANDS:
            self._block = None
        numbers = [int(each) for each in ",".join(words[1:]).split(",") if _NUMBER.fullmatch(each)]
        if self._block or word in _BLOCKS:
            if not self._block:
                self._block, self._cells, self._is_wrong = word, {}, False
                words = words[1:]
            self._add(words)
        elif word in ("START", "RECTSTART") and len(numbers) in (1, 2):
            self.width, self.height = numbers[0], numbers[-1]
            self.stones = {}
        elif word == "RESTART":
            self.stones = {}
        elif word == "TURN" and len(numbers) == 2 and self.holds((numbers[0], numbers[1])):
            self.stones[numbers[0], numbers[1]] = OPPONENT
        elif word == "TAKEBACK" and len(numbers) == 2:
            self.stones.pop((numbers[0], numbers[1]), None)
        elif [each.upper() for each in words[:2]] == ["INFO", "TIMEOUT_TURN"] and numbers:
            self.turn_s = max(0, numbers[0]) / 1000

    def _add(self, words: list[str]) -> None:
        """Words of a block; one with something wrong in it changes nothing."""
        for word in words:
            if word.upper() == "DONE":
                if not self._is_wrong:
                    self.stones = self._cells
                    if self._block == "SWAP2BOARD":
                        self.swap2 = [*self._cells]
                self._block = None
                return
            found = _ENTRY.fullmatch(word)
            if found is None:
                self._is_wrong = True
            else:
                self._cells[int(found[1]), int(found[2])] = int(found[3] or 0)


class Conversation:
    """One process of the program at a time, and the lines to and from it."""

    # The lines that are no answer, by their first word.
    remarks: Collection[str] = REMARKS

    def __init__(self, settings: Settings, knowledge: Knowledge) -> None:
        self.settings = settings
        self.knowledge = knowledge
        # Each line is given time, because the program answers lines in one piece wrongly.
        self.is_paced = False
        self.board = Board(knowledge.size, settings.turn_ms / 1000)
        self.asked_at = 0.0
        self.elapsed_s = self.slowest_s = 0.0
        # What the program's clock has left, from which each move is taken.
        self.left_s = 0.0
        self.sent: tuple[str, ...] = ()
        # What was sent last has been answered: what still comes belongs to nothing.
        self.is_answered = True
        # What may be refused, until it has been answered: each request, and whether it is INFO.
        self._doubts: list[str] = []
        # START is among the lines sent last; nothing had answered the request before END.
        self._is_starting = self._is_searching = False
        self._entries: list[Entry] = []
        self._helpers: list[psutil.Process] = []
        self.process = RecordedProcess(settings.command, settings.folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()

    def again(self) -> None:
        """Ends the process and starts a new one, unless nothing was sent to it yet."""
        if self.sent:
            self.process.kill()
            self._entries += self.process.entries
            self.process = RecordedProcess(self.settings.command, self.settings.folder)
            self.process.remark("a new process")
            self.sent, self.is_answered = (), True
            self.board = Board(self.knowledge.size, self.settings.turn_ms / 1000)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The whole conversation, including that with earlier processes."""
        return (*self._entries, *self.process.entries)

    # ---- sending

    def send(self, text: str) -> None:
        """Writes text as it is, in one piece. What has come since the last answer is passed over,
        and before END what has come at all."""
        self.sent = tuple(line for line in text.splitlines()[:20] if line)
        words = [first_word(line) for line in self.sent]
        self._is_starting = any(word in _STARTS for word in words)
        if is_end := "END" in words:
            self._is_searching = not self.is_answered
            self._helpers = self.process.children()
        if is_end or self.is_answered:
            self.discard()
        # INFO has no answer.
        self.is_answered &= all(word == "INFO" for word in words)
        pieces = text.splitlines(keepends=True) if self.is_paced else [text]
        self.board.send(text)
        try:
            for piece in pieces:
                if self.is_paced:
                    time.sleep(_PACE_S)
                self.asked_at = self.process.now_s()
                self.process.write(encoded(piece))
        except OSError:
            raise Failure("the program to be running", self._end_of_output()) from None

    def discard(self) -> None:
        """Passes over the lines that have come so far."""
        self.process.discard_unread()

    def note_line(self, text: str) -> None:
        """Called with each line of a script before it is sent."""

    def close_input(self) -> None:
        """The program reads the end of its input."""
        self.process.close_input()

    def free_cell(self) -> Cell:
        """An empty cell."""
        return self.board.free_cell()

    def doubt(self, request: str) -> None:
        """The program may refuse this request, or the rule or option that it sets: then the check
        is skipped."""
        self._doubts.append(request)

    # ---- receiving

    @property
    def patience_s(self) -> float:
        """How long an answer may take that needs no thinking."""
        if self._is_starting and self.knowledge.start_s:
            return SLOW_START * self.settings.timeout_s
        if self.knowledge.stalls >= _STALLS_UNTIL_IMPATIENT:
            return min(self.settings.timeout_s, _IMPATIENT_S)
        return self.settings.timeout_s

    def next_line(self, deadline: float, expected: str) -> Line:
        """The next line; Failure, naming what was expected, if there is none by `deadline`."""
        try:
            line = self.process.next_line(deadline)
        except EOFError:
            raise Failure(expected, self._end_of_output()) from None
        if line is None:
            self.knowledge.stalls += 1
            received = f"nothing in {self.process.now_s() - self.asked_at:.2f} s"
            if unfinished := self._unfinished():
                received += f" but {unfinished[:80]!r} without a line end"
            elif not self.process.lines:
                received += " (does the program flush its output after every line?)"
            raise Failure(expected, received)
        self.knowledge.stalls = 0
        return line

    def expect(
        self,
        expected: str,
        wanted: Callable[[str], bool],
        *,
        is_first: bool = False,
        thinking_s: float | None = None,
    ) -> str:
        """The first line that is `wanted`, as the answer to what was sent last.

        is_first    no line may come before it but those of `remarks`, as Piskvork takes an answer.
                    Otherwise only ERROR and UNKNOWN are failures, and other lines are passed over.
        thinking_s  how long it may take beyond the time of any answer; None = the time for a move.
        """
        thinking_s = self.board.turn_s if thinking_s is None else thinking_s
        deadline = self.process.now_s() + thinking_s + self.patience_s
        passed = ""
        while True:
            try:
                line = self.next_line(deadline, expected)
            except Failure as failure:
                if passed:
                    failure.received += f", after {passed[:80]!r}"
                raise
            text = line.escaped
            word = first_word(text)
            is_remark = word in self.remarks and (is_first or word not in REFUSALS)
            if wanted(text) and not (is_first and is_remark):
                break
            if is_remark:
                continue
            if word in REFUSALS and self._doubts:
                raise Skip(f"{self._doubts[-1]}: {shorten(text)}")
            if word in REFUSALS or is_first:
                raise Failure(expected, repr(text[:200]))
            passed = passed or text
        self.elapsed_s = max(0.0, line.read_at - self.asked_at)
        self.is_answered = True
        # INFO has no answer of its own: the program refuses a rule when it is to move.
        self._doubts = [each for each in self._doubts if first_word(each) == "INFO"]
        return text

    def expect_move(self, expected: str = "", limit_s: float | None = None) -> Cell:
        """A move on an empty cell; its stone is put on the board. If `limit_s` is given, Failure
        for one that managers take for later than that."""
        board = self.board
        expected = expected or f"a move on an empty cell of the {board.width}x{board.height} board"
        text = self.expect(
            expected,
            lambda text: bool(_MOVE.fullmatch(text)),
            thinking_s=None if limit_s is None else limit_s + TOLERANCE_S,
        )
        x, y = (int(number) for number in _NUMBER.findall(text)[:2])
        if not board.holds((x, y)):
            raise Failure(expected, f"{text!r}, which is off the board")
        if (x, y) in board.stones:
            raise Failure(expected, f"{text!r}, where a stone stands")
        if limit_s is not None:
            self.check_time(limit_s, "a move")
        self._doubts = []
        board.stones[x, y] = OWN
        self.left_s -= self.elapsed_s
        return x, y

    def check_time(self, limit_s: float, what: str) -> None:
        """Failure if the last answer came later than managers allow after a limit."""
        self.slowest_s = max(self.slowest_s, self.elapsed_s)
        if self.elapsed_s > limit_s + TOLERANCE_S:
            raise Failure(
                f"{what} within {limit_s:g} s, or {TOLERANCE_S:g} s later at most",
                f"one after {self.elapsed_s:.2f} s",
            )

    def expect_silence(self, seconds: float, *, but: Collection[str] = ()) -> None:
        """No line for a while, except lines that begin with one of the words in `but`."""
        seconds = max(seconds, self.settings.quiet_s)
        for line in self.lines_of(seconds, "silence"):
            if first_word(line) not in but:
                raise Failure("silence", repr(line[:200]))
        if unfinished := self._unfinished():
            raise Failure("silence", repr(unfinished[:200]))
        self.is_answered = True

    def lines_of(self, seconds: float, expected: str = "the program to go on") -> list[str]:
        """All lines that come within some seconds."""
        deadline = self.process.now_s() + seconds
        lines = []
        try:
            while (line := self.process.next_line(deadline)) is not None:
                lines.append(line.escaped)
        except EOFError:
            raise Failure(expected, self._end_of_output()) from None
        return lines

    def expect_exit(self, within_s: float, *, is_silent: bool = False) -> None:
        """The end of the process, after which no line is left if `is_silent`. In the middle of a
        search a remark may be under way when END is sent."""
        began = self.process.now_s()
        if not self.process.wait(within_s):
            raise Failure(f"the end of the process within {within_s:g} s", "a process that runs on")
        self.elapsed_s = self.process.now_s() - began
        if not is_silent:
            return
        under_way_s = _UNDER_WAY_S if self._is_searching else 0.0
        deadline = self.process.now_s() + self.settings.quiet_s
        with suppress(EOFError):
            while (line := self.process.next_line(deadline)) is not None:
                is_remark = first_word(line.escaped) in REMARKS
                if not (is_remark and line.read_at < self.asked_at + under_way_s):
                    raise Failure("nothing after END", repr(line.escaped[:200]))

    def expect_gone(self, within_s: float) -> None:
        """The end of the process, and of all else that it has started."""
        self.expect_exit(within_s)
        deadline = time.perf_counter() + _GONE_S
        while left := [*filter(is_running, self._helpers)] or self.process.stragglers():
            if time.perf_counter() >= deadline:
                names = ", ".join(f"process {process.pid}" for process in left)
                raise Failure("no process of the program", names)
            time.sleep(0.02)

    # ---- reasons for failures

    def _unfinished(self) -> str:
        return self.process.unfinished.decode("ascii", "backslashreplace")

    def _end_of_output(self) -> str:
        status, last_error = self.process.finish()
        if status is None:
            return "the end of its output"
        how = f"the end of the process with status {status}"
        return f"{how}: {last_error}" if last_error else how


def shorten(text: str, length: int = 60) -> str:
    """The beginning of a line, for notes."""
    return text if len(text) <= length else text[: length - 3] + "..."
