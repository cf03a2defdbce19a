"""SWAP2BOARD: what is answered in its three stages, by which values, and what stays of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.model import Info, Limits, Point, Result, Rule, Score, Stone
from protocol.openings import HORIZON_NODES, MOST_VALUE, Judge, find_balanced
from protocol.swap2 import UNCLEAR, Answer, Question
from tests.protocol.fake_brain import FakeBrain
from tests.protocol.test_session import Talk

THREE = (Point(7, 7), Point(8, 8), Point(5, 9))
FIVE = (*THREE, Point(4, 4), Point(10, 3))
DEEP = Limits(nodes=20 * HORIZON_NODES)


class Valuer(FakeBrain):
    """Searches as many nodes as it may, and finds the values that a function gives."""

    def __init__(self, value: Callable[[tuple[Point, ...]], Score]) -> None:
        super().__init__()
        self._value = value
        self.nodes = 0

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        assert limits.nodes is not None
        self.nodes += limits.nodes
        stones = tuple(Point(placed.x, placed.y) for placed in self.position.stones)
        move = next(point for point in (Point(x, 0) for x in range(6)) if point not in stones)
        info = Info(1, 1, self._value(stones), limits.nodes, 1, 0, (move,))
        return Result(move, info)


def ask(
    value: int | Callable[[tuple[Point, ...]], Score],
    stones: tuple[Point, ...],
    limits: Limits = DEEP,
) -> Answer:
    function = (lambda stones: Score(value)) if isinstance(value, int) else value
    return Question(Valuer(function), 15, 15, Rule.STANDARD, stones).think(limits)


def distance(stones: tuple[Point, ...]) -> Score:
    """A value that depends on the place of the last stone alone; 0 in column 4."""
    return Score(25 * (stones[-1].x - 4))


@pytest.mark.parametrize("stones", [THREE, FIVE])
def test_the_better_side_is_taken(stones: tuple[Point, ...]) -> None:
    assert ask(-UNCLEAR - 1, stones).is_swap
    assert len(ask(UNCLEAR + 1, stones).stones) == 1
    assert ask(lambda stones: Score(0, -8), stones).is_swap
    assert len(ask(lambda stones: Score(0, 9), stones).stones) == 1


def test_after_five_stones_any_difference_decides() -> None:
    assert ask(-1, FIVE).is_swap
    assert len(ask(1, FIVE).stones) == 1


def test_two_stones_are_added_where_nothing_is_clear() -> None:
    def value(stones: tuple[Point, ...]) -> Score:
        return Score(UNCLEAR) if len(stones) == 3 else distance(stones)

    stones = ask(value, THREE).stones
    assert len(stones) == 2
    assert stones[-1].x == 4
    assert len({*stones, *THREE}) == 5


def test_no_stones_are_added_where_they_would_decide() -> None:
    def value(stones: tuple[Point, ...]) -> Score:
        return Score(10 if len(stones) == 3 else 300)

    assert len(ask(value, THREE).stones) == 1


def test_the_opening_is_the_most_balanced_one() -> None:
    answer = ask(distance, ())
    assert [stone.x for stone in answer.stones[-1:]] == [4]
    assert len(set(answer.stones)) == 3


def test_short_searches_are_corrected() -> None:
    # They overrate White.
    assert ask(UNCLEAR + 10, THREE, Limits(nodes=1000)).is_swap
    assert ask(-UNCLEAR + 10, THREE, Limits(nodes=1000)).is_swap
    assert len(ask(100, THREE, Limits(nodes=1000)).stones) == 1


@pytest.mark.parametrize("nodes", [1, 10, 999, 5000, 200_000])
@pytest.mark.parametrize("stones", [(), THREE, FIVE])
def test_all_searches_share_the_nodes_and_repeat(nodes: int, stones: tuple[Point, ...]) -> None:
    answers = []
    for _ in range(2):
        brain = Valuer(lambda stones: Score(3 * stones[-1].x - 4 * stones[0].y + 70))
        question = Question(brain, 15, 15, Rule.FREESTYLE, stones)
        answers.append(question.think(Limits(nodes=nodes)))
        assert 0 < brain.nodes <= nodes
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("width", "height"), [(5, 5), (5, 22), (22, 5), (20, 20), (22, 22)])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_openings_of_every_size_are_on_the_board(width: int, height: int, count: int) -> None:
    brain = Valuer(lambda stones: Score(stones[0].x + 9 * stones[-1].y - 40))
    judge = Judge(brain, width, height, Rule.RENJU, Limits(nodes=30_000), seed=1)
    stones, value = find_balanced(judge, (), count)
    assert value is not None and abs(value) <= MOST_VALUE
    assert len(set(stones)) == count
    assert all(0 <= x < width and 0 <= y < height for x, y in stones)
    assert brain.position.side_to_move is Stone.WHITE


def test_openings_differ_without_a_limit_of_nodes() -> None:
    questions = [Question(FakeBrain(), 15, 15, Rule.STANDARD, ()) for _ in range(8)]
    # Yixin-Board and others always send a limit of depth.
    for limits in (Limits(turn_ms=5), Limits(turn_ms=5, depth_plies=100)):
        assert len({question.think(limits) for question in questions}) > 1


def test_without_time_there_is_an_answer_too() -> None:
    for limits in (Limits(turn_ms=0), Limits(left_ms=-5), Limits(match_ms=1), Limits(nodes=0)):
        answer = Question(FakeBrain(), 15, 15, Rule.STANDARD, ()).think(limits)
        assert len(set(answer.stones)) == 3
        for stones in (THREE, FIVE):
            answer = Question(FakeBrain(), 15, 15, Rule.STANDARD, stones).think(limits)
            assert answer.is_swap or len(answer.stones) == 1


def test_a_stopped_search_ends_the_answer() -> None:
    class Stopped(Valuer):
        searches = 0

        def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
            self.searches += 1
            move, info = super().think(limits)
            return Result(move, info._replace(nodes=1) if self.searches > 20 else info)

    brain = Stopped(lambda stones: Score(300))
    answer = Question(brain, 15, 15, Rule.STANDARD, ()).think(Limits(nodes=10**6))
    assert len(answer.stones) == 3
    assert brain.searches == 21


def test_what_was_answered_is_on_the_board() -> None:
    talk = Talk()
    talk.say("START 15")
    remark, answer = talk.say("SWAP2BOARD DONE")
    assert remark.startswith("MESSAGE Swap2: White's value ")
    placed = [tuple(map(int, text.split(","))) for text in answer.split(" ")]
    assert len(placed) == 3
    talk.say("TURN 0,0")
    assert [stone[:2] for stone in talk.position.stones] == [*placed, (0, 0)]
    assert [stone.stone.name for stone in talk.position.stones] == ["BLACK", "WHITE"] * 2


def test_a_failing_search_is_an_error() -> None:
    talk = Talk("--crash")
    talk.say("START 15")
    refusal = talk.answer("SWAP2BOARD 7,7 8,8 5,9 DONE")
    assert refusal.startswith("ERROR SWAP2BOARD: the search failed: ")
    assert refusal.endswith("; the position stays")
    assert talk.answer("SWAP2BOARD 7,7 DONE").startswith("ERROR SWAP2BOARD with 1 ")
