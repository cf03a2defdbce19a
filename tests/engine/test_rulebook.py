"""The rows of the rules: their order and numbers, and what each says against the referee."""

from __future__ import annotations

import pytest

from engine.model import Rule
from engine.rulebook import INDEX_OF_NUMBER, RULES, RuleRow
from engine.text import RULE_NAMES
from tengen.game.referee import BLACK, WHITE, Referee, opponent_of
from tests.engine import probe


def test_rows_stand_in_the_order_of_the_public_rules() -> None:
    assert [row.number for row in RULES] == [rule.value for rule in Rule]
    assert {row.number for row in RULES} == set(RULE_NAMES)
    assert {row.number: index for index, row in enumerate(RULES)} == INDEX_OF_NUMBER


def _wins(rule: int, colour: int, stones: int, is_blocked: bool) -> bool:
    """Does a row of so many stones win, with opponent stones at both its ends or none?"""
    board = Referee(15, 15, rule)
    if is_blocked:
        board.play(2, 7, opponent_of(colour))
        board.play(3 + stones, 7, opponent_of(colour))
    for x in range(3, 3 + stones):
        if x != 5:
            board.play(x, 7, colour)
    return board.makes_win(5, 7, colour)


@pytest.mark.parametrize("row", RULES, ids=lambda row: row.name)
def test_rows_say_what_the_referee_says(row: RuleRow) -> None:
    for colour in (BLACK, WHITE):
        assert _wins(row.number, colour, 5, is_blocked=False)
        assert _wins(row.number, colour, 5, is_blocked=True) != row.ends_block
        for is_blocked in (False, True):
            assert _wins(row.number, colour, 6, is_blocked) == row.overline_wins[colour - 1]
    board = Referee(15, 15, row.number)
    for cell in ((6, 7), (8, 7), (7, 6), (7, 8)):
        board.play(*cell, BLACK)
    assert (board.foul(7, 7) is not None) == row.black_has_fouls


@pytest.mark.parametrize("row", RULES, ids=lambda row: row.name)
def test_the_tables_are_made_from_the_row(row: RuleRow) -> None:
    facts = probe.table_facts(INDEX_OF_NUMBER[row.number])
    for colour, kind in enumerate(facts["kinds"]):
        assert bool(kind & 1) == row.overline_wins[colour]
        assert bool(kind & 2) == row.ends_block
        assert bool(kind & 4) == (row.black_has_fouls and colour == 0)
    plain = row.overline_wins == (True, True) and not row.ends_block
    assert facts["reach"] == (4 if plain else 5)
