"""Announced wins: true ones pass, and false ones are detected."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from engine.text import read_position
from tengen.game.proof import Node, Verdict, check_win
from tengen.game.referee import BLACK, RULES, WHITE, Cell, Referee, opponent_of
from tests.game.boards import draw, referee_of
from tests.game.provers import moves_of, prove, small_ending, wins_of

Chooser = Callable[[Referee], Cell]


def greedy(colour: int, *plan: Cell) -> Chooser:
    """An attacker that wins when it can, stops a win when it must, makes two ways to win when it
    can, and otherwise plays the first cell of its plan that is still empty (or makes a four)."""

    def choose(board: Referee) -> Cell:
        if wins := wins_of(board, colour):
            return wins[0]
        if stops := wins_of(board, opponent_of(colour)):
            return stops[0]
        best = next((cell for cell in plan if board.legal(*cell)), (-1, -1))
        for cell in moves_of(board, colour):
            board.play(*cell, colour)
            ways = len(wins_of(board, colour))
            board.undo()
            if ways >= 2:
                return cell
        return best

    return choose


def _check(
    picture: str, colour: int, plies: int, choose: Chooser, most: int | None = None
) -> Verdict:
    board = referee_of(read_position(picture))
    before = draw(board)
    try:
        return check_win(board, colour, plies, lambda board, _: Node(choose(board), {}), most)
    finally:
        assert draw(board) == before


OPEN_THREE = """
. . . . . . . . .
. . . . . . . . .
. . O . . . . . .
. . . X X X . . .
. . . . O . . . .
. . . . . . . . .
. . . . . . . . .
"""


FOUR = OPEN_THREE.replace("X X X .", "X X X X")
# The stone at 3,5 makes a four in the row, which White must stop, and a three upwards.
FOUR_THREE = """
. . . . . . . . .
. . . . . . . . .
. . . . . . . . .
. . . X . . . . .
. . . X . . . . .
O X X . X . . . .
. . . . . . . . .
. . . . . . . . .
"""
# A quiet stone at 5,6: each of the many defences must be met, few of them by asking.
QUIET = """
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . X . . . . .
. . . . . X . . . . .
. . . X X . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
. . . . . . . . . . .
"""


@pytest.mark.parametrize(
    ("picture", "plies", "plan"),
    [(FOUR, 1, []), (OPEN_THREE, 3, []), (FOUR_THREE, 5, [(3, 5)]), (QUIET, 5, [(5, 6)])],
    ids=["four", "open three", "four three", "two threes"],
)
def test_a_win_holds_within_its_plies_with_few_questions(
    picture: str, plies: int, plan: list[Cell]
) -> None:
    asked: list[Referee] = []

    def choose(board: Referee) -> Cell:
        asked.append(board)
        return greedy(BLACK, *plan)(board)

    verdict = _check(picture, BLACK, plies, choose)
    assert (verdict.ok, verdict.plies, verdict.reason) == (True, plies, "")
    assert len(asked) <= {1: 1, 3: 3, 5: 40}[plies]
    if plies > 1:
        short = _check(picture, BLACK, plies - 2, choose)
        assert short.reason == f"the win is longer than the {plies - 2} plies announced"
    with pytest.raises(ValueError, match="odd"):
        _check(picture, BLACK, plies - 1, choose)


@pytest.mark.parametrize(
    ("picture", "plies", "moves", "reason", "line"),
    [
        (OPEN_THREE, 1, [(2, 3)], "the win is longer than the 1 plies announced", []),
        (OPEN_THREE, 3, [(4, 3)], "the attacker's move e4 is not an empty cell", []),
        (OPEN_THREE, 3, [(9, 3)], "the attacker's move 9,3 is not an empty cell", []),
        (OPEN_THREE, 3, [(-1, 0)], "the attacker's move -1,0 is not an empty cell", []),
        (OPEN_THREE, 3, [(0, 0), (0, 0)], "the attacker's move a7 is not an empty cell", [(0, 0)]),
        (OPEN_THREE, 3, [(0, 0), (2, 3)], "the win is longer than the 3 plies announced", [(0, 0)]),
        (". . . . . . . . .\n" * 2 + ". . O O O O . . .\n. . . X X X . . .\n. . . . . . . . .",
         3, [(2, 3)], "the defence b3 wins", [(2, 3), (1, 2)]),
        ("rule: 4\n" + ". . . . X . .\n" * 2 + ". . . . . . .\n" + ". . . . X . .\n" * 3,
         5, [(4, 2)], "the attacker's move e4 is a foul: overline", []),
        ("X O X O X\nX O X O X\nO X O X O\nX O X O X\n. X O X O\n", 3, [(0, 4)],
         "the board is full: a draw", []),
    ],
)  # fmt: skip
def test_what_is_no_win_is_named(
    picture: str, plies: int, moves: list[Cell], reason: str, line: list[Cell]
) -> None:
    left = iter(moves)
    verdict = _check(picture, BLACK, plies, lambda board: next(left, moves[-1]))
    assert not verdict.ok and verdict.reason == reason
    assert list(verdict.line[: len(line)]) == line


def test_giving_up_and_an_exception_leave_the_board_alone() -> None:
    verdict = _check(OPEN_THREE, BLACK, 3, greedy(BLACK), most=0)
    assert (verdict.ok, verdict.reason) == (False, "given up after 0 stones")

    def fail(board: Referee) -> Cell:
        raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        _check(OPEN_THREE, BLACK, 3, fail)


RENJU_POINT = """
rule: {}
. . . . . . . . . . .
. . . . . . X . . . .
. . . . . . X . . . .
. X O O O . ! . . . .
. . . . . . X . . . .
. . . . . . X . . . .
. . . . . . X . . . .
"""
CARO_ROW = "rule: {}\n" + ". . . . . . . .\n" * 2 + ". O . X X X . .\n" + ". . . . . . . .\n" * 2


@pytest.mark.parametrize(
    ("picture", "colour", "first", "won_by"),
    [
        # White's four can be stopped at 6,3 only, where Black would make six: in renju a foul.
        (RENJU_POINT, WHITE, (5, 3), (4,)),
        # A four with two ways to five, of which White can hold one end each.
        (CARO_ROW, BLACK, (6, 2), (0, 1, 4)),
    ],
    ids=["a foul is no defence", "a stone beside the row is one in caro"],
)
def test_defences_are_those_of_the_rule(
    picture: str, colour: int, first: Cell, won_by: tuple[int, ...]
) -> None:
    def attack(board: Referee) -> Cell:
        return (wins_of(board, colour) or [first])[0]

    for rule in RULES:
        verdict = _check(picture.format(rule), colour, 3, attack)
        assert verdict.ok == (rule in won_by), rule


def test_the_verdict_is_that_of_a_full_search() -> None:
    rng = random.Random(4)
    verdicts: Counter[tuple[int, bool]] = Counter()
    for i in range(500):
        board, attacker = small_ending(rng, RULES[i % len(RULES)])

        def ask(board: Referee, plies: int, attacker: int = attacker) -> Node:
            """A move with which nothing says how to go on."""
            if (proof := prove(board, attacker, plies)) is not None:
                return Node(proof.move, {})
            return Node(next(iter(moves_of(board, attacker)), board.empties()[0]), {})

        plies = rng.choice((3, 5))
        verdict = check_win(board, attacker, plies, ask)
        assert verdict.ok == (prove(board, attacker, plies) is not None), draw(board)
        assert not verdict.ok or 1 <= verdict.plies <= plies
        verdicts[plies, verdict.ok] += 1
    assert min(verdicts[3, True], verdicts[5, True]) >= 5
    assert min(verdicts[3, False], verdicts[5, False]) >= 100
