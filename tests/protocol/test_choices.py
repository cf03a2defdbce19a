"""What the program does in openings and for YXBALANCE, by which values, and what stays of it."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.api import Engine
from engine.model import Info, Limits, Placed, Point, Position, Result, Rule, Score, Stone
from protocol.brain import Brain
from protocol.choices import UNCLEAR, Answer, Chooser, Question, balancing
from protocol.opening_rules import MOST_FIFTHS, TEN, Ask, Opening, Talks, central, swap2_ask, twins
from protocol.openings import HORIZON_NODES, draw
from tengen.game.referee import Referee
from tests.protocol.fake_brain import FakeBrain, Valuer
from tests.protocol.test_session import Talk

BLACK, WHITE = Stone.BLACK, Stone.WHITE
DEEP = Limits(nodes=300 * HORIZON_NODES)
BOARD = [Point(x, y) for x in range(15) for y in range(15)]
Stones = tuple[Point, ...]
Value = Callable[[Position], Score]


def position(stones: Stones, rule: Rule = Rule.STANDARD, side: int = 15) -> Position:
    """These stones in turn, Black's first."""
    placed = [Placed(x, y, (BLACK, WHITE)[i % 2]) for i, (x, y) in enumerate(stones)]
    return Position(side, side, rule, placed, (BLACK, WHITE)[len(stones) % 2])


# -- swap2


THREE = (Point(7, 7), Point(8, 8), Point(5, 9))
FIVE = (*THREE, Point(4, 4), Point(10, 3))


def swap2(brain: Brain, stones: Stones, rule: Rule = Rule.STANDARD, side: int = 15) -> Question:
    ask = swap2_ask(len(stones))
    assert ask is not None
    return Question(brain, position(stones, rule, side), Opening.SWAP2, ask)


def answer(value: int | Value, stones: Stones, nodes: int = 20 * HORIZON_NODES) -> Answer:
    function = (lambda position: Score(value)) if isinstance(value, int) else value
    return swap2(Valuer(function), stones).think(Limits(nodes=nodes))


def distance(position: Position) -> Score:
    """A value that depends on the place of the last stone alone; 0 in column 4."""
    return Score(25 * (position.stones[-1].x - 4))


def at_three(value: int, otherwise: Value) -> Value:
    return lambda found: Score(value) if len(found.stones) == 3 else otherwise(found)


@pytest.mark.parametrize(
    ("value", "stones", "nodes", "added"),
    [
        *((-UNCLEAR - 1, stones, 20 * HORIZON_NODES, 0) for stones in (THREE, FIVE)),
        *((UNCLEAR + 1, stones, 20 * HORIZON_NODES, 1) for stones in (THREE, FIVE)),
        *((lambda _: Score(0, -8), stones, 20 * HORIZON_NODES, 0) for stones in (THREE, FIVE)),
        *((lambda _: Score(0, 9), stones, 20 * HORIZON_NODES, 1) for stones in (THREE, FIVE)),
        # After five stones any difference decides.
        (-1, FIVE, 20 * HORIZON_NODES, 0),
        (1, FIVE, 20 * HORIZON_NODES, 1),
        # Two are added where nothing is clear, unless they would decide.
        (at_three(UNCLEAR, distance), THREE, 20 * HORIZON_NODES, 2),
        (at_three(10, lambda _: Score(300)), THREE, 20 * HORIZON_NODES, 1),
        # Short searches overrate White, and are corrected.
        (UNCLEAR + 10, THREE, 1000, 0),
        (-UNCLEAR + 10, THREE, 1000, 0),
        (100, THREE, 1000, 1),
    ],
)
def test_the_better_side_is_taken(
    value: int | Value, stones: Stones, nodes: int, added: int
) -> None:
    found = answer(value, stones, nodes).stones
    assert len(found) == added and len({*found, *stones}) == added + len(stones)
    assert added != 2 or found[-1].x == 4


def test_the_opening_is_the_most_balanced_one() -> None:
    found = answer(distance, ()).stones
    assert found[-1].x == 4 and len(set(found)) == 3
    assert central(15, 15, 0) == [Point(7, 7)]
    assert len(central(15, 15, 2)) == len(central(5, 5, 4)) == 25


@pytest.mark.parametrize("nodes", [1, 999, 200_000])
@pytest.mark.parametrize("stones", [(), THREE, FIVE])
def test_all_searches_share_the_nodes_and_repeat(nodes: int, stones: Stones) -> None:
    answers = []
    for _ in range(2):
        brain = Valuer(lambda found: Score(3 * found.stones[-1].x - 4 * found.stones[0].y + 70))
        answers.append(swap2(brain, stones, Rule.FREESTYLE).think(Limits(nodes=nodes)))
        assert (0 < brain.nodes or not stones) and brain.nodes <= nodes
    assert answers[0] == answers[1]


def test_openings_differ_without_a_limit_of_nodes() -> None:
    # Yixin-Board and others always send a limit of depth.
    for limits in (Limits(turn_ms=5), Limits(turn_ms=5, depth_plies=100)):
        assert len({swap2(FakeBrain(), ()).think(limits) for _ in range(8)}) > 1


def test_without_time_there_is_an_answer_too() -> None:
    for limits in (Limits(turn_ms=0), Limits(left_ms=-5), Limits(match_ms=1), Limits(nodes=0)):
        assert len(set(swap2(FakeBrain(), ()).think(limits).stones)) == 3
        for stones in (THREE, FIVE):
            assert len(swap2(FakeBrain(), stones).think(limits).stones) in (0, 1)


def test_a_stopped_search_ends_the_answer() -> None:
    class Stopped(Valuer):
        searches = 0

        def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
            self.searches += 1
            move, info = super().think(limits)
            return Result(move, info._replace(nodes=1) if self.searches > 20 else info)

    brain = Stopped(lambda position: Score(300))
    assert len(swap2(brain, ()).think(Limits(nodes=10**6)).stones) == 3
    assert brain.searches == 21


def test_a_failing_search_is_an_error() -> None:
    talk = Talk("--crash")
    talk.say("START 15")
    assert talk.answer("SWAP2BOARD 7,7 8,8 5,9 DONE") == (
        "ERROR SWAP2BOARD: the search failed: no idea; the position stays"
    )


@pytest.mark.parametrize(
    ("rule", "size", "count", "nodes", "least"),
    [
        (Rule.STANDARD, 15, 8, 3_000, 4),
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
        stones = draw(rng, Position(size, size, rule), (3, 5)[number % 2])
        added = []  # none for SWAP
        for budget in (nodes, 10 * nodes):
            engine.new_game()
            found = swap2(engine, stones, rule, size).think(Limits(nodes=budget))
            added.append(len(found.stones))
        same += added[0] == added[1]
        choices[f"{len(stones)} stones: {added[0]}, {added[1]}"] += 1
    print(f"\n{rule.name} {size}: {same} of {count} choices agree; {dict(choices)}")
    assert same >= least


# -- INFO rule 5, which front ends send: freestyle where White may take the first stone


@pytest.mark.parametrize(
    ("lines", "pattern"),
    [
        ("TURN 7,7", "SWAP"),
        ("BOARD 7,7,2 DONE", "SWAP"),
        # The front end waits for the best move too.
        ("YXBOARD 7,7,2 DONE|YXNBEST 1", r"SWAP \d+,\d+"),
        # Where White is better or may not swap it moves.
        ("TURN 0,0", r"\d+,\d+"),
        ("YXBOARD 0,0,2 DONE|YXNBEST 1", r"\d+,\d+"),
        ("INFO SWAPABLE 0|TURN 7,7", r"\d+,\d+"),
        ("INFO RULE 0|TURN 7,7", r"\d+,\d+"),
        ("BOARD 7,7,2 8,8,1 9,9,2 DONE", r"\d+,\d+"),
        # The first stone is one that nobody wants to take; otherwise it is the centre.
        ("BEGIN", r"(?!7,7)\d+,\d+"),
        ("YXBOARD DONE|YXNBEST 1", r"(?!7,7)\d+,\d+"),
    ],
)
def test_a_strong_first_stone_is_taken(lines: str, pattern: str) -> None:
    """In the words of a web front end."""
    talk = Talk(brain=Engine())
    talk.all("YXSHOWINFO|INFO RULE 5|INFO SWAPABLE 1|INFO MAX_NODE 3000|START 15")
    said = [line for line in talk.all(lines) if not line.startswith("MESSAGE ")]
    assert re.fullmatch(pattern, " ".join(said))


# -- the openings of renju


SQUARE = (Point(7, 7), Point(7, 6), Point(7, 5))
FOUR = (*SQUARE, Point(8, 8))  # without symmetry
Worth = Callable[[Stones], int]


class Best(Valuer):
    """Plays the point that is worth most by a function of the position after it, from the view of
    the side that played it."""

    def __init__(self, worth: Worth) -> None:
        super().__init__(lambda position: Score(0))
        self._worth = worth

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Result:
        result = super().think(limits)
        stones = tuple(Point(x, y) for x, y, _ in self.position.stones)
        free = [p for p in BOARD if p not in stones and p not in limits.excluded]
        value, move = max((self._worth((*stones, point)), point) for point in free)
        return Result(move, result.info._replace(score=Score(value)))


def soosyrv(worth: Worth, stones: Stones, ask: Ask) -> Answer:
    return Question(Best(worth), position(stones, Rule.RENJU), Opening.SOOSYRV, ask).think(DEEP)


def taraguchi(worth: Worth, stones: Stones, ask: Ask = Ask(1)) -> Answer:  # noqa: B008
    return Question(Best(worth), position(stones, Rule.RENJU), Opening.TARAGUCHI, ask).think(DEEP)


def fourth(may_swap: bool = False) -> Ask:
    return Ask(2, may_swap=may_swap, fifths=tuple(range(1, MOST_FIFTHS + 1)))


def by_rank(*values: int) -> Worth:
    """Worth of the best fifth moves in order, those of column 0 from below; others lose."""

    def worth(stones: Stones) -> int:
        x, y = stones[-1]
        return values[y] if x == 0 and y < len(values) else -900

    return worth


def canonical(stones: Stones) -> object:
    """The same for stones that differ by a rotation, a reflection or their place alone."""
    forms = []
    for turn in range(8):
        points = [(x, y) if turn < 4 else (y, x) for x, y in stones]
        points = [(x * (-1) ** (turn % 2), y * (-1) ** (turn // 2 % 2)) for x, y in points]
        left, top = min(x for x, _ in points), min(y for _, y in points)
        points = [(x - left, y - top) for x, y in points]
        forms.append((tuple(sorted(points[::2])), tuple(sorted(points[1::2]))))
    return min(forms)


@settings(max_examples=25)
@given(st.lists(st.sampled_from(central(15, 15, 2)), min_size=4, max_size=4, unique=True))
def test_twins_are_the_points_that_give_the_same_five_stones(stones: list[Point]) -> None:
    four = tuple(stones)
    free = [point for point in BOARD if point not in four]
    forms = {point: canonical((*four, point)) for point in free}
    for point in free[::7]:
        same = {other for other in free if forms[other] == forms[point]}
        assert {twin for twin in twins(four, point) if twin in forms} == same


def test_the_fourth_move_comes_with_the_number_of_fifths_that_balances_it() -> None:
    for may_swap in (False, True):
        found = soosyrv(by_rank(300, 200, 100, 5, -50, -90), SQUARE, fourth(may_swap))
        assert found == Answer((Point(0, 0),), "the value for Black is 5", 3)
    # A side is changed where no fourth move is balanced.
    assert soosyrv(by_rank(*[300] * 10), SQUARE, fourth(may_swap=True)).is_swap
    found = soosyrv(by_rank(*[300] * 10), SQUARE, fourth())
    assert len(found.stones) == 1 and 1 <= found.fifths <= MOST_FIFTHS


def test_offers_are_the_best_moves_or_the_side_is_changed() -> None:
    worth = by_rank(90, 80, 70, -20)
    offers = soosyrv(worth, FOUR, Ask(1, may_swap=True, offers=3)).stones
    assert offers == (Point(0, 0), Point(0, 1), Point(0, 2))
    assert soosyrv(worth, FOUR, Ask(1, may_swap=True, offers=4)).is_swap
    assert len(soosyrv(worth, FOUR, Ask(1, offers=4)).stones) == 4
    # White takes the one that is worst for Black.
    offered = (Point(3, 3), Point(9, 9), Point(5, 6))
    taken = soosyrv(lambda stones: stones[4].x, FOUR, Ask(2, offered=offered))
    assert taken.stones == (Point(9, 9),)


def test_no_two_offers_are_the_same() -> None:
    def check(stones: Stones, offers: Stones) -> None:
        assert len({canonical((*stones, point)) for point in offers}) == MOST_FIFTHS

    ask = Ask(1, offers=MOST_FIFTHS)
    stones = (*SQUARE, Point(7, 8))  # the same on both sides of column h
    check(stones, soosyrv(lambda played: 9 * abs(played[-1].x - 7), stones, ask).stones)
    # The last ones of a small board.
    stones = (Point(2, 2), Point(2, 1), Point(2, 3), Point(2, 0))
    question = Question(Engine(), position(stones, Rule.RENJU, 5), Opening.SOOSYRV, ask)
    check(stones, question.think(Limits(nodes=2000)).stones)


def test_taraguchi_begins_in_the_squares_with_balanced_stones() -> None:
    assert taraguchi(by_rank(), ()).stones == (Point(7, 7),)
    for count in (1, 2, 3, 4):
        stones = FOUR[:count]
        wanted = next(p for p in central(15, 15, count) if p not in stones and p.x != 7)

        def worth(played: Stones, n: int = count, wanted: Point = wanted) -> int:
            return 0 if played[n:][:1] == (wanted,) else 50

        assert taraguchi(worth, stones).stones == (wanted,)


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_taraguchi_changes_to_the_better_side(count: int) -> None:
    stones, ask = (*FOUR, Point(6, 6))[:count], Ask(1, may_swap=True)
    assert taraguchi(lambda played: -UNCLEAR - 1, stones, ask).is_swap
    assert len(taraguchi(lambda played: UNCLEAR, stones, ask).stones) == 1


def test_ten_are_offered_only_where_all_are_good_for_black() -> None:
    ask = Ask(1, may_swap=True, fifths=(TEN,))
    assert len(taraguchi(by_rank(*[300] * 9, UNCLEAR), FOUR, ask).stones) == TEN
    # White, who could take over, is 900 worse off after other fifth moves here.
    assert taraguchi(by_rank(*[300] * 9, UNCLEAR - 1), FOUR, ask).is_swap
    assert len(taraguchi(by_rank(*[300] * 9), FOUR).stones) == 1


STEPS = [
    *((Opening.SOOSYRV, stones, ask) for stones, ask in (
        ((), Ask(1, 3)), (SQUARE, fourth(True)), (FOUR, Ask(1, may_swap=True, offers=2)))),
    *((Opening.TARAGUCHI, (*FOUR, Point(6, 6))[:count], ask) for count in range(6)
      if (ask := Talks(Opening.TARAGUCHI).ask(count)) is not None),
]  # fmt: skip


@pytest.mark.parametrize("nodes", [0, 10, 9000])
@pytest.mark.parametrize(("opening", "stones", "ask"), STEPS)
def test_every_step_repeats_within_its_nodes(
    opening: Opening, stones: Stones, ask: Ask, nodes: int
) -> None:
    board = position(stones, Rule.RENJU)
    first, second = (
        Question(Engine(), board, opening, ask).think(Limits(nodes=nodes)) for _ in range(2)
    )
    assert first == second
    assert len({*first.stones, *stones}) == len(first.stones) + len(stones)


def test_values_are_of_the_side_to_move() -> None:
    brain = Valuer(lambda position: Score(7 if position.side_to_move is BLACK else -7))
    for stones, sign in ((FOUR, 1), (SQUARE, -1)):
        chooser = Chooser(brain, position(stones, Rule.RENJU), DEEP)
        assert chooser.judge((), HORIZON_NODES).value == 7 * sign
        # Shorter searches overrate White.
        assert sign * (chooser.judge((), 1000).value - 7 * sign) > 0


# -- YXBALANCEONE and YXBALANCETWO


GIVEN = (Placed(7, 7, BLACK), Placed(8, 8, WHITE), Placed(6, 8, BLACK))
START = Position(15, 15, Rule.FREESTYLE, GIVEN, WHITE)


def by_column(position: Position) -> Score:
    """For White 40 for each column that White's stones are right of column 8, and the other way
    round for Black."""
    columns = sum(stone.x - 8 for stone in position.stones if stone.stone is WHITE)
    return Score(40 * columns * (1 if position.side_to_move is WHITE else -1))


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("column", [6, 8, 9])
def test_the_bias_is_the_value_for_the_side_that_plays_first(count: int, column: int) -> None:
    bias = 40 * (column - 8)
    found = balancing(Valuer(by_column), START, count, bias).think(Limits(nodes=30 * HORIZON_NODES))
    assert found.stones[0].x == column
    assert found.remark.endswith(f"that played first is {bias}")


def test_moves_are_free_near_the_stones_and_not_excluded() -> None:
    excluded = tuple(Point(8, y) for y in range(15) if y != 6)
    asked = balancing(Valuer(by_column), START, 1, 0, excluded)
    assert asked.think(Limits(nodes=30 * HORIZON_NODES)).stones == (Point(8, 6),)
    for seed in range(20):
        asked = balancing(Valuer(lambda position: Score(500)), START, 2, 0, (), seed)
        taken = [(stone.x, stone.y) for stone in GIVEN]
        for move in asked.think(Limits(nodes=5000)).stones:
            assert move not in taken
            assert min(max(abs(x - move.x), abs(y - move.y)) for x, y in taken) <= 3
            taken.append(move)


def test_a_move_that_wins_is_none_that_balances() -> None:
    row = [Placed(x, 0, BLACK) for x in range(4)]
    both = Position(5, 5, Rule.FREESTYLE, (*row, *(Placed(x, 2, WHITE) for x in range(4))), BLACK)
    for seed in range(10):
        for count in (1, 2):
            asked = balancing(Valuer(lambda position: Score(0)), both, count, 0, (), seed)
            first, *second = asked.think(Limits(nodes=5000)).stones
            assert first != (4, 0) and second != [(4, 2)]
    full = [
        Placed(x, y, BLACK if (x + 2 * y) % 4 < 2 else WHITE) for x in range(5) for y in range(1, 5)
    ]
    only = Position(5, 5, Rule.FREESTYLE, (*full, *row), BLACK)
    with pytest.raises(ValueError, match="every move is forbidden or ends the game"):
        balancing(Valuer(by_column), only, 1, 0).think(DEEP)


def test_without_time_to_search_moves_are_found_all_the_same() -> None:
    for limits, remark in (
        (Limits(turn_ms=0), "the value for the side that played first is 0"),
        (Limits(nodes=0), "the value is not known, nothing was searched"),
    ):
        found = balancing(FakeBrain(), START, 2, 0).think(limits)
        assert len(set(found.stones)) == 2 and found.remark == remark


def test_forbidden_points_are_not_played() -> None:
    """The only free points of a corner are Black's double three and one beside it."""
    cross = [Placed(x, y, BLACK) for x, y in ((6, 7), (8, 7), (7, 6), (7, 8))]
    corners = [Placed(x, y, WHITE) for x, y in ((0, 0), (14, 0), (0, 14), (14, 14))]
    board = Position(15, 15, Rule.RENJU, (*cross, *corners), BLACK)
    others = tuple(point for point in BOARD if point not in ((7, 7), (9, 9)))
    asked = balancing(Engine(), board, 1, 0, others)
    assert asked.think(Limits(nodes=3000)).stones == (Point(9, 9),)


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_the_engine_balances(rule: Rule) -> None:
    """A search that is longer than any of those that chose the moves sees no great advantage."""
    found = balancing(Engine(), START._replace(rule=rule), 2, 0)
    first, second = found.think(Limits(nodes=20_000)).stones
    stones = (*GIVEN, Placed(*first, WHITE), Placed(*second, BLACK))
    referee = Referee(15, 15, rule, [])
    for x, y, stone in stones:
        assert referee.legal(x, y) and not referee.foul(x, y)
        referee.play(x, y, stone)
    engine = Engine()
    engine.set_position(Position(15, 15, rule, stones, WHITE))
    score = engine.think(Limits(nodes=30_000, is_analysis=True)).info.score
    assert score.mate_plies is None and abs(score.value) < 500


def test_squares_are_rows_and_columns_where_the_front_end_says_so_and_may_be_blocked() -> None:
    talk = Talk(brain=Engine())
    talk.all("START 15|INFO max_node 5000|yxshowinfo|yxboard 2,13,2 done")
    row, column = map(int, talk.answer("yxbalanceone 0").split(","))
    assert row <= 5 and column >= 10
    free = [(x, y) for x in range(15) for y in range(15) if (x, y) not in ((2, 13), (3, 12))]
    talk.say(f"yxblock {' '.join(f'{x},{y}' for x, y in free)} done")
    assert talk.answer("yxbalanceone 0") == "3,12"
    assert talk.answer("yxbalancetwo 0") == "ERROR YXBALANCETWO needs 2 free squares"
