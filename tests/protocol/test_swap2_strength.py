"""SWAP2BOARD with the engine itself: are the choices right, and is the opening balanced?

`pytest -s -m verify tests/protocol/test_swap2_strength.py` takes hours at full size, and prints its
figures.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Point, Position, Rule, Stone
from protocol.openings import draw
from protocol.swap2 import Answer, Question
from tengen.game.rules.referee import BLACK, WHITE, Referee

PLACER, CHOOSER = "placer", "chooser"


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


def negotiated(
    engine: Engine, rule: Rule, size: int, nodes: int, seed: int
) -> tuple[tuple[Point, ...], dict[int, str]]:
    """The stones of an opening, and who plays which colour."""

    def ask(stones: tuple[Point, ...]) -> Answer:
        engine.new_game()
        return Question(engine, size, size, rule, stones, seed).think(Limits(nodes=nodes))

    stones = ask(()).stones
    for speaker, other in ((CHOOSER, PLACER), (PLACER, CHOOSER)):
        answer = ask(stones)
        stones += answer.stones
        if kind(answer) < 2:
            white = other if answer.is_swap else speaker
            break
    return stones, {WHITE: white, BLACK: CHOOSER if white == PLACER else PLACER}


def play_out(engine: Engine, rule: Rule, size: int, stones: tuple[Point, ...], nodes: int) -> int:
    """The winner of a game that begins with these stones; 0 for a draw."""
    board = Referee(size, size, rule)
    placed: list[Placed] = []
    for number in range(size * size):
        side = Stone.WHITE if number % 2 else Stone.BLACK
        if number < len(stones):
            point = stones[number]
        else:
            engine.set_position(Position(size, size, rule, placed, side))
            point = engine.think(Limits(nodes=nodes)).move
        placed.append(Placed(*point, side))
        board.play(*point, int(side))
        if board.winner():
            return int(side)
    return 0


def contest(rule: Rule, size: int, games: int, nodes: int, move_nodes: int) -> Counter[str]:
    """The wins by role and by colour, the draws, and how the colours were agreed."""
    engine = Engine()
    results = Counter[str]()
    for seed in range(games):
        stones, roles = negotiated(engine, rule, size, nodes, seed)
        results[f"{len(stones)} stones"] += 1
        engine.new_game()
        winner = play_out(engine, rule, size, stones, move_nodes)
        if not winner:
            results["draw"] += 1
            continue
        results[roles[winner]] += 1
        results["black" if winner == BLACK else "white"] += 1
    return results


def test_most_choices_stay_with_a_longer_search() -> None:
    same, choices = agreement(Rule.STANDARD, 15, 10, 4_000)
    assert same >= 5, choices


def test_games_after_swap2_are_won_by_either_side() -> None:
    results = contest(Rule.STANDARD, 15, 3, 4_000, 200)
    assert results[PLACER] + results[CHOOSER] + results["draw"] == 3


@pytest.mark.verify
@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD])
@pytest.mark.parametrize("size", [15, 20])
def test_choices_agree_with_searches_of_ten_times_the_nodes(rule: Rule, size: int) -> None:
    same, choices = agreement(rule, size, 100, 200_000)
    print(f"\n{rule.name} {size}: {same} of 100 choices agree; {dict(choices)}")
    assert same >= 85


@pytest.mark.verify
@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD])
@pytest.mark.parametrize("size", [15, 20])
def test_neither_role_wins_much_more(rule: Rule, size: int) -> None:
    results = contest(rule, size, 200, 300_000, 10_000)
    print(f"\n{rule.name} {size}: {dict(results)}")
    decided = results[PLACER] + results[CHOOSER]
    assert decided and max(results[PLACER], results[CHOOSER]) <= 0.65 * decided
