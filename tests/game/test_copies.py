"""Copies of what the library gives can be changed by themselves, and answers are true or false
where they say so."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from tengen.game.files.formats import parse_game
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.position import Position
from tengen.library.engine import Engine

WIN = "g10 j10 g9 f10 f9 h11 e9 h9 g8 g11"
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.mark.parametrize("way", COPIES)
def test_a_copied_game_shares_nothing_with_its_origin(way: str) -> None:
    game = parse_game("(;GM[4]SZ[19]RU[renju]PB[A];B[jj];W[kk](;B[ll]C[best])(;B[jl]))")
    text = write_sgf(game)
    other = COPIES[way](game)
    assert (write_sgf(other), other.rule, other.width) == (text, "renju", 19)
    other.play("a1")
    other.black = "B"
    other.end.comment = "changed"
    other.root.children[0].children[0].children[1].promote()
    assert write_sgf(game) == text != write_sgf(other)


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_a_copied_node_has_a_game_of_its_own(way: str) -> None:
    game = Game("h8 i9 g9")
    node = game.root.children[0].add("a1", "a variation")
    other = COPIES[way](node)
    assert (other.move, other.comment, other.number) == ("a1", "a variation", 2)
    assert other.line()[1].children[0].move == "i9" and other != node
    other.remove()
    assert [each.move for each in node.line()[1].children] == ["i9", "a1"]


@pytest.mark.parametrize("way", COPIES)
def test_the_deepest_game_can_be_copied(way: str) -> None:
    game = parse_game(f"(;GM[4]{';C[a]' * 5000};B[hh])")
    assert write_sgf(COPIES[way](game)) == write_sgf(game)
    assert COPIES[way](game.end).number == 1


@pytest.mark.parametrize("way", COPIES)
def test_positions_and_answers_are_copied(way: str) -> None:
    engine, position = Engine(), Position(WIN)
    before = Position(WIN.rpartition(" ")[0])
    answers = [
        position, position.point("h8"), engine.play(position, nodes=100),
        engine.analyze(position, nodes=1000, lines=2), engine.solve(position),
        engine.defences(before, nodes=20_000), engine.explain(position),
        engine.review(Game(WIN), nodes=200),
    ]  # fmt: skip
    for answer in answers:
        other = COPIES[way](answer)
        assert other == answer and str(other) == str(answer) and type(other) is type(answer)
    other = COPIES[way](position)
    other.undo()
    other.play("a1")
    assert position == Position(WIN) != other


def test_a_solution_is_true_if_there_is_a_win() -> None:
    engine = Engine()
    assert engine.solve(Position(WIN))
    assert not engine.solve(Position("h8 i9"))  # no win
    assert not engine.solve(Position(WIN), nodes=0)  # unknown
    with pytest.raises(TypeError, match=r"neither true nor false; ask for threat\.is_win or"):
        bool(engine.defences(Position(WIN)))
