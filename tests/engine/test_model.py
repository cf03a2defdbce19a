"""The values that callers exchange with the engine: what they accept and what they refuse."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, SolveLimits, Stone
from tests.engine.positions import engine_at

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


# -- stones


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


@pytest.mark.parametrize(
    "item", [(7, 7), (7, 7, 4), (7, 7, 0), (7, 7, "black"), (7.5, 7, 1), "h8", 3, None]
)
def test_what_is_not_a_stone_is_refused_in_one_line(item: Any) -> None:
    with pytest.raises(ValueError) as error:
        Position(15, 15, stones=((3, 3, 1), item))
    text = str(error.value)
    assert text.startswith(
        f"{item!r} is not a stone; expected Placed(x, y, stone) or (x, y, stone)"
    )
    assert "\n" not in text


@pytest.mark.parametrize("rule", [Rule.RENJU, 4, "4", "renju", "Renju"])
def test_a_position_takes_a_rule_by_name(rule: Rule | int | str) -> None:
    assert Position(15, 15, rule, side_to_move=2) == Position(15, 15, Rule.RENJU, (), WHITE)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"width": 4}, "a 4x15 board is not supported: width and height are 5 to 22"),
        ({"height": 23}, "15x23"),
        ({"width": "big"}, "bigx15"),
        ({"rule": 7}, "there is no rule '7'; there are 0 or freestyle"),
        ({"rule": "gomoku-2"}, "there is no rule 'gomoku-2'"),
        ({"side_to_move": WALL}, "is not to move; expected Stone.BLACK or 1, or Stone.WHITE or 2"),
        ({"side_to_move": "black"}, "'black' is not to move"),
    ],
)
def test_a_position_that_nobody_can_have_is_refused(fields: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Position(**{"width": 15, "height": 15, **fields})


def test_values_of_another_type_are_refused_in_one_line() -> None:
    engine = Engine()
    with pytest.raises(TypeError, match=r"expected engine\.model\.Position, got 'h8 i9'"):
        engine.set_position("h8 i9")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"expected engine\.model\.Limits, got 500"):
        engine.think(500)  # type: ignore[arg-type]
    for method in (engine.solve, engine.solve_all, engine.defences):
        with pytest.raises(TypeError, match=r"expected engine\.model\.SolveLimits, got Limits"):
            method(Limits())  # type: ignore[arg-type]
    assert engine.think(Limits(nodes=5)).move == (7, 7)


# -- limits


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("turn_ms", -1, "a whole number from 0"),
        ("turn_ms", 0.5, "a whole number from 0"),
        ("turn_ms", "100", "a whole number from 0"),
        ("turn_ms", True, "a whole number from 0"),
        ("match_ms", 0, "a whole number from 1"),
        ("left_ms", 1.5, "a whole number"),
        ("increment_ms", -1, "a whole number from 0"),
        ("nodes", -1, "a whole number from 0"),
        ("nodes", 1e6, "a whole number from 0"),
        ("depth_plies", 0, "a whole number from 1"),
        ("started_ns", "now", "a whole number"),
        ("mate_plies", -3, "a whole number from 1"),
    ],
)
def test_impossible_limits_are_named(field: str, value: Any, wanted: str) -> None:
    with pytest.raises(ValueError) as error:
        Limits(**{field: value})
    assert str(error.value) == (
        f"{field}={value!r} is not a limit; expected {wanted}, or None for no limit"
    )


@pytest.mark.parametrize("field", ["nodes", "time_ms", "moves"])
@pytest.mark.parametrize("value", [-1, 2.5, "9"])
def test_impossible_limits_of_the_solver_are_named(field: str, value: Any) -> None:
    with pytest.raises(ValueError, match=f"^{field}={value!r} is not a limit; expected"):
        SolveLimits(**{field: value})


def test_a_method_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match="'vcx' is not known; expected one of 'vct', 'threes', 'v"):
        SolveLimits(method="vcx")


@pytest.mark.parametrize("value", [0, 65, -1, 2.0, "3", True, None])
def test_impossible_numbers_of_lines_are_named(value: Any) -> None:
    with pytest.raises(ValueError) as error:
        Limits(lines=value)
    assert str(error.value) == (
        f"lines={value!r} is not a number of lines; expected a whole number from 1 to 64"
    )


def test_limits_that_are_possible() -> None:
    assert Limits() == Limits(None, None, None, None, None, None, None, False, 1, False)
    assert Limits(lines=64).lines == 64
    assert Limits(turn_ms=0, left_ms=-50, started_ns=-1, nodes=10**30).nodes == 10**30
    assert SolveLimits(0, 0, 1, "vcf") == (0, 0, 1, "vcf")


@pytest.mark.parametrize(
    "value", [Position(9, 9, stones=((1, 2, 2),)), Limits(turn_ms=5), SolveLimits(moves=4)]
)
def test_values_can_be_copied_to_other_processes(value: object) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert again == value and type(again) is type(value)
