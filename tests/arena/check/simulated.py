"""A program under test without a process and without time: a Python script in a thread that runs
only while the checks wait for it, and a clock that stands still except while someone sleeps.

What a check finds then depends on what the script does and on nothing else, and no second is waited
for.
"""

from __future__ import annotations

import threading
import types
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tengen.arena.check import checks, conversation, runner
from tengen.arena.check.conversation import Entry
from tengen.arena.programs.process import Line

_CLOCKED = (checks, conversation, runner)


class Clock:
    """Stands in for the module `time`: the seconds since the first program was started."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.programs: list[SimulatedProcess] = []
        # For scripts, which may count in it how often they were started.
        self.starts: list[int] = []

    def perf_counter(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        """The programs go on meanwhile."""
        end_s = self.now_s + seconds
        for program in self.programs:
            program.run_until(end_s)
        self.now_s = end_s


class _Killed(BaseException):
    """Ends the script from outside."""


class SimulatedProcess:
    """A script with the interface of `RecordedProcess`. Each piece that is written to it is one
    piece for `os.read`."""

    def __init__(self, clock: Clock, source: types.CodeType, argument: str) -> None:
        self.entries: list[Entry] = []
        self.lines: list[Line] = []
        self.error_output = b""
        self.unfinished = b""
        self._clock = clock
        self._started_s = clock.now_s
        self._input: deque[bytes] = deque()
        self._input_is_closed = self._is_killed = self._is_suspended = False
        self._unread: deque[Line] = deque()
        self._status: int | None = None
        # When the script wakes; None while it waits for input, with `_is_reading`.
        self._wakes_s = clock.now_s
        self._is_reading = False
        self._go, self._has_paused = threading.Semaphore(0), threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, args=(source, argument), daemon=True)
        self._thread.start()
        clock.programs.append(self)

    # ---- what the checks call

    def write(self, data: bytes) -> None:
        if self._input_is_closed or self._status is not None:
            raise BrokenPipeError("nobody reads")
        for line in data.decode("ascii", "backslashreplace").splitlines() or [""]:
            self._note(">", line)
        self._input.append(data)

    def close_input(self) -> None:
        self._input_is_closed = True

    def remark(self, text: str) -> None:
        self._note("#", text)

    def now_s(self) -> float:
        return self._clock.now_s

    def next_line(self, deadline: float) -> Line | None:
        while True:
            while self._unread:
                if (line := self._unread.popleft()).raw.strip():
                    return line
            if not self._go_on(deadline):
                break
        if self._status is not None:
            raise EOFError
        self._clock.now_s = max(self._clock.now_s, deadline)
        return None

    def discard_unread(self) -> None:
        self._unread.clear()

    def wait(self, patience_s: float) -> bool:
        end_s = self._clock.now_s + patience_s
        self.run_until(end_s)
        if self._status is None:
            self._clock.now_s = end_s
        return self._status is not None

    def finish(self) -> tuple[int | None, str]:
        self.wait(0.5)
        status = self._status
        self.kill()
        return status, (self.error_output.decode().splitlines() or [""])[-1]

    def kill(self) -> None:
        self._is_killed = True
        while self._status is None:
            self._resume()
        self._thread.join()

    def suspend(self, *, with_children: bool) -> None:
        self._is_suspended = True

    def resume(self) -> None:
        self._is_suspended = False

    def children(self) -> list[object]:
        return []

    def stragglers(self) -> list[object]:
        return []

    def rss_bytes(self) -> int:
        return 1 << 20

    # ---- how the script gets on

    def run_until(self, end_s: float) -> None:
        """Lets the script go on until it ends, waits for input, or sleeps for longer."""
        while self._go_on(end_s):
            pass

    def _go_on(self, end_s: float) -> bool:
        """One step of the script; False if it makes none until then."""
        if self._status is not None or self._is_suspended:
            return False
        if self._is_reading:
            if not self._input and not self._input_is_closed:
                return False
        elif self._wakes_s > end_s:
            return False
        else:
            self._clock.now_s = max(self._clock.now_s, self._wakes_s)
        self._resume()
        return True

    def _resume(self) -> None:
        self._go.release()
        self._has_paused.acquire()

    def _pause(self) -> None:
        self._has_paused.release()
        self._go.acquire()
        if self._is_killed:
            raise _Killed

    def _note(self, direction: str, text: str) -> None:
        self.entries.append(Entry(self._clock.now_s - self._started_s, direction, text))

    # ---- what the script calls

    def _run(self, source: types.CodeType, argument: str) -> None:
        self._go.acquire()
        status = 0
        try:
            if not self._is_killed:
                exec(source, self._modules(argument))
        except (_Killed, SystemExit) as ended:
            status = ended.code if isinstance(ended, SystemExit) else -9  # type: ignore[assignment]
        except Exception as error:
            status = 1
            self._write(2, f"{type(error).__name__}: {error}\n".encode())
        self._status = status or 0
        self._has_paused.release()

    def _modules(self, argument: str) -> dict[str, object]:
        def stop(status: int = 0) -> None:
            raise SystemExit(status)

        return {
            "os": types.SimpleNamespace(read=self._read, write=self._write, _exit=stop),
            "sys": types.SimpleNamespace(argv=["brain", argument], exit=stop),
            "starts": self._clock.starts,
            "time": types.SimpleNamespace(sleep=self._sleep, perf_counter=self._clock.perf_counter),
        }

    def _read(self, _descriptor: int, _limit: int) -> bytes:
        self._is_reading = True
        while not self._input and not self._input_is_closed:
            self._pause()
        self._is_reading = False
        return self._input.popleft() if self._input else b""

    def _sleep(self, seconds: float) -> None:
        self._wakes_s = self._clock.now_s + seconds
        self._pause()

    def _write(self, descriptor: int, data: bytes) -> None:
        if descriptor == 2:
            self.error_output += data
            for text in data.decode().splitlines():
                self._note("!", text)
            return
        *whole, self.unfinished = (self.unfinished + data).split(b"\n")
        for raw in whole:
            end = b"\r\n" if raw.endswith(b"\r") else b"\n"
            line = Line(raw.removesuffix(b"\r"), end, self._clock.now_s)
            self.lines.append(line)
            self._unread.append(line)
            self._note("<", line.escaped)


Start = Callable[[Sequence[str], Path | None], SimulatedProcess]


def simulate(monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """From now on the checks talk to this script, whatever command they name; the last word of the
    command is its argument. It may use `os`, `sys` and `time` without
    importing them, and `starts`, which is one list for all its starts."""
    clock = Clock()
    code = compile(source, "brain", "exec")
    for module in _CLOCKED:
        monkeypatch.setattr(module, "time", clock)

    def start(command: Sequence[str], _folder: Path | None) -> SimulatedProcess:
        return SimulatedProcess(clock, code, command[-1])

    monkeypatch.setattr(conversation, "RecordedProcess", start)
