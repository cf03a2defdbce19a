"""Openings: the notations of their files, the eight ways, the built-in ones, and drawn ones."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tengen.game.openings import (
    Drawing,
    Opening,
    built_in_openings,
    check_openings,
    draw_openings,
    form_of,
    image,
    is_quiet,
    load_openings,
    read_openings,
    symmetries,
)
from tengen.game.referee import BLACK, RENJU, RULES, WHITE, Cell, Referee


@pytest.mark.parametrize(
    ("text", "kind", "size", "places"),
    [
        ("0,0, 1,-1,\t-3,2\n\n7,7\n", "auto", (15, 15), [((7, 7), (8, 6), (4, 9)), ((14, 14),)]),
        ("0,0, 1,-1", "auto", (20, 11), [((10, 5), (11, 4))]),
        ("h8i9j7\n\nA1 \n", "auto", (15, 15), [((7, 7), (8, 6), (9, 8)), ((0, 14),)]),
        ("k1 t12", "pos", (20, 12), [((10, 11), (19, 0))]),
        ("h8i9j7\n\nA1 \n", "pos-top", (15, 15), [((7, 7), (8, 8), (9, 6)), ((0, 0),)]),
        ("k1t12", "pos-top", (20, 12), [((10, 0), (19, 11))]),
    ],
)
def test_each_notation(
    text: str, kind: Any, size: tuple[int, int], places: list[tuple[Cell, ...]]
) -> None:
    """Offsets from the centre cell; points from the bottom left, and in pos-top from the top."""
    openings = read_openings(text, "book", kind, size)
    assert [opening.place(*size) for opening in openings] == places


def test_lines_that_begin_with_a_hash_are_comments() -> None:
    text = "# h8 is no opening here\n0,0, 1,1\n  # nor this: 9,9\n\n2,2\n#"
    openings = read_openings(text, "book")
    assert [opening.offsets for opening in openings] == [((0, 0), (1, 1)), ((2, 2),)]
    # They count as lines all the same.
    assert [opening.source for opening in openings] == ["book, line 2", "book, line 5"]


@pytest.mark.parametrize(
    ("text", "kind", "size", "complaint"),
    [
        ("", "auto", None, "holds no opening"),
        ("0,0 # first", "auto", None, "line 1: move 2: '#' is not a point"),
        ("\n 0,0\n1,2,3", "auto", None, "line 3: move 1: '1,2,3' has 3 numbers"),
        ("0,0, 51,0", "auto", None, "line 1: move 2: 51,0 is an offset beyond 50"),
        ("0,0, 1,1, 0,0", "auto", None, "line 1: move 3: '0,0' is occupied by move 1"),
        ("h8i9", "auto", None, "book, line 1: is in pos notation, which needs the size"),
        ("h8i9", "pos-top", None, "book, line 1: is in pos-top notation, which needs the size"),
        ("h8\nh8i16", "auto", (15, 15), "line 2: move 2: 'i16' is not on this 15x15 board; try h8"),
        ("h8\n0,0, 1,1", "auto", (15, 15), "line 2: move 1: '0,0': expected points such as h8i9"),
        ("0,0\nh8", "auto", (15, 15), "line 2: move 1: 'h8': expected offsets"),
        ("7,7 h8", "auto", (15, 15), "line 1: move 2: 'h8': expected offsets from the centre such"),
        ("-_-", "auto", (15, 15), "line 1: holds no point; expected offsets from the centre"),
        ("h8", "offset", (15, 15), "line 1: move 1: 'h8': expected offsets"),
        ("0,0", "pos", (15, 15), "line 1: move 1: '0,0': expected points"),
        ("h8i9H8", "auto", (15, 15), "line 1: move 3: 'H8' is occupied by move 1"),
    ],
)
def test_bad_files_are_told_by_line(
    text: str, kind: Any, size: tuple[int, int] | None, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_openings(text, "book", kind, size)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No such file"):
        load_openings(tmp_path / "none.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe0,0")
    with pytest.raises(ValueError, match="not an openings file"):
        load_openings(tmp_path / "binary")
    path = tmp_path / "book.txt"
    path.write_text("0,0, 1,1\n# 五子棋\n2,2\n", encoding="utf-8-sig")
    assert [opening.offsets for opening in load_openings(path)] == [((0, 0), (1, 1)), ((2, 2),)]


def turned_pictures(moves: tuple[Cell, ...], width: int, height: int) -> set[tuple[Cell, ...]]:
    """The images of the moves as a picture of the board has them, turned and mirrored as a list of
    rows, where it covers the board again."""
    rows = [[moves.index((x, y)) if (x, y) in moves else -1 for x in range(width)]
            for y in range(height)]  # fmt: skip
    found = set()
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]  # a quarter turn
        for turned in (rows, rows[::-1]):
            if len(turned) == height and len(turned[0]) == width:
                at = {turned[y][x]: (x, y) for y in range(height) for x in range(width)}
                found.add(tuple(at[number] for number in range(len(moves))))
    return found


@pytest.mark.parametrize("height", range(5, 23))
def test_images_are_those_of_the_board_turned_about_its_middle(height: int) -> None:
    """On boards of every size, with stones at all edges, in both notations."""
    for width in range(5, 23):
        left, top = -(width // 2), -(height // 2)
        right, bottom = width - 1 + left, height - 1 + top
        offsets = ((left, 0), (1, top), (right, top + 1), (0, bottom), (0, 0))
        opening = Opening(offsets)
        images = [opening.place(width, height, way) for way in symmetries(width, height)]
        assert images[0] == opening.place(width, height)
        assert set(images) == turned_pictures(images[0], width, height)
        assert len(set(images)) == len(images) == (8 if width == height else 4)
        check_openings([opening], width, height, 0)
        for kind in ("offset", "pos", "pos-top"):
            text = opening.text(kind, width, height)
            assert read_openings(text, "", kind, (width, height))[0].offsets == offsets


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


# ---- drawn at random


DRAWING = Drawing(15, 15, 0, (3, 6))


def _drawn(drawing: Drawing, draws: int = 400) -> list[list[Cell]]:
    rng = random.Random(1)
    return [moves for _ in range(draws) if (moves := drawing.draw(rng)) is not None]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("size", [(5, 5), (7, 7), (15, 15), (20, 20), (22, 12)])
def test_openings_are_legal_and_have_any_number_of_stones(rule: int, size: tuple[int, int]) -> None:
    found = _drawn(Drawing(*size, rule), 200)
    assert {len(moves) for moves in found} == set(range(3, 12))
    for moves in found:
        board = Referee(*size, rule)
        for i, (x, y) in enumerate(moves):
            assert i % 2 or board.foul(x, y) is None
            board.play(x, y, WHITE if i % 2 else BLACK)
            assert not board.winner()


@pytest.mark.parametrize("side", [15, 20])
def test_every_part_of_the_board_has_stones(side: int) -> None:
    count = Counter(cell for moves in _drawn(Drawing(side, side, 0), 3000) for cell in moves)
    mean = count.total() / side**2
    corner = [(x, y) for x in range(3) for y in range(3)]
    middle = [(side // 2 + x, side // 2 + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]
    for symmetry in symmetries(side, side):
        of_corner = sum(count[cell] for cell in image(corner, symmetry, side, side)) / 9
        assert 0.3 * mean < of_corner < 1.5 * mean
    assert 0.6 * mean < sum(count[cell] for cell in middle) / 9 < 1.7 * mean
    assert min(count[x, y] for x in range(side) for y in range(side)) > 0


def test_the_place_is_the_one_asked_for() -> None:
    for moves in _drawn(replace(DRAWING, place="centre")):
        assert all(abs(x - 7) <= 4 and abs(y - 7) <= 4 for x, y in moves)
    near_edge = [
        min(min(x, y, 14 - x, 14 - y) for x, y in moves)
        for moves in _drawn(Drawing(15, 15, 0, (11, 11), "edge"))
    ]
    assert max(near_edge) < 4
    assert sum(distance == 0 for distance in near_edge) > 0.7 * len(near_edge)


@pytest.mark.parametrize("stones", [(0, 5), (5, 4), (3, 25)])
def test_stones_that_no_box_holds_are_refused(stones: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"stones in an opening: expected 1 to 24$"):
        Drawing(15, 15, 0, stones)


def test_candidates_depend_on_the_drawing_and_the_seed_alone() -> None:
    first = list(draw_openings(DRAWING, 1, 120))
    assert len(first) == 120
    assert list(draw_openings(DRAWING, 1, 120)) == first
    assert list(draw_openings(DRAWING, 2, 20)) != first[:20]
    assert all(3 <= len(opening.offsets) <= 6 for opening in first)
    check_openings(first, 15, 15, 0)


def test_no_candidate_is_another_one() -> None:
    drawing = Drawing(5, 5, 0, (1, 2))
    forms = [
        form_of(list(opening.place(5, 5)), 5, 5) for opening in draw_openings(drawing, 1, 1000)
    ]
    assert len(set(forms)) == len(forms)
    # One stone of 25 cells in eight images: six. The pairs run out long before the candidates do.
    assert sum(not white for _, _, white in forms) == 6
    assert len(forms) < 100


def test_the_form_of_an_opening_knows_no_side_or_order_but_the_edges() -> None:
    moves = [(8, 7), (9, 9), (6, 7), (9, 8)]
    form = form_of(moves, 15, 15)
    same = [list(image(moves, way, 15, 15)) for way in symmetries(15, 15)]
    same += [[(x - 1, y - 2) for x, y in moves], [moves[2], moves[3], moves[0], moves[1]]]
    assert {form_of(each, 15, 15) for each in same} == {form}
    assert form_of([(x - 4, y) for x, y in moves], 15, 15) != form
    assert form_of([moves[1], moves[0], moves[3], moves[2]], 15, 15) != form


@pytest.mark.parametrize(
    ("text", "rule", "quiet"),
    [
        ("0,0 3,3 1,0 3,-3 2,1 -3,3", 0, True),
        ("0,0 3,3 1,0 3,-3 2,0 -3,3", 0, False),  # an open three
        ("0,0 3,3 1,0 3,-3 3,0 -3,3", 0, False),  # an open three with a gap
        ("0,0 -1,0 1,0 3,-3 2,0 3,3", 0, True),  # a three shut at one end
        ("3,3 0,0 3,-3 0,1 -3,3 0,2", 0, False),  # White's
        ("0,0 3,3 1,0 3,-3 2,0 -3,3 3,0 -1,0", 0, False),  # a four
        ("0,0 3,3 1,0 3,-3 0,1 -3,3 1,1 -3,-3", RENJU, True),
    ],
)
def test_quiet_is_who_threatens_nothing(text: str, rule: int, quiet: bool) -> None:
    pairs = (pair.split(",") for pair in text.split())
    moves = [(int(x) + 7, int(y) + 7) for x, y in pairs]
    assert is_quiet(moves, replace(DRAWING, rule=rule)) is quiet
