"""YXBALANCEONE and YXBALANCETWO: which moves are found, what stays of them, and what is refused."""

from __future__ import annotations

import re

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Point, Position, Rule, Score, Stone
from protocol.choices import Answer, Balancing
from protocol.openings import HORIZON_NODES
from tengen.game.referee import Referee
from tests.protocol.fake_brain import FakeBrain, Valuer
from tests.protocol.test_session import Talk

BLACK, WHITE = Stone.BLACK, Stone.WHITE
GIVEN = (Placed(7, 7, BLACK), Placed(8, 8, WHITE), Placed(6, 8, BLACK))
START = Position(15, 15, Rule.FREESTYLE, GIVEN, WHITE)
DEEP = Limits(nodes=30 * HORIZON_NODES)


def by_column(position: Position) -> Score:
    """For White 40 for each column that White's stones are right of column 8, and the other way
    round for Black."""
    columns = sum(stone.x - 8 for stone in position.stones if stone.stone is WHITE)
    return Score(40 * columns * (1 if position.side_to_move is WHITE else -1))


def ask(word: str, bias: int = 0, position: Position = START, limits: Limits = DEEP) -> Answer:
    return Balancing(word, Valuer(by_column), position, bias).think(limits)


@pytest.mark.parametrize("word", ["YXBALANCEONE", "YXBALANCETWO"])
@pytest.mark.parametrize("column", [6, 8, 9])
def test_the_bias_is_the_value_for_the_side_that_plays_first(word: str, column: int) -> None:
    bias = 40 * (column - 8)
    found = ask(word, bias)
    assert found.stones[0].x == column
    assert found.remark.endswith(f"that played first is {bias}")


def test_moves_are_free_near_the_stones_and_not_excluded() -> None:
    excluded = tuple(Point(8, y) for y in range(15) if y != 6)
    asked = Balancing("YXBALANCEONE", Valuer(by_column), START, 0, excluded)
    assert asked.think(DEEP).stones == (Point(8, 6),)
    for seed in range(20):
        asked = Balancing("YXBALANCETWO", Valuer(lambda position: Score(500)), START, 0, (), seed)
        taken = [(stone.x, stone.y) for stone in GIVEN]
        for move in asked.think(Limits(nodes=5000)).stones:
            assert move not in taken
            assert min(max(abs(x - move.x), abs(y - move.y)) for x, y in taken) <= 3
            taken.append(move)


def test_a_move_that_wins_is_none_that_balances() -> None:
    row = tuple(Placed(x, 0, BLACK) for x in range(4)) + tuple(
        Placed(x, 2, WHITE) for x in (0, 1, 2, 3)
    )
    position = Position(5, 5, Rule.FREESTYLE, row, BLACK)
    for seed in range(10):
        for word in ("YXBALANCEONE", "YXBALANCETWO"):
            asked = Balancing(word, Valuer(lambda position: Score(0)), position, 0, (), seed)
            assert asked.think(Limits(nodes=5000)).stones[0] != (4, 0)
            assert asked.think(Limits(nodes=5000)).stones[1:] != ((4, 2),)


def test_where_every_move_ends_the_game_there_is_no_answer() -> None:
    full = [
        Placed(x, y, BLACK if (x + 2 * y) % 4 < 2 else WHITE) for x in range(5) for y in range(1, 5)
    ]
    row = [Placed(x, 0, BLACK) for x in range(4)]
    position = Position(5, 5, Rule.FREESTYLE, (*full, *row), BLACK)
    with pytest.raises(ValueError, match="every move is forbidden or ends the game"):
        Balancing("YXBALANCEONE", Valuer(by_column), position, 0).think(DEEP)


def test_without_time_to_search_moves_are_found_all_the_same() -> None:
    found = Balancing("YXBALANCETWO", FakeBrain(), START, 0).think(Limits(turn_ms=0))
    assert len(set(found.stones)) == 2
    assert found.remark == "the value for the side that played first is 0"
    found = Balancing("YXBALANCETWO", FakeBrain(), START, 0).think(Limits(nodes=0))
    assert len(set(found.stones)) == 2
    assert found.remark == "the value is not known, nothing was searched"


def test_forbidden_points_are_not_played() -> None:
    """The only free points of a corner are Black's double three and one beside it."""
    engine = Engine()
    cross = [Placed(x, y, BLACK) for x, y in ((6, 7), (8, 7), (7, 6), (7, 8))]
    corners = [Placed(x, y, WHITE) for x, y in ((0, 0), (14, 0), (0, 14), (14, 14))]
    position = Position(15, 15, Rule.RENJU, (*cross, *corners), BLACK)
    others = [Point(x, y) for x in range(15) for y in range(15) if (x, y) not in ((7, 7), (9, 9))]
    asked = Balancing("YXBALANCEONE", engine, position, 0, tuple(others))
    assert asked.think(Limits(nodes=3000)).stones == (Point(9, 9),)


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name.lower())
def test_the_engine_balances(rule: Rule) -> None:
    """A search that is longer than any of those that chose the moves sees no great advantage."""
    position = START._replace(rule=rule)
    engine = Engine()
    found = Balancing("YXBALANCETWO", engine, position, 0).think(Limits(nodes=60_000))
    stones = (*GIVEN, Placed(*found.stones[0], WHITE), Placed(*found.stones[1], BLACK))
    referee = Referee(15, 15, rule, [])
    for x, y, stone in stones:
        assert referee.legal(x, y) and not referee.foul(x, y)
        referee.play(x, y, stone)
    engine = Engine()
    engine.set_position(Position(15, 15, rule, stones, WHITE))
    score = engine.think(Limits(nodes=60_000, is_analysis=True)).info.score
    assert score.mate_plies is None and abs(score.value) < 350


# -- in a conversation


@pytest.fixture
def talk() -> Talk:
    talk = Talk(brain=Engine())
    assert talk.answer("START 15") == "OK"
    talk.say("INFO max_node 5000")
    assert talk.say("YXBOARD 7,2,2 DONE") == []
    return talk


def test_the_moves_are_on_the_board_afterwards(talk: Talk) -> None:
    for word, count in (("yxbalanceone", 1), ("YXBALANCETWO", 2), ("YXBALANCEONE", 1)):
        remark, answer = talk.say(f"{word} 0")
        assert remark.startswith("MESSAGE Balance: the value for the side that played first is ")
        moves = answer.split(" ")
        assert len(moves) == count
        for move in moves:
            assert talk.answer(f"TURN {move}") == f"ERROR {move} is occupied: send a free square"


def test_the_side_to_move_is_ours(talk: Talk) -> None:
    talk.say("YXBALANCETWO 0")
    assert re.fullmatch(r"\d+,\d+", talk.answer("TURN 0,14"))
    stones = talk.brain.get_position().stones
    assert [stone.stone for stone in stones] == [BLACK, WHITE, BLACK, WHITE]


def test_squares_as_rows_and_columns(talk: Talk) -> None:
    talk.say("yxshowinfo")
    talk.say("yxboard 2,13,2 done")
    row, column = map(int, talk.answer("yxbalanceone 0").split(","))
    assert row <= 5 and column >= 10


def test_blocked_squares_are_not_played(talk: Talk) -> None:
    free = [(x, y) for x in range(15) for y in range(15) if (x, y) not in ((7, 2), (6, 3))]
    talk.say(f"yxblock {' '.join(f'{x},{y}' for x, y in free)} done")
    assert talk.answer("yxbalanceone 0") == "6,3"
    talk.say("yxboard 7,2,2 done")
    assert talk.answer("yxbalancetwo 0") == "ERROR YXBALANCETWO needs 2 free squares"
    assert talk.answer("TURN 5,5") == "6,3"
