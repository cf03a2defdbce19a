"""engine.api.Engine without searches: positions, moves, and queries about them."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Stone
from tests.engine.positions import engine_at, from_pos

BLACK, WHITE, WALL = Stone.BLACK, Stone.WHITE, Stone.WALL


@pytest.mark.parametrize(
    ("stones", "reason"),
    [
        ([(15, 0, BLACK)], "15,0 is off the 15x15"),
        ([(0, -1, BLACK)], "0,-1 is off the 15x15"),
        ([(3, 3, BLACK), (3, 3, WALL)], "two stones on 3,3"),
    ],
)
def test_impossible_positions_are_refused_and_change_nothing(
    stones: list[tuple[int, int, int]], reason: str
) -> None:
    engine = Engine()
    before = from_pos("h8i9")
    engine.set_position(before)
    with pytest.raises(ValueError, match=reason):
        engine.set_position(Position(15, 15, stones=stones))
    # `_replace` looks at nothing: the engine does.
    for field, value in (("width", 4), ("rule", 7), ("side_to_move", 3)):
        with pytest.raises(ValueError, match="expected|supported|no rule"):
            wrong: dict[str, Any] = {field: value}
            engine.set_position(before._replace(**wrong))
    assert engine.get_position() == before
    engine.check()


def test_signatures_can_be_asked_for() -> None:
    assert str(inspect.signature(Engine)) == "(net_file=None)"
    assert list(inspect.signature(Engine.think).parameters) == ["self", "limits", "on_info"]
    assert inspect.getdoc(Engine).startswith("A Gomoku engine")  # type: ignore[union-attr]


def test_play_and_undo() -> None:
    engine = engine_at(Position(15, 15, Rule.RENJU))
    empty = engine.dump()
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
    assert engine.dump() == empty
    with pytest.raises(ValueError, match="no stone"):
        engine.undo()


def test_undo_leaves_walls_alone() -> None:
    engine = Engine()
    stones = (Placed(1, 1, WALL), Placed(7, 7, BLACK), Placed(2, 2, WALL))
    engine.set_position(Position(15, 15, Rule.FREESTYLE, stones, WHITE))
    engine.undo()
    assert engine.get_position().stones == (Placed(1, 1, WALL), Placed(2, 2, WALL))
    assert engine.get_position().side_to_move == BLACK
    with pytest.raises(ValueError, match="no stone"):
        engine.undo()


def test_colours_need_not_alternate() -> None:
    engine = Engine()
    stones = tuple(Placed(x, 3, BLACK) for x in range(4))
    engine.set_position(Position(9, 9, Rule.FREESTYLE, stones, BLACK))
    assert engine.think().move == (4, 3)


def test_winner() -> None:
    engine = engine_at(from_pos("h8h9i8i9j8j9k8k9"))
    assert engine.winner() is None
    engine.play(6, 7)
    assert engine.winner() == BLACK


def test_forbidden_points_are_told_whoever_is_to_move() -> None:
    engine = Engine()
    stones = tuple(Placed(x, y, BLACK) for x, y in ((6, 7), (8, 7), (7, 6), (7, 8)))
    for side in (BLACK, WHITE):
        engine.set_position(Position(15, 15, Rule.RENJU, stones, side))
        assert engine.forbidden_points() == [(7, 7)]
        assert engine.is_forbidden(7, 7) == (side == BLACK)
    assert "!" in engine.dump()
    engine.set_position(Position(15, 15, Rule.STANDARD, stones, BLACK))
    assert engine.forbidden_points() == []


def test_the_table_is_made_at_the_first_search_and_grows_and_shrinks() -> None:
    engine = engine_at(from_pos("h8i9g9"))
    for max_bytes in (64 << 20, None, 100 << 20, 1):
        engine.set_memory(max_bytes)
        assert engine.think(Limits(nodes=3000)).info.nodes > 2000


def test_parameters_that_do_not_exist_are_refused() -> None:
    engine = Engine()
    with pytest.raises(ValueError, match="no parameter of that name"):
        engine.set_parameter("move_count", 1)
    with pytest.raises(ValueError, match="0 is out of range; expected 1 to 60"):
        engine.set_parameter("lmp_base", 0)
