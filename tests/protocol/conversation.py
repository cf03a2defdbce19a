"""Programs of the tests on pipes: `Program` for a test that says what to send, and `play` for the
scripts of tests/conversations, in the language of tengen/arena/check/runner.py.

A script is played strictly: nothing is passed over, MESSAGE lines included, every line is LF-ended
ASCII, `<move` takes reports in their exact form, at least one, and the oracle follows and judges
every answer too. A script that has not ended the program itself ends with END. Nothing may be left
unread then, and nothing may ever come on standard error.
"""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Self

import pytest

from tengen.arena.check.conversation import Conversation, Failure, Knowledge, Settings
from tengen.arena.check.runner import Runner
from tengen.arena.check.script import Scripts, Step, read_steps
from tengen.arena.programs.process import Line
from tests.endurance import oracle
from tests.paths import ROOT
from tests.stopwatch import Late, Stopwatch, in_time

SCRIPTS = ROOT / "tests" / "conversations"
FAKE = [sys.executable, str(ROOT / "tests" / "protocol" / "fake_brain.py")]
REAL = [sys.executable, "-m", "tengen.pbrain"]
# TENGEN_PROGRAM in the environment names another program, such as the executable.
PROGRAM = [os.environ["TENGEN_PROGRAM"]] if "TENGEN_PROGRAM" in os.environ else REAL

# How long a line, or the end, may take on a busy machine before the program counts as hung.
PATIENCE_S = 60.0
REPORT = re.compile(
    r"MESSAGE Depth \d+-\d+ \| Eval (?:-?\d+|[+-]M\d+) \| Node (\d+) \| Speed \d+ \| Time \d+ms"
    r" \| ([A-V]\d+)(?: [A-V]\d+)*"
)
# What wine 8 itself says now and then when a program ends while its threads wait.
WINES_OWN_ERRORS = re.compile(rb"wine client error:[0-9a-f]+: [^\n]*\n?")
# Wine 8's server kills a process that, on a busy machine, is not gone half a second after its end.
WINES_OWN_STATUS = -9
# What reports of the Yixin dialect consist of, besides the usual ones.
DETAIL = re.compile(
    r"MESSAGE \(\d+\) (?:-?\d+|[+-]M\d+) \| \d+-\d+ \|(?: [A-V]\d+)+"
    rf"|MESSAGE REALTIME (?:REFRESH|BEST \d+,\d+)|{oracle.DETAIL.pattern}"
)


class Program:
    """A running program with pipes to it. Leaving the `with` block kills it if need be.

    nodes  of the last move that was read.
    """

    def __init__(self, command: list[str]) -> None:
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0)
        assert process.stdin and process.stdout and process.stderr
        self._under_wine = command[0] == "wine"
        self._begin(process, process.stdin, process.stdout, process.stderr)

    def _begin(
        self, process: Any, to_program: IO[bytes], output: IO[bytes], errors: IO[bytes]
    ) -> None:
        self.nodes = 0
        self.process = process
        self._input, self._output, self._errors = to_program, output, errors
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._collector = threading.Thread(target=self._collect, daemon=True)
        self._collector.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._kill()
        self._collector.join(PATIENCE_S)
        for pipe in (self._input, self._output, self._errors):
            pipe.close()

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        while data:
            data = data[self._input.write(data) or 0 :]

    def tell(self, *lines: str) -> None:
        """Write lines in one piece."""
        self.send("".join(f"{line}\n" for line in lines).encode("latin-1"))

    def expect(self, *patterns: str) -> None:
        """The next lines must match these patterns as a whole; `move` stands for reports and a
        move."""
        for pattern in patterns:
            if pattern == "move":
                self.read_move()
            else:
                line = self.read_line()
                assert line is not None and re.fullmatch(pattern, line), (pattern, line)

    def search(self) -> None:
        """Brings the program into the middle of a search of a minute."""
        self.tell("START 15", "INFO timeout_turn 60000", "BOARD", "7,7,2", "DONE")
        self.expect("OK")
        while not (self.read_line() or "").startswith("MESSAGE Depth"):
            pass

    def end(self) -> None:
        """END must end the program, with no further output."""
        self.tell("END")
        self.expect_exit()

    def close(self) -> None:
        """Close the program's input."""
        self._input.close()

    def read_line(self, patience_s: float = PATIENCE_S) -> str | None:
        """The next line without its LF; None at the end of the output."""
        try:
            raw = self._lines.get(timeout=patience_s)
        except queue.Empty:
            raise AssertionError(f"no line within {patience_s} s") from None
        return None if raw is None else checked(raw)

    def read_move(self, height: int = 15) -> tuple[int, int]:
        """As the function, and keeps the nodes."""
        x, y, self.nodes = read_move(lambda: self.read_line() or "", height)
        return x, y

    def expect_exit(self) -> None:
        """The program must end with status 0 and no further output."""
        status = self.process.wait(PATIENCE_S)
        if self._under_wine and status == WINES_OWN_STATUS:
            status = 0
        assert self.read_line() is None
        errors = WINES_OWN_ERRORS.sub(b"", self._errors.read())
        assert (status, errors) == (0, b""), f"ended with status {status}, said {errors!r}"

    def _kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def _collect(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._lines.put(line + b"\n")
        if rest:
            self._lines.put(rest)
        self._lines.put(None)

    def _chunk(self) -> bytes:
        return self._output.read(65536)


def checked(raw: bytes) -> str:
    """A line without its LF. AssertionError for one that no manager expects."""
    assert raw.endswith(b"\n"), f"a line without its end: {raw!r}"
    assert len(raw) < 1000, f"a line of {len(raw)} bytes"
    assert all(32 <= byte < 127 for byte in raw[:-1]), f"odd bytes: {raw!r}"
    return raw[:-1].decode("ascii")


def read_move(
    read_line: Callable[[], str], height: int, is_row_first: bool = False, detail: int = 0
) -> tuple[int, int, int]:
    """Reports in their exact form, at least one, then a move, which the last one names; the move,
    and the nodes of that report.

    is_row_first   of squares in commands and answers, their row comes first
    detail         what `show_detail` has asked for; with 2, every line of play comes with values
    """
    previous = reported = ""
    nodes = 0
    numbers: list[str] = []
    while not re.fullmatch(r"\d+,\d+", line := read_line()):
        if detail and DETAIL.fullmatch(line):
            if line.startswith("INFO PV") and not line.endswith("DONE"):
                numbers.append(line.split()[-1])
            continue
        assert numbers == list(map(str, range(len(numbers)))), numbers
        assert detail & 2 or not numbers
        numbers = []
        report = REPORT.fullmatch(line)
        assert report, f"neither report nor move: {line!r}"
        assert line != previous, f"the same line twice: {line!r}"
        previous, reported = line, report[2]
        nodes = int(report[1])
    assert bool(numbers) == bool(detail & 2), f"{len(numbers)} lines of play"
    x, y = map(int, line.split(","))
    column, row = (y, x) if is_row_first else (x, y)
    named = f"{chr(ord('A') + column)}{height - row}"
    assert reported == named, f"{reported} reported, {line} played"
    return x, y, nodes


class Strict(Conversation):
    """A conversation in which every line must be what the script, and the oracle, say."""

    remarks = ()

    def __init__(self, command: list[str]) -> None:
        self.oracle = oracle.Oracle()
        self._under_wine = command[0] == "wine"
        super().__init__(Settings(tuple(command), timeout_s=PATIENCE_S, quiet_s=0), Knowledge())

    def note_line(self, text: str) -> None:
        self.oracle.send(text)

    def close_input(self) -> None:
        super().close_input()
        self.oracle.close()

    def discard(self) -> None:
        pass

    def free_cell(self) -> tuple[int, int]:
        return self.oracle.first_free()

    def next_line(self, deadline: float, expected: str) -> Line:
        line = super().next_line(deadline, expected)
        self.oracle.receive(line.escaped)
        return line

    def expect(self, expected: str, wanted: Callable[[str], bool], **how: object) -> str:
        return super().expect(expected, wanted, is_first=True)

    def expect_move(self, expected: str = "", limit_s: float | None = None) -> tuple[int, int]:
        def read_line() -> str:
            return self.next_line(self.process.now_s() + PATIENCE_S, "a move").escaped

        state = self.oracle
        # Several lines of play can be asked for without any detail.
        detail = state.detail | 4 * state.is_yixin
        x, y, _ = read_move(read_line, state.height, state.is_row_first, detail)
        return x, y

    def expect_exit(self, within_s: float, *, is_silent: bool = True) -> None:
        assert self.process.wait(PATIENCE_S), "it runs on"
        with pytest.raises(EOFError):
            said = self.process.next_line(self.process.now_s() + PATIENCE_S)
            assert said is None, f"said {said!r} at the end"
        status, _ = self.process.finish()
        if self._under_wine and status == WINES_OWN_STATUS:
            status = 0
        errors = WINES_OWN_ERRORS.sub(b"", self.process.error_output)
        assert (status, errors) == (0, b""), f"ended with status {status}, said {errors!r}"
        for line in self.process.lines:
            assert line.raw and line.end == b"\n" and len(line.raw) < 1000, f"a line: {line}"
            assert all(32 <= byte < 127 for byte in line.raw), f"odd bytes: {line.raw!r}"


class Timed(Runner):
    """`within` counts from what was sent last, without what others take of the processor."""

    _watch = Stopwatch()

    def _flush(self) -> None:
        if self._joined:
            self._watch = Stopwatch(self.talk.process.pid)
        super()._flush()

    def _play_step(self, word: str, rest: str, step: Step) -> None:
        if word == "within":
            in_time(self._watch.ms(), 1000 * self._seconds(rest))
            return
        super()._play_step(word, rest, step)
        if word == "close":
            self._watch = Stopwatch(self.talk.process.pid)


def play(command: list[str], script: Path | str, title: str = "") -> None:
    """Plays a script, from a file or its text, or one of its sections; AssertionError names the
    first step that fails."""
    text = script.read_text(encoding="ascii") if isinstance(script, Path) else script
    scripts = Scripts()
    if title:
        scripts.add(text, "script")
    steps = scripts.sections[title] if title else read_steps(text.splitlines())
    with Strict(command) as talk, Timed(talk, scripts) as runner:
        try:
            runner.play(steps)
            if talk.process.wait(0):
                return
            talk.oracle.check_over()
            talk.send("END\n")
            talk.expect_exit(PATIENCE_S)
        except Late:
            raise
        except (AssertionError, Failure) as failure:
            said = "\n".join(f"{at_s:8.3f} {mark} {text}" for at_s, mark, text in talk.entries)
            step = runner.step
            raise AssertionError(f"line {step.line}, {step.text!r}: {failure}\n{said}") from failure
