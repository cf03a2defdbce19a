"""Where the published rules fail: the diagrams of docs/LADDER.md, in which an opponent loses or
misses a win and another one does not.

The engine decides what fails. A failing move lets the other side win by force, or misses a win by
threats; a holding move does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engine.api import Engine
from engine.model import Limits, SolveLimits
from tengen.game.referee import BLACK, WHITE, Cell, Referee, opponent_of
from tests.opponents.players import diagram, move_of, position_of


def _begins_a_win(board: Referee, cell: Cell, side: int, stones: int) -> bool:
    """True if the move wins by threats within so many own stones."""
    engine = Engine()
    engine.set_position(position_of(board, side))
    solutions = engine.solve_all(SolveLimits(nodes=1_000_000, moves=stones)).wins
    return cell in {solution.line[0] for solution in solutions}


def _loses(board: Referee, cell: Cell, side: int) -> bool:
    """Does the other side soon win by force after this move? Longer searches find longer wins."""
    engine = Engine()
    board.play(*cell, side)
    engine.set_position(position_of(board, opponent_of(side)))
    board.undo()
    mate_plies = engine.think(Limits(nodes=5_000)).info.score.mate_plies
    return mate_plies is not None and mate_plies > 0


@dataclass(frozen=True)
class Case:
    """A diagram by its number, on a board of that size, of which it shows the rows from `row` on.

    fails   the opponents whose move loses or, with `win_stones`, misses a win that takes at most so
            many stones of the winner, the fifth included.
    holds   the opponents that play a point marked in the picture, which does not.
    """

    number: int
    size: tuple[int, int]
    row: int
    fails: str
    holds: str
    side: int = BLACK
    win_stones: int = 0


CASES = {
    "two open twos that cross": Case(0, (13, 11), 0, "weights", "lines score foresight"),
    "a sum or a threat": Case(1, (15, 15), 6, "lines", "foresight alphabeta foresight-high"),
    "six with a gap": Case(2, (13, 11), 3, "score", "weights lines minimax-basic"),
    "four and three in one": Case(
        3, (11, 11), 2, "minimax-basic foresight-low foresight-high foresight",
        "weights lines alphabeta simple",
    ),
    "a win beyond the horizon": Case(
        4, (15, 12), 3, "minimax alphabeta", "foresight foresight-high", WHITE, win_stones=5
    ),
    "a three or the middle": Case(
        5, (13, 12), 2, "foresight-low", "foresight-high foresight weights"
    ),
    "gaps on both sides": Case(
        7, (11, 11), 3, "weights score foresight",
        "lines minimax-basic alphabeta foresight-high simple", win_stones=3,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_who_fails_and_who_does_not(case: Case) -> None:
    board, drawing = diagram(case.number, case.size, case.row)

    def fails(cell: Cell) -> bool:
        if case.win_stones:
            return not _begins_a_win(board, cell, case.side, case.win_stones)
        return _loses(board, cell, case.side)

    for names, is_failing in ((case.holds, False), (case.fails, True)):
        for name in names.split():
            cell = move_of(name, board, case.side)
            assert (cell in drawing.marked) != is_failing, name
            assert fails(cell) == is_failing, name
