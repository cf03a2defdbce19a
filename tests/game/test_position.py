"""`tengen.Position`: the board that people who write Python play on."""

from __future__ import annotations

import pickle
import random
from xml.etree import ElementTree

import pytest

from engine.api import Engine
from tengen.game.position import Point, Position

FOUL = """
rule: renju
to move: black
. . . . . . . . .
. . . . . . . . .
. . . . X . . . .
. . . . X . . . .
. . X X . . . . .
. . . . . . . . .
. . . O . O . . .
. . . . O . . . .
. . . . . . . . .
"""
WON = "h8 a1 i8 a2 j8 a3 k8 a4 l8"


def test_an_empty_board_is_fifteen_by_fifteen_and_freestyle() -> None:
    position = Position()
    assert (position.width, position.height, position.rule) == (15, 15, "freestyle")
    assert (position.turn, position.moves, position.is_over) == ("black", (), False)
    assert len(position.legal_moves()) == 225


def test_moves_are_played_and_taken_back() -> None:
    position = Position()
    assert position.turn == "black"
    for move in ("h8", (8, 6), "6,6"):
        position.play(move)
    assert (position.moves, position.turn) == (("h8", "i9", "g9"), "white")
    assert position.stones == {"h8": "black", "i9": "white", "g9": "black"}
    assert (position.undo(), position.turn) == ("g9", "black")
    assert position == Position("h8 i9") and "g9" in position.legal_moves()
    position.undo()
    position.undo()
    with pytest.raises(IndexError, match="no move to take back"):
        position.undo()


def test_a_position_is_asked_like_a_mapping_of_its_stones() -> None:
    position = Position("h8 i9 g9")
    assert (position["h8"], position[8, 6], position["a1"]) == ("black", "white", None)
    assert "i9" in position and "a1" not in position and Position()
    assert list(position) == ["h8", "i9", "g9"] and len(position) == 3
    with pytest.raises(ValueError, match="'z1' is not on this 15x15 board"):
        position["z1"]


def test_a_five_ends_the_game_until_it_is_taken_back() -> None:
    position = Position(WON)
    assert position.is_over and position.winner() == "black" and position.legal_moves() == []
    assert position.winning_line() == ["h8", "i8", "j8", "k8", "l8"]
    with pytest.raises(ValueError, match="b1 cannot be played: the game is over, black has won"):
        position.play("b1")
    position.undo()
    assert not position.is_over and position.winner() is None


def test_a_full_board_is_a_draw() -> None:
    rows = ["XXOOX", "OOXXO"] * 2 + ["XXOO."]
    position = Position("\n".join(["to move: black", *rows]))
    assert position.legal_moves() == ["e1"]
    position.play("e1")
    assert position.is_over and position.winner() is None


def test_a_forbidden_point_has_a_reason_and_loses() -> None:
    position = Position(FOUL)
    assert position.forbidden() == {"e5": "double three"}
    assert "e5" not in position.legal_moves()
    position.play("e5")
    assert position.is_over and position.winner() == "white" and position.winning_line() == []
    position.undo()
    assert position.winner() is None
    assert Position().forbidden() == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"text": f"{WON} b1"}, "move 10: b1 cannot be played: the game is over"),
        ({"size": 4}, "'4' is not a board size; expected 5 to 22"),
        ({"size": (15, 15, 15)}, "size=(15, 15, 15): expected 15, "),
        ({"text": FOUL, "rule": "caro"}, "rule: caro was asked for, but the text says renju"),
        ({"text": FOUL, "size": 15}, "size: 15x15 was asked for, but the text says 9x9"),
    ],
)
def test_what_is_no_position_is_refused_in_one_line(
    arguments: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError) as error:
        Position(**arguments)
    assert message in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("move", ["h8", "p1", "", "h8 i9", (15, 0), (1,), "-1,3"])
def test_what_cannot_be_played_changes_nothing(move: str | tuple[int, int]) -> None:
    position = Position("h8")
    with pytest.raises(ValueError):
        position.play(move)
    assert position == Position("h8") and position.moves == ("h8",)


@pytest.mark.parametrize("rule", ["freestyle", "standard", "renju", "caro"])
@pytest.mark.parametrize("size", ["9", "8x6", "22"])
def test_a_picture_is_read_back_and_the_engine_sees_the_same(rule: str, size: str) -> None:
    chance = random.Random(f"{rule}{size}")
    engine = Engine()
    position = Position(size=size, rule=rule)
    while not position.is_over and len(position.moves) < 60:
        position.play(chance.choice(position.legal_moves()))
        assert Position(str(position)) == position
        engine.set_position(position.to_model())
        winner = engine.winner()
        assert position.winner() == (winner.name.lower() if winner else None)
        forbidden = {Point(*point, position.height) for point in engine.forbidden_points()}
        assert set(position.forbidden()) == (forbidden if rule == "renju" else set())


def test_symmetries_are_different_positions_and_keep_their_moves() -> None:
    assert len(Position("h8").symmetries()) == 1
    assert len(Position("h9").symmetries()) == 4
    images = Position("h9 j8", rule="renju").symmetries()
    assert len(images) == 8 and images[0].moves == ("h9", "j8")
    assert {image.moves for image in images} >= {("h7", "f8"), ("i8", "h6")}
    assert len(Position("c2", size="8x6").symmetries()) == 4
    assert len(Position(FOUL).symmetries()) == 8


def test_the_same_stones_by_other_moves_are_the_same_position() -> None:
    assert Position("h8 i9 g9") == Position("g9 i9 h8") != Position("g9 h8 i9")
    assert len({Position("h8 i9 g9"), Position("g9 i9 h8"), Position("g9 h8 i9")}) == 2
    assert Position("h8") != Position("h8", rule="renju")


def test_a_point_is_its_name_and_has_coordinates() -> None:
    point = Position(size="8x6").point("c6")
    assert (point, point.x, point.y) == ("c6", 2, 0) and isinstance(point, Point)
    again = pickle.loads(pickle.dumps(point))
    assert (again, again.x, again.y) == ("c6", 2, 0)


def test_a_repr_of_moves_makes_the_position_again() -> None:
    for position in (Position("h8 i9", rule="renju"), Position("c6", size="8x6")):
        assert eval(repr(position)) == position
    assert repr(Position(FOUL)) == "<Position 9 renju, 7 stones, black to move>"


def test_walls_are_cells_that_nobody_plays() -> None:
    position = Position("to move: black\n#....\n.....\n..X..\n...O.\n.....")
    assert position.walls == ("a5",) and len(position.legal_moves()) == 22
    with pytest.raises(ValueError, match="a5 is a wall; expected an empty point"):
        position.play("a5")


def drawn(position: Position, **options: object) -> list[str]:
    """The texts of the picture, without the letters and numbers at its edges."""
    root = ElementTree.fromstring(position.svg(**options))  # type: ignore[arg-type]
    texts = [element.text or "" for element in root if element.tag.endswith("text")]
    return texts[position.width + position.height :]


def test_the_picture_shows_numbers_marks_and_values() -> None:
    position = Position("h8 i9 g9")
    assert drawn(position) == ["1", "2", "3"]
    assert drawn(position, numbers=False) == []
    shown = drawn(position, marks={"h8": "<A>"}, values={"j9": "54 %", "h7": 12})
    assert shown == ["2", "3", "54 %", "12", "<A>"]
    rings = position.svg(marks=["j9"]).count("<circle") - position.svg().count("<circle")
    assert rings == 1
    assert position._repr_svg_() == position.svg()
    with pytest.raises(ValueError, match="'z1' is not on this 15x15 board"):
        position.svg(marks=["z1"])
