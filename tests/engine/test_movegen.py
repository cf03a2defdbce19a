"""The move categories against their definitions, tried out stone by stone."""

from __future__ import annotations

import random

import pytest

from engine.model import Rule
from tengen.game.referee import opponent_of
from tests.engine.positions import Cell, probe_of, random_position
from tests.engine.probe import ProbeBoard

FIVE, OPEN_FOUR, FOUR = 8, 7, 4
RULES = list(Rule)


def _boards(rule: Rule, seeds: int, stones: int = 30) -> list[ProbeBoard]:
    rnd = random.Random(f"{rule}/moves")
    return [probe_of(random_position(rnd, rule, (11, 11), (6, stones))) for _ in range(seeds)]


def _after(board: ProbeBoard, cell: Cell, colour: int, threat: int) -> int:
    """How many cells with the threat the opponent has once `colour` has played the cell."""
    board.make(*cell, colour)
    left: int = board.count(opponent_of(colour), threat)
    board.undo()
    return left


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_five_defences_are_exactly_the_stones_that_leave_no_five(rule: Rule) -> None:
    seen = 0
    for board in _boards(rule, 200):
        for colour in (1, 2):
            if board.count(opponent_of(colour), FIVE) == 0:
                continue
            seen += 1
            expected = {c for c in board.empties() if _after(board, c, colour, FIVE) == 0}
            assert board.moves("five_defences", colour) == expected
    assert seen > 20


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_four_defences_are_exactly_the_stones_that_leave_no_open_four(rule: Rule) -> None:
    seen = 0
    for board in _boards(rule, 300, stones=20):
        for colour in (1, 2):
            other = opponent_of(colour)
            if board.count(other, OPEN_FOUR) == 0 or board.count(other, FIVE):
                continue
            seen += 1
            expected = {c for c in board.empties() if _after(board, c, colour, OPEN_FOUR) == 0}
            assert board.moves("four_defences", colour) == expected
    assert seen > 20


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_fours_are_the_legal_moves_that_make_a_five_cell(rule: Rule) -> None:
    for board in _boards(rule, 100):
        for colour in (1, 2):
            if board.count(colour, FIVE):
                continue
            expected = set()
            for cell in board.empties():
                if board.is_forbidden(*cell, colour):
                    continue
                board.make(*cell, colour)
                if board.count(colour, FIVE):
                    expected.add(cell)
                board.undo()
            assert board.moves("fours", colour) == expected


def test_all_moves_are_the_cells_near_a_stone() -> None:
    board = ProbeBoard(15, 15, 0)
    assert len(board.moves("all")) == 225
    board.make(7, 7, 1)
    near = {
        (x, y)
        for x in range(15)
        for y in range(15)
        if (x, y) != (7, 7)
        and (
            max(abs(x - 7), abs(y - 7)) <= 2
            or (max(abs(x - 7), abs(y - 7)) <= 4 and (x == 7 or y == 7 or abs(x - 7) == abs(y - 7)))
        )
    }
    assert board.moves("all") == near
    assert len(near) == 40


def test_all_moves_reach_cells_that_are_near_no_stone_when_nothing_else_is_left() -> None:
    """A stone walled in: the rest of the board is still playable."""
    walls = [(x, y) for x in range(11) for y in range(11) if max(abs(x), abs(y)) <= 4]
    walls.remove((0, 0))
    board = ProbeBoard(11, 11, 0, walls)
    board.make(0, 0, 1)
    assert board.moves("all") == set(board.empties())
