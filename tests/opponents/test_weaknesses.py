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
from tengen.game.rules.referee import BLACK, WHITE, Cell, Referee, opponent_of
from tests.opponents.players import drawn, move_of, position_of


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
