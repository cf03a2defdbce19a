"""The reader keeps every byte of a line, in whatever pieces the bytes arrive."""

from __future__ import annotations

import os
import random
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tengen.arena.programs.process import ErrorReader, Line, LineReader


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


@pytest.mark.parametrize("seed", range(20))
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
        before = reader.now_s()
        os.write(source, b"late\n")
        assert reader.next_line(before) is None
        line = reader.next_line(reader.now_s() + 60)
        assert line is not None and line.text == "late"
        os.write(source, b"one\n\ntwo\n")
        while len(heard) < 4:
            time.sleep(0.001)
        assert [line.text for line in reader.discard_unread()] == ["one", "two"]
        os.write(source, b"three\n")
        os.close(source)
        assert [line.text for line in _all_lines(reader)] == ["three"]
        assert reader.discard_unread() == []


@pytest.mark.parametrize(
    ("line", "count"),
    [(b"x" * 50_000 + b"\n", 400), (b"MESSAGE thinking\n", 50_000), (b"\n", 200_000)],
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
    assert reader.last_line() == "the end  [2J"
    assert reader.lines()[-2] == "warning 3999"
    assert len(reader.lines()) < 2000
    assert b"".join(chunks).count(b"\n") == 4002
