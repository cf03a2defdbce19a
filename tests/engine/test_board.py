"""The engine's board, rules and move categories, against the referee and by trying every cell."""

from __future__ import annotations

import os
import random
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count, islice

import pytest

from engine.model import Rule
from tengen.game.referee import Referee, opponent_of
from tests.engine.positions import (
    SHAPES,
    probe_of,
    random_moves,
    random_position,
    random_walls,
)
from tests.engine.probe import ProbeBoard
from tests.game.boards import draw

FIVE, OPEN_FOUR = 8, 7
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
    for seed in range(2):
        check_game(seed, rule, width, height)


def game_of(seed: int, rule: int) -> int:
    width, height = SHAPES[seed % len(SHAPES)]
    return check_game(1000 + seed, rule, width, height)


@pytest.mark.verify
@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_a_hundred_thousand_positions(rule: Rule) -> None:
    positions = 0
    seeds = count()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        while positions < VERIFY_POSITIONS:
            positions += sum(pool.map(partial(game_of, rule=int(rule)), islice(seeds, 100)))
    print(f"{rule.name.lower()}: {positions} positions agree")


def _boards(rule: Rule, seeds: int, stones: int = 30) -> list[ProbeBoard]:
    rnd = random.Random(f"{rule}/moves")
    return [probe_of(random_position(rnd, rule, (11, 11), (6, stones))) for _ in range(seeds)]


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_moves_are_exactly_those_that_do_what_they_are_for(rule: Rule) -> None:
    """Defences leave no five, or no open four; fours make a cell of a five, and are legal."""
    seen = {"five_defences": 0, "four_defences": 0, "fours": 0}
    for board in (*_boards(rule, 150), *_boards(rule, 250, stones=20)):
        for colour in (1, 2):
            other = opponent_of(colour)
            if board.count(other, FIVE):
                kind, wanted, threat = "five_defences", other, FIVE
            elif board.count(other, OPEN_FOUR):
                kind, wanted, threat = "four_defences", other, OPEN_FOUR
            elif not board.count(colour, FIVE):
                kind, wanted, threat = "fours", colour, FIVE
            else:
                continue
            seen[kind] += 1
            expected = set()
            for cell in board.empties():
                if kind == "fours" and board.is_forbidden(*cell, colour):
                    continue
                board.make(*cell, colour)
                if bool(board.count(wanted, threat)) == (kind == "fours"):
                    expected.add(cell)
                board.undo()
            assert board.moves(kind, colour) == expected
    assert min(seen.values()) > 20, seen


def test_all_moves_are_the_cells_near_a_stone() -> None:
    board = ProbeBoard(15, 15, 0)
    assert len(board.moves("all")) == 225
    board.make(7, 7, 1)
    near = {
        (x, y)
        for x, y in board.empties()
        if max(abs(x - 7), abs(y - 7)) <= (4 if 0 in (x - 7, y - 7, x - y, x + y - 14) else 2)
    }
    assert board.moves("all") == near
    assert len(near) == 40
