"""Positions from what people write: moves, pictures, and errors that name what was read."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model import Placed, Position, Rule, Stone
from engine.text import (
    are_points,
    is_point,
    name_or_pair,
    pair_text,
    point_name,
    point_names,
    read_moves,
    read_point,
    read_position,
    read_size,
    split_points,
)
from tests.engine.positions import SHAPES

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


def test_rows_of_names_are_counted_from_the_bottom_and_of_pairs_from_the_top() -> None:
    assert read_point("a1", 15, 15) == (0, 14)
    assert read_point("O15", 15, 15) == (14, 0)
    assert read_point("b2", 7, 9) == (1, 7)
    assert read_point(" 0 , 8 ", 7, 9) == (0, 8)
    assert point_name((1, 7), 9) == "b2"
    assert name_or_pair((15, 0), 15, 15) == "15,0" and name_or_pair((14, 0), 15, 15) == "o15"


@given(st.sampled_from(SHAPES), st.data())
def test_every_name_is_read_back(shape: tuple[int, int], data: st.DataObject) -> None:
    width, height = shape
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    for name in (point_name((x, y), height), pair_text((x, y))):
        for form in (name, name.upper(), f"({name})", f" {name};"):
            assert is_point(form) and read_point(form, width, height) == (x, y)
    cells = data.draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), unique=True))
    names = point_names(cells, height)
    for form in (names, names.replace(" ", ""), " ".join(map(pair_text, cells)), str(cells)):
        assert read_moves(form, width, height) == cells
        assert are_points(form) == bool(cells)


def test_rows_counted_from_the_top() -> None:
    assert read_moves("a1 b15", 15, 15, from_top=True) == [(0, 0), (1, 14)]
    for wrong in ("7,7", "a1 7,7"):
        with pytest.raises(ValueError, match="'7,7' has no row to count from the top; try h8"):
            read_moves(wrong, 15, 15, from_top=True)
    with pytest.raises(ValueError, match="rows are 1 to 9 from the top"):
        read_point("a10", 15, 9, from_top=True)
    with pytest.raises(ValueError, match="rows counted from the top are for points"):
        read_position(".....\n" * 5, from_top=True)


BETWEEN = (
    *(" ", ", ", ";", "\n", "_", " - ", " \u2013 ", " | ", "\t", "\u3000", ") (", "], [", "', '"),
)


@given(st.sets(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1), st.data())
def test_moves_in_every_form(cells: set[tuple[int, int]], data: st.DataObject) -> None:
    """Names and pairs with anything between them that people and programs write."""
    text = data.draw(st.sampled_from(["", "(", "[[", '"', "\ufeff", " "]))
    for x, y in cells:
        is_name = data.draw(st.booleans())
        text += f"{'ABCDEFGHIJKLMNO'[x]}{15 - y:02}" if is_name else f"{x} , {y}"
        text += data.draw(st.sampled_from(BETWEEN))
    wide = {sign: sign + 0xFEE0 for sign in range(0x21, 0x7F)}  # full width
    for written in (text, text.lower(), text.translate(wide)):
        assert read_moves(written, 15, 15) == list(cells)
        assert len(split_points(written)) == len(cells)


@pytest.mark.parametrize(
    "moves",
    ["1. 7,7 2. 8,6 3. 6,8", [(7, 7), (8, 6), [6, 8]], iter(["h8", (8, 6), "6,8"])],
)
def test_moves_make_a_position(moves: str) -> None:
    position = Position.from_moves(moves, rule="renju")
    stones = (Placed(7, 7, BLACK), Placed(8, 6, WHITE), Placed(6, 8, BLACK))
    assert position == Position(15, 15, Rule.RENJU, stones, WHITE)
    assert all(type(placed) is Placed for placed in position.stones)


def _point(text: str) -> object:
    return read_point(text, 15, 9)


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (_point, "z99", "'z99' is not on this 15x9 board; try h5; the last column is o, rows"),
        (_point, "h0", "'h0' is not on this 15x9 board"),
        (_point, "15,3", "'15,3' is not on this 15x9 board; try 7,4; x,y go from 0,0 at the top"),
        *((_point, text, f"'{text}' is not a point") for text in ("hh", "", "7,7,1", "h٣")),
        *((Position.from_moves, text, f"move {number}: {quoted!r} is not a point")
          for text, number, quoted in (
            ("h8 7", 2, "7"), ("7,7i9", 1, "7,7i9"), ("7.5,7", 1, "7.5,7"), ("7:7", 1, "7:7"),
            ("h8 i9 1-0", 3, "1-0"), ("h8/i9", 2, "/i9"), ("1. h8 2.", 2, "2."),
            ("h1234567890", 1, "h1234567890"), ([(7, 7), 8], 2, "8"), ([(7.5, 7)], 1, "7.5,7"),
            ([(10**12, 7)], 1, "1000000000000,7"), (["h8 i9"], 1, "h8 i9"),
            ("x" * 500, 1, "x" * 27 + "..."))),
        (Position.from_moves, "7,7-8,8", "move 2: '-8,8' is not on this 15x15 board; try 7,7"),
        (lambda rule: Position.from_moves("h8", rule=rule), "chess", "there is no rule 'chess'"),
        (lambda rule: Position.from_moves("h8", rule=rule), 5, "there is no rule '5'; there are 0"),
        (lambda size: Position.from_moves("h8", size), 30, "a 30x30 board is not supported: width"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_quoted_with_what_can(
    read: Callable[[Any], object], text: Any, message: str
) -> None:
    with pytest.raises(ValueError) as error:
        read(text)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)


@given(st.text(alphabet='h8i9,; \n7-x()1.:aOBW#/>[]|"恩手', max_size=40))
def test_no_text_is_an_empty_board_in_silence(text: str) -> None:
    try:
        written = read_position(text)
    except ValueError as error:
        assert str(error) and "\n" not in str(error)
    else:
        is_said = {"rule", "size", "to move", "moves"} & written.header.keys()
        assert written.stones or written.is_picture or is_said or not text.strip()


@pytest.mark.parametrize("written", ["20x15", "20X15", " 20 x 15 ", "20,15", "20*15", "20\u00d715"])
def test_sizes(written: str) -> None:
    assert read_size(written) == (20, 15)
    assert read_size("15") == read_size("\uff11\uff15") == (15, 15)


def test_header_lines_of_a_list_of_moves() -> None:
    position = Position.from_text("Rule: caro exact\nsize: 20x9\nname: a game\na1 b2\nc3")
    assert position == Position.from_moves("a1b2c3", size=(20, 9), rule=Rule.CARO_EXACT)
    assert Position.from_text("to move: black\nh8i9") == Position.from_moves("h8 i9")


@pytest.mark.parametrize(
    "line", ["a{}b", "note: x{}y", "note{}: x", ".{}y", "1 .{}2", "h8{}i", "1,{}x"]
)
def test_a_long_run_of_blanks_or_bars_is_read_quickly(line: str) -> None:
    started_s = time.process_time()
    for run in (" ", "\t", "x+", "|x"):
        with suppress(ValueError):
            read_position(line.format(run * 50_000))
    assert time.process_time() - started_s < 3


def test_arguments_must_not_contradict_the_text() -> None:
    assert Position.from_text("rule: 4\nh8", rule="renju", size=15).rule is Rule.RENJU
    with pytest.raises(ValueError, match="rule: freestyle was asked for, but the text says renju"):
        Position.from_text("rule: 4\nh8", rule=Rule.FREESTYLE)
    with pytest.raises(ValueError, match="size: 15x15 was asked for, but the text says 5x5"):
        Position.from_text(".....\n" * 5, size=15)
