"""SWAP2BOARD: what is answered in its three stages, by which values, and what stays of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Point, Position, Result, Rule, Score, Stone
from protocol.choices import UNCLEAR, Answer, Question
from protocol.openings import HORIZON_NODES, MOST_VALUE, Judge, draw, find_balanced
from tests.protocol.fake_brain import FakeBrain, Valuer
from tests.protocol.test_session import Talk

THREE = (Point(7, 7), Point(8, 8), Point(5, 9))
FIVE = (*THREE, Point(4, 4), Point(10, 3))
DEEP = Limits(nodes=20 * HORIZON_NODES)


def ask(
    value: int | Callable[[Position], Score], stones: tuple[Point, ...], limits: Limits = DEEP
) -> Answer:
    function = (lambda position: Score(value)) if isinstance(value, int) else value
    return Question(Valuer(function), 15, 15, Rule.STANDARD, stones).think(limits)


def distance(position: Position) -> Score:
    """A value that depends on the place of the last stone alone; 0 in column 4."""
    return Score(25 * (position.stones[-1].x - 4))


@pytest.mark.parametrize("stones", [THREE, FIVE])
def test_the_better_side_is_taken(stones: tuple[Point, ...]) -> None:
    assert ask(-UNCLEAR - 1, stones).is_swap
    assert len(ask(UNCLEAR + 1, stones).stones) == 1
    assert ask(lambda position: Score(0, -8), stones).is_swap
    assert len(ask(lambda position: Score(0, 9), stones).stones) == 1


def test_after_five_stones_any_difference_decides() -> None:
    assert ask(-1, FIVE).is_swap
    assert len(ask(1, FIVE).stones) == 1


def test_two_stones_are_added_where_nothing_is_clear() -> None:
    def value(position: Position) -> Score:
        return Score(UNCLEAR) if len(position.stones) == 3 else distance(position)

    stones = ask(value, THREE).stones
    assert len(stones) == 2
    assert stones[-1].x == 4
    assert len({*stones, *THREE}) == 5


def test_no_stones_are_added_where_they_would_decide() -> None:
    def value(position: Position) -> Score:
        return Score(10 if len(position.stones) == 3 else 300)

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

    def value(position: Position) -> Score:
        return Score(3 * position.stones[-1].x - 4 * position.stones[0].y + 70)

    for _ in range(2):
        brain = Valuer(value)
        question = Question(brain, 15, 15, Rule.FREESTYLE, stones)
        answers.append(question.think(Limits(nodes=nodes)))
        assert (0 < brain.nodes or not stones) and brain.nodes <= nodes
    assert answers[0] == answers[1]


@pytest.mark.parametrize(("width", "height"), [(5, 5), (5, 22), (22, 5), (20, 20), (22, 22)])
@pytest.mark.parametrize("count", [1, 3, 5])
def test_openings_of_every_size_are_on_the_board(width: int, height: int, count: int) -> None:
    brain = Valuer(lambda found: Score(found.stones[0].x + 9 * found.stones[-1].y - 40))
    judge = Judge(brain, width, height, Rule.RENJU, Limits(nodes=30_000), seed=1)
    stones, value = find_balanced(judge, (), count)
    assert value is not None and abs(value) <= MOST_VALUE
    assert len(set(stones)) == count
    assert all(0 <= x < width and 0 <= y < height for x, y in stones)
    assert brain.position.side_to_move is Stone.WHITE or not brain.nodes


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

    brain = Stopped(lambda position: Score(300))
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


@pytest.mark.parametrize(
    ("rule", "size", "count", "nodes", "least"),
    [
        (Rule.STANDARD, 15, 10, 4_000, 5),
        *(
            pytest.param(rule, size, 100, 200_000, 85, marks=pytest.mark.verify)  # takes hours
            for rule in (Rule.FREESTYLE, Rule.STANDARD)
            for size in (15, 20)
        ),
    ],
)
def test_choices_agree_with_searches_of_ten_times_the_nodes(
    rule: Rule, size: int, count: int, nodes: int, least: int
) -> None:
    """With the engine, in random openings of three stones and five; pytest -s shows the choices."""
    engine, rng, same = Engine(), random.Random(count), 0
    choices = Counter[str]()
    for number in range(count):
        stones = draw(rng, size, size, (), (3, 5)[number % 2])
        added = []  # none for SWAP
        for budget in (nodes, 10 * nodes):
            engine.new_game()
            answer = Question(engine, size, size, rule, stones).think(Limits(nodes=budget))
            added.append(len(answer.stones))
        same += added[0] == added[1]
        choices[f"{len(stones)} stones: {added[0]}, {added[1]}"] += 1
    print(f"\n{rule.name} {size}: {same} of {count} choices agree; {dict(choices)}")
    assert same >= least


# -- INFO rule 5, which front ends send: freestyle where White may take the first stone


# As a web front end sends them.
SWAP_RULE = ("YXSHOWINFO", "INFO RULE 5", "INFO SWAPABLE 1", "INFO MAX_NODE 3000", "START 15")


def with_swap(*lines: str) -> list[str]:
    """The answers of the engine to the last of these lines under the rule with swap."""
    talk = Talk(brain=Engine())
    for line in SWAP_RULE:
        talk.say(line)
    for line in lines:
        said = talk.say(line)
    return [line for line in said if not line.startswith("MESSAGE ")]


@pytest.mark.parametrize("wish", ["TURN 7,7", "BOARD 7,7,2 DONE"])
def test_a_strong_first_stone_is_taken(wish: str) -> None:
    assert with_swap(wish) == ["SWAP"]


def test_after_swap_the_colours_are_exchanged() -> None:
    talk = Talk(brain=Engine())
    for line in (*SWAP_RULE, "TURN 7,7"):
        talk.say(line)
    move = talk.answer("TURN 8,8")
    assert move.count(",") == 1 and move not in ("7,7", "8,8")
    assert talk.brain.get_position().side_to_move is Stone.BLACK


def test_an_analysis_adds_the_move_that_the_front_end_waits_for() -> None:
    swap, move = with_swap("YXBOARD 7,7,2 DONE", "YXNBEST 1")
    assert swap == "SWAP" and move.count(",") == 1


@pytest.mark.parametrize(
    "lines",
    [
        ("TURN 0,0",),
        ("YXBOARD 0,0,2 DONE", "YXNBEST 1"),
        ("INFO SWAPABLE 0", "TURN 7,7"),
        ("INFO RULE 0", "TURN 7,7"),
        ("BOARD 7,7,2 8,8,1 9,9,2 DONE",),
        ("TURN 7,7", "TURN 8,8"),
    ],
)
def test_where_white_is_better_or_may_not_swap_it_moves(lines: tuple[str, ...]) -> None:
    (answer,) = with_swap(*lines)
    assert answer.count(",") == 1


def test_the_first_stone_is_one_that_nobody_wants_to_take() -> None:
    """The centre is what is played otherwise."""
    assert with_swap("BEGIN") != ["7,7"]
    assert with_swap("YXBOARD DONE", "YXNBEST 1") != ["7,7"]
