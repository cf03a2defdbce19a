"""engine.api.Engine, the values that callers exchange with it, positions kept inside searches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.api import Engine
from engine.features import decided_plies
from engine.model import Limits, Placed, Point, Position, Root, Rule, Stone
from tests.engine.positions import engine_at, from_pos
from tests.engine.searches import fix_search

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


def _set(engine: Engine, fields: dict[str, Any]) -> None:
    """`_replace` looks at nothing: the engine does."""
    engine.set_position(engine.get_position()._replace(**fields))


def _make(engine: Engine, fields: dict[str, Any]) -> None:
    engine.set_position(Position(**{"width": 15, "height": 15, **fields}))


NOT_STONES = ((7, 7), (7, 7, 4), (7, 7, 0), (7, 7, "black"), (7.5, 7, 1), "h8", 3, None)


@pytest.mark.parametrize(
    ("use", "value", "reason"),
    [
        (_make, {"stones": [(15, 0, BLACK)]}, "15,0 is off the 15x15"),
        (_make, {"stones": [(0, -1, BLACK)]}, "0,-1 is off the 15x15"),
        (_make, {"stones": [(3, 3, BLACK), (3, 3, WALL)]}, "two stones on 3,3"),
        *((_make, {"stones": ((3, 3, 1), it)}, f"{it!r} is not a stone; expected Placed(x, y, ")
          for it in NOT_STONES),
        (_make, {"width": 4}, "a 4x15 board is not supported: width and height are 5 to 22"),
        (_make, {"width": "big"}, "bigx15"),
        (_make, {"rule": 7}, "there is no rule '7'; there are 0 or freestyle"),
        (_make, {"rule": "gomoku-2"}, "there is no rule 'gomoku-2'"),
        (_make, {"side_to_move": WALL}, "is not to move; expected Stone.BLACK or 1, or"),
        (_make, {"side_to_move": "black"}, "'black' is not to move"),
        *((_set, fields, "") for fields in ({"width": 4}, {"rule": 7}, {"side_to_move": 3})),
        (Engine.set_position, "h8 i9", "expected engine.model.Position, got 'h8 i9'"),
        (Engine.think, 500, "expected engine.model.Limits, got 500"),
        *((method, Limits(), "expected engine.model.SolveLimits, got Limits")
          for method in (Engine.solve, Engine.solve_all, Engine.defences)),
        (lambda engine, name: engine.set_parameter(name, 1), "lmp", "no parameter of that name"),
        (lambda engine, name: engine.set_parameter(name, 0), "lmp_base",
         "0 is out of range; expected 1 to 60"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_one_line_and_changes_nothing(
    use: Callable[[Engine, Any], object], value: Any, reason: str
) -> None:
    engine = engine_at(from_pos("h8i9"))
    with pytest.raises((ValueError, TypeError)) as error:
        use(engine, value)
    assert reason in str(error.value) and "\n" not in str(error.value)
    assert engine.get_position() == from_pos("h8i9")
    engine.check()
    assert engine.think(Limits(nodes=5)).info.nodes == 5


def test_play_and_undo() -> None:
    engine = engine_at(Position(15, 15, Rule.RENJU))
    empty = engine.get_position()
    engine.play(7, 7)
    engine.play(8, 8)
    assert engine.get_position().stones == (Placed(7, 7, BLACK), Placed(8, 8, WHITE))
    assert engine.get_position().side_to_move == BLACK
    with pytest.raises(ValueError, match="7,7 is occupied"):
        engine.play(7, 7)
    with pytest.raises(ValueError, match="15,3 is off"):
        engine.play(15, 3)
    engine.undo()
    engine.undo()
    assert engine.get_position() == empty
    with pytest.raises(ValueError, match="no stone"):
        engine.undo()


def test_forbidden_points_are_told_whoever_is_to_move() -> None:
    engine = Engine()
    stones = tuple(Placed(x, y, BLACK) for x, y in ((6, 7), (8, 7), (7, 6), (7, 8)))
    for side in (BLACK, WHITE):
        engine.set_position(Position(15, 15, Rule.RENJU, stones, side))
        assert engine.forbidden_points() == [(7, 7)]
        assert engine.is_forbidden(7, 7) == (side == BLACK)
    engine.set_position(Position(15, 15, Rule.STANDARD, stones, BLACK))
    assert engine.forbidden_points() == []


def test_plain_tuples_are_stones() -> None:
    wanted = (Placed(7, 7, BLACK), Placed(8, 8, WHITE), Placed(0, 0, WALL))
    position = Position(15, 15, Rule.STANDARD, [(7, 7, BLACK), (8, 8, 2), Placed(0, 0, WALL)])
    assert position.stones == wanted
    assert all(type(each) is Placed and type(each.stone) is Stone for each in position.stones)
    assert Position(15, 15, stones=(each for each in wanted)).stones == wanted
    engine = engine_at(position)
    engine.undo()
    assert engine.get_position().stones == (wanted[0], wanted[2])
    # `_replace` does not look at its values: the engine does.
    engine.set_position(position._replace(stones=((1, 1, 1),)))  # type: ignore[arg-type]
    assert engine.get_position().stones == (Placed(1, 1, BLACK),)


@pytest.mark.parametrize("rule", [Rule.RENJU, 4, "4", "renju", "Renju"])
def test_a_position_takes_a_rule_by_name(rule: Rule | int | str) -> None:
    assert Position(15, 15, rule, side_to_move=2) == Position(15, 15, Rule.RENJU, (), WHITE)


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        *(("turn_ms", value, "a whole number from 0, or None") for value in (-1, 0.5, True)),
        ("match_ms", 0, "a whole number from 1, or None for no limit"),
        ("left_ms", 1.5, "a whole number, or None for no limit"),
        ("nodes", 1e6, "a whole number from 0, or None"),
        *((field, -3, "a whole number from 1, or") for field in ("depth_plies", "mate_plies")),
        *(("lines", value, "a whole number from 1 to 64") for value in (0, 65, 2.0, "3", None)),
        *(("excluded", (it,), "pairs x, y") for it in ((1, 2, 3), 5, (1.5, 2), ("a", "b"))),
    ],
)
def test_impossible_limits_are_named(field: str, value: Any, wanted: str) -> None:
    with pytest.raises(ValueError, match=rf"expected {wanted}") as error:
        Limits(**{field: value})
    assert field == "excluded" or str(error.value).startswith(f"{field}={value!r} is not a ")


Lines = tuple[tuple[Point, ...], ...]


def new_engine(moves: str = "h8 i9 j8 i7 g9", rule: int = 0) -> Engine:
    engine = Engine()
    fix_search(engine)
    engine.set_position(Position.from_moves(moves, rule=Rule(rule)))
    return engine


def samples(engine: Engine, nodes: int = 5000) -> Lines:
    engine.think(Limits(nodes=nodes))
    return engine.last_samples


@pytest.mark.parametrize("rule", [0, 4])
def test_keeping_positions_changes_no_node(rule: int) -> None:
    engine, plain = new_engine(rule=rule), new_engine(rule=rule)
    engine.sample_positions(50)
    for _ in range(2):
        found, expected = (each.think(Limits(nodes=5000)) for each in (engine, plain))
        assert found.move == expected.move
        assert found.info.score == expected.info.score and found.info.pv == expected.info.pv
        assert engine.last_search_stats == plain.last_search_stats
    assert len(engine.last_samples) > 5 and plain.last_samples == ()


def test_positions_are_legal_and_need_a_static_value() -> None:
    engine = new_engine(rule=4)
    engine.sample_positions(20)
    found = samples(engine, 8000)
    assert len(found) == len(set(found)) == 64  # and no more
    other = new_engine(rule=4)
    for line in found:
        other.set_position(engine.get_position())
        for x, y in line:
            assert not other.is_forbidden(x, y)
            other.play(x, y)
        assert other.winner() is None and not decided_plies(other.get_position())[-1]
    assert {len(line) for line in found} > set(range(1, 5))


def test_the_seed_decides_which() -> None:
    found = []
    for seed in (1, 1, 2):
        engine = new_engine()
        engine.sample_positions(100, seed)
        found.append([samples(engine) for _ in range(3)])
    assert found[0] == found[1] != found[2]
    assert len({found[0][0], *found[0][1:]}) == 3  # the distances go on from search to search


def test_it_ends_and_bad_numbers_are_refused() -> None:
    engine = new_engine()
    for every, seed in ((-1, 0), (10**6 + 1, 0), (5, -1), (5, 2**31)):
        with pytest.raises(ValueError, match="expected"):
            engine.sample_positions(every, seed)
    engine.sample_positions(10)
    assert engine.last_samples == () and samples(engine)
    engine.sample_positions(0)
    assert engine.last_samples == () == samples(engine)


def test_the_policy_orders_the_moves_of_the_search() -> None:
    engine = new_engine()
    for use_net in (1, 0):
        engine.set_parameter("use_net", use_net)
        policy = dict(engine.policy())
        assert 20 < len(policy) < 220
        best = max(policy, key=policy.__getitem__)
        assert max(abs(best.x - 7), abs(best.y - 7)) <= 3
        assert 1 < max(policy.values()) - min(policy.values()) < 40
    renju = new_engine("f8 a15 g8 o15 h10 a1 h9 o1", rule=4)
    assert renju.forbidden_points() and not {*renju.forbidden_points()} & {*dict(renju.policy())}


def test_what_is_searched_at_the_root_and_what_loses_there() -> None:
    position = from_pos("i7d9e11k11i11j12l10h12i9i12k12m11j8g8")._replace(side_to_move=WHITE)
    engine, seen = engine_at(position), set()
    assert engine.root == Root(None, ())
    engine.think(
        Limits(nodes=150_000, is_analysis=True, lines=2), lambda _: seen.add(engine.root.move)
    )
    taken = {Point(stone.x, stone.y) for stone in position.stones}
    assert seen and not seen & {None, *taken}
    assert engine.root.move is None and engine.root.lost
    for x, y in engine.root.lost:
        other = engine_at(position)
        other.play(x, y)
        result = other.think(Limits(nodes=200_000, is_analysis=True))  # a lone reply too
        assert (result.info.score.mate_plies or 0) > 0
