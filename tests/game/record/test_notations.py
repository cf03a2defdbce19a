"""The notations of openings files."""

from __future__ import annotations

from typing import Any

import pytest

from engine.text import point_names
from tengen.game.record.openings import NOTATIONS, Opening, read_openings


def test_pos_counts_from_the_bottom_left_as_points_do_everywhere() -> None:
    first, second = read_openings("h8i9j7\n\nA1 \n", "book", size=(15, 15))
    assert first.offsets == ((0, 0), (1, -1), (2, 1))
    assert second.place(15, 15) == ((0, 14),)
    (wide,) = read_openings("k1 t12", "book", "pos", (20, 12))
    assert wide.place(20, 12) == ((10, 11), (19, 0))
    assert point_names(first.place(15, 15), 15) == "h8 i9 j7"


def test_pos_top_is_the_notation_of_other_programs() -> None:
    first, second = read_openings("h8i9j7\n\nA1 \n", "book", "pos-top", (15, 15))
    assert first.offsets == ((0, 0), (1, 1), (2, -1))
    assert second.place(15, 15) == ((0, 0),)
    (wide,) = read_openings("k1t12", "book", "pos-top", (20, 12))
    assert wide.place(20, 12) == ((10, 0), (19, 11))


@pytest.mark.parametrize(
    ("text", "kind", "size", "complaint"),
    [
        ("h8i9", "auto", None, "book, line 1: is in pos notation, which needs the size"),
        ("h8i9", "pos-top", None, "book, line 1: is in pos-top notation, which needs the size"),
        ("h8\nh8i16", "auto", (15, 15), "line 2: move 2: 'i16' is not on this 15x15 board; try h8"),
        ("p8", "auto", (15, 16), "line 1: move 1: 'p8' is not on this 15x16 board; try h8"),
        (
            "h8i",
            "auto",
            (15, 15),
            "line 1: move 2: 'i' is not a point; expected points",
        ),
        ("h8i0", "auto", (15, 15), "line 1: move 2: 'i0' is not on this"),
        ("h8\n0,0, 1,1", "auto", (15, 15), "line 2: move 1: '0,0': expected points such as h8i9"),
        ("0,0\nh8", "auto", (15, 15), "line 2: move 1: 'h8': expected offsets"),
        ("7,7 h8", "auto", (15, 15), "line 1: move 2: 'h8': expected offsets from the centre such"),
        ("-_-", "auto", (15, 15), "line 1: holds no point; expected offsets from the centre"),
        ("h8", "offset", (15, 15), "line 1: move 1: 'h8': expected offsets"),
        ("0,0", "pos", (15, 15), "line 1: move 1: '0,0': expected points"),
        ("h8i9H8", "auto", (15, 15), "line 1: move 3: 'H8' is occupied by move 1"),
    ],
)
def test_bad_files_in_any_notation(
    text: str, kind: Any, size: tuple[int, int] | None, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_openings(text, "book", kind, size)


@pytest.mark.parametrize("size", [(15, 15), (20, 20), (22, 13)])
def test_what_is_written_is_read_again(size: tuple[int, int]) -> None:
    opening = Opening(((0, 0), (1, -2), (-6, 6)), "book, line 1")
    assert opening.text("offset", *size) == "0,0, 1,-2, -6,6"
    for notation in NOTATIONS:
        assert read_openings(opening.text(notation, *size), "book", notation, size) == [opening]
    assert read_openings(opening.text("pos", *size), "book", size=size) == [opening]
