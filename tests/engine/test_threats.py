"""Static wins and VCF: every win claimed is played out against every legal defence."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice

import pytest

from engine._probe import ProbeBoard
from engine.model import Rule, Stone
from tengen.game.rules.referee import Referee, opponent_of
from tengen.game.rules.wincheck import check_win
from tests.engine.positions import Cell, from_picture, random_moves

FIVE = 8
RULES = list(Rule)


def _random_pair(rule: Rule, seed: int, size: int = 9) -> tuple[ProbeBoard, Referee, int]:
    """The same random position on both boards, and who is to move."""
    rnd = random.Random(f"{seed}/{rule}/threats")
    board, referee = ProbeBoard(size, size, rule), Referee(size, size, rule)
    colour = 1
    for cell in islice(random_moves(size, size, rnd), rnd.randint(5, 26)):
        board.make(*cell, colour)
        referee.play(*cell, colour)
        colour = opponent_of(colour)
    return board, referee, colour


def _attack(
    size: int, rule: Rule, first: Cell = (-1, -1), stones_before: int = -1
) -> Callable[[Referee], Cell]:
    """Chooses the attacker's moves: `first` where there are `stones_before` stones, then five,
    static win, VCF."""

    def choose(referee: Referee) -> Cell:
        board = ProbeBoard(size, size, rule)
        stones = referee.stones()
        if len(stones) == stones_before:
            return first
        for x, y, colour in stones:
            board.make(x, y, colour)
        side = opponent_of(stones[-1][2])
        fives = [cell for cell in board.empties() if board.threat(*cell, side) == FIVE]
        if fives:
            return fives[0]
        if board.count(opponent_of(side), FIVE) == 0:
            found = board.static_win()
            if found:
                return found[1], found[2]
        plies, line = board.vcf()
        if plies:
            return line[0]
        # After a double three the defender may have made a three of its own, but the open four
        # is still there. No other position gets here.
        open_fours = [cell for cell in board.empties() if board.threat(*cell, side) == 7]
        return open_fours[0] if open_fours else board.empties()[0]

    return choose


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_static_wins_hold_against_every_defence(rule: Rule) -> None:
    checked = 0
    for seed in range(260):
        board, referee, side = _random_pair(rule, seed)
        if referee.winner_anywhere() or board.count(1, FIVE) or board.count(2, FIVE):
            continue
        found = board.static_win()
        if found is None:
            continue
        plies, x, y = found
        verdict = check_win(referee, side, plies, _attack(9, rule, (x, y), len(referee.stones())))
        assert verdict.ok, f"{rule.name} seed {seed}: {found} {verdict.reason} {verdict.line}"
        checked += 1
    assert checked > 25


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_vcf_wins_hold_against_every_defence(rule: Rule) -> None:
    checked = 0
    for seed in range(300):
        board, referee, side = _random_pair(rule, seed)
        if referee.winner_anywhere():
            continue
        plies, line = board.vcf()
        if plies == 0:
            continue
        assert plies % 2 == 1  # the attacker, who is to move, completes the five
        verdict = check_win(referee, side, plies, _attack(9, rule))
        assert verdict.ok, f"{rule.name} seed {seed}: {line} {verdict.reason} {verdict.line}"
        checked += 1
    assert checked > 40


@pytest.mark.parametrize("rule", RULES)
def test_a_quick_vcf_is_a_vcf_and_few_are_missed(rule: Rule) -> None:
    missed = found = quick_nodes = full_nodes = 0
    for seed in range(400):
        board, _, side = _random_pair(rule, seed)
        if board.count(side, FIVE) or board.count(opponent_of(side), FIVE):
            continue
        plies = board.vcf()[0]
        quick_plies, nodes = board.quick_vcf()
        quick_nodes += nodes
        full_nodes += board.vcf_nodes()
        assert not quick_plies or plies, f"{rule.name} seed {seed}"
        found += plies > 0
        missed += plies > 0 and not quick_plies
    assert found > 20
    assert missed <= found // 10
    assert 0 < quick_nodes < full_nodes


def test_a_failure_of_a_quick_vcf_is_not_taken_for_one_of_a_full_vcf() -> None:
    """Quick and full searches remember failed positions in the same place."""
    missed = 0
    for rule in RULES:
        for seed in range(400):
            board, _, side = _random_pair(rule, seed)
            if board.count(side, FIVE) or board.count(opponent_of(side), FIVE):
                continue
            plies = board.vcf()[0]
            if plies and not board.quick_vcf()[0]:
                assert board.vcf_after_quick() == plies, f"{rule.name} seed {seed}"
                missed += 1
    assert missed >= 5


def test_a_quick_vcf_leaves_out_a_four_that_leads_nowhere() -> None:
    position, _ = from_picture(
        """
        . . . . . . . . .
        . . . . . . . . .
        . O X X X . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . O O . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    board = ProbeBoard(9, 9)
    for x, y, stone in position.stones:
        board.make(x, y, stone)
    board.set_side(1)
    assert board.vcf()[0] == 0
    assert board.quick_vcf() == (0, 0)


def test_a_four_whose_only_block_is_forbidden_wins_in_three() -> None:
    position, marks = from_picture(BLOCK_IS_FORBIDDEN, Stone.WHITE, Rule.RENJU)
    board = ProbeBoard(11, 11, Rule.RENJU, [(4, 3)])
    for x, y, stone in position.stones:
        if stone != Stone.WALL:
            board.make(x, y, stone)
    board.set_side(2)
    ((x, y),) = marks["b"]
    assert board.is_forbidden(x, y, 1)
    assert board.vcf(fours_limit=1) == (3, [*marks["*"]])


BLOCK_IS_FORBIDDEN = """
    . . . . . . . . . . .
    . . . . . X . . . . .
    . . . . . X . . . . .
    . . . . # b O O O * X
    . . . . X . . . . . .
    . . . X . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""


def _exhaustive_vcf(referee: Referee, side: int, fours_left: int) -> bool:
    """Is there a win by at most `fours_left` fours and a five? By the referee alone."""
    cells = referee.empties()
    if any(referee.makes_win(*cell, side) for cell in cells):
        return True
    if fours_left == 0:
        return False
    other = opponent_of(side)
    theirs = [cell for cell in cells if referee.makes_win(*cell, other)]
    for cell in cells:
        if side == 1 and referee.foul(*cell):
            continue
        referee.play(*cell, side)
        won = False
        stopped = not any(referee.makes_win(*five, other) for five in theirs if five != cell)
        wins = [c for c in referee.empties() if referee.makes_win(*c, side)]
        if stopped and wins and not any(referee.makes_win(*c, other) for c in referee.empties()):
            # Every legal reply that leaves no winning cell must lose to further fours.
            won = True
            for reply in referee.empties():
                if other == 1 and referee.foul(*reply):
                    continue
                if referee.rule < 8 and reply not in wins:
                    continue
                referee.play(*reply, other)
                holds = not any(
                    c != reply and referee.makes_win(*c, side) for c in wins
                ) and not _exhaustive_vcf(referee, side, fours_left - 1)
                referee.undo()
                if holds:
                    won = False
                    break
        referee.undo()
        if won:
            return True
    return False


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_vcf_finds_what_an_exhaustive_search_finds(rule: Rule) -> None:
    """Small boards, at most two fours before the five."""
    found = 0
    for seed in range(60):
        board, referee, side = _random_pair(rule, 5000 + seed, size=6)
        if referee.winner_anywhere() or referee.is_full():
            continue
        expected = _exhaustive_vcf(referee, side, 2)
        if expected:
            found += 1
            assert board.vcf()[0] > 0, f"{rule.name} seed {seed}"
        elif board.vcf()[0]:
            # A longer one, or an unstoppable four: both need more fours than were tried.
            assert board.vcf()[0] >= 5, f"{rule.name} seed {seed}"
    assert found > 5


FOUR_THREE_REFUTED = """
    . . . . . . . . .
    . . . . . . . . .
    . . . . X . . . .
    . . . . X . . . .
    O X X X * b . . .
    . . . . . O . . .
    . . . . . O . . .
    . . . . . O . . .
    . . . . . . . . .
"""


def test_a_four_three_whose_block_makes_a_four_is_no_static_win() -> None:
    """Black's stone on `*` makes a four and an open three; White's forced block on `b` ..."""
    position, marks = from_picture(FOUR_THREE_REFUTED, Stone.BLACK)
    board = ProbeBoard(9, 9, 0)
    for x, y, stone in position.stones:
        board.make(x, y, stone)
    board.set_side(1)
    ((x, y),) = marks["*"]
    assert board.threat(x, y, 1) == 5
    ((bx, by),) = marks["b"]
    assert board.threat(bx, by, 2) >= 4
    found = board.static_win()
    assert found is None or found[1:] != (x, y)


CARO_BLOCKED_OPEN_FOUR = """
    . . . . . . . . .
    . O . X * X X . O
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
"""


@pytest.mark.parametrize(
    ("rule", "wins"), [(Rule.FREESTYLE, True), (Rule.CARO, False), (Rule.CARO_EXACT, False)]
)
def test_an_open_four_between_two_stones_does_not_win_in_caro(rule: Rule, wins: bool) -> None:
    position, _ = from_picture(CARO_BLOCKED_OPEN_FOUR, Stone.BLACK, rule)
    board = ProbeBoard(position.width, position.height, rule)
    for x, y, stone in position.stones:
        board.make(x, y, stone)
    board.set_side(1)
    assert (board.static_win() is not None) == wins
    assert (board.vcf()[0] > 0) == wins


BLOCK_WITHOUT_A_FOUR = """
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . O .
    . . . . . . . . . . O . X . .
    . . . . . . . . . . . X . . .
    . . . . . . . . X . X O . . .
    . . . . . . X . O . . . . . .
    . . . . . X . . . . . . . . .
    . . . . . . . . O . . . . . .
    . . . . O X X X O . X . . . .
    . . . X . . . X . X . . . . .
    . . . X . . . O . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
    . . . . . . . . . . . . . . .
"""


def test_a_block_that_only_looks_like_a_foul_is_no_four() -> None:
    """Black stops a five where the table sees two threes, which are not real, and no four."""
    position, _ = from_picture(BLOCK_WITHOUT_A_FOUR, Stone.BLACK, Rule.RENJU)
    board, referee = ProbeBoard(15, 15, Rule.RENJU), Referee(15, 15, Rule.RENJU)
    for x, y, stone in position.stones:
        board.make(x, y, stone)
        referee.play(x, y, stone)
    board.set_side(1)
    plies, line = board.vcf()
    if plies:
        verdict = check_win(referee, 1, plies, _attack(15, Rule.RENJU))
        assert verdict.ok, f"{line} {verdict.reason} {verdict.line}"
