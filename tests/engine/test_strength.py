"""Levels of strength: what a level sees, games that differ and games that repeat."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from engine.api import Engine
from engine.limits import check_seed, sight_of
from engine.model import (
    MAX_LEVEL,
    MAX_STRENGTH,
    Limits,
    Point,
    Position,
    Rule,
    Stone,
    level_of,
    strength_of,
)
from tengen.game.rules import five_points
from tests.engine.positions import random_position, referee_of
from tests.engine.searches import Pondering

RULES = list(Rule)
LEVELS = range(1, MAX_LEVEL + 1)
# The levels that never miss a five.
SURE_LEVELS = range(3, MAX_LEVEL)


def engine_at(level: int, seed: int | None = None) -> Engine:
    engine = Engine()
    engine.set_memory(64 * 2**20)
    engine.set_strength(strength_of(level), seed)
    return engine


def play_game(engine: Engine, stones: int, limits: Limits) -> tuple[Point, ...]:
    """The moves of a game of the engine against itself, up to so many stones."""
    engine.new_game()
    engine.set_position(Position(15, 15))
    moves: list[Point] = []
    while len(moves) < stones and engine.winner() is None:
        moves.append(engine.think(limits).move)
        engine.play(*moves[-1])
    return tuple(moves)


def test_every_level_has_a_least_strength_and_only_the_highest_is_the_whole_engine() -> None:
    assert [strength_of(level) for level in LEVELS] == [0, 12, 23, 34, 45, 56, 67, 78, 89, 100]
    assert [level_of(strength_of(level)) for level in LEVELS] == list(LEVELS)
    assert [level_of(strength_of(level) - 1) for level in LEVELS[1:]] == list(LEVELS[:-1])
    assert [strength for strength in range(101) if sight_of(strength) is None] == [MAX_STRENGTH]


@pytest.mark.parametrize("number", [-1, 2**31, 5.5, "x", True])
def test_other_strengths_and_seeds_are_refused_in_one_line(number: Any) -> None:
    refusing: dict[str, Callable[[Any], object]] = {
        "strength": Engine().set_strength,
        "level": strength_of,
        "seed": check_seed,
    }
    for name, refuse in refusing.items():
        with pytest.raises(ValueError, match=rf"^{name} .* expected a whole number from \d to"):
            refuse(number)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name.lower())
def test_from_level_3_on_a_five_is_made_and_stopped(rule: Rule) -> None:
    """In every position where the side to move can make a five it does; where only the opponent
    can, at one point that may be played, the move leaves no five."""
    rnd = random.Random(300 + rule)
    engines = [engine_at(level, seed=level) for level in SURE_LEVELS]
    made = stopped = 0
    while made < 20 or stopped < 20:
        position = random_position(rnd, rule, stones=(8, 60))
        board = referee_of(position)
        side, cells = position.side_to_move, board.empties()
        own = five_points(board, cells, side)
        other = five_points(board, cells, side.opponent)
        if side.opponent is Stone.BLACK:
            other = [cell for cell in other if board.foul(*cell) is None]
        if not own and len(other) != 1:
            continue
        if not own and side is Stone.BLACK and board.foul(*other[0]) is not None:
            continue
        made, stopped = made + bool(own), stopped + (not own)
        for engine in engines:
            engine.new_game()
            engine.set_position(position)
            move = engine.think(Limits(turn_ms=0)).move
            if own:
                assert move in own, (position, move)
                continue
            board.play(*move, side)
            left = five_points(board, board.empties(), side.opponent)
            board.undo()
            assert not left, (position, move)


@pytest.mark.parametrize("level", [1, 2])
def test_beginners_overlook_fives_now_and_then(level: int) -> None:
    position = Position.from_moves("h8 a1 i8 c1 j8 e1 k8")
    answers = []
    for seed in range(200):
        engine = engine_at(level, seed)
        engine.set_position(position)
        answers.append(position.name_of(engine.think(Limits(turn_ms=0)).move))
    blocks = sum(answer in ("g8", "l8") for answer in answers)
    assert 40 < blocks < 190


def test_a_level_stays_within_its_limits() -> None:
    for level in LEVELS[:-1]:
        sight = sight_of(strength_of(level))
        assert sight is not None
        engine = engine_at(level)
        engine.set_position(Position.from_moves("h8 i9 h9 h10 g8 i8"))
        info = engine.think(Limits(turn_ms=60_000)).info
        assert info.nodes <= sight.nodes and info.depth_plies <= sight.depth_plies
        assert engine.think(Limits(nodes=7)).info.nodes <= 7
        assert engine.think(Limits(nodes=10_000, depth_plies=1)).info.depth_plies <= 1


@pytest.mark.parametrize("level", LEVELS[:-1])
def test_games_of_a_level_differ_and_those_of_a_seed_repeat(level: int) -> None:
    """Also with several threads."""
    limits = Limits(turn_ms=600_000)
    engines = engine_at(level), engine_at(level), engine_at(level, 6)
    games = {play_game(engine, 20, limits) for engine in engines for _ in range(2)}
    assert len(games) == 5
    several = engine_at(level, 6)
    several.set_threads(4)
    assert play_game(several, 20, limits) in games


def nodes_and_moves(engine: Engine) -> list[object]:
    found: list[object] = []
    engine.new_game()
    for moves in ("", "h8", "h8 i9 h9 h10 g8 i8", "h8 i8 i9 g7 h7 h9 j9"):
        engine.set_position(Position.from_moves(moves))
        result = engine.think(Limits(depth_plies=8))
        found.append((result.move, result.info.nodes, result.info.score))
    return found


def test_the_highest_level_searches_the_nodes_of_the_engine() -> None:
    expected = nodes_and_moves(Engine())
    assert nodes_and_moves(engine_at(MAX_LEVEL)) == expected
    assert nodes_and_moves(engine_at(MAX_LEVEL, seed=9)) == expected
    engine = engine_at(4)
    assert nodes_and_moves(engine) != expected
    engine.set_strength(MAX_STRENGTH)
    assert nodes_and_moves(engine) == expected


@pytest.mark.parametrize("is_hit", [True, False])
def test_a_level_ponders_until_the_hit_or_a_stop(is_hit: bool) -> None:
    engine = engine_at(4)
    engine.set_position(Position.from_moves("h8 i9 h9 h10 g8 i8"))
    pondering = Pondering(engine)
    pondering.until_it_has_begun()
    time.sleep(0.1)
    assert not pondering.is_over()
    assert not is_hit or engine.ponder_hit(Limits(turn_ms=600_000))
    result = pondering.end()[0] if is_hit else pondering.stop()
    sight = sight_of(strength_of(4))
    assert sight is not None and result.info.nodes <= sight.nodes


@pytest.mark.parametrize(
    "limits", [Limits(nodes=20_000, is_analysis=True), Limits(nodes=20_000, lines=3)]
)
def test_analyses_are_not_weakened(limits: Limits) -> None:
    """Also after moves of a lower level in the same game, whose values are inexact."""
    position = Position.from_moves("h8 i9 h9 h10 g8 i8")
    engine = Engine()
    engine.set_position(position)
    expected = engine.think(limits).info
    for level in (1, 9, MAX_LEVEL):
        engine = engine_at(level)
        engine.set_position(position)
        if level != MAX_LEVEL:
            engine.think(Limits(turn_ms=600_000))
        info = engine.think(limits).info
        assert (info.nodes, info.lines) == (expected.nodes, expected.lines)
