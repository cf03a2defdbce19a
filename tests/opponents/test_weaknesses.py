"""Where the published rules fail: at least two positions for each opponent in which it loses or
misses a win and another opponent does not. The last tests show the numbers that lead to its moves.

The engine decides what fails. A failing move lets the other side win by force, or misses a win by
threats; a holding move does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.api import Engine
from engine.model import Limits, SolveLimits
from tengen.game.rules.referee import BLACK, WHITE, Cell, Referee, opponent_of
from tengen.opponents import lines, score, weights, windows
from tengen.opponents.foresight import FOUR_THREE, OPEN_THREE, make_table, shape_at
from tengen.opponents.minimax import DEFEND_FROM, OPEN_FOUR, PointScores
from tests.opponents.players import drawn, move_of, position_of, think


def _begins_a_win(board: Referee, cell: Cell, side: int, stones: int) -> bool:
    """True if the move wins by threats within so many own stones."""
    engine = Engine()
    engine.set_position(position_of(board, side))
    solutions = engine.solve_all(SolveLimits(nodes=1_000_000, moves=stones))
    return cell in {solution.line[0] for solution in solutions}


def _loses(board: Referee, cell: Cell, side: int) -> bool:
    """Does the other side win by force after this move?"""
    engine = Engine()
    board.play(*cell, side)
    engine.set_position(position_of(board, opponent_of(side)))
    board.undo()
    mate_plies = engine.think(Limits(nodes=20_000)).info.score.mate_plies
    return mate_plies is not None and mate_plies > 0


@dataclass(frozen=True)
class Case:
    """A position, and which opponents fail in it.

    stones with stake "win": the most stones of the winner that the win takes, the fifth included.
    fails   the opponents whose move loses (`stake` "loss") or misses a win ("win").
    holds   the opponents that play a point marked in the picture, which does not.
    """

    picture: str
    side: int
    stake: str
    fails: tuple[str, ...]
    holds: tuple[str, ...]
    stones: int = 5


# Two open twos of White cross at the mark, and two more stones stand in the corner, where they can
# never be a three with two open ends. All three rows are 11, and the first in row order is stopped.
CROSSING_TWOS = Case(
    """
    . . . . . . . . . . . O O
    . . . . . . . . . . . . .
    . . . . X . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . O . . . . . .
    . . . . . X O . . . . . .
    . . . . O O ! . . . . . .
    . . . . X . . . . . . . .
    . . X . . . X . . . . . .
    . . . . . . . . X . . . .
    . . . . . . . . . . . . .
    """,
    BLACK,
    "loss",
    ("weights",),
    ("lines", "score", "foresight"),
)
# White's open three has a gap. Black's three can never become five: only four cells are free.
GAP_IN_A_THREE = Case(
    """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . O . .
    . . . . . . . . . . . . . . .
    . . . . . . . O . . X . . . .
    . . . . . . . O X X . . . . .
    . . . . . . . ! X . . . . . .
    . . . . . . . O . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    """,
    BLACK,
    "loss",
    ("weights",),
    ("lines", "foresight"),
)
# White is about to make a double three; Black's own three is worth more in sums.
SUMS_OR_THREATS = Case(
    """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . O X X X . . . . .
    . . . . . O X . . . . . . . .
    . . . . ! O O ! . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    """,
    BLACK,
    "loss",
    ("lines",),
    ("foresight", "alphabeta", "foresight-high"),
)
# Black threatens to connect four stones that stand far apart: two threes in three moves.
QUIET_DANGER = Case(
    """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . X ! . X . . . .
    . . . . . ! . . . . .
    . . . O O O X . . . .
    . . . . . . . X . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """,
    WHITE,
    "loss",
    ("lines", "minimax", "alphabeta", "foresight-high"),
    ("foresight", "simple", "score"),
)
# White threatens five in the gap, and would have six.
SIX_WITH_A_GAP = Case(
    """
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . X . . . X . . . . .
    . . . . X . . . . . . . .
    . . O O O ! O O . . . . .
    . . . . X . . X . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    """,
    BLACK,
    "loss",
    ("score",),
    ("weights", "lines", "minimax-basic"),
)
# Both have a four, and Black is to move.
FIVE_OR_STOP_FIVE = Case(
    """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . O X X X X ! . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . X O O O O . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """,
    BLACK,
    "win",
    ("score", "minimax-basic"),
    ("weights", "lines", "minimax", "foresight-low", "foresight"),
)
# White can make a four and an open three with one stone; Black could make an open three.
FOUR_THREE_IN_ONE = Case(
    """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . X O O O ! . . . . .
    . . . . . . O . . . .
    . . . . . . . O . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . X X . . . . . .
    . . . . . . . . X . .
    . . . X . . . . . . .
    . . . . . . . . . . .
    """,
    BLACK,
    "loss",
    ("minimax-basic", "foresight-low", "foresight-high", "foresight"),
    ("weights", "lines", "alphabeta", "simple"),
)
# A stone at the mark begins a win of fours and threes that is five own stones long.
BEYOND_THE_HORIZON = Case(
    """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . O . . . . . . . . .
    . . . . . . ! . . . . . . . .
    . . . . . . O O X . O . . . .
    . . . . . . . X . X . . . . .
    . . . . . . O X X . . . . . .
    . . . . . . . X . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    """,
    WHITE,
    "win",
    ("minimax", "alphabeta"),
    ("foresight", "foresight-high"),
)
# An open three near the edge, and stones of Black around an empty middle.
THREE_OR_MIDDLE = Case(
    """
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . X . . . . . .
    . . . . X . . . X . . . .
    . . . . . . . . . . . . .
    . . . . X . . . X . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    ! O O O ! . . . . . . . .
    . . . . . . . . . . . . .
    . . . . . . . . . . . . .
    """,
    BLACK,
    "loss",
    ("foresight-low",),
    ("foresight-high", "foresight", "weights"),
)
# A stone at the mark makes a four and a three, both with a gap.
GAPS_ON_BOTH_SIDES = Case(
    """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . O X X X . ! . . . .
    . . . . . . . . . . .
    . . . . . . X . . . .
    . . . . . . X . . . .
    . . . . . . . . . . .
    . . O . . . . . . . .
    . . . O O . . . . . .
    """,
    BLACK,
    "win",
    ("weights", "score", "foresight"),
    ("lines", "minimax-basic", "alphabeta", "foresight-high", "simple"),
    stones=3,
)
CASES = {
    name: case for name, case in globals().items() if isinstance(case, Case) and name.isupper()
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_who_fails_and_who_does_not(case: Case) -> None:
    board, drawing = drawn(case.picture)

    def fails(board: Referee, cell: Cell, side: int) -> bool:
        if case.stake == "loss":
            return _loses(board, cell, side)
        return not _begins_a_win(board, cell, side, case.stones)

    for name in case.holds:
        cell = move_of(name, board, case.side)
        assert cell in drawing.marked, name
        assert not fails(board, cell, case.side), name
    for name in case.fails:
        cell = move_of(name, board, case.side)
        assert cell not in drawing.marked, name
        assert fails(board, cell, case.side), name


def test_every_opponent_has_two_positions() -> None:
    published = (
        "weights", "lines", "score", "minimax-basic", "minimax", "alphabeta",
        "foresight-low", "foresight-high", "foresight",
    )  # fmt: skip
    for name in published:
        assert sum(name in case.fails for case in CASES.values()) >= 2, name


# -- why: the numbers behind the moves


def test_weights_takes_one_axis_only() -> None:
    board, drawing = drawn(CROSSING_TWOS.picture)
    (cross,) = drawing.marked
    corner = move_of("weights", board)
    map_ = weights.score_map(board, BLACK)
    assert map_[cross] == map_[corner] == weights.WEIGHTS["11"]
    assert weights.row(board, *corner, 1, 0, BLACK) == "11"


def test_weights_adds_up_a_row_that_leads_nowhere() -> None:
    board, drawing = drawn(GAP_IN_A_THREE.picture)
    (gap,) = drawing.marked
    dead = move_of("weights", board)
    assert weights.weight(board, *gap, BLACK) == weights.WEIGHTS["11"] + weights.WEIGHTS["1"]
    assert weights.weight(board, *dead, BLACK) == weights.WEIGHTS["2221"] + weights.WEIGHTS["1"]


@pytest.mark.parametrize("case", [SUMS_OR_THREATS, QUIET_DANGER])
def test_lines_adds_up_what_forces_nobody(case: Case) -> None:
    board, drawing = drawn(case.picture)
    sums = lines.line_sums(board, case.side)
    played = move_of("lines", board, case.side)
    # What it plays has the higher sum, and is for its own rows.
    assert sums[played][1] > max(max(sums[cell]) for cell in drawing.marked)
    assert sums[played][1] > sums[played][0]


def test_score_does_not_count_to_five() -> None:
    board, drawing = drawn(SIX_WITH_A_GAP.picture)
    (gap,) = drawing.marked
    assert score.count(board, *gap, 1, 0, WHITE) == (5, 2)
    assert (5, 2) not in score.STOPPING
    assert score.score_map(board, BLACK)[gap] < 200


def test_score_and_basic_stop_a_five_before_they_make_one() -> None:
    board, _ = drawn(FIVE_OR_STOP_FIVE.picture)
    assert score.STOPPING[4, 1] > score.MAKING[4, 1]
    scores = PointScores(board)
    assert min(scores.best(BLACK)[0][0], scores.best(WHITE)[0][0]) >= OPEN_FOUR
    stops = move_of("minimax-basic", board)
    assert stops == move_of("score", board) == (7, 7)


def test_basic_does_not_defend_against_a_little_more() -> None:
    board, drawing = drawn(FOUR_THREE_IN_ONE.picture)
    scores = PointScores(board)
    (others, cell), (own, _) = scores.best(WHITE)[0], scores.best(BLACK)[0]
    assert scores.xy(cell) in drawing.marked
    assert own < others <= DEFEND_FROM * own


@pytest.mark.parametrize("case", [QUIET_DANGER, BEYOND_THE_HORIZON])
def test_minimax_does_not_see_what_is_five_plies_away(case: Case) -> None:
    board, _ = drawn(case.picture)
    info = think("minimax", board, case.side).info
    assert (info.depth_plies, info.score.mate_plies) == (4, None)


def test_low_prefers_the_sum_of_the_middle() -> None:
    board, drawing = drawn(THREE_OR_MIDDLE.picture)
    gains = windows.window_gains(board, BLACK)
    assert set(windows.open_three(board, WHITE)) >= drawing.marked
    assert gains[move_of("foresight-low", board)] > max(gains[cell] for cell in drawing.marked)


def test_high_knows_threes_and_fours_one_at_a_time() -> None:
    board, drawing = drawn(FOUR_THREE_IN_ONE.picture)
    (cell,) = drawing.marked
    table = make_table(board)
    assert shape_at(table, table.cell_at(*cell), WHITE) == FOUR_THREE
    assert windows.fifth_cells(board, WHITE) == windows.open_three(board, WHITE) == []


def test_foresight_believes_that_a_three_is_answered() -> None:
    # It begins with an open three and assumes that White stops it; White makes the four-three
    # instead.
    board, drawing = drawn(FOUR_THREE_IN_ONE.picture)
    result = think("foresight", board)
    table = make_table(board)
    assert result.info.depth_plies > 1
    assert shape_at(table, table.cell_at(*result.move), BLACK) == OPEN_THREE
    assert shape_at(table, table.cell_at(*min(drawing.marked)), WHITE) == FOUR_THREE


def test_foresight_sees_no_row_behind_a_gap() -> None:
    board, drawing = drawn(GAPS_ON_BOTH_SIDES.picture)
    (cell,) = drawing.marked
    table = make_table(board)
    assert shape_at(table, table.cell_at(*cell), BLACK) < OPEN_THREE
