"""Bytes to lines, and the thread that reads them."""

from __future__ import annotations

import os
import queue
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.reader import MAX_LINE_BYTES, TAIL_BYTES, EndOfInput, Line, LineSplitter, Reader


def split(*chunks: bytes) -> list[tuple[str, str | None]]:
    splitter = LineSplitter()
    lines = [line for chunk in chunks for line in splitter.feed(chunk)]
    return lines + splitter.flush()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_line_ends(end: bytes) -> None:
    assert split(end.join([b"START 15", b"BEGIN", b""])) == [("START 15", None), ("BEGIN", None)]


def test_mixed_line_ends_and_empty_lines() -> None:
    assert split(b"A\rB\nC\r\n\r\n\n\rD\n") == [(name, None) for name in "ABCD"]


def test_a_line_without_its_end_comes_when_the_input_is_over() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"BEG") == []
    assert splitter.feed(b"IN") == []
    assert splitter.flush() == [("BEGIN", None)]
    assert splitter.flush() == []


def test_a_carriage_return_ends_a_line_without_waiting_for_more() -> None:
    splitter = LineSplitter()
    assert splitter.feed(b"BEGIN\r") == [("BEGIN", None)]
    assert splitter.feed(b"\nEND\r") == [("END", None)]


def test_odd_bytes_stay_one_character_each() -> None:
    assert split(b"\x00\x80\xff\n") == [("\x00\x80\xff", None)]


def test_an_editor_mark_at_the_beginning_is_dropped() -> None:
    assert split(b"\xef\xbb\xbfSTART 15\n\xef\xbb\xbf\n") == [
        ("START 15", None),
        ("\xef\xbb\xbf", None),
    ]


def test_a_line_just_short_enough_is_whole() -> None:
    assert split(b"A" * MAX_LINE_BYTES + b"\n") == [("A" * MAX_LINE_BYTES, None)]


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
        line = received.get(timeout=5)
        assert isinstance(line, Line)
        assert line.text == text
        assert before_ns <= line.read_ns <= time.perf_counter_ns()
    os.write(sink, b"END without its end")
    os.close(sink)
    line = received.get(timeout=5)
    assert isinstance(line, Line) and line.text == "END without its end"
    assert isinstance(received.get(timeout=5), EndOfInput)
    os.close(source)


def test_what_was_there_before_us_is_stamped_earlier() -> None:
    source, sink = os.pipe()
    os.write(sink, b"START 15\nBEGIN\n")
    received: queue.SimpleQueue[Line | EndOfInput] = queue.SimpleQueue()
    before_ns = time.perf_counter_ns()
    Reader(source, received.put, start_up_ns=10**12).start()
    stamps = [received.get(timeout=5).read_ns - before_ns for _ in range(2)]
    os.write(sink, b"END\n")
    stamps.append(received.get(timeout=5).read_ns - before_ns)
    os.close(sink)
    stamps.append(received.get(timeout=5).read_ns - before_ns)
    # Unless the system suspended this thread just then, so that the reader seemed to wait.
    assert stamps[:2] == [stamps[0]] * 2 and (stamps[0] < -(10**11) or stamps[0] > 1_000_000)
    assert 0 <= stamps[2] <= stamps[3]
    os.close(source)


def test_what_comes_while_we_wait_is_stamped_as_it_comes() -> None:
    source, sink = os.pipe()
    received: queue.SimpleQueue[Line | EndOfInput] = queue.SimpleQueue()
    before_ns = time.perf_counter_ns()
    Reader(source, received.put, start_up_ns=10**12).start()
    time.sleep(0.05)
    os.write(sink, b"START 15\n")
    assert received.get(timeout=5).read_ns > before_ns
    os.close(sink)
    assert received.get(timeout=5).read_ns > before_ns
    os.close(source)


def test_an_input_that_cannot_be_read_is_at_its_end() -> None:
    source, sink = os.pipe()
    os.close(source)
    os.close(sink)
    assert isinstance(start(source).get(timeout=5), EndOfInput)
