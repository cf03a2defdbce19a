r"""Plays the manager: runs a program, sends what a script says and checks every byte it answers.

A script is a text file of steps, one to a line; `#` begins a comment line.

  > text        send a line; {A} is the square named A, {free:A} names the first free square A
  >\ text       the same with escapes: \t, \r, \x00, \xff ...
  >* n text     send one line of `text`, with escapes, repeated n times
  < text        the next line must be exactly this
  <~ pattern    the next line must match this regular expression as a whole
  <move A       reports, then a legal move, which gets the name A (the name can be left out);
                after `yxshowinfo` in lower case its row comes first
  <details n    what `show_detail` 3 adds to reports: n lines of play; then as <move
  <quiet s      nothing comes for s seconds
  <exit         the program ends by itself with status 0 and prints nothing more
  eol e         from here on lines are sent with the ending lf, crlf, cr or none
  join on|off   while on, lines are collected and sent in one piece at the next other step
  wait s        wait s seconds
  close         close the program's input

At the end of a script that has not ended the program itself END is sent. Nothing may be left
unread then, and nothing may ever come on standard error.
"""

from __future__ import annotations

import os
import queue
import re
import subprocess
import sys
import threading
import time
from typing import Self

from tests.endurance import oracle
from tests.paths import ROOT

SCRIPTS = ROOT / "tests" / "conversations"
FAKE = [sys.executable, str(ROOT / "tests" / "protocol" / "fake_brain.py")]
REAL = [sys.executable, "-m", "tengen.pbrain"]
# TENGEN_PROGRAM in the environment names another program, such as the executable.
PROGRAM = [os.environ["TENGEN_PROGRAM"]] if "TENGEN_PROGRAM" in os.environ else REAL

# How long a line, or the end, may take on a busy machine before the program counts as hung.
PATIENCE_S = 60.0
ENDINGS = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r", "none": b""}
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
        self.nodes = 0
        self._under_wine = command[0] == "wine"
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._collector = threading.Thread(target=self._collect, daemon=True)
        self._collector.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.wait()
        self._collector.join(PATIENCE_S)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    def send(self, data: bytes) -> None:
        """Write bytes as they are."""
        assert self.process.stdin is not None
        while data:
            data = data[self.process.stdin.write(data) or 0 :]

    def close(self) -> None:
        """Close the program's input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def read_line(self, patience_s: float = PATIENCE_S) -> str | None:
        """The next line without its LF; None at the end of the output."""
        try:
            raw = self._lines.get(timeout=patience_s)
        except queue.Empty:
            raise AssertionError(f"no line within {patience_s} s") from None
        if raw is None:
            return None
        assert raw.endswith(b"\n"), f"a line without its end: {raw!r}"
        assert len(raw) < 1000, f"a line of {len(raw)} bytes"
        assert all(32 <= byte < 127 for byte in raw[:-1]), f"odd bytes: {raw!r}"
        return raw[:-1].decode("ascii")

    def read_move(
        self, height: int = 15, is_row_first: bool = False, details: int | None = None
    ) -> tuple[int, int]:
        """Reports in their exact form, at least one, then a move, which the last one names.

        is_row_first   of squares in commands and answers, their row comes first
        details        how many lines of play come with every report; None: no details at all
        """
        previous = reported = ""
        numbers: list[str] = []
        while (line := self.read_line()) is not None and not re.fullmatch(r"\d+,\d+", line):
            if details is not None and DETAIL.fullmatch(line):
                if line.startswith("INFO PV") and not line.endswith("DONE"):
                    numbers.append(line.split()[-1])
                continue
            assert numbers == list(map(str, range(len(numbers)))), numbers
            assert len(numbers) <= (details or 0)
            numbers = []
            report = REPORT.fullmatch(line)
            assert report, f"neither report nor move: {line!r}"
            assert line != previous, f"the same line twice: {line!r}"
            previous, reported = line, report[2]
            self.nodes = int(report[1])
        assert line is not None, "the output ended before a move"
        assert len(numbers) == (details or 0), f"{len(numbers)} lines of play"
        x, y = map(int, line.split(","))
        column, row = (y, x) if is_row_first else (x, y)
        named = f"{chr(ord('A') + column)}{height - row}"
        assert reported == named, f"{reported} reported, {line} played"
        return x, y

    def expect_quiet(self, seconds: float) -> None:
        """Nothing may come for that long."""
        try:
            raw = self._lines.get(timeout=seconds)
        except queue.Empty:
            return
        raise AssertionError(f"unasked: {raw!r}")

    def expect_exit(self) -> None:
        """The program must end with status 0 and no further output."""
        status = self.process.wait(PATIENCE_S)
        if self._under_wine and status == WINES_OWN_STATUS:
            status = 0
        assert self.read_line() is None
        assert self.process.stderr is not None
        errors = WINES_OWN_ERRORS.sub(b"", self.process.stderr.read())
        assert (status, errors) == (0, b""), f"ended with status {status}, said {errors!r}"

    def _collect(self) -> None:
        assert self.process.stdout is not None
        rest = b""
        while chunk := self.process.stdout.read(65536):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._lines.put(line + b"\n")
        if rest:
            self._lines.put(rest)
        self._lines.put(None)


class Script:
    """One script being played against one program. The oracle follows, knows which squares are
    taken, and judges every answer too."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._oracle = oracle.Oracle()
        self._squares: dict[str, str] = {}
        self._ending = b"\n"
        self._joined: bytes | None = None
        self._has_exited = False

    def play(self, text: str) -> None:
        """Play all steps; AssertionError names the first that fails."""
        for number, step in enumerate(text.splitlines(), 1):
            if step.strip() and not step.startswith("#"):
                try:
                    self._play_step(step)
                except AssertionError as failure:
                    raise AssertionError(f"line {number}, {step!r}: {failure}") from failure
        if not self._has_exited:
            self._oracle.check_over()
            self._program.send(b"END" + self._ending)
            self._program.expect_exit()

    def _play_step(self, step: str) -> None:
        word, _, rest = step.partition(" ")
        if word.startswith(">"):
            self._send(word, rest)
            return
        self._flush()
        match word:
            case "<" | "<~":
                self._expect(word, rest)
            case "<move" | "<details":
                details = None
                if word == "<details":
                    count, _, rest = rest.partition(" ")
                    details = int(count)
                state = self._oracle
                x, y = self._program.read_move(state.height, state.is_row_first, details)
                state.receive(f"{x},{y}")
                if rest:
                    self._squares[rest] = f"{x},{y}"
            case "<quiet":
                self._program.expect_quiet(float(rest))
            case "<exit":
                self._program.expect_exit()
                self._has_exited = True
            case "eol":
                self._ending = ENDINGS[rest]
            case "join":
                self._joined = b"" if rest == "on" else None
            case "wait":
                time.sleep(float(rest))
            case "close":
                self._program.close()
                self._oracle.close()
            case _:
                raise AssertionError("no such step")

    def _send(self, kind: str, text: str) -> None:
        if kind == ">*":
            count, _, piece = text.partition(" ")
            text = _unescape(piece) * int(count)
        elif kind == ">\\":
            text = _unescape(text)
        else:
            text = re.sub(r"\{(?:(free):)?(\w+)\}", self._square, text)
        self._oracle.send(text)
        data = text.encode("latin-1") + self._ending
        if self._joined is None:
            self._program.send(data)
        else:
            self._joined += data

    def _square(self, match: re.Match[str]) -> str:
        if match[1]:
            x, y = self._oracle.first_free()
            self._squares[match[2]] = f"{x},{y}"
        return self._squares[match[2]]

    def _flush(self) -> None:
        if self._joined:
            self._program.send(self._joined)
            self._joined = b""

    def _expect(self, kind: str, wanted: str) -> None:
        line = self._program.read_line()
        assert line is not None, "the output has ended"
        if kind == "<":
            assert line == wanted, f"came: {line!r}"
        else:
            assert re.fullmatch(wanted, line), f"came: {line!r}"
        self._oracle.receive(line)


def _unescape(text: str) -> str:
    return text.encode("latin-1").decode("unicode_escape")
