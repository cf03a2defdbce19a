"""What the program does in Soosyrv-8 and Taraguchi-10, and by which values."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.api import Engine
from engine.model import Info, Limits, Point, Position, Result, Rule, Score, Stone
from protocol.choices import (
    MOST_FIFTHS,
    SOOSYRV,
    TARAGUCHI,
    TEN,
    UNCLEAR,
    Answer,
    Chooser,
    Question,
    central,
    twins,
)
from protocol.openings import HORIZON_NODES
from tests.protocol.fake_brain import Valuer
from tests.protocol.test_session import Talk

THREE = (Point(7, 7), Point(7, 6), Point(7, 5))
FOUR = (*THREE, Point(8, 8))  # without symmetry
DEEP = Limits(nodes=300 * HORIZON_NODES)
BOARD = [Point(x, y) for x in range(15) for y in range(15)]


class Best(Valuer):
    """Plays the point that is worth most by a function of the position after it, from the view of
    the side that played it."""

    def __init__(self, worth: Callable[[tuple[Point, ...]], int]) -> None:
        super().__init__(lambda position: Score(0))
        self._worth = worth

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        result = super().think(limits)
        stones = tuple(Point(x, y) for x, y, _ in self.position.stones)
        free = [p for p in BOARD if p not in stones and p not in limits.excluded]
        value, move = max((self._worth((*stones, point)), point) for point in free)
        return Result(move, result.info._replace(score=Score(value)))


def ask(
    worth: Callable[[tuple[Point, ...]], int],
    stones: tuple[Point, ...],
    may_swap: bool = False,
    fifths: int = 0,
    offered: tuple[Point, ...] = (),
    is_taraguchi: bool = False,
) -> Answer:
    opening = TARAGUCHI if is_taraguchi else SOOSYRV
    return Question(
        Best(worth), 15, 15, Rule.RENJU, stones,
        opening=opening, may_swap=may_swap, fifths=fifths, offered=offered,
    ).think(DEEP)  # fmt: skip


def canonical(stones: tuple[Point, ...]) -> object:
    """The same for stones that differ by a rotation, a reflection or their place alone."""
    forms = []
    for turn in range(8):
        points = [(x, y) if turn < 4 else (y, x) for x, y in stones]
        points = [(x * (-1) ** (turn % 2), y * (-1) ** (turn // 2 % 2)) for x, y in points]
        left, top = min(x for x, _ in points), min(y for _, y in points)
        points = [(x - left, y - top) for x, y in points]
        forms.append((tuple(sorted(points[::2])), tuple(sorted(points[1::2]))))
    return min(forms)


@given(st.lists(st.sampled_from(central(15, 15, 2)), min_size=4, max_size=4, unique=True))
def test_twins_are_the_points_that_give_the_same_five_stones(stones: list[Point]) -> None:
    four = tuple(stones)
    free = [point for point in BOARD if point not in four]
    forms = {point: canonical((*four, point)) for point in free}
    for point in free[::7]:
        same = {other for other in free if forms[other] == forms[point]}
        assert {twin for twin in twins(four, point) if twin in forms} == same


def test_a_row_of_symmetry_need_not_be_the_middle_of_the_board() -> None:
    # Black h8, h7 and White h9, h6: the same on both sides of column h, and above and below.
    stones = (Point(7, 7), Point(7, 6), Point(7, 8), Point(7, 9))
    assert len(twins(stones, Point(6, 7))) == 4


def test_squares_around_the_middle() -> None:
    assert central(15, 15, 0) == [Point(7, 7)]
    assert len(central(15, 15, 2)) == 25
    assert len(central(5, 5, 4)) == 25


def by_rank(*values: int) -> Callable[[tuple[Point, ...]], int]:
    """Worth of the best fifth moves in order, those of column 0 from below; others lose."""

    def worth(stones: tuple[Point, ...]) -> int:
        x, y = stones[-1]
        return values[y] if x == 0 and y < len(values) else -900

    return worth


def test_the_fourth_move_comes_with_the_number_of_fifths_that_balances_it() -> None:
    for may_swap in (False, True):
        answer = ask(by_rank(300, 200, 100, 5, -50, -90), THREE, may_swap)
        assert (answer.stones, answer.fifths) == ((Point(0, 0),), 3)
        assert answer.remark == "the value for Black is 5"


def test_a_side_is_changed_where_no_fourth_move_is_balanced() -> None:
    assert ask(by_rank(*[300] * 10), THREE, may_swap=True).is_swap
    answer = ask(by_rank(*[300] * 10), THREE)
    assert len(answer.stones) == 1 and 1 <= answer.fifths <= MOST_FIFTHS


def test_offers_are_the_best_moves_or_the_side_is_changed() -> None:
    worth = by_rank(90, 80, 70, -20)
    assert ask(worth, FOUR, True, 3).stones == (Point(0, 0), Point(0, 1), Point(0, 2))
    assert ask(worth, FOUR, True, 4).is_swap
    assert len(ask(worth, FOUR, False, 4).stones) == 4


def test_no_two_offers_are_the_same() -> None:
    stones = (*THREE, Point(7, 8))  # the same on both sides of column h
    for fifths in (MOST_FIFTHS, TEN):
        offers = ask(lambda played: 9 * abs(played[-1].x - 7), stones, False, fifths).stones
        assert len({canonical((*stones, point)) for point in offers}) == fifths


def test_white_takes_the_offer_that_is_worst_for_black() -> None:
    offered = (Point(3, 3), Point(9, 9), Point(5, 6))
    answer = ask(lambda stones: stones[4].x, FOUR, offered=offered)
    assert answer.stones == (Point(9, 9),)


def test_taraguchi_begins_in_the_squares_with_balanced_stones() -> None:
    assert ask(by_rank(), (), is_taraguchi=True).stones == (Point(7, 7),)
    for count in (1, 2, 3, 4):
        stones = FOUR[:count]
        wanted = next(p for p in central(15, 15, count) if p not in stones and p.x != 7)

        def worth(played: tuple[Point, ...], n: int = count, wanted: Point = wanted) -> int:
            return 0 if played[n:][:1] == (wanted,) else 50

        assert ask(worth, stones, is_taraguchi=True).stones == (wanted,)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_taraguchi_changes_to_the_better_side(count: int) -> None:
    stones = (*FOUR, Point(6, 6))[:count]
    assert ask(lambda played: -UNCLEAR - 1, stones, True, is_taraguchi=True).is_swap
    assert len(ask(lambda played: UNCLEAR, stones, True, is_taraguchi=True).stones) == 1


def test_ten_are_offered_only_where_all_are_good_for_black() -> None:
    def answer(values: list[int], may_swap: bool = True, fifths: int = TEN) -> Answer:
        return ask(by_rank(*values), FOUR, may_swap, fifths, is_taraguchi=True)

    assert len(answer([300] * 9 + [UNCLEAR]).stones) == TEN
    # White, who could take over, is 900 worse off after other fifth moves here.
    assert answer([300] * 9 + [UNCLEAR - 1]).is_swap
    assert len(answer([300] * 9, may_swap=False, fifths=0).stones) == 1


@pytest.mark.parametrize("nodes", [0, 1, 10, 999, 20_000])
@pytest.mark.parametrize(
    ("is_taraguchi", "count"),
    [(False, 0), (False, 3), (False, 4), *((True, count) for count in range(6))],
)
def test_every_step_repeats_within_its_nodes(count: int, is_taraguchi: bool, nodes: int) -> None:
    stones, answers = (*FOUR, Point(6, 6))[:count], []
    for _ in range(2):
        question = Question(
            Engine(), 15, 15, Rule.RENJU, stones,
            opening=TARAGUCHI if is_taraguchi else SOOSYRV, fifths=2 if count == 4 else 0,
        )  # fmt: skip
        answers.append(question.think(Limits(nodes=nodes)))
    assert answers[0] == answers[1]
    assert len({*answers[0].stones, *stones}) == len(answers[0].stones) + count


def test_an_opening_of_three_is_one_of_the_26() -> None:
    for seed in range(5):
        question = Question(Engine(), 15, 15, Rule.RENJU, (), seed, opening=SOOSYRV)
        first, second, third = question.think(Limits(nodes=3000)).stones
        assert first == Point(7, 7)
        assert max(abs(second.x - 7), abs(second.y - 7)) == 1
        assert max(abs(third.x - 7), abs(third.y - 7)) <= 2
        assert len({first, second, third}) == 3


def test_values_are_of_the_side_to_move() -> None:
    brain = Valuer(lambda position: Score(7 if position.side_to_move is Stone.BLACK else -7))
    chooser = Chooser(brain, 15, 15, Rule.RENJU, DEEP)
    assert chooser.judge(FOUR, HORIZON_NODES).value == 7
    assert chooser.judge(THREE, HORIZON_NODES).value == -7
    # Shorter searches overrate White.
    assert chooser.judge(FOUR, 1000).value > 7
    assert chooser.judge(THREE, 1000).value < -7


def test_the_last_fifth_moves_of_a_small_board() -> None:
    stones = (Point(2, 2), Point(2, 1), Point(2, 3), Point(2, 0))
    question = Question(
        Engine(), 5, 5, Rule.RENJU, stones, opening=SOOSYRV, may_swap=False, fifths=MOST_FIFTHS
    )
    offers = question.think(Limits(nodes=2000)).stones
    assert len({canonical((*stones, point)) for point in offers}) == len(offers) == MOST_FIFTHS


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        (-300, ["MESSAGE SWAP2 SWAP1 YES"]),
        (300, ["MESSAGE SWAP2 SWAP1 NO"]),
        (0, ["MESSAGE SWAP2 MOVE4 ", "MESSAGE SWAP2 MOVE5 "]),
    ],
)
def test_yixin_board_hears_one_of_three_answers_after_three_stones(
    value: int, answer: list[str]
) -> None:
    def worth(position: Position) -> Score:
        return Score(value)

    talk = Talk(brain=Valuer(worth))
    for line in ("INFO max_node 100000000", "START 15", "yxboard 7,7,2 7,6,1 9,9,2 done"):
        talk.say(line)
    remark, *lines = talk.say("yxswap2step2")
    assert remark.startswith("MESSAGE Swap2: White's value ")
    assert len(lines) == len(answer)
    assert all(line.startswith(start) for line, start in zip(lines, answer, strict=True))
    # The position that was held stays.
    assert [stone[:2] for stone in talk.position.stones][:3] == [(7, 7), (7, 6), (9, 9)]
    assert talk.say("TURN 0,0")[-1].count(",") == 1
    assert len(talk.position.stones) == 4
