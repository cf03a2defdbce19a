"""Bytes to lines, the thread that reads them, lines that wait, and the log of them."""

from __future__ import annotations

import io
import itertools
import os
import queue
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import pipes
from protocol.commands import (
    MAX_LINE_BYTES,
    SEARCHING_WORDS,
    STOPPING_WORDS,
    TAIL_BYTES,
    Line,
)
from protocol.pipes import (
    LINE_BYTES,
    MAX_LOGGED,
    Backlog,
    EndOfInput,
    LineSplitter,
    Lost,
    Reader,
    Transcript,
)
from protocol.start_up import MOST_PAUSE_NS, StartUp
from tests.protocol.conversation import FAKE, Program


def split(*chunks: bytes) -> list[tuple[str, str | None]]:
    splitter = LineSplitter()
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return lines + splitter.flush()


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        *(
            (end.join([b"START 15", b"A B"]), ["START 15", "A B"])
            for end in (b"\n", b"\r\n", b"\r")
        ),
        (b"A\rB\nC\r\n\r\n\n\rD\n", [*"ABCD"]),
        (b"\x00\x80\xff\n", ["\x00\x80\xff"]),  # each byte stays one character
        # An editor's mark at the beginning is dropped.
        (b"\xef\xbb\xbfSTART 15\n\xef\xbb\xbf\n", ["START 15", "\xef\xbb\xbf"]),
        (b"A" * MAX_LINE_BYTES + b"\n", ["A" * MAX_LINE_BYTES]),
    ],
)
def test_whole_lines(data: bytes, lines: list[str]) -> None:
    assert split(data) == [(line, None) for line in lines]


def test_a_carriage_return_ends_a_line_without_waiting_for_more() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"BEGIN\r") == [("BEGIN", None)]
    assert splitter.feed(b"\nEND\r") == [("END", None)]


@pytest.mark.parametrize("chunk_bytes", [1, 7, 5000, 1_000_000])
def test_a_long_line_is_cut_in_bounded_memory(chunk_bytes: int) -> None:
    data = b"BOARD " + b"7,7,1 " * 8000 + b"DONE\nBEGIN\n"
    splitter = LineSplitter()
    lines = []
    for start in range(0, len(data), chunk_bytes):
        lines += splitter.feed(data[start : start + chunk_bytes])
        assert len(splitter._head) <= MAX_LINE_BYTES and len(splitter._tail) <= TAIL_BYTES
    (text, tail), after = lines
    assert text == data[:MAX_LINE_BYTES].decode()
    assert tail == data[:-7][-TAIL_BYTES:].decode()
    assert after == ("BEGIN", None)


@pytest.mark.parametrize("chunk_bytes", [7, 1000, 65536])
def test_blanks_around_a_line_take_no_room_and_hide_nothing(chunk_bytes: int) -> None:
    data = b" \t\v\f" * 10_000 + b"BEGIN\n" + b" " * 40_000 + b"\n\tBOARD " + b"7,7,1 " * 8000
    data += b"\tDONE" + b" \t" * 100 + b"\n"
    chunks = [data[start : start + chunk_bytes] for start in range(0, len(data), chunk_bytes)]
    first, (_, tail) = split(*chunks)
    assert first == ("BEGIN", None)
    assert tail is not None and tail.split()[-1] == "DONE" and len(tail) <= TAIL_BYTES


def test_empty_lines_cost_next_to_nothing() -> None:
    splitter = LineSplitter()
    begin = time.process_time()
    for chunk in (b"\n" * 65536, b" \r\n\t" * 16384):
        for _ in range(50):
            assert splitter.feed(chunk) == []
    # 6.5 MB; the third of a second is for a debug build on a slow machine.
    assert time.process_time() - begin < 0.33
    assert splitter.feed(b"BEGIN\n") == [("BEGIN", None)]


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_chunks_do_not_matter(chunks: list[bytes]) -> None:
    assert split(*chunks) == split(b"".join(chunks))


def start(descriptor: int) -> queue.SimpleQueue[Line | EndOfInput]:
    received: queue.SimpleQueue[Line | EndOfInput] = queue.SimpleQueue()
    Reader(descriptor, received.put).start()
    return received


def test_the_thread_delivers_at_once_and_stamps() -> None:
    source, sink = os.pipe()
    received = start(source)
    for text in ("START 15", "INFO rule 0", "BEGIN"):
        before_ns = time.perf_counter_ns()
        os.write(sink, text.encode() + b"\n")
        line = received.get(timeout=60)
        assert isinstance(line, Line)
        assert line.text == text
        assert before_ns <= line.read_ns <= time.perf_counter_ns()
    os.write(sink, b"END without its end")
    os.close(sink)
    line = received.get(timeout=60)
    assert isinstance(line, Line) and line.text == "END without its end"
    assert isinstance(received.get(timeout=60), EndOfInput)
    os.close(source)


START_UP_NS = 10**11
# The pause of a thread on a busy machine is shorter.
SOON_NS = 6 * 10**10


def long_start() -> StartUp:
    """A start that took START_UP_NS when it ends, which is at the next look."""
    clock_ns = itertools.count(0, MOST_PAUSE_NS)
    start_up = StartUp(lambda: next(clock_ns))
    for _ in range(START_UP_NS // MOST_PAUSE_NS - 1):
        start_up.look()
    return start_up


def received_after(
    seconds: float, monkeypatch: pytest.MonkeyPatch, *, tells: bool = True
) -> list[int]:
    """When two lines that were there before the reader, and the end, count as read, from the start
    of the reader, before which the program took START_UP_NS. The first read takes `seconds`, as
    where the system has given the processor to others. Without `tells`, the system does not say
    that the lines were there."""
    source, sink = os.pipe()
    os.write(sink, b"START 15\nBEGIN\n")
    received: queue.SimpleQueue[Line | EndOfInput] = queue.SimpleQueue()
    real_read = os.read

    def slow_read(descriptor: int, size: int) -> bytes:
        if received.empty():
            time.sleep(seconds)
        return real_read(descriptor, size)

    if not tells:
        monkeypatch.setattr(pipes, "has_bytes", lambda descriptor: None)
    start_ns = time.perf_counter_ns()
    with monkeypatch.context() as patch:
        patch.setattr(os, "read", slow_read)
        Reader(source, received.put, long_start()).start()
        stamps = [received.get(timeout=60).read_ns - start_ns for _ in range(2)]
        os.close(sink)
        stamps.append(received.get(timeout=60).read_ns - start_ns)
    os.close(source)
    return stamps


@pytest.mark.parametrize("seconds", [0, 0.05])
def test_what_was_there_before_us_is_stamped_earlier(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """A slow read is that of a busy machine: the start of the program still counts, or its first
    move would be late."""
    *stamps, end = received_after(seconds, monkeypatch)
    assert all(0 <= stamp + START_UP_NS < SOON_NS for stamp in stamps) and end > 0


def test_where_the_system_does_not_tell_the_time_of_the_read_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert min(received_after(0.05, monkeypatch, tells=False)) > 0
    monkeypatch.setattr(pipes, "AT_ONCE_NS", 10 * SOON_NS)
    assert max(received_after(0, monkeypatch, tells=False)[:2]) < 0


def test_bytes_that_wait_are_seen() -> None:
    source, sink = os.pipe()
    assert pipes.has_bytes(source) is False
    os.write(sink, b"x")
    assert pipes.has_bytes(source) is True
    os.close(source)
    assert pipes.has_bytes(source) is None
    os.close(sink)


def test_an_input_that_cannot_be_read_is_at_its_end() -> None:
    source, sink = os.pipe()
    os.close(source)
    os.close(sink)
    assert isinstance(start(source).get(timeout=60), EndOfInput)


# -- lines that wait


lines = st.sampled_from(["TURN 0,0", "board", "7,7,1", "STOP", "restart", "ABOUT", ""]).map(Line)


@given(st.lists(lines | st.just(None), max_size=30))
def test_the_counts_are_those_of_the_lines(steps: list[Line | None]) -> None:
    backlog = Backlog()
    kept: list[Line] = []
    for step in steps:
        if step is not None:
            backlog.append(step)
            kept.append(step)
        elif kept:
            assert backlog.popleft() is kept.pop(0)
        words = [line.word for line in kept]
        assert len(backlog) == len(kept)
        assert backlog.searching == sum(word in SEARCHING_WORDS for word in words)
        assert backlog.stopping == sum(word in STOPPING_WORDS for word in words)


def test_too_many_lines_are_lost_once_and_then_there_is_room_again() -> None:
    line = Line("x" * LINE_BYTES)
    backlog = Backlog(max_bytes=10 * 2 * LINE_BYTES)
    for _ in range(11):
        assert backlog.admit(line) is line
        backlog.append(line)
    assert isinstance(backlog.admit(line), Lost)
    # Half of the memory must be free first, so that the losses come in few pieces.
    for _ in range(6):
        assert backlog.admit(line) is None
        backlog.popleft()
    assert backlog.admit(line) is line


def test_of_a_flood_during_a_search_one_error_tells_what_was_lost() -> None:
    # Long lines: few fill the memory, and their answers are short.
    sent, kept_at_most = 400, 280
    with Program([*FAKE, "--slow"]) as program:
        program.tell("START 15", "INFO timeout_turn 60000")
        program.expect("OK")
        program.send(b"BEGIN\n" + (b"X" * 30_000 + b"\n") * sent + b"STOP\n")
        program.expect("move")
        answers = [program.read_line() or ""]
        while answers[-1].startswith("UNKNOWN"):
            answers.append(program.read_line() or "")
        assert answers[-1].startswith("ERROR too many lines wait")
        assert 200 < len(answers) <= kept_at_most
        program.tell("ABOUT")
        program.expect('name="Fake".*')
        program.end()


# -- the transcript


def test_odd_and_long_lines() -> None:
    file = io.StringIO()
    transcript = Transcript(file)
    transcript.received("\x00\xff\r")
    transcript.received("A" * 100_000)
    _, odd, long = file.getvalue().splitlines()
    assert odd.endswith("> \\x00\\xff\\r")
    assert long.endswith("A... (100000)") and len(long) < MAX_LOGGED + 50


class FullDisk(io.StringIO):
    """Takes one line and then no more."""

    def write(self, text: str) -> int:
        if self.getvalue():
            raise OSError("no space left on device")
        return super().write(text)

    def close(self) -> None:
        raise OSError("no space left on device")


def test_a_full_disk_ends_the_log_only() -> None:
    transcript = Transcript(FullDisk())
    transcript.sent("OK")
    transcript.sent("OK")
    transcript.close()
