"""A move in a few words: what the stone does on the board, and its value from a search.

What a stone does comes from the referee alone, so it is right for every rule.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.model import Score
from engine.text import point_name
from tengen.game.rules.referee import Cell, Referee, opponent_of
from tengen.game.rules.threats import five_points, open_four_points

# From so many centi-stones on a side "stands better", or "stands much better".
_BETTER, _MUCH_BETTER = 60, 250


def what_it_does(board: Referee, cell: Cell, colour: int) -> list[str]:
    """What a stone of `colour` on the empty cell does, the most important first: it wins, stops a
    five, threatens one, stops or threatens an open four. Empty for a quiet move."""
    height = board.height
    if board.makes_win(*cell, colour):
        return ["wins at once"]
    opponent = opponent_of(colour)
    does = []
    if board.legal(*cell) and board.makes_win(*cell, opponent):
        does.append("stops a five")
    stoppable = set() if does else open_four_points(board, opponent)
    own_before = open_four_points(board, colour, around=cell)
    board.play(*cell, colour)
    try:
        fives = five_points(board, board.empties(), colour)
        if len(fives) > 1:
            does.append(f"threatens a five at {' and '.join(_names(fives, height))}")
        elif fives:
            does.append(f"makes a four: {_names(fives, height)[0]} would be five")
        else:
            new = open_four_points(board, colour, around=cell) - own_before
            if new:
                does.append(f"makes a three: {_names(new, height)[0]} would be an open four")
        if stoppable and not open_four_points(board, opponent) & stoppable:
            does.append("stops an open four")
    finally:
        board.undo()
    return does


def value_text(score: Score, mover: str, opponent: str) -> str:
    """A value in words, from the view of `mover`, the side to move; only the winner's moves are
    counted."""
    plies = score.mate_plies
    if plies is not None:
        moves = (abs(plies) + 1) // 2
        within = f"within {moves} moves" if moves > 1 else "with the next move"
        return f"{mover} wins {within}" if plies > 0 else f"{opponent} can win {within}"
    if abs(score.value) < _BETTER:
        return f"about even ({score.value:+d})"
    better = mover if score.value > 0 else opponent
    much = "much " if abs(score.value) >= _MUCH_BETTER else ""
    return f"{better} stands {much}better ({score.value:+d})"


def _names(cells: Iterable[Cell], height: int) -> list[str]:
    return [point_name(cell, height) for cell in sorted(cells)]
