"""A program under test without a process and without time: a Python script whose function `feed` is
called with each piece that is written to it, and a clock that moves only while someone waits.

What a check finds then depends on what the script does and on nothing else, and no second is waited
for.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tengen.arena.check import checks, conversation, runner
from tengen.arena.check.conversation import Entry
from tengen.arena.programs.process import Line

# What has the script run as a program with pipes.
MAIN = "while chunk := os.read(0, 65536):\n    feed(chunk)\nfeed(b'')\n"


# So long takes a start.
_START_S = 0.01


class Clock:
    """Stands in for the module `time`: the seconds since the first program was started."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def perf_counter(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


class SimulatedProcess:
    """A script with the interface of `RecordedProcess`. It obeys what it is sent at once, and what
    it prints comes when its own clock says so, which runs ahead where it sleeps."""

    def __init__(self, clock: Clock, source: types.CodeType, names: dict[str, object]) -> None:
        self.entries: list[Entry] = []
        self.lines: list[Line] = []
        self.error_output = b""
        self.unfinished = b""
        self._clock = clock
        self._started_s = clock.now_s
        self._own_s = clock.now_s + _START_S
        self._unread: deque[Line] = deque()
        self._input_is_closed = False
        # What was sent while it was suspended.
        self._held: list[bytes] | None = None
        self._status: int | None = None
        self._names = names | {
            "os": types.SimpleNamespace(write=self._write, _exit=_stop),
            "time": types.SimpleNamespace(sleep=self._sleep, perf_counter=lambda: self._own_s),
        }
        self._do(lambda: exec(source, self._names))

    # ---- what the checks call

    def write(self, data: bytes) -> None:
        if self._input_is_closed or self._has_ended_by(self.now_s()):
            raise BrokenPipeError("nobody reads")
        for line in data.decode("ascii", "backslashreplace").splitlines() or [""]:
            self._note(">", line, self.now_s())
        if self._held is None:
            self._feed(data)
        else:
            self._held.append(data)

    def close_input(self) -> None:
        if not self._input_is_closed:
            self._input_is_closed = True
            self._feed(b"")
            if self._status is None:
                self._status = 0

    def remark(self, text: str) -> None:
        self._note("#", text, self.now_s())

    def now_s(self) -> float:
        return self._clock.now_s

    def next_line(self, deadline: float) -> Line | None:
        while self._unread and self._unread[0].read_at <= deadline:
            line = self._unread.popleft()
            if line.raw.strip():
                self._clock.now_s = max(self.now_s(), line.read_at)
                return line
        if self._has_ended_by(deadline):
            raise EOFError
        self._clock.now_s = max(self.now_s(), deadline)
        return None

    def discard_unread(self) -> None:
        while self._unread and self._unread[0].read_at <= self.now_s():
            self._unread.popleft()

    def wait(self, patience_s: float) -> bool:
        has_ended = self._has_ended_by(self.now_s() + patience_s)
        end_s = self._own_s if has_ended else self.now_s() + patience_s
        self._clock.now_s = max(self.now_s(), end_s)
        return has_ended

    def finish(self) -> tuple[int | None, str]:
        self.wait(0.5)
        return self._status, (self.error_output.decode().splitlines() or [""])[-1]

    def kill(self) -> None:
        if self._status is None:
            self._status = -9

    def suspend(self, *, with_children: bool) -> None:
        self._held = []

    def resume(self) -> None:
        held, self._held = self._held or [], None
        for data in held:
            self._feed(data)

    def children(self) -> list[object]:
        return []

    def stragglers(self) -> list[object]:
        return []

    def rss_bytes(self) -> int:
        return 1 << 20

    # ---- how the script gets on

    def _do(self, act: Callable[[], object]) -> None:
        """The script obeys, from now or from when it has done what came before."""
        if self._status is not None:
            return
        self._own_s = max(self._own_s, self.now_s())
        try:
            act()
        except SystemExit as ended:
            self._status = int(ended.code or 0)
        except Exception as error:
            self._status = 1
            self._write(2, f"{type(error).__name__}: {error}\n".encode())

    def _feed(self, data: bytes) -> None:
        feed = self._names["feed"]
        assert callable(feed)
        self._do(lambda: feed(data))

    def _has_ended_by(self, deadline: float) -> bool:
        return self._status is not None and self._own_s <= deadline

    def _note(self, direction: str, text: str, at_s: float) -> None:
        self.entries.append(Entry(at_s - self._started_s, direction, text))

    def _sleep(self, seconds: float) -> None:
        self._own_s += seconds

    def _write(self, descriptor: int, data: bytes) -> None:
        if descriptor == 2:
            self.error_output += data
            for text in data.decode().splitlines():
                self._note("!", text, self._own_s)
            return
        *whole, self.unfinished = (self.unfinished + data).split(b"\n")
        for raw in whole:
            end = b"\r\n" if raw.endswith(b"\r") else b"\n"
            line = Line(raw.removesuffix(b"\r"), end, self._own_s)
            self.lines.append(line)
            self._unread.append(line)
            self._note("<", line.escaped, self._own_s)


def _stop(status: int = 0) -> None:
    raise SystemExit(status)


def simulate(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """From now on the checks talk to this script, whatever command they name; the last word of the
    command is its argument. It may use `os`, `sys` and `time` without importing them, and `starts`,
    which is one list for all its starts. An empty piece is the end of its input."""
    clock = Clock()
    starts: list[int] = []
    code = compile(source, "brain", "exec")
    for module in (checks, conversation, runner):
        monkeypatch.setattr(module, "time", clock)

    def start(command: Sequence[str], _folder: Path | None) -> SimulatedProcess:
        argv = types.SimpleNamespace(argv=["brain", command[-1]], exit=_stop)
        return SimulatedProcess(clock, code, {"starts": starts, "sys": argv})

    monkeypatch.setattr(conversation, "RecordedProcess", start)
