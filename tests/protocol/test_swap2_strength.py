"""SWAP2BOARD with the engine itself: are the choices those of much longer searches?

`pytest -s -m verify tests/protocol/test_swap2_strength.py` takes hours at full size, and prints its
figures.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.api import Engine
from engine.model import Limits, Point, Rule
from protocol.openings import draw
from protocol.swap2 import Answer, Question


def openings(size: int, count: int, seed: int) -> list[tuple[Point, ...]]:
    """Random openings, three stones and five in turn."""
    rng = random.Random(seed)
    return [draw(rng, size, size, (), (3, 5)[number % 2]) for number in range(count)]


def kind(answer: Answer) -> int:
    """0 for SWAP, else how many stones are put down."""
    return len(answer.stones)


def agreement(rule: Rule, size: int, count: int, nodes: int) -> tuple[int, Counter[str]]:
    """How many choices of `count` are those of a search of ten times the nodes, and all choices of
    the short searches and of the long ones."""
    engine = Engine()
    same, choices = 0, Counter[str]()
    for stones in openings(size, count, seed=count):
        kinds = []
        for budget in (nodes, 10 * nodes):
            engine.new_game()
            kinds.append(
                kind(Question(engine, size, size, rule, stones).think(Limits(nodes=budget)))
            )
        same += kinds[0] == kinds[1]
        choices[f"{len(stones)} stones: {kinds[0]}, {kinds[1]}"] += 1
    return same, choices


def test_most_choices_stay_with_a_longer_search() -> None:
    same, choices = agreement(Rule.STANDARD, 15, 10, 4_000)
    assert same >= 5, choices


@pytest.mark.verify
@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD])
@pytest.mark.parametrize("size", [15, 20])
def test_choices_agree_with_searches_of_ten_times_the_nodes(rule: Rule, size: int) -> None:
    same, choices = agreement(rule, size, 100, 200_000)
    print(f"\n{rule.name} {size}: {same} of 100 choices agree; {dict(choices)}")
    assert same >= 85
