"""Openings drawn at random: legal, where they are wanted, and none twice."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from tengen.game.drawn_openings import (
    BOX,
    SECOND_EVERY,
    Drawing,
    draw_openings,
    form_of,
    is_quiet,
)
from tengen.game.openings import check_openings, image, symmetries
from tengen.game.referee import BLACK, RENJU, RULES, WHITE, Cell, Referee

DRAWING = Drawing(15, 15, 0, (3, 6))


def _drawn(drawing: Drawing, draws: int = 400) -> list[list[Cell]]:
    rng = random.Random(1)
    return [moves for _ in range(draws) if (moves := drawing.draw(rng)) is not None]


def _extent(moves: list[Cell]) -> tuple[int, int]:
    """How many columns and rows the stones take."""
    columns, rows = zip(*moves, strict=True)
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


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


def test_an_opening_lies_in_a_box_or_two() -> None:
    found = _drawn(Drawing(20, 20, 0, (8, 11)))
    wide = [moves for moves in found if max(_extent(moves)) > BOX[1]]
    # Nearly every second box lies further away than one box is wide.
    assert len(found) / SECOND_EVERY * 0.7 < len(wide) < len(found) / SECOND_EVERY * 1.2


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
