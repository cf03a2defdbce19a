"""Static wins and VCF: every win claimed is played out against every legal defence."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine.model import ProofNode, Rule, Stone
from tengen.game.proof import Ask, check_win
from tengen.game.referee import Referee, opponent_of
from tests.engine.positions import Cell, from_picture, probe_of, random_position, referee_of
from tests.engine.probe import ProbeBoard

FIVE = 8
RULES = list(Rule)


def _boards(rule: Rule, count: int) -> Iterator[tuple[str, ProbeBoard, Referee, int]]:
    """Random positions: a name, both boards, and who is to move."""
    for seed in range(count):
        rnd = random.Random(f"{seed}/{rule}/threats")
        position = random_position(rnd, rule, (9, 9), (5, 26), walls=False)
        name = f"{rule.name} seed {seed}"
        yield name, probe_of(position), referee_of(position), int(position.side_to_move)


def _attack(
    size: int, rule: Rule, side: int, first: Cell = (-1, -1), stones_before: int = -1
) -> Ask:
    """Gives the attacker's moves: `first` where there are `stones_before` stones, then five,
    static win, VCF."""

    def choose(referee: Referee) -> Cell:
        board = ProbeBoard(size, size, rule)
        stones = referee.stones()
        if len(stones) == stones_before:
            return first
        for x, y, colour in stones:
            board.make(x, y, colour)
        board.set_side(side)
        fives = [cell for cell in board.empties() if board.threat(*cell, side) == FIVE]
        if fives:
            return fives[0]
        if board.count(opponent_of(side), FIVE) == 0:
            found = board.static_win()
            if found:
                return found[1], found[2]
        plies, line, _ = board.vcf()
        if plies:
            return line[0]
        # After a double three the defender may have made a three of its own, but the open four
        # is still there. No other position gets here.
        open_fours = [cell for cell in board.empties() if board.threat(*cell, side) == 7]
        return open_fours[0] if open_fours else board.empties()[0]

    return lambda referee, _: ProofNode(choose(referee), {})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_static_wins_and_vcf_wins_hold_against_every_defence(rule: Rule) -> None:
    checked = {"static": 0, "vcf": 0}
    for name, board, referee, side in _boards(rule, 280):
        has_five = board.count(1, FIVE) or board.count(2, FIVE)
        found = None if has_five else board.static_win()
        plies, line, _ = board.vcf()
        assert plies % 2 == (plies > 0)  # the attacker, who is to move, completes the five
        claims = [("vcf", plies, _attack(9, rule, side))] * bool(plies)
        if found:
            choose = _attack(9, rule, side, tuple(found[1:]), len(referee.stones()))
            claims.append(("static", found[0], choose))
        for kind, stones, choose in claims:
            verdict = check_win(referee, side, stones, choose)
            assert verdict.ok, f"{name}: {found} {line} {verdict.reason} {verdict.line}"
            checked[kind] += 1
    assert checked["static"] > 25 and checked["vcf"] > 40, checked


def test_a_quick_vcf_is_a_vcf_and_few_are_missed() -> None:
    """Quick and full searches remember failed positions in the same place: a failure of the one is
    not taken for one of the other."""
    missed = found = quick_nodes = full_nodes = 0
    for rule in RULES:
        for name, board, _, _ in _boards(rule, 400):
            if board.count(1, FIVE) or board.count(2, FIVE):
                continue
            plies, _, nodes = board.vcf()
            quick_plies, _, fewer = board.vcf(is_quick=True)
            quick_nodes, full_nodes = quick_nodes + fewer, full_nodes + nodes
            assert plies or not quick_plies, name
            found += plies > 0
            if plies and not quick_plies:
                assert board.vcf(keeps_memo=True)[0] == plies, name
                missed += 1
    assert 5 <= missed <= found // 10
    assert 0 < quick_nodes < full_nodes


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
    board = probe_of(position)
    ((x, y),) = marks["*"]
    assert board.threat(x, y, 1) == 5
    ((bx, by),) = marks["b"]
    assert board.threat(bx, by, 2) >= 4
    found = board.static_win()
    assert found is None or found[1:] != (x, y)
