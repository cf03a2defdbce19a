"""The parts of a line that is read, and the lines that people read."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Info, Point, Score
from protocol.commands import (
    MAX_LINE_BYTES,
    Line,
    begin_block,
    point_of,
    setting_of,
    size_of,
)
from protocol.messages import (
    MAX_LINE,
    clip,
    format_info,
    parse_integer,
    parse_integers,
    parse_point,
    quote,
)
from tests.protocol.conversation import REPORT
from tests.protocol.test_session import Talk

# The word, and what comes after it as the command takes it.
COMMANDS: list[tuple[str, object, tuple[str, ...]]] = [
    ("START", (15, 15), ("START 15", "start\t 15 ")),
    ("START", (15, 12), ("START 15 12", "START 15,12", "START 15 , 12")),
    ("RECTSTART", (15, 12), ("RECTSTART 15,12", "RECTSTART 15, 12", "RectStart 15 12")),
    ("START", (-3, -3), ("START -3",)),
    ("TURN", Point(7, 8), ("TURN 7,8", "\tturn \t 7 ,\t 8  ")),
    ("TURN", Point(-1, 99), ("TURN -1,99",)),
    ("INFO", ("rule", "4"), ("INFO rule 4", "info RULE   4 ")),
    ("INFO", ("", ""), ("INFO",)),
    ("INFO", ("folder", "C:\\AI's\\a  b"), ("INFO folder  C:\\AI's\\a  b ",)),
    ("YXNBEST", "2", ("YXNBEST  2 ", "\tyxNbest 2")),
    ("BOARD", "", ("BOARD", " board ")),
    ("BOARD", "7,7,1 DONE", ("BOARD 7,7,1 DONE",)),
    # The last byte of many letters in UTF-8 is a blank in Latin-1.
    ("YXHASHLOAD", "\xc3\xa0", ("YXHASHLOAD \xc3\xa0",)),
    *((text, "", (text,)) for text in ("", "BEGINS", "START15", "\xd8END", "\xa0END")),
]
ARGUMENTS = {"START": size_of, "RECTSTART": size_of, "TURN": point_of, "INFO": setting_of}


@pytest.mark.parametrize(
    ("text", "word", "argument"),
    [(text, word, argument) for word, argument, texts in COMMANDS for text in texts],
)
def test_commands(text: str, word: str, argument: object) -> None:
    line = Line(text)
    found = ARGUMENTS[word](line) if word in ARGUMENTS else line.rest
    assert (line.word, found) == (word, argument) and not line.is_stray
    assert len(Line(text + "a" * MAX_LINE_BYTES).word) < 100


def test_a_cut_line_is_refused_whatever_it_says() -> None:
    talk = Talk()
    for text in "START 15|TURN 7,7|BEGIN|RESTART|ABOUT|DONE|yxnbest 2|yxsearchdefend".split("|"):
        (line,) = talk.session.execute(Line(text, tail="x")).lines
        assert line.endswith(": the line is longer than 32768 characters")
    for text in ("STOP", "INFO rule 40"):
        assert talk.session.execute(Line(text, tail="0")).lines == ()
    assert setting_of(Line("INFO rule 40", tail="0")) == ("rule", "")


@pytest.mark.parametrize(
    "text", ["TURN 7{}x,7", "START 7{}x", "BOARD 7,7,1 DONE{}x", "yxblock 7{}x"]
)
def test_many_blanks_take_no_time(text: str) -> None:
    # They used to take seconds, in which nothing else was done, not even the time was kept.
    talk = Talk()
    begin = time.thread_time()
    talk.say(text.format(" " * (MAX_LINE_BYTES - 30)))
    assert time.thread_time() - begin < 0.5


def test_a_block_of_any_length_takes_bounded_memory() -> None:
    result = begin_block("BOARD")
    for _ in range(5000):
        assert not result.feed(Line("1,1,1 2,2,2"))
    assert len(result.entries) == 1000
    assert result.fault is not None


@pytest.mark.parametrize(
    ("text", "tail", "is_done"),
    [
        *(("7,7,1 8,8", tail, True) for tail in (
            "7,7,1 DONE", "1 7,7,1 7,7 done", "7,7,1\tdone ", " done")),
        *(("7,7,1 8,8", tail, False) for tail in ("1 7,7,1 8,8,done", "done ", "1")),
        # The last word begins before the tail.
        ("7,7,1 DO", "NE", True),
        ("7,7,1,DO", "NEST", False),
    ],
)  # fmt: skip
def test_a_cut_line_of_a_block_is_a_fault_but_can_end_it(
    text: str, tail: str, is_done: bool
) -> None:
    result = begin_block("BOARD")
    assert result.feed(Line(text, tail=tail)) is is_done
    assert result.fault is not None


# -- what people read


def test_the_report() -> None:
    line = (Point(7, 7), Point(7, 6), Point(0, 14))
    for score, text in ((Score(-35), "-35"), (Score(0, 5), "+M5"), (Score(0, -8), "-M8")):
        assert format_info(Info(12, 20, score, 123456, 400000, 308, line), 15) == (
            f"MESSAGE Depth 12-20 | Eval {text} | Node 123456 | Speed 400000 | Time 308ms"
            " | H8 H9 A1"
        )


def test_a_long_line_of_moves_loses_whole_moves() -> None:
    squares = tuple(Point(x, y) for y in range(22) for x in range(22))
    text = format_info(Info(99, 99, Score(1), 10**15, 10**9, 10**9, squares), 22)
    assert len(text) <= MAX_LINE
    assert REPORT.fullmatch(text)
    assert len(text) > MAX_LINE - 8


@given(st.text())
def test_clipped_text_is_printable_and_short(text: str) -> None:
    for result in (clip(text * 50), quote(text * 50)):
        assert result.isascii() and (result.isprintable() or not result)
        assert len(result) <= MAX_LINE


# -- coordinates


@pytest.mark.parametrize("text", ["0", "-1", "+7", "007", "123456789012345678"])
def test_integers(text: str) -> None:
    assert parse_integer(text) == int(text)
    assert parse_integers(f"{text},2,3", 3) == (int(text), 2, 3)
    assert parse_integers(f"{text},2", 3) is None


@pytest.mark.parametrize(
    "text", ["", "-", "1_0", "1.0", " 1", "1 ", "\xb2", "\u0661", "0x10", "1e3", "9" * 19, "1\n"]
)
def test_what_is_no_integer(text: str) -> None:
    assert parse_integer(text) is None
    assert parse_point(f"{text},1") is parse_point(f"1,{text}") is None
