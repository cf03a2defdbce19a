"""Openings: the file format, the eight ways, the pairs, and the built-in ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tengen.record.openings import (
    SYMMETRIES,
    Opening,
    built_in_openings,
    check_openings,
    load_openings,
    read_openings,
    transformed,
)
from tengen.rules.referee import RULES


def test_offsets_count_from_the_centre_cell() -> None:
    first, second = read_openings("0,0, 1,-1,\t-3,2\n\n7,7\n", "book")
    assert first.place(15, 15) == ((7, 7), (8, 6), (4, 9))
    assert first.place(20, 11) == ((10, 5), (11, 4), (7, 7))
    assert second.place(15, 15) == ((14, 14),)
    with pytest.raises(ValueError, match="book, line 3: does not fit on a 14x15 board"):
        second.place(14, 15)


def test_lines_that_begin_with_a_hash_are_comments() -> None:
    text = "# h8 is no opening here\n0,0, 1,1\n  # nor this: 9,9\n\n2,2\n#"
    openings = read_openings(text, "book")
    assert [opening.offsets for opening in openings] == [((0, 0), (1, 1)), ((2, 2),)]
    # They count as lines all the same.
    assert [opening.source for opening in openings] == ["book, line 2", "book, line 5"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "holds no opening"),
        ("# nothing\n", "holds no opening"),
        ("0,0 # first", "line 1: expected offsets"),
        ("\n 0,0\n1,2,3", "line 3: an odd number"),
        ("0,0, a,1", "line 1: expected offsets"),
        ("0,0; 1,1", "line 1: expected offsets"),
        ("0,0, 1,1 first", "line 1: expected offsets"),
        ("0,0, 51,0", "line 1: an offset beyond 50"),
        ("0,0, 1,1, 0,0", "line 1: the same cell twice"),
    ],
)
def test_bad_files_are_told_by_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_openings(text, "book")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No such file"):
        load_openings(tmp_path / "none.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe0,0")
    with pytest.raises(ValueError, match="not an openings file"):
        load_openings(tmp_path / "binary")
    (tmp_path / "good").write_text("0,0, 1,1\n")
    assert load_openings(tmp_path / "good")[0].offsets == ((0, 0), (1, 1))


def test_a_byte_order_mark_and_comments_in_any_language(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text("0,0, 1,1\n# 五子棋\n2,2\n", encoding="utf-8-sig")
    openings = load_openings(path)
    assert [opening.offsets for opening in openings] == [((0, 0), (1, 1)), ((2, 2),)]


def test_the_eight_ways_are_different_and_keep_distances() -> None:
    opening = Opening(((0, 0), (1, 2), (-3, 0)))
    images = [transformed(opening, i) for i in range(SYMMETRIES)]
    assert images[0] == opening
    assert len({image.offsets for image in images}) == SYMMETRIES
    for image in images:
        assert [dx * dx + dy * dy for dx, dy in image.offsets] == [0, 5, 9]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [(5, 5), (7, 8), (9, 9), (15, 15), (20, 20), (22, 13)])
def test_built_in_openings_fit_everywhere(size: tuple[int, int], rule: int) -> None:
    openings = built_in_openings(*size)
    check_openings(openings, *size, rule)
    assert len({opening.offsets for opening in openings}) == len(openings)


@pytest.mark.parametrize(
    ("text", "rule", "complaint"),
    [
        ("0,0, 0,1, 1,0, 1,1, 2,0, 2,1, 3,0, 3,1, 4,0", 0, "move 9 wins"),
        ("1,0, 5,1, 2,0, 5,3, 0,1, 5,5, 0,2, -5,5, 0,0", 4, "move 9 is a double three"),
        ("0,0, 1,1, 5,0", 0, "does not fit on a 10x10 board"),
    ],
)
def test_openings_that_end_the_game_are_refused(text: str, rule: int, complaint: str) -> None:
    size = 10 if "fit" in complaint else 15
    with pytest.raises(ValueError, match=complaint):
        check_openings(read_openings(text, "book"), size, size, rule)
