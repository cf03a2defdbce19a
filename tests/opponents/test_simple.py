"""The simple opponent: it plays by the rules, takes wins and stops them."""

from __future__ import annotations

import pytest

from engine.model import Rule
from engine.text import point_name, read_moves
from tengen.game.referee import BLACK, WHITE, Referee
from tests.opponents.players import drawn, move_of


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


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(
    ("side", "own"), [(BLACK, {(1, 1), (6, 1)}), (WHITE, {(2, 3), (7, 3)})], ids=["black", "white"]
)
def test_a_win_comes_before_stopping_one(rule: Rule, side: int, own: set[tuple[int, int]]) -> None:
    board, _ = drawn(f"""
    rule: {int(rule)}
    . . . . . . . . .
    . . X X X X . . .
    . . . . . . . . .
    . . . O O O O . .
    . . . . . . . . .
    """)
    assert move_of("simple", board, side) in own


@pytest.mark.parametrize(("rule", "best"), [(0, (4, 2)), (1, (4, 3))])
def test_exactly_five(rule: int, best: tuple[int, int]) -> None:
    # Six in the upper row; in the lower, five that White must be kept from.
    board, _ = drawn(f"""
    rule: {rule}
    . . . . . . . . .
    . . . . . . . . .
    . X X X . X X . .
    . . O O . O O . .
    . . . . . . . . .
    . . . . . . . . .
    """)
    assert move_of("simple", board) == best


def test_a_forbidden_point_is_passed_over() -> None:
    # The overline in the middle is Black's only way to stop White's five, and forbidden in renju.
    for rule in (1, 4):
        board, _ = drawn(f"""
        rule: {rule}
        . . . . . . . . .
        X X X . X X . . .
        . . . O . . . . .
        . . . O . . . . .
        . . . O . . . . .
        . . . O . . . . .
        . . . X . . . . .
        """)
        assert (move_of("simple", board) == (3, 1)) == (rule == 1)


def test_an_open_three_is_stopped_and_an_open_four_is_preferred() -> None:
    picture = """
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . O O O . . . .
    . . . . . . . . . . .
    . . . X . . X . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    """
    assert move_of("simple", drawn(picture)[0]) in {(2, 3), (3, 3), (7, 3), (8, 3)}
    board, _ = drawn(picture.replace("X . . X", "X X X ."))
    assert move_of("simple", board) in {(2, 5), (6, 5)}
