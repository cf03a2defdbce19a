"""The process of a program: its children, and that no process or pipe is left behind."""

from __future__ import annotations

import os
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tengen.arena.programs import process as process_module
from tengen.arena.programs.process import EngineProcess, ErrorReader, Line, LineReader
from tests.processes import POSIX_ONLY, has_gone
from tests.stopwatch import Stopwatch

# Starts a child that outlives it, prints its process id, and ends when its input does.
_PARENT = (
    "import subprocess, sys\n"
    "child = 'import time; time.sleep(60)'\n"
    "quiet = dict.fromkeys(('stdin', 'stdout', 'stderr'), subprocess.DEVNULL)\n"
    "p = subprocess.Popen([sys.executable, '-SEc', child], start_new_session=True, **quiet)\n"
    "print(p.pid, flush=True)\n"
    "sys.stdin.read()\n"
    "sys.stderr.write('gone\\n')\n"
    "sys.exit(5)\n"
)


def _started() -> tuple[EngineProcess, int]:
    process = EngineProcess([sys.executable, "-SEc", _PARENT])
    line = process.next_line(time.perf_counter() + 60)
    assert line is not None
    return process, int(line.text)


def _let_it_end(process: EngineProcess) -> None:
    process.close_input()
    assert process.wait(60)


def _let_it_end_and_take_its_status(process: EngineProcess) -> None:
    # As on Windows, where asking whether a process has ended takes its status, too.
    _let_it_end(process)
    process._popen.wait()


@pytest.mark.parametrize("before", [lambda _: None, _let_it_end, _let_it_end_and_take_its_status])
def test_kill_leaves_no_child_and_no_pipe(before: Callable[[EngineProcess], None]) -> None:
    _started()[0].kill()  # the first start of all starts the watchdog
    folder = Path("/proc/self/fd")
    descriptors = len(list(folder.iterdir())) if folder.exists() else 0
    process, child = _started()
    before(process)
    process.kill()
    assert has_gone(child) and has_gone(process.pid)
    assert process.stragglers() == []
    if folder.exists():
        assert len(list(folder.iterdir())) <= descriptors
    with pytest.raises(OSError):
        process.send(["START 15"])
    process.kill()


def test_children_and_stragglers() -> None:
    process, child = _started()
    try:
        assert [found.pid for found in process.children()] == [child]
        assert [found.pid for found in process.stragglers()] == [child]
        # The smaller one first: they still grow.
        uss_bytes = process.uss_bytes()
        assert process.rss_bytes() >= uss_bytes > 10**6
        _let_it_end(process)
        assert process.children() == []
        assert [found.pid for found in process.stragglers()] == [child]
    finally:
        status = process.finish()
    assert status == (5, "gone")


@pytest.mark.parametrize("with_children", [True, False])
def test_suspend_stops_the_process(with_children: bool) -> None:
    process, child = _started()
    try:
        process.suspend(with_children=with_children)
        time.sleep(0.1)  # for one that is not to stop
        both = [psutil.Process(pid) for pid in (process.pid, child)]
        wanted = [True, with_children]
        Stopwatch().ms_until(
            lambda: [each.status() == psutil.STATUS_STOPPED for each in both] == wanted
        )
        # A program that stops itself while its child thinks gets no time for it.
        assert process.is_stopped == with_children
        process.resume()
        _let_it_end(process)
    finally:
        process.kill()


def test_finish_tells_which_process_had_to_be_killed() -> None:
    code = "import os, time; os.write(2, b'hm\\n'); os.close(1); time.sleep(60)"
    process = EngineProcess([sys.executable, "-SEc", code])
    with pytest.raises(EOFError):
        process.next_line(time.perf_counter() + 60)
    assert process.finish() == (None, "hm")


_SLOW_ANSWER = "import time; print('ready', flush=True); input(); time.sleep(0.3); print('7,7')"


def _suspended() -> EngineProcess:
    """A program that was asked and stopped before it could answer."""
    process = EngineProcess([sys.executable, "-SEc", _SLOW_ANSWER])
    assert process.next_line(process.now_s() + 60) is not None
    process.suspend()
    Stopwatch().ms_until(lambda: process.is_stopped)
    process.send(["BEGIN"])
    return process


@POSIX_ONLY
def test_the_clock_of_a_program_stands_still_while_it_is_stopped() -> None:
    process = _suspended()
    asked_at, began = process.now_s(), time.perf_counter()
    timer = threading.Timer(4.0, process.resume)
    timer.start()
    line = process.next_line(asked_at + 60)
    took_s = time.perf_counter() - began
    timer.join()
    process.kill()
    assert took_s > 4
    assert line is not None and line.text == "7,7" and line.read_at - asked_at < took_s - 2


@POSIX_ONLY
def test_a_program_that_stays_stopped_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process_module, "_MOST_STOPPED_S", 1.0)
    process = _suspended()
    began = time.perf_counter()
    assert process.next_line(process.now_s() + 0.5) is None
    assert time.perf_counter() - began >= 1.5 and process.is_stopped
    process.kill()
    assert not process.is_stopped


def test_the_last_line_of_a_process_is_read_before_its_end_counts() -> None:
    """Also where a child holds its output open, so that it does not end."""
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-SEc', 'import time; time.sleep(60)'])\n"
        "time.sleep(0.6); print('7,7', flush=True)"
    )
    process = EngineProcess([sys.executable, "-SEc", code])
    try:
        line = process.next_line(process.now_s() + 60)
        assert line is not None and line.text == "7,7"
        with pytest.raises(EOFError):
            process.next_line(process.now_s() + 60)
    finally:
        process.kill()


@contextmanager
def _reader(lines: list[Line]) -> Iterator[tuple[LineReader, int]]:
    """A reader of a pipe, and the end of the pipe to write to."""
    end, source = os.pipe()
    reader = LineReader(os.fdopen(end, "rb", buffering=0), lines.append)
    try:
        yield reader, source
    finally:
        reader.close()


def _all_lines(reader: LineReader) -> list[Line]:
    deadline = reader.now_s() + 60
    lines = []
    with pytest.raises(EOFError):
        while (line := reader.next_line(deadline)) is not None:
            lines.append(line)
    return lines


@pytest.mark.parametrize("seed", range(6))
def test_every_byte_arrives_with_its_line_end(seed: int) -> None:
    rng = random.Random(seed)
    parts = [b"7,7", b" ", b"\t", b"\r", b"\n", b"\r\n", b"\n\r", b"\x0b\x0c\x85\xe9", b"OK"]
    data = b"".join(rng.choices(parts, k=60))
    heard: list[Line] = []
    with _reader(heard) as (reader, source):
        rest = data
        while rest:
            size = rng.randint(1, 5)
            os.write(source, rest[:size])
            rest = rest[size:]
            time.sleep(0.001)
        os.close(source)
        lines = _all_lines(reader)
    expected = re.findall(rb"([^\r\n]*)(\r\n|\r|\n)|([^\r\n]+)$", data)
    assert [(line.raw, line.end) for line in heard] == [(a or c, b) for a, b, c in expected]
    assert b"".join(line.raw + line.end for line in heard) == data
    assert lines == [line for line in heard if line.raw.strip()]


def test_the_two_ways_to_show_a_line() -> None:
    heard: list[Line] = []
    with _reader(heard) as (reader, source):
        os.write(source, b"MESSAGE \xe9\n" + b"y" * 9000 + b"\nhalf")
        os.close(source)
        first, second, third = _all_lines(reader)
    assert (first.text, first.escaped) == ("MESSAGE ?", "MESSAGE \\xe9")
    assert (len(second.text), len(second.escaped)) == (8000, 9000)
    assert (third.text, third.end) == ("half", b"")


def test_of_an_endless_line_the_beginning_is_kept() -> None:
    heard: list[Line] = []
    with _reader(heard) as (reader, source):
        for _ in range(40):
            os.write(source, b"x" * 10_000)
        assert reader.next_line(reader.now_s() + 0.1) is None
        while len(reader.unfinished) < 64_000:
            time.sleep(0.001)
        assert len(reader.unfinished) == 64_000
        os.write(source, b"\nafter\n")
        os.close(source)
        assert _all_lines(reader)[-1].text == "after"


def test_a_line_that_comes_after_the_deadline_is_kept_for_the_next_call() -> None:
    heard: list[Line] = []
    with _reader(heard) as (reader, source):
        before = reader.now_s() - 1  # two looks may show the same time
        os.write(source, b"late\n")
        assert reader.next_line(before) is None
        line = reader.next_line(reader.now_s() + 60)
        assert line is not None and line.text == "late"
        os.write(source, b"one\n\ntwo\n")
        while reader._lines.qsize() < 3:
            time.sleep(0.001)
        assert [line.text for line in reader.discard_unread()] == ["one", "two"]
        os.write(source, b"three\n")
        os.close(source)
        assert [line.text for line in _all_lines(reader)] == ["three"]
        assert reader.discard_unread() == []


@pytest.mark.parametrize(
    ("line", "count"),
    [(b"x" * 50_000 + b"\n", 400), (b"\n", 200_000)],
)
def test_a_flood_waits_in_the_pipe_until_it_is_read(line: bytes, count: int) -> None:
    """However long its lines are, not much is held, and nothing of it is lost."""
    heard: list[Line] = []
    with _reader(heard) as (reader, source):

        def flood() -> None:
            with os.fdopen(source, "wb") as pipe:
                pipe.write(line * count)

        thread = threading.Thread(target=flood)
        thread.start()
        before = -1
        while before < len(heard):  # until the reader has had enough
            before = len(heard)
            thread.join(0.5)
        assert thread.is_alive()
        assert sum(len(line.raw) for line in heard) < 5_000_000 and len(heard) < 11_000
        assert len(_all_lines(reader)) == (count if line.strip() else 0)
        assert len(heard) == count
        thread.join()


def test_of_the_error_output_the_end_is_kept() -> None:
    chunks: list[bytes] = []
    end, source = os.pipe()
    reader = ErrorReader(os.fdopen(end, "rb", buffering=0), chunks.append)
    for i in range(4000):
        os.write(source, b"warning %d\n" % i)
    os.write(source, b"  the end \x1b[2J\n\n")
    reader.settle(5)
    os.close(source)
    reader.close()
    assert reader.lines()[-1] == "the end  [2J"
    assert reader.lines()[-2] == "warning 3999"
    assert len(reader.lines()) < 2000
    assert b"".join(chunks).count(b"\n") == 4002
