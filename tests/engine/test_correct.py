"""Static values corrected by the errors that the search has found."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from engine.parameters import PARAMS
from tests.engine.probe import ProbeBoard, ProbeErrors

SHARE = next(row.default for row in PARAMS if row.name == "error_share")
LIMIT = next(row.default for row in PARAMS if row.name == "error_limit")
VALUE_LIMIT = 20000


def _board(*points: tuple[int, int], side: int = 0) -> ProbeBoard:
    """A board with these stones, Black's first; `side` to move instead of the next one."""
    board = ProbeBoard(15, 15)
    for number, point in enumerate(points):
        board.make(*point, 1 + number % 2)
    if side:
        board.set_side(side)
    return board


@given(st.integers(-300, 300), st.integers(0, 30))
def test_an_error_that_is_found_again_and_again_is_corrected(error: int, depth: int) -> None:
    errors, board = ProbeErrors(), _board((7, 7), (8, 8))
    for _ in range(1000):
        errors.learn(board, error, depth)
    # All three means have the whole error, less what rounding leaves.
    assert abs(errors.corrected(board, 50) - (50 + 3 * error * SHARE / 100)) <= 12


def test_a_deeper_search_counts_more() -> None:
    board = _board((7, 7), (8, 8))
    found = []
    for depth in (0, 3, 15, 40):
        errors = ProbeErrors()
        errors.learn(board, 200, depth)
        found.append(errors.corrected(board, 0))
    assert 0 < found[0] < found[1] < found[2] == found[3]


def test_what_is_learned_is_of_the_last_two_stones_and_one_side() -> None:
    errors = ProbeErrors()
    for _ in range(1000):
        errors.learn(_board((7, 7), (8, 8)), 100, 10)
    whole = errors.corrected(_board((7, 7), (8, 8)), 0)
    same_last = errors.corrected(_board((3, 3), (8, 8)), 0)
    same_before = errors.corrected(_board((7, 7), (3, 3)), 0)
    assert 0 < same_last < whole and 0 < same_before < whole
    # Whatever else is on the board, the last two stones decide.
    assert errors.corrected(_board((1, 1), (2, 2), (7, 7), (8, 8)), 0) == whole
    assert errors.corrected(_board((7, 7), (8, 8), side=2), 0) == 0
    assert errors.corrected(_board((8, 8), (7, 7)), 0) == 0
    assert errors.corrected(_board(), 5) == 5


@given(st.integers(-40000, 40000), st.integers(-VALUE_LIMIT, VALUE_LIMIT))
def test_no_error_leads_out_of_the_range(error: int, value: int) -> None:
    errors, board = ProbeErrors(), _board((7, 7))
    for _ in range(200):
        errors.learn(board, error, 30)
    corrected = errors.corrected(board, value)
    assert -VALUE_LIMIT <= corrected <= VALUE_LIMIT
    assert abs(corrected - value) <= 3 * LIMIT * SHARE / 100 + 1
