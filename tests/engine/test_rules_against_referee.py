"""The engine's board and rules against the referee, which shares nothing with them."""

from __future__ import annotations

import os
import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice

import pytest

from engine.model import Rule
from tengen.game.referee import Referee, opponent_of
from tests.engine.positions import SHAPES, random_moves, random_walls
from tests.engine.probe import ProbeBoard
from tests.game.boards import draw

FIVE = 8
VERIFY_POSITIONS = 100_000  # for each rule


def _compare(board: ProbeBoard, referee: Referee) -> None:
    """Winner, legality, winning cells and forbidden points of one position."""
    where = draw(referee)
    empties = referee.empties()
    assert board.winner() == referee.winner_anywhere(), where
    assert board.empties() == empties, where
    forbidden = {cell for cell in empties if board.is_forbidden(*cell, 1)}
    assert forbidden == referee.forbidden_points(), where
    for colour in (1, 2):
        fives = {cell for cell in empties if board.threat(*cell, colour) == FIVE}
        assert fives == {cell for cell in empties if referee.makes_win(*cell, colour)}, where


def check_game(seed: int, rule: int, width: int, height: int) -> int:
    """Plays one random game on both boards, compares after every stone, takes it all back;
    positions compared. Colours alternate except now and then, as in a position set up by hand.
    Small boards are filled, large ones only as far as games go."""
    rnd = random.Random(f"{seed}/{rule}/{width}/{height}")
    walls = random_walls(width, height, rnd)
    board = ProbeBoard(width, height, rule, walls)
    referee = Referee(width, height, rule, walls)
    stones, colour = 0, 1
    for cell in islice(random_moves(width, height, rnd, walls), 70):
        before = board.visible_state()
        board.make(*cell, colour)
        board.undo()
        assert board.visible_state() == before, f"undo does not restore {cell}\n{draw(referee)}"
        board.make(*cell, colour)
        board.check()
        referee.play(*cell, colour)
        stones += 1
        _compare(board, referee)
        if rnd.random() < 0.95:
            colour = opponent_of(colour)
    for _ in range(stones):
        board.undo()
        board.check()
    return stones


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
@pytest.mark.parametrize(("width", "height"), SHAPES)
def test_random_games(rule: Rule, width: int, height: int) -> None:
    for seed in range(3):
        check_game(seed, rule, width, height)


def _one(seed: int, rule: int) -> int:
    width, height = SHAPES[seed % len(SHAPES)]
    return check_game(1000 + seed, rule, width, height)


@pytest.mark.verify
@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_a_hundred_thousand_positions(rule: Rule) -> None:
    positions = 0
    seeds = count()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        while positions < VERIFY_POSITIONS:
            positions += sum(pool.map(partial(_one, rule=int(rule)), islice(seeds, 100)))
    print(f"{rule.name.lower()}: {positions} positions agree")
    assert positions >= VERIFY_POSITIONS
