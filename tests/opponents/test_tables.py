"""The opponents that look no further than the next stone: values worked by hand, and the rules by
which they choose."""

from __future__ import annotations

import pytest

from engine.text import point_name, read_moves
from tengen.game.referee import BLACK, DIRECTIONS, WHITE, Referee, opponent_of
from tengen.opponents.tables import (
    window_gains,
)
from tests.opponents.players import drawn, move_of

# -- weights


def test_the_centre_where_nothing_touches_anything() -> None:
    for name in ("weights", "lines", "foresight"):
        assert move_of(name, Referee(20, 9, 0)) == (10, 4)
    assert move_of("weights", Referee(7, 7, 0, [(3, 3)])) == (0, 0)


# -- score


# -- lines


# -- windows


def _value(board: Referee, colour: int) -> int:
    """The worth of a position, from its wording: all windows, afresh."""
    total = 0
    for x, y in [(x, y) for x in range(board.width) for y in range(board.height)]:
        for dx, dy in DIRECTIONS:
            end = (x + 4 * dx, y + 4 * dy)
            if not (0 <= end[0] < board.width and 0 <= end[1] < board.height):
                continue
            window = [board.cell(x + i * dx, y + i * dy) for i in range(5)]
            own, other = window.count(colour), window.count(opponent_of(colour))
            if 3 not in window and not (own and other):
                total += own * 2**own - other * 2**other
    return total


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_gains_are_what_the_whole_position_gains(side: int) -> None:
    board, _ = drawn("""
    . . . . . . . .
    . . O . X . . .
    . . X X O # . .
    . . . X O . . .
    . O . . . X . .
    . . . . . . . .
    """)
    before = _value(board, side)
    for cell, gain in window_gains(board, side).items():
        board.play(*cell, side)
        assert _value(board, side) - before == gain, cell
        board.undo()


# -- simple


# Positions that tournaments test entrants with, one or more for each rule.
@pytest.mark.parametrize(
    ("rules", "moves", "answers"),
    [
        ((0, 1, 4, 8, 9), "h8h9i8i9j8j9k8k9", "g8 l8"),
        ((1,), "h8h9i8h10g8h11j13h12g14h14i15", "f8 j8"),
        ((8, 9), "h8f8g8f9i8f7j8l8", "f5 f6 f10 f11"),
    ],
)
def test_entrance_questions(rules: tuple[int, ...], moves: str, answers: str) -> None:
    for rule in rules:
        board = Referee(15, 15, rule)
        cells = read_moves(moves, 15, 15)
        for i, cell in enumerate(cells):
            board.play(*cell, 1 + i % 2)
        cell = move_of("simple", board, 1 + len(cells) % 2)
        assert point_name(cell, 15) in answers.split(), rule
