"""Points as people write them and as programs do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.rules.points import (
    are_points,
    centre_name,
    is_point,
    name_or_pair,
    pair_text,
    point_name,
    point_names,
    read_point,
    read_points,
)


@given(st.integers(5, 22), st.integers(5, 22), st.data())
def test_every_point_reads_back_in_both_ways(width: int, height: int, data: st.DataObject) -> None:
    cell = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    for text in (point_name(cell, height), point_name(cell, height).upper(), pair_text(cell)):
        assert is_point(text) and are_points(text)
        assert read_point(text, width, height) == cell
    cells = data.draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), unique=True))
    if cells:
        assert read_points(point_names(cells, height), width, height) == cells
        assert read_points(point_names(cells, height).replace(" ", ""), width, height) == cells
        assert read_points(" ".join(map(pair_text, cells)), width, height) == cells


def test_rows_count_from_the_bottom_and_pairs_from_the_top() -> None:
    assert point_name((0, 0), 15) == "a15" and point_name((14, 14), 15) == "o1"
    assert read_point("0,0", 15, 15) == (0, 0) == read_point("a15", 15, 15)
    assert centre_name(20, 15) == "k8"
    assert name_or_pair((15, 0), 15, 15) == "15,0" and name_or_pair((-1, 3), 15, 15) == "-1,3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "z99",
            "'z99' is not a point on this board; try h6 (columns a to o, rows 1 to 12 from the"
            " bottom)",
        ),
        (
            "h13",
            "'h13' is not a point on this board; try h6 (columns a to o, rows 1 to 12 from the"
            " bottom)",
        ),
        (
            "15,3",
            "'15,3' is not a point on this board; try 7,6 (x,y from 0,0 at the top left to 14,11)",
        ),
        (
            "-1,3",
            "'-1,3' is not a point on this board; try 7,6 (x,y from 0,0 at the top left to 14,11)",
        ),
        ("8h", "'8h' is not a point; try h6 or 7,6"),
        ("", "'' is not a point; try h6 or 7,6"),
        ("x" * 99, f"'{'x' * 27}...' is not a point; try h6 or 7,6"),
    ],
)
def test_the_error_says_what_was_read_and_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        read_point(text, 15, 12)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("h8 7,7", "'h8 7,7' is not a list of points; try h8i9 or 7,7 8,8"),
        ("7,7 8", "'7,7 8' is not a list of points"),
        ("7,78,8", "'7,78,8' is not a list of points"),
        ("h8i16", "'i16' is not a point on this board; try h8"),
        ("h8i9h8", "'h8' is in the list twice"),
        ("7,7 7,7", "'7,7' is in the list twice"),
    ],
)
def test_lists_that_are_none(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        read_points(text, 15, 15)
    assert str(error.value).startswith(message)
