"""Openings that are searched, and the book: what it holds, whether it is balanced, and when it is
used."""

from __future__ import annotations

import random

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Point, Position, Rule, Score, Stone
from protocol.choices import Chooser, Question, balancing
from protocol.opening_rules import Ask, Opening, central
from protocol.openings import (
    MOST_UNEVEN,
    MOST_VALUE,
    Balanced,
    Judge,
    find_balanced,
    known_openings,
    turned,
)
from tests.protocol.fake_brain import FakeBrain, Valuer

# The boards of tournaments.
COMMON = [(rule, size) for rule in Rule for size in (15, 19, 20)]
IDS = [f"{rule.name.lower()}-{size}" for rule, size in COMMON]
BOOK = [
    (rule, size, opening)
    for rule in Rule
    for size in range(5, 23)
    for count in (1, 3)
    for opening in known_openings(rule, size, count)
]
CENTRAL = known_openings(Rule.RENJU, 15, 3, is_central=True)


def forms(stones: tuple[Point, ...], size: int) -> set[tuple[Point, ...]]:
    """All that the opening can be turned into."""
    rng = random.Random(1)
    return {turned(stones, size, rng) for _ in range(100)}


@pytest.mark.parametrize(("width", "height"), [(5, 5), (5, 22), (22, 5), (20, 20), (22, 22)])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_openings_of_every_size_are_on_the_board(width: int, height: int, count: int) -> None:
    brain = Valuer(lambda found: Score(found.stones[0].x + 9 * found.stones[-1].y - 40))
    empty = Position(width, height, Rule.RENJU)
    stones, value = find_balanced(Judge(brain, empty, Limits(nodes=30_000), seed=1), count)
    assert value is not None and abs(value) <= MOST_VALUE
    assert len(set(stones)) == count
    assert all(0 <= x < width and 0 <= y < height for x, y in stones)
    assert brain.position.side_to_move is Stone.WHITE or not brain.nodes


def test_every_opening_of_the_book_is_on_its_board_and_none_is_there_twice() -> None:
    seen: set[tuple[tuple[Rule, int], tuple[Point, ...]]] = set()
    for rule, size, (stones, value) in BOOK:
        assert len(set(stones)) == len(stones) and value is not None and abs(value) <= MOST_UNEVEN
        assert all(0 <= x < size and 0 <= y < size for x, y in stones)
        assert not forms(stones, size) & {form for key, form in seen if key == (rule, size)}
        seen.add(((rule, size), stones))
    for stones, _ in CENTRAL:
        assert all(stone in central(15, 15, reach) for reach, stone in enumerate(stones))


def test_openings_are_rotated_and_reflected() -> None:
    stones = (Point(1, 2), Point(4, 2), Point(1, 3))
    turns = forms(stones, 9)
    assert len(turns) == 8 and stones in turns
    assert (Point(7, 2), Point(4, 2), Point(7, 3)) in turns
    assert (Point(2, 1), Point(2, 4), Point(3, 1)) in turns


def check(engine: Engine, rule: Rule, size: int, stones: tuple[Point, ...], nodes: int) -> None:
    """Neither side is better, now and after White's best move."""
    for _ in range(2):
        engine.new_game()
        judged = Judge(engine, Position(size, size, rule), Limits(nodes=nodes)).judge(stones)
        assert abs(judged.value) <= MOST_UNEVEN, (rule, size, stones, nodes)
        stones = (*stones, judged.move)


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_the_first_openings_are_balanced(rule: Rule) -> None:
    check(Engine(), rule, 15, known_openings(rule, 15, 3)[0].stones, 20_000)


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [20_000, 60_000, 200_000])
def test_all_openings_are_balanced(nodes: int) -> None:
    engine = Engine()
    for rule, size, (stones, _) in BOOK:
        check(engine, rule, size, stones, nodes)


def is_known(stones: tuple[Point, ...], openings: list[Balanced], size: int) -> bool:
    return any(stones in forms(known.stones, size) for known in openings)


@pytest.mark.parametrize(("rule", "size"), COMMON, ids=IDS)
@pytest.mark.parametrize("limits", [Limits(turn_ms=30), Limits(left_ms=-1), Limits(nodes=9999)])
def test_without_time_the_stones_are_of_the_book(rule: Rule, size: int, limits: Limits) -> None:
    brain, empty = FakeBrain(), Position(size, size, rule)
    answer = Question(brain, empty, Opening.SWAP2, Ask(1, 3)).think(limits)
    assert is_known(answer.stones, known_openings(rule, size, 3), size)
    found = balancing(brain, empty, 1, 0).think(limits)
    assert is_known(found.stones, known_openings(rule, size, 1), size)
    if (rule, size) == (Rule.RENJU, 15):
        answer = Question(brain, empty, Opening.SOOSYRV, Ask(1, 3)).think(limits)
        assert is_known(answer.stones, CENTRAL, 15)
    # Nothing was searched: the book knows the values.
    assert not [call for call, _ in brain.calls if call == "think"]


def test_the_book_is_for_the_empty_board_and_for_even_positions() -> None:
    def moves(position: Position, bias: int, *excluded: Point) -> tuple[Point, ...]:
        asked = balancing(FakeBrain(), position, 1, bias, excluded)
        return asked.think(Limits(turn_ms=0)).stones

    rule, size, _ = BOOK[0]
    position = Position(size, size, rule)
    stones = (Placed(7, 7, Stone.BLACK), Placed(8, 8, Stone.WHITE))
    others = [Point(x, y) for x in range(size) for y in range(size) if (x, y) != (7, 7)]
    for _ in range(5):
        assert moves(position, 0, *others) == (Point(7, 7),)
        assert moves(position._replace(stones=stones), 0)[0] not in (stones[0][:2], stones[1][:2])
    assert any(
        not is_known(moves(position, 300), known_openings(rule, size, 1), size) for _ in range(20)
    )
    judge = Judge(FakeBrain(), Position(15, 14, rule), Limits(turn_ms=0))
    assert judge.known(3) is None and len(find_balanced(judge, 3).stones) == 3


@pytest.mark.parametrize("limits", [Limits(turn_ms=0), Limits(turn_ms=1000, nodes=2000)])
def test_where_the_book_has_nothing_the_stones_are_searched(limits: Limits) -> None:
    engine = Engine()
    for judge in (
        Judge(engine, Position(9, 12, Rule.STANDARD), limits),
        Chooser(engine, Position(11, 11, Rule.RENJU), limits),
    ):
        assert find_balanced(judge, 3).value is not None
    stones = (Placed(7, 7, Stone.BLACK), Placed(8, 8, Stone.WHITE))
    position = Position(15, 15, Rule.RENJU, stones)
    for count in (1, 2):
        assert "nothing" not in balancing(engine, position, count, 0).think(limits).remark
