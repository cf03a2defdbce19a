"""The search through the public interface: tactics, forced replies, determinism, limits."""

from __future__ import annotations

import threading
import time

import pytest

from engine.api import Engine
from engine.model import Info, Limits, Placed, Point, Position, Rule, Score, Stone
from tests.engine.positions import engine_at, from_picture, from_pos, puzzle
from tests.stopwatch import HUNG_MS, Stopwatch, in_time, timed

RULES = list(Rule)

# Basic tactical positions: the move after 0.1 s.
CHECKS = [
    *((rule, "h8h9i8i9j8j9k8k9", {"g8", "l8"}) for rule in RULES),
    (Rule.STANDARD, "h8h9i8h10g8h11j13h12g14h14i15", {"f8", "j8"}),
    (Rule.CARO, "h8f8g8f9i8f7j8l8", {"f5", "f6", "f10", "f11"}),
    (Rule.CARO_EXACT, "h8f8g8f9i8f7j8l8", {"f5", "f6", "f10", "f11"}),
]


def _name(point: tuple[int, int]) -> str:
    return f"{chr(97 + point[0])}{point[1] + 1}"


@pytest.mark.parametrize(("rule", "pos", "expected"), CHECKS)
def test_check_positions(rule: Rule, pos: str, expected: set[str]) -> None:
    engine = engine_at(from_pos(pos, rule))
    assert _name(engine.think(Limits(nodes=20_000)).move) in expected


def test_the_renju_check_position_is_not_answered_by_a_foul() -> None:
    engine = engine_at(from_pos("h8h9i7i9h10i6i11i12", Rule.RENJU))
    assert engine.is_forbidden(6, 8)
    assert _name(engine.think(Limits(nodes=20_000)).move) != "g9"


@pytest.mark.parametrize(
    ("size", "centre"), [((15, 15), (7, 7)), ((20, 20), (10, 10)), ((5, 6), (2, 3))]
)
def test_the_first_move_is_the_centre_at_once(size: tuple[int, int], centre: object) -> None:
    result = engine_at(Position(*size)).think(Limits(turn_ms=5000))
    assert result.move == centre
    assert result.info.nodes == 0


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_a_five_is_completed_and_a_five_is_stopped(rule: Rule) -> None:
    engine = engine_at(from_pos("h8a1i8a15j8o1k8", rule))
    result = engine.think(Limits(nodes=20_000))
    assert _name(result.move) in {"g8", "l8"}  # an open four: lost, but a five is blocked
    assert result.info.score == Score(0, -2)
    engine.set_position(from_pos("h8h9i8i9j8j9k8a1", rule))
    assert engine.think(Limits(nodes=20_000)).info.score == Score(0, 1)


FORBIDDEN_DEFENCE = """
    . . . . . . . . . . .
    . . . . . X . . . . .
    . . . . . X . . . . .
    . . . . . * O O O O X
    . . . . X . . . . . .
    . . . X . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
    . . . . . . . . . . .
"""


def test_black_answers_at_once_when_the_only_defence_is_forbidden() -> None:
    """White threatens a five on `*`, where Black may not play (a double three)."""
    position, marks = from_picture(FORBIDDEN_DEFENCE, Stone.BLACK, Rule.RENJU)
    engine = engine_at(position)
    ((x, y),) = marks["*"]
    assert engine.is_forbidden(x, y), engine.dump()
    watch = Stopwatch()
    result = engine.think(Limits(turn_ms=600_000))
    assert watch.ms() < HUNG_MS
    assert result.info.score == Score(0, -2)
    assert not engine.is_forbidden(*result.move)


def test_after_a_five_a_legal_move_is_still_answered() -> None:
    position = from_pos("h8h9i8i9j8j9k8k9l8")
    engine = engine_at(position)
    assert engine.winner() == Stone.BLACK
    move = engine.think(Limits(nodes=20_000)).move
    assert move not in {(stone.x, stone.y) for stone in position.stones}


def test_a_full_board_is_refused() -> None:
    stones = tuple(Placed(x, y, Stone(1 + (x + y // 2) % 2)) for y in range(5) for x in range(5))
    engine = engine_at(Position(5, 5, Rule.FREESTYLE, stones, Stone.BLACK))
    with pytest.raises(ValueError, match="full"):
        engine.think(Limits(nodes=20_000))


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_same_nodes_every_time_after_a_new_game(rule: Rule) -> None:
    """Two short games, then unrelated searches, then the same games: equal nodes and moves."""

    def play(engine: Engine, start: str) -> list[tuple[int, Point, str]]:
        engine.new_game()
        engine.set_position(from_pos(start, rule))
        record = []
        for nodes in (500, 3000, 7000, 1000, 5000):
            result = engine.think(Limits(nodes=nodes))
            engine.play(*result.move)
            record.append((result.info.nodes, result.move, str(result.info.score)))
        return record

    engine = Engine()
    first = [play(engine, "h8i9g9"), play(engine, "c3d4e3")]
    play(engine, "h8i8j9h10")
    assert [play(engine, "h8i9g9"), play(engine, "c3d4e3")] == first
    assert [play(Engine(), "h8i9g9"), play(Engine(), "c3d4e3")] == first


@pytest.mark.parametrize("nodes", [1, 2, 77, 5000])
def test_node_limit(nodes: int) -> None:
    engine = engine_at(from_pos("h8i9g9"))
    result = engine.think(Limits(nodes=nodes))
    assert result.info.nodes == nodes


def test_depth_limit_and_reports() -> None:
    reports: list[Info] = []
    result = engine_at(from_pos("h8i9g9")).think(Limits(depth_plies=5), reports.append)
    assert [info.depth_plies for info in reports] == [1, 2, 3, 4, 5]
    assert result.info.depth_plies == 5 and result.info.nodes == reports[-1].nodes


@timed
def test_the_time_limit_is_kept() -> None:
    engine = engine_at(from_pos("h8i9g9i7"))
    for turn_ms in (60, 150, 300):
        watch = Stopwatch()
        engine.think(Limits(turn_ms=turn_ms))
        in_time(watch.ms(), turn_ms + 50)


def test_a_request_to_stop_ends_the_search() -> None:
    engine = engine_at(from_pos("h8i9g9i7"))
    started, watch = time.monotonic(), Stopwatch()
    threading.Timer(0.2, engine.request_stop).start()
    result = engine.think(Limits(turn_ms=600_000))
    assert time.monotonic() - started > 0.15 and watch.ms() < HUNG_MS
    assert result.info.depth_plies > 0
    # The stop does not affect the next search.
    assert engine.think(Limits(nodes=2000)).info.nodes > 1900


def _cross_of_walls() -> tuple[Placed, ...]:
    """Two black VCFs far apart, built so that only a stone between them stops both."""
    black = set()
    empty = {(0, 0)}
    for sign in (1, -1):
        for x, slope in ((1, 1), (2, -1), (3, 1), (4, -1)):
            empty |= {(sign * x, 0), (sign * (x + 1), slope)}
            black |= {(sign * (x + k), slope * k) for k in (2, 3, 4)}
    stones = []
    for y in range(21):
        for x in range(21):
            if (x - 10, y - 10) in black:
                stones.append(Placed(x, y, Stone.BLACK))
            elif (x - 10, y - 10) not in empty:
                stones.append(Placed(x, y, Stone.WALL))
    return tuple(stones)


@pytest.mark.parametrize("rule", [Rule.FREESTYLE, Rule.STANDARD, Rule.CARO])
def test_a_defence_far_from_every_stone_is_found(rule: Rule) -> None:
    engine = engine_at(Position(21, 21, rule, _cross_of_walls(), Stone.WHITE))
    result = engine.think(Limits(nodes=500_000))
    assert result.info.score.mate_plies is None
    assert result.move == (10, 10)


def test_boards_of_other_shapes_share_no_results() -> None:
    """No result of one board is used for the same stones on a board of another shape."""
    small, large = from_pos("h8i9g9i7j8", size=10), from_pos("h8i9g9i7j8", size=20)
    fresh, used = Engine(), engine_at(large)
    used.think(Limits(depth_plies=8))
    for engine in (fresh, used):
        engine.set_position(small)
    assert [row.split()[0] for row in fresh.dump().splitlines()] == [
        row.split()[0] for row in used.dump().splitlines()
    ]
    first = fresh.think(Limits(depth_plies=1))
    second = used.think(Limits(depth_plies=1))
    assert (first.move, first.info.score) == (second.move, second.info.score)


def test_limits_too_large_to_count_are_no_limits() -> None:
    engine = engine_at(from_pos("h8i9g9i7"))
    huge = 10**30
    limits = Limits(turn_ms=huge, left_ms=huge, nodes=2000, mate_plies=huge)
    assert engine.think(limits).info.nodes == 2000


def test_analysis_searches_the_only_move() -> None:
    engine = engine_at(from_pos("h8h3i8i3g3j3i10k3", Rule.FREESTYLE))
    at_once = engine.think(Limits(nodes=20_000))
    assert at_once.info.score.mate_plies is None and at_once.info.nodes == 0
    engine.new_game()
    looked_at = engine.think(Limits(nodes=200_000, is_analysis=True))
    assert looked_at.info.nodes > 0
    assert looked_at.move == at_once.move == (11, 2)


def test_an_analysis_asks_the_solver_again_when_the_search_finds_nothing() -> None:
    """A win by threes and fours that takes the solver 150,000 stones, and the search millions."""
    position = puzzle("wins-r0-s15", 37)
    engine = Engine()
    engine.set_parameter("use_net", 0)  # with a net the search finds it too
    found = {}
    for is_analysis in (True, False):
        engine.new_game()
        engine.set_position(position)
        result = engine.think(Limits(nodes=1_000_000, is_analysis=is_analysis))
        found[is_analysis] = result.info.score.mate_plies
    by_analysis, by_search = found[True], found[False]
    assert by_analysis is not None and by_analysis > 0
    assert by_search is None
