"""The simple opponent: it plays by the rules, takes wins and stops them."""

from __future__ import annotations

import re

import pytest

from engine.model import Limits, Placed, Point, Position, Rule, Stone
from engine.text import read_position
from tengen.game.rules.referee import Referee
from tengen.opponents.simple import Simple
from tests.game.rules.boards import referee_of

LIMITS = Limits(turn_ms=100)


def _think(position: Position, seed: int = 0) -> Point:
    brain = Simple(seed)
    brain.new_game()
    brain.set_memory(None)
    brain.set_position(position)
    brain.clear_stop()
    return brain.think(LIMITS).move


def _position(board: Referee, side: Stone) -> Position:
    walls = [Placed(x, y, Stone.WALL) for x, y in board.walls()]
    stones = [Placed(x, y, Stone(colour)) for x, y, colour in board.stones()]
    return Position(board.width, board.height, Rule(board.rule), (*walls, *stones), side)


def _drawn(picture: str, side: Stone = Stone.BLACK) -> Position:
    return _position(referee_of(read_position(picture)), side)


def _played(moves: str, rule: int) -> Position:
    """A position from moves like `h8h9`: column letter, row from one at the top, black first."""
    board = Referee(15, 15, rule)
    for i, (letter, row) in enumerate(re.findall(r"([a-o])(\d+)", moves)):
        board.play(ord(letter) - ord("a"), int(row) - 1, 1 + i % 2)
    return _position(board, Stone(1 + len(board.stones()) % 2))


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
        x, y = _think(_played(moves, rule))
        assert f"{chr(ord('a') + x)}{y + 1}" in answers.split(), rule


def test_renju_entrance_question_the_foul_is_avoided() -> None:
    assert _think(_played("h8h9i7i9h10i6i11i12", 4)) != (6, 8)


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize("side", [Stone.BLACK, Stone.WHITE])
def test_a_win_comes_before_stopping_one(rule: Rule, side: Stone) -> None:
    picture = f"""
    rule: {int(rule)}
    . . . . . . . . .
    . . X X X X . . .
    . . . . . . . . .
    . . . O O O O . .
    . . . . . . . . .
    """
    own = {Stone.BLACK: {(1, 1), (6, 1)}, Stone.WHITE: {(2, 3), (7, 3)}}[side]
    assert _think(_drawn(picture, side)) in own


@pytest.mark.parametrize(("rule", "best"), [(0, (4, 2)), (1, (4, 3))])
def test_exactly_five(rule: int, best: tuple[int, int]) -> None:
    # Six in the upper row; in the lower, five that White must be kept from.
    picture = f"""
    rule: {rule}
    . . . . . . . . .
    . . . . . . . . .
    . X X X . X X . .
    . . O O . O O . .
    . . . . . . . . .
    . . . . . . . . .
    """
    assert _think(_drawn(picture)) == best


def test_no_forbidden_point_unless_there_is_nothing_else() -> None:
    # The overline in the middle is Black's only way to stop White's five, and forbidden.
    picture = """
    rule: 4
    . . . . . . . . .
    X X X . X X . . .
    . . . O . . . . .
    . . . O . . . . .
    . . . O . . . . .
    . . . O . . . . .
    . . . X . . . . .
    """
    position = _drawn(picture)
    assert _think(position) != (3, 1)
    assert _think(Position(position.width, position.height, Rule.STANDARD, position.stones)) == (
        3,
        1,
    )
    # The same row, and no other empty cell.
    only = "rule: 4\nX X X . X X\nO O X O O X\nX O O X O O\nO X X O X X\nX X O O X O\n"
    assert _think(_drawn(only)) == (3, 0)


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
    assert _think(_drawn(picture)) in {(2, 3), (3, 3), (7, 3), (8, 3)}
    picture = picture.replace("X . . X", "X X X .")
    assert _think(_drawn(picture)) in {(2, 5), (6, 5)}


def test_the_seed_decides_between_equals_and_nothing_else() -> None:
    position = _played("h8i9", 0)
    assert [_think(position, seed=3) for _ in range(3)] == [_think(position, seed=3)] * 3
    assert len({_think(position, seed) for seed in range(8)}) > 1
    shuffled = Position(15, 15, stones=position.stones[::-1], side_to_move=position.side_to_move)
    assert _think(shuffled, seed=3) == _think(position, seed=3)
