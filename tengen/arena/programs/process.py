"""Runs the process of a program: pipes to it, its clock, a process group, the end of all its
children, and the temporary folder that it runs in."""

from __future__ import annotations

import locale
import os
import queue
import select
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from typing import IO, Any

import psutil

from tengen.arena.programs.spec import CannotStart, why_not_started
from tengen.arena.programs.watchdog import MARK, Watchdog, is_running, kill_group, marked, tree
from tengen.common.process import awake_s, take_lock

# `Line.text` is cut here, as managers do; no move or message is anywhere near as long.
_MAX_TEXT_BYTES = 8000
# Of an endless line only the beginning is kept.
MAX_LINE_BYTES = 64_000
# What is kept unread, where each line counts for more than it has, as it does in memory. A program
# that floods its output beyond this waits until lines have been read.
MAX_UNREAD_BYTES, _BYTES_PER_LINE = 4_000_000, 400
_FULL_LOOK_S = 0.01
_CHUNK_BYTES = 65536
_ERROR_CHUNK_BYTES, _KEPT_CHUNKS = 4096, 4
_LINE_ENDS = b"\r\n"


@dataclass(slots=True)
class Line:
    """One line of output, byte for byte.

    raw      the line without its end.
    end      CR, LF or CR LF; empty if the output ended before the line did.
    read_at  when its end was read, by `LineReader.now_s`.
    """

    raw: bytes
    end: bytes
    read_at: float

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return len(self.raw) + _BYTES_PER_LINE

    @property
    def text(self) -> str:
        """The line as a manager takes it: at most 8000 bytes, `?` for a byte that is not ASCII."""
        return self.raw[:_MAX_TEXT_BYTES].decode("ascii", "replace").replace("\ufffd", "?")

    @property
    def escaped(self) -> str:
        """The whole line in print: bytes that are not ASCII show as escapes."""
        return self.raw.decode("ascii", "backslashreplace")


class _Reader:
    """Reads a pipe in a thread of its own, by `_read`."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._thread = threading.Thread(target=self._read, name="engine output", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Ends the thread; call it when no process holds the other end of the pipe any more."""
        self._thread.join(timeout=2)
        # While the thread still reads, the descriptor must stay open, so that no other file gets
        # its number.
        if not self._thread.is_alive():
            self._pipe.close()

    def _read(self) -> None:
        raise NotImplementedError

    def _read_chunk(self, size: int) -> bytes:
        """What there is, at most `size` bytes; empty at the end and when the pipe was closed."""
        try:
            return os.read(self._pipe.fileno(), size)
        except (OSError, ValueError):
            return b""


class LineReader(_Reader):
    """Reads lines from a pipe in a thread of its own; CR, LF and CR LF all end a line.

    on_line  is called with every line, blank ones included, in the thread that reads.
    longest  how many bytes of an endless line are kept.
    stopped_s  how long the program could not write because somebody had stopped it.
    """

    def __init__(
        self,
        pipe: IO[bytes],
        on_line: Callable[[Line], None] | None = None,
        longest: int = MAX_LINE_BYTES,
    ) -> None:
        self.stopped_s = 0.0
        self._longest = longest
        self._on_line = on_line
        self._pending = b""
        # None stands for the end of the output.
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        # What was put into the queue and taken from it. Each is written by one thread only.
        self._put_bytes = self._taken_bytes = 0
        # Taken from the queue and not handed out yet.
        self._next: Line | None = None
        self._has_ended = False
        self._closed = threading.Event()
        super().__init__(pipe)

    @property
    def unfinished(self) -> bytes:
        """What came after the last line end."""
        return self._pending

    def now_s(self) -> float:
        """The clock of the program, in seconds: it stands still while it was stopped, and while
        this process does not run."""
        return awake_s() - self.stopped_s

    def next_line(self, deadline: float) -> Line | None:
        """The next line that is not blank and was read by `deadline`, waiting for it until then;
        None if there is none. A later line is kept for the next call. EOFError once the output has
        ended and all its lines have been handed out."""
        while not self._has_ended:
            if self._next is None:
                left_s = deadline - self.now_s()
                try:
                    self._next = self._lines.get(timeout=max(0.0, left_s))
                except queue.Empty:
                    if left_s <= 0:
                        return None
                    continue  # the wait may have lasted longer by the system's clock than by ours
                if self._next is None:
                    self._has_ended = True
                    break
                self._taken_bytes += self._next.size
            if self._next.read_at > deadline:
                return None
            line, self._next = self._next, None
            if line.raw.strip():
                return line
        raise EOFError

    def discard_unread(self) -> list[Line]:
        """Forgets the lines that have come so far, and returns them."""
        if self._next is None and self._lines.empty():
            return []  # the usual case, before every request
        now = self.now_s()
        lines = []
        try:
            while (line := self.next_line(now)) is not None:
                lines.append(line)
        except EOFError:
            pass
        return lines

    def close(self) -> None:
        """See _Reader."""
        self._closed.set()
        super().close()

    def _read(self) -> None:
        last: Line | None = None
        while chunk := self._read_chunk(_CHUNK_BYTES):
            now = self.now_s()
            # A line ends with its CR; an LF right behind it, perhaps in the next chunk, belongs to
            # the same end.
            if last is not None and last.end == b"\r" and not self._pending and chunk[:1] == b"\n":
                last.end = b"\r\n"
                chunk = chunk[1:]
            *whole, pending = [*(self._pending + chunk).splitlines(keepends=True), b""]
            if whole and not whole[-1].endswith((b"\r", b"\n")):
                pending = whole.pop()
            self._pending = pending[: self._longest]
            for piece in whole:
                raw = piece.rstrip(_LINE_ENDS)
                last = Line(raw, piece[len(raw) :], now)
                self._hand_on(last)
        if self._pending:
            self._hand_on(Line(self._pending, b"", self.now_s()))
        self._lines.put(None)

    def _hand_on(self, line: Line) -> None:
        if self._on_line is not None:
            self._on_line(line)
        while self._put_bytes - self._taken_bytes >= MAX_UNREAD_BYTES:
            if self._closed.wait(_FULL_LOOK_S):
                return
        self._put_bytes += line.size
        self._lines.put(line)


class ErrorReader(_Reader):
    """Reads the error output in a thread of its own and keeps the last bytes of it.

    on_chunk  is called with every piece that is read, in the thread that reads.
    """

    def __init__(self, pipe: IO[bytes], on_chunk: Callable[[bytes], None] | None = None) -> None:
        self._on_chunk = on_chunk
        self._chunks: deque[bytes] = deque(maxlen=_KEPT_CHUNKS)
        super().__init__(pipe)

    def settle(self, patience_s: float) -> None:
        """Waits until what lies in the pipe has been read, where a pipe can be asked (POSIX)."""
        if sys.platform == "win32":
            return
        deadline = time.perf_counter() + patience_s
        while self._thread.is_alive() and time.perf_counter() < deadline:
            try:
                readable, _, _ = select.select([self._pipe], [], [], 0)
            except (OSError, ValueError):  # closed meanwhile
                return
            if not readable:
                return
            time.sleep(0.001)

    def lines(self) -> list[str]:
        """The last lines with text in them, each at most 200 characters."""
        text = b"".join(list(self._chunks)).decode("utf-8", "replace")
        # No control characters, which a terminal would act on.
        text = "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
        return [line.strip()[:200] for line in text.splitlines() if line.strip()]

    def _read(self) -> None:
        while chunk := self._read_chunk(_ERROR_CHUNK_BYTES):
            self._chunks.append(chunk)
            if self._on_chunk is not None:
                self._on_chunk(chunk)


# How often a wait for the end of a process looks, and how long a process whose output has ended
# is given to end as well, so that its exit status can be told.
_LOOK_S = 0.002
_END_AFTER_OUTPUT_S = 0.5
_END_AFTER_KILL_S = 1.0
_SETTLE_S = 0.1
# How often a silent program is looked at, and how long it may be stopped after a request.
_STATE_LOOK_S = 0.25
_MOST_STOPPED_S = 600.0

_STOPPED = (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
_WATCHDOG = Watchdog()


def own_cores() -> list[int]:
    """The processor cores that this process may use. ValueError where the system does not tell."""
    if not hasattr(psutil.Process, "cpu_affinity"):
        raise ValueError("this system does not bind processes to processor cores")
    return list(psutil.Process().cpu_affinity() or [])


class EngineProcess:
    """Runs `command` in the folder `cwd`. CannotStart if that is not possible.

    on_line    is called with every line of output, in the thread that reads.
    on_errors  is called with every piece of error output, in the thread that reads.
    longest    how many bytes of an endless line of output are kept.
    without    variables of the environment that the process does not get.
    """

    def __init__(
        self,
        command: Sequence[str],
        cwd: Path | None = None,
        on_line: Callable[[Line], None] | None = None,
        on_errors: Callable[[bytes], None] | None = None,
        longest: int = MAX_LINE_BYTES,
        without: Collection[str] = (),
    ) -> None:
        self._mark = uuid.uuid4().hex
        self._is_closed = False
        self._stop_left_s = _MOST_STOPPED_S
        _WATCHDOG.watch(self._mark)
        try:
            self._popen = subprocess.Popen(
                command,
                cwd=cwd,
                env={k: v for k, v in os.environ.items() if k not in without} | {MARK: self._mark},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                **_own_group(),
            )
        except OSError as error:
            _WATCHDOG.forget(self._mark)
            raise CannotStart(why_not_started(command, error)) from error
        _WATCHDOG.watch(self._mark, self._popen.pid)
        assert self._popen.stdin and self._popen.stdout and self._popen.stderr
        self._stdin = self._popen.stdin
        self._output = LineReader(self._popen.stdout, on_line, longest)
        self.now_s = self._output.now_s
        self.discard_unread = self._output.discard_unread
        self._errors = ErrorReader(self._popen.stderr, on_errors)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def is_stopped(self) -> bool:
        """Has somebody stopped the process and all that it has started, by a signal or a debugger?
        While one of them runs it may think on."""
        with suppress(psutil.Error):
            processes = tree(self.pid)
            return bool(processes) and all(each.status() in _STOPPED for each in processes)
        return False

    # ---- input and output

    def next_line(self, deadline: float) -> Line | None:
        """As `LineReader.next_line`. EOFError also where the process has ended and others hold its
        output open. While the program is stopped its clock stands still, though not for longer than
        ten minutes after a request."""
        has_ended = False
        while True:
            began = self.now_s()
            line = self._output.next_line(min(deadline, began + _STATE_LOOK_S))
            if line is not None or began >= deadline:
                return line
            if has_ended:  # when all that it had written was read
                raise EOFError
            has_ended = self._has_ended()
            if self._stop_left_s > 0 and self.is_stopped:
                stopped_s = self.now_s() - began
                self._output.stopped_s += stopped_s
                self._stop_left_s -= stopped_s

    def send(self, lines: Sequence[str]) -> None:
        """Writes lines in one piece; OSError if the input has been closed at either end."""
        self.write(encoded("".join(f"{line}\n" for line in lines)))

    def write(self, data: bytes) -> None:
        """Writes bytes in one piece; OSError if the input has been closed at either end.

        The buffer of a pipe holds far more than all lines of a game, so this does not block when
        the program does not read.
        """
        if self._stdin.closed:
            raise BrokenPipeError("the input of the process has been closed")
        self._stop_left_s = _MOST_STOPPED_S
        self._stdin.write(data)

    def close_input(self) -> None:
        """Closes the input: the program reads the end of its input."""
        with suppress(OSError):
            self._stdin.close()

    @property
    def unfinished(self) -> bytes:
        """The output after its last line end."""
        return self._output.unfinished

    def errors(self) -> list[str]:
        """The last lines the process has written to its error output."""
        self._errors.settle(_SETTLE_S)
        return self._errors.lines()

    # ---- the process and its children

    def bind(self, core: int) -> None:
        """Has the process, and all that it starts from now on, run on that processor core."""
        with suppress(psutil.Error):
            psutil.Process(self.pid).cpu_affinity([core])

    def suspend(self, *, with_children: bool = True) -> None:
        """Stops the process, and its children unless told otherwise, until `resume`."""
        for process in tree(self.pid)[: None if with_children else 1]:
            with suppress(psutil.Error):
                process.suspend()

    def resume(self) -> None:
        """Lets the process and its children go on."""
        for process in tree(self.pid):
            with suppress(psutil.Error):
                process.resume()

    def rss_bytes(self) -> int:
        """The memory of the process and its children by the quick count, shared pages counted in
        each: never less than `uss_bytes`. 0 if it cannot be read."""
        return sum(map(_rss_bytes, tree(self.pid)))

    def uss_bytes(self) -> int:
        """The memory that would be free if the process and its children were gone; of those where
        the system does not tell it, as in `rss_bytes`."""
        return sum(map(_uss_bytes, tree(self.pid)))

    def children(self) -> list[psutil.Process]:
        """The processes below this one that can be found and still run."""
        return [process for process in tree(self.pid)[1:] if is_running(process)]

    def stragglers(self) -> list[psutil.Process]:
        """Other processes that this one has started, by itself or through its children, and that
        still run, also after it has ended."""
        return [process for process in marked([self._mark]) if process.pid != self.pid]

    # ---- the end

    def wait(self, patience_s: float) -> bool:
        """Waits at most `patience_s` for the process to end; True if it has."""
        deadline = awake_s() + patience_s
        while not self._has_ended():
            if awake_s() >= deadline:
                return False
            time.sleep(_LOOK_S)
        return True

    def finish(self) -> tuple[int | None, str]:
        """Ends a process whose output has ended: waits a moment for it and kills what is left.

        Returns its exit status, None if it had not ended by itself, and the last line of its error
        output, empty if there is none.
        """
        has_ended = self.wait(_END_AFTER_OUTPUT_S)
        self.kill()
        return self._popen.returncode if has_ended else None, (self._errors.lines() or [""])[-1]

    def kill(self) -> None:
        """Kills the process and all that it has started, and frees the pipes. Does nothing the
        second time."""
        if self._is_closed:
            return
        self._is_closed = True
        self.kill_tree()
        self._popen.wait()
        self._kill_stragglers()
        _WATCHDOG.forget(self._mark)
        with suppress(OSError):
            self._stdin.close()
        self._output.close()
        self._errors.close()

    def kill_tree(self) -> None:
        """Kills the process, its children, and whatever else is in its group. Any thread may call
        this; the one that waits for a line sees the output end."""
        if self._popen.returncode is not None:
            return  # its number may belong to another process by now
        for process in tree(self.pid):
            with suppress(psutil.Error):
                process.kill()
        # Children whose parent has gone are found by their group only. The group's number is safe
        # to use as long as the leader has not been waited for.
        kill_group(self.pid)

    def _kill_stragglers(self) -> None:
        stragglers = self.stragglers()
        for process in stragglers:
            with suppress(psutil.Error):
                process.kill()
        # There may be no parent left to reap them: a zombie counts as gone.
        deadline = time.perf_counter() + _END_AFTER_KILL_S
        while any(map(is_running, stragglers)) and time.perf_counter() < deadline:
            time.sleep(_LOOK_S)

    def _has_ended(self) -> bool:
        if self._popen.returncode is not None:
            return True
        if sys.platform == "win32":
            return self._popen.poll() is not None
        # `poll` would reap the leader, and its group could not be killed safely any more.
        with suppress(psutil.NoSuchProcess):
            return not is_running(psutil.Process(self.pid))
        return True


def _rss_bytes(process: psutil.Process) -> int:
    with suppress(psutil.Error, OSError):
        return int(process.memory_info().rss)
    return 0


def _uss_bytes(process: psutil.Process) -> int:
    with suppress(psutil.Error, OSError):
        return int(process.memory_full_info().uss)
    return _rss_bytes(process)


def _own_group() -> dict[str, Any]:
    """Arguments of Popen for a group of its own: Ctrl-C at the terminal does not reach the program,
    which is ended by the command that started it.

    The group stays in our session: when we are killed, the system wakes and ends those of it that
    were stopped, which could not read the end of their input.
    """
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}


# -- folders

# A process keeps a lock in each of the temporary folders that its programs run in. A run that ends
# removes its folders itself; after a kill -9 the next run does, which can take their locks then.
# That holds in every container and on every machine that shares the temporary files, whatever
# their clocks say.
_PREFIX = "tengen-match-"


class Workdir:
    """A new folder of this process; `path` is where it is."""

    def __init__(self) -> None:
        self._lock: IO[str] | None = None
        while self._lock is None:
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
            try:
                self._lock = take_lock(self.path)
            except ValueError:
                pass  # another run has looked just now, and removes the folder
            except OSError:
                break  # a file system without locks: nobody else removes the folder either

    def remove(self) -> None:
        """Removes the folder with all that is in it, as far as nobody still writes there."""
        if self._lock is not None:
            self._lock.close()  # Windows removes no file that is open
        rmtree(self.path, ignore_errors=True)


def encoded(text: str) -> bytes:
    """What managers write: only folders hold other characters than ASCII. A script can also send
    bytes that are no text."""
    try:
        return text.encode(locale.getencoding(), "surrogateescape")
    except UnicodeEncodeError:
        return text.encode(locale.getencoding(), "replace")


def remove_leftovers() -> list[Path]:
    """Removes the folders of processes that run no more; returns those that are gone."""
    removed = []
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        # One without the file is just being made.
        with suppress(ValueError, OSError):
            take_lock(folder, "r+").close()
            rmtree(folder)
            removed.append(folder)
    return removed
