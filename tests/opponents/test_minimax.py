"""Pattern scores, the basic step, and alpha-beta: the result of minimax with fewer nodes."""

from __future__ import annotations

import random

import pytest

from engine.model import Limits
from tengen.game.referee import BLACK, WHITE, Cell, Referee
from tengen.opponents.minimax import (
    BEST_POINTS,
    DEPTH_PLIES,
    PointScores,
    basic_cells,
    place_value,
    search,
)
from tests.opponents.players import drawn, endless, move_of, random_boards, think


def _by_cell(scores: PointScores, board: Referee, colour: int) -> dict[Cell, int]:
    """The scores of all empty points."""
    return {scores.xy(cell): scores.score(cell, colour) for cell in scores.cells}


# A row of a board that is nothing else, and what a stone of X at the mark makes of it. The row is
# the third of five; the four corners of the board are far away.
@pytest.mark.parametrize(
    ("row", "score"),
    [
        (". . X X ! X X . . . .", 10000),
        (". . X X ! X . . . . .", 5000),
        (". O X X ! X . . . . .", 32),
        (". O X X ! X O . . . .", 4),
        (". . . X ! X . . . . .", 100),
        (". . O X ! X . . . . .", 6),
        (". . O X ! X O . . . .", 3),
        (". . . X ! . . . . . .", 10),
        (". . O X ! . . . . . .", 4),
        (". . O X ! O . . . . .", 2),
        # One gap: the row itself, and the gapped one besides.
        (". . X X ! . X . . . .", 100 + 90),
        (". . . X ! . X X . . .", 10 + 90),
        (". . . . ! . X X X . .", 90),
        (". . . X ! . X . . . .", 10 + 10),
        (". . . X ! . X O . . .", 10),
        (". . . . ! . X . . . .", 2),
        (". X . X ! . X . . . .", 10 + 2 * 10),
        ("O . . . ! . . O O . .", 0),
    ],
)
def test_the_score_of_a_shape(row: str, score: int) -> None:
    empty = ". . . . . . . . . . .\n"
    board, drawing = drawn(empty * 2 + row + "\n" + empty * 2)
    (cell,) = drawing.marked
    neighbours = sum(
        board.legal(cell[0] + dx, cell[1] + dy)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if dx or dy
    )
    alone = neighbours + place_value(*cell, board.width, board.height)
    scores = PointScores(board)
    assert _by_cell(scores, board, BLACK)[cell] - alone == score


def test_basic_attacks_and_defends_by_the_ratio_and_weighs_five_points_by_both_sides() -> None:
    # With two stones Black's best is an open three, as White's: Black attacks. With one it is far
    # below two thirds of White's.
    for own, attacks in ((". . . X X . . . .", True), (". . . . X . . . .", False)):
        empty = ". . . . . . . . .\n"
        board, _ = drawn(empty * 2 + ". . . O O . . . .\n" + empty * 2 + own + "\n" + empty * 2)
        scores = PointScores(board)
        points, other = (scores.best(BLACK), WHITE) if attacks else (scores.best(WHITE), BLACK)
        worth = {scores.xy(cell): value + 0.8 * scores.score(cell, other) for value, cell in points}
        ranked = basic_cells(scores, BLACK)
        assert len(points) == BEST_POINTS and ranked[0][1] == (5 if attacks else 2)
        assert [worth[cell] for cell in ranked] == sorted(worth.values(), reverse=True)
        assert move_of("minimax-basic", board) == ranked[0]


QUIET = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . O . . . .
    . . . X X . . . .
    . . . . O X . . .
    . . . . . . . . .
    . . . . . . . . .
"""
WITH_FOURS = """
    X . . . . . . . .
    . . . O O O O X .
    . . X . X . . . .
    . . . X . . . . .
    . . . . . . O . .
    . . X . . . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize(
    "board",
    [drawn(QUIET)[0], drawn(WITH_FOURS)[0], *random_boards(5)],
    ids=lambda board: f"{len(board.stones())} stones",
)
@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_alphabeta_is_minimax_with_fewer_nodes(board: Referee, side: int) -> None:
    nodes, found = {}, {}
    for prunes in (False, True):
        clock = endless()
        found[prunes] = search(PointScores(board), side, DEPTH_PLIES, clock, prunes)
        nodes[prunes] = clock.nodes
    assert found[True] == found[False]
    assert nodes[True] < nodes[False] <= 5 + 5**2 + 5**3 + 5**4


def test_trying_stones_leaves_the_scores_as_they_were() -> None:
    rng = random.Random(3)
    for board in random_boards(6):
        scores = PointScores(board)
        before = [_by_cell(scores, board, colour) for colour in (BLACK, WHITE)]
        tried = rng.sample(scores.cells, 8)
        for i, cell in enumerate(tried):
            scores.play(cell, 1 + i % 2)
            board.play(*scores.xy(cell), 1 + i % 2)
            fresh = PointScores(board)
            for colour in (BLACK, WHITE):
                now = {scores.xy(c): scores.score(c, colour) for c in fresh.cells}
                assert now == _by_cell(fresh, board, colour)
        for cell in reversed(tried):
            scores.undo(cell)
        assert before == [_by_cell(scores, board, colour) for colour in (BLACK, WHITE)]


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_wins_are_reported_in_plies(name: str) -> None:
    five, drawing = drawn("""
    . . . . . . .
    O X X X X ! .
    . O O O . . .
    . . . . . . .
    . . . . . . .
    """)
    result = think(name, five)
    assert (str(result.info.score), {tuple(result.move)}) == ("+M1", set(drawing.marked))
    four, drawing = drawn("""
    . . . . . . . .
    . . ! X X X ! .
    . . . . O . . .
    . . O . . O . .
    . . . . . . . .
    """)
    result = think(name, four)
    assert str(result.info.score) == "+M3" and tuple(result.move) in drawing.marked
    lost = think(name, four, WHITE)
    assert lost.info.depth_plies == DEPTH_PLIES and tuple(lost.move) in drawing.marked


@pytest.mark.parametrize("name", ["minimax", "alphabeta"])
def test_little_time_plays_the_deepest_search_that_was_finished(name: str) -> None:
    board, _ = drawn(QUIET)
    scores = PointScores(board)
    for depth_plies, nodes in ((1, 5), (2, 35), (3, 190)):
        _, line = search(scores, BLACK, depth_plies, endless(), prunes=False)
        result = think(name, board, limits=Limits(turn_ms=60_000, nodes=nodes + 1))
        assert result.info.depth_plies >= depth_plies
        if name == "minimax":
            assert result.info.depth_plies == depth_plies
            assert tuple(result.move) == scores.xy(line[0])
    at_once = think(name, board, limits=Limits(turn_ms=0))
    assert (at_once.info.depth_plies, at_once.info.nodes) == (0, 0)
    assert tuple(at_once.move) == scores.xy(scores.best_for_both()[0])
