"""The program plays whole games under every rule. Debug and sanitizer builds run this file too."""

from __future__ import annotations

import random

import pytest

from tests.house.games import play_game
from tests.protocol.conversation import REAL

BOARDS = [(0, 15, 15), (0, 20, 20), (1, 15, 15), (4, 15, 15), (8, 15, 15), (9, 12, 7)]


@pytest.mark.parametrize(("rule", "width", "height"), BOARDS)
def test_a_whole_game(rule: int, width: int, height: int) -> None:
    # Nodes instead of time: the same game on every machine.
    board = play_game(REAL, rule, width, height, ("max_node 1000",), random.Random(rule))
    assert board.winner() or board.is_full()
