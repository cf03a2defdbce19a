"""What the scripts of checks use: a program whose pipes are recorded, byte for byte and with times;
lines to send, answers to expect.

A conversation reads as the most tolerant manager does: lines that are not an answer are passed
over, so that a fault of the program shows in the check that is about it and not in all of them.
Only `expect_plain` is strict.
"""

from __future__ import annotations

import locale
import re
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, NoReturn

from tengen.arena.programs.pipes import MAX_UNREAD_BYTES, Line
from tengen.arena.programs.process import EngineProcess
from tengen.arena.programs.program import REFUSALS, REMARKS, first_word
from tengen.game.referee import Cell

Stone = tuple[int, int, int]

# What Piskvork and the Gomocup judge add to every limit before they call a move late.
TOLERANCE_S = 1.0
# After so many requests in a row without any answer the waits become shorter: otherwise every check
# would wait in full for a program that answers nothing.
_STALLS_UNTIL_IMPATIENT = 3
_IMPATIENT_S = 0.5
# A program that starts late is waited for so many times as long; one check is about that.
_SLOW_START = 4
# Before each line to a program that cannot take several at a time.
_PACE_S = 0.05

# A prime larger than any side, so that steps of it visit all cells of a board.
_STEP = 47

_NUMBER = re.compile(r"[+-]?\d{1,9}")
_MOVE = re.compile(r"\s*([+-]?\d{1,9})\s*,\s*([+-]?\d{1,9})(?![\d,]).*", re.DOTALL)
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


@dataclass
class Knowledge:
    """What the checks of one run have learnt about the program.

    size      the board size used where the size does not matter.
    start_s   how long the first OK to START took, if longer than an answer may take; else 0.
    no_start  why no game can be started at all; empty if it can.
    stalls    how many requests in a row have had no answer.
    refused_sizes  sizes that START was refused for, with the answers.
    is_racing  lines in one piece are answered wrongly, and rightly where each is given time.
    """

    size: int = 15
    start_s: float = 0.0
    no_start: str = ""
    stalls: int = 0
    refused_sizes: dict[int, str] = field(default_factory=dict)
    is_racing: bool = False


class Conversation:
    """One process of the program at a time, and the lines to and from it."""

    def __init__(self, settings: Settings, knowledge: Knowledge) -> None:
        self.settings = settings
        self.knowledge = knowledge
        # The end of the lines that are sent.
        self.end = "\n"
        # Each line is given time, because the program answers lines in one piece wrongly.
        self.is_paced = False
        self.width = self.height = knowledge.size
        self.stones: set[Cell] = set()
        self.turn_s = settings.turn_ms / 1000
        self.asked_at = 0.0
        self.elapsed_s = 0.0
        self.sent: tuple[str, ...] = ()
        self._entries: list[Entry] = []
        # A rule that was sent and not followed by a move yet: the program may still refuse it.
        self._doubtful_rule: int | None = None
        # START is among the lines sent last.
        self._is_starting = False
        self.process = RecordedProcess(settings.command, settings.folder)

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()

    def again(self) -> None:
        """Ends the process and starts a new one."""
        self.process.kill()
        self._entries += self.process.entries
        self.process = RecordedProcess(self.settings.command, self.settings.folder)
        self.process.remark("a new process")
        self.stones = set()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The whole conversation, including that with earlier processes."""
        return (*self._entries, *self.process.entries)

    # ---- sending

    def send(self, *lines: str) -> None:
        """Writes lines in one piece."""
        self.send_text("".join(line + self.end for line in lines))

    def send_text(self, text: str) -> None:
        """Writes text as it is, in one piece."""
        self.sent = tuple(line for line in text.splitlines()[:20] if line)
        self._is_starting = any(first_word(line) in _STARTS for line in self.sent)
        pieces = text.splitlines(keepends=True) if self.is_paced else [text]
        try:
            for piece in pieces:
                if self.is_paced:
                    time.sleep(_PACE_S)
                self.asked_at = self.process.now_s()
                # Only folders hold other characters than ASCII; managers write them like this.
                self.process.write(piece.encode(locale.getencoding(), "replace"))
        except OSError:
            raise Failure("the program to be running", self._end_of_output()) from None

    def learn_start(self, size: int, *, is_patient: bool) -> str:
        """The answer to START, the first of all; `is_patient` waits for it longer than for others.
        Failure if there is none."""
        self.request(f"START {size}")
        more_s = (_SLOW_START - 1) * self.settings.timeout_s if is_patient else 0.0
        text = self.expect_line("OK", lambda text: first_word(text) in ("OK", *REFUSALS), more_s)
        if self.elapsed_s > self.settings.timeout_s:
            self.knowledge.start_s = self.elapsed_s
        return text

    def request(self, *lines: str) -> None:
        """Sends lines that are answered. Output that was not read before them is discarded."""
        self.process.discard_unread()
        self.send(*lines)

    # ---- receiving

    @property
    def patience_s(self) -> float:
        """How long an answer may take that needs no thinking."""
        if self._is_starting and self.knowledge.start_s:
            return _SLOW_START * self.settings.timeout_s
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

    def expect_plain(
        self, expected: str, thinking_s: float = 0.0, *, but: Collection[str] = REMARKS
    ) -> str:
        """The answer as Piskvork takes it: the first line that is not MESSAGE or DEBUG, or does not
        begin with another of the words in `but`."""
        deadline = self.process.now_s() + thinking_s + self.patience_s
        while True:
            line = self.next_line(deadline, expected)
            if first_word(line.escaped) not in but:
                self.elapsed_s = max(0.0, line.read_at - self.asked_at)
                return line.escaped

    def expect_line(
        self, expected: str, wanted: Callable[[str], bool], thinking_s: float = 0.0
    ) -> str:
        """The first line that is `wanted`. ERROR and UNKNOWN are failures, other lines are passed
        over."""
        deadline = self.process.now_s() + thinking_s + self.patience_s
        passed = ""
        while True:
            try:
                line = self.next_line(deadline, expected)
            except Failure as failure:
                if passed:
                    failure.received += f", after {passed[:80]!r}"
                raise
            if wanted(line.escaped):
                self.elapsed_s = max(0.0, line.read_at - self.asked_at)
                return line.escaped
            word = first_word(line.escaped)
            if word in REFUSALS:
                self._refused(expected, line.escaped)
            if word not in REMARKS:
                passed = passed or line.escaped

    def expect_ok(self) -> None:
        """A line whose first word is OK."""
        self.expect_line("OK", lambda text: first_word(text) == "OK")

    def expect_plain_ok(self, *, but: Collection[str] = REMARKS) -> None:
        """OK as the first line that begins with no word in `but`."""
        text = self.expect_plain("OK", but=but)
        if first_word(text) != "OK":
            raise Failure("OK", repr(text[:200]))

    def expect_refusal(self, request: str, thinking_s: float | None = None) -> None:
        """ERROR or UNKNOWN as the answer to a request that cannot be met."""
        expected = f"ERROR to {request!r}"
        text = self.expect_plain(expected, self.turn_s if thinking_s is None else thinking_s)
        if first_word(text) not in REFUSALS:
            raise Failure(expected, repr(text[:200]))

    def skip_if_refused(self, request: str, text: str) -> None:
        """Skip if this answer to an optional command is ERROR or UNKNOWN."""
        if first_word(text) in REFUSALS:
            raise Skip(f"{request}: {shorten(text)}")

    def expect_move(self, thinking_s: float | None = None) -> Cell:
        """A move on an empty cell; its stone is put on the board."""
        thinking_s = self.turn_s if thinking_s is None else thinking_s
        board = f"the {self.width}x{self.height} board"
        expected = f"a move on an empty cell of {board}"
        text = self.expect_line(expected, lambda text: bool(_MOVE.fullmatch(text)), thinking_s)
        x, y = (int(number) for number in _NUMBER.findall(text)[:2])
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise Failure(expected, f"{text!r}, which is off the board")
        if (x, y) in self.stones:
            raise Failure(expected, f"{text!r}, where a stone stands")
        self._doubtful_rule = None
        self.stones.add((x, y))
        return x, y

    def expect_move_in(self, limit_s: float) -> Cell:
        """A move that managers take for one within the limit, counted from the last request."""
        cell = self.expect_move(limit_s + TOLERANCE_S)
        self.check_time(limit_s, "a move")
        return cell

    def check_time(self, limit_s: float, what: str) -> None:
        """Failure if the last answer came later than managers allow after a limit."""
        if self.elapsed_s > limit_s + TOLERANCE_S:
            raise Failure(
                f"{what} within {limit_s:g} s, or {TOLERANCE_S:g} s later at most",
                f"one after {self.elapsed_s:.2f} s",
            )

    def expect_silence(self, seconds: float | None = None, *, but: Collection[str] = ()) -> None:
        """No line for a while, except lines that begin with one of the words in `but`."""
        deadline = self.process.now_s() + (self.settings.quiet_s if seconds is None else seconds)
        while True:
            try:
                line = self.process.next_line(deadline)
            except EOFError:
                raise Failure("silence", self._end_of_output()) from None
            if line is None:
                break
            if first_word(line.escaped) not in but:
                raise Failure("silence", repr(line.escaped[:200]))
        if unfinished := self._unfinished():
            raise Failure("silence", repr(unfinished[:200]))

    def expect_exit(self, within_s: float) -> float:
        """The end of the process; returns how many seconds it took."""
        started = self.process.now_s()
        if not self.process.wait(within_s):
            raise Failure(f"the end of the process within {within_s:g} s", "a process that runs on")
        return self.process.now_s() - started

    def rest_of_output(self) -> list[Line]:
        """The unread lines of a process that has ended."""
        rest = []
        deadline = self.process.now_s() + self.settings.quiet_s
        try:
            while (line := self.process.next_line(deadline)) is not None:
                rest.append(line)
        except EOFError:
            pass
        return rest

    # ---- playing

    def start(self, size: int | None = None, *, turn_ms: int | None = None) -> None:
        """START, its OK, and a limit for moves; Skip for a size known to be refused."""
        if self.knowledge.no_start:
            raise Skip(f"no game can be started: {self.knowledge.no_start}")
        size = self.knowledge.size if size is None else size
        if size in self.knowledge.refused_sizes:
            raise Skip(f"START {size}: {self.knowledge.refused_sizes[size]}")
        self.request(f"START {size}")
        self.expect_ok()
        self.clear(size, size)
        self.limit(self.settings.turn_ms if turn_ms is None else turn_ms)

    def limit(self, turn_ms: int) -> None:
        """INFO timeout_turn."""
        self.turn_s = turn_ms / 1000
        self.send(f"INFO timeout_turn {turn_ms}")

    def clear(self, width: int | None = None, height: int | None = None) -> None:
        """The board is empty now (and has another size)."""
        self.width = width or self.width
        self.height = height or self.height
        self.stones = set()

    def rule(self, rule: int) -> None:
        """INFO rule. If the next answer is ERROR or UNKNOWN, the check is skipped."""
        self._doubtful_rule = rule
        self.send(f"INFO rule {rule}")

    def begin(self) -> Cell:
        """BEGIN and the move."""
        self.request("BEGIN")
        return self.expect_move()

    def turn(self, cell: Cell | None = None) -> Cell:
        """TURN, at `cell` or at some empty cell, and the move."""
        self.request(self.turn_line(cell))
        return self.expect_move()

    def turn_line(self, cell: Cell | None = None) -> str:
        """A TURN command; the stone is put on the board."""
        x, y = cell or self.free_cell()
        self.stones.add((x, y))
        return f"TURN {x},{y}"

    def board(self, stones: Iterable[Stone]) -> Cell:
        """BOARD with these stones, DONE, and the move."""
        self.request(*self.board_lines(stones))
        return self.expect_move()

    def board_lines(self, stones: Iterable[Stone]) -> list[str]:
        """A BOARD block; the stones are those on the board from now on."""
        stones = list(stones)
        self.stones = {(x, y) for x, y, _ in stones}
        return ["BOARD", *(f"{x},{y},{field}" for x, y, field in stones), "DONE"]

    def free_cell(self) -> Cell:
        """An empty cell. Successive cells are scattered over the board and make no row."""
        cells = self.width * self.height
        for i in range(cells):
            at = (i * _STEP + self.width + 1) % cells
            cell = (at % self.width, at // self.width)
            if cell not in self.stones:
                return cell
        raise ValueError("the board is full")

    # ---- reasons for failures

    def _unfinished(self) -> str:
        return self.process.unfinished.decode("ascii", "backslashreplace")

    def _refused(self, expected: str, text: str) -> NoReturn:
        if self._doubtful_rule is not None:
            raise Skip(f"rule {self._doubtful_rule}: {shorten(text)}")
        raise Failure(expected, repr(text[:200]))

    def _end_of_output(self) -> str:
        status, last_error = self.process.finish()
        if status is None:
            return "the end of its output"
        how = f"the end of the process with status {status}"
        return f"{how}: {last_error}" if last_error else how


def shorten(text: str, length: int = 60) -> str:
    """The beginning of a line, for notes."""
    return text if len(text) <= length else text[: length - 3] + "..."
