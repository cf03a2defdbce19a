"""Game: a tree with a cursor, from and to files; copies that can be changed by themselves."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

from tengen.game.files.formats import (
    format_game,
    parse_game,
    read_game,
    read_games,
    write_game,
)
from tengen.game.files.renlib import write_renlib
from tengen.game.files.rif import write_rif
from tengen.game.files.sgf import write_sgf
from tengen.game.game import Game
from tengen.game.node import Node
from tengen.game.played import Report
from tengen.game.position import Position
from tengen.library.engine import Engine
from tests.game.test_position import FOUL, WON


def annotated(rule: str = "renju") -> Game:
    """A game with variations, comments and marks."""
    game = Game("h8 i9", rule=rule, black="Ann [1]", white="Bob: 2")
    node = game.play("g9", comment="first line\nsecond ]line\\")
    node.marks = {"a1": "A", "g9": "", "o15": "two words"}
    node.add("h10", "main").add("j9")
    node.add("g10", "other").add("f11", "deep")
    node.add("i7").marks = ["i7"]
    game.root.comment = "at the start"
    return game


def as_text(node: Node) -> object:
    """All that a tree holds, for comparing."""
    marks = dict(sorted(node.marks.items()))
    return node.move, node.colour, node.comment, marks, [*map(as_text, node.children)]


def test_a_game_is_played_and_its_nodes_tell_where_they_are() -> None:
    game = annotated()
    assert game.moves == ("h8", "i9", "g9", "h10", "j9") and len(game) == 5
    assert [node.colour for node in game] == ["black", "white"] * 2 + ["black"]
    third = [*game][2]
    assert (third.number, third.move, third.comment) == (3, "g9", "first line\nsecond ]line\\")
    assert third.position() == Position("h8 i9 g9", rule="renju") == game.position(3)
    assert [child.move for child in third.children] == ["h10", "g10", "i7"]
    assert game.end.move == "j9" and game.end.line()[0] == game.root and game.end.parent != third
    assert [node.move for node in game.nodes() if node.comment] == [
        None, "g9", "h10", "g10", "f11",
    ]  # fmt: skip
    assert str(game) == "h8 i9 g9 h10 j9"
    assert repr(game) == "<Game Ann [1] - Bob: 2, renju, 5 moves, no result>"


def test_the_cursor_takes_back_brings_back_and_plays_on() -> None:
    game = Game("h8 i9 g9")
    assert game.node == game.end == game[-1] and game[0].move == "h8" and len(game[1:]) == 2
    assert [game.undo().move, game.undo().move] == ["g9", "i9"]
    assert game.position().moves == ("h8",) and [node.move for node in game.ahead] == ["i9", "g9"]
    assert (game.redo().move, game.moves) == ("i9", ("h8", "i9", "g9"))
    game.play("a1")
    assert game.ahead == () and game.moves == ("h8", "i9", "a1"), "what is played leads"
    assert [node.move for node in game[1].children] == ["a1", "g9"]
    game.go(game.root)
    assert game.redo().move == "h8" and game.play("i9") is game[1]
    for _ in range(2):
        game.undo()
    with pytest.raises(IndexError, match="no move to take back"):
        game.undo()
    game.go(game.end)
    with pytest.raises(IndexError, match="no move to bring back"):
        game.redo()
    with pytest.raises(ValueError, match="the node is of another game"):
        game.go(Game().root)


def test_variations_are_added_once_promoted_and_removed() -> None:
    game = Game("h8 i9")
    first = game.root.children[0]
    assert first.add("i9") == first.children[0] and len(first.children) == 1
    other = first.add("j10", "better")
    other.promote()
    assert game.moves == ("h8", "j10") and game.end == other
    game.go(other)
    other.remove()
    assert game.moves == ("h8", "i9") and game.node == game.end, "the cursor was there"
    for change in (game.root.remove, game.root.promote):
        with pytest.raises(ValueError, match="the first node of a game stays where it is"):
            change()


def test_impossible_moves_are_refused_and_change_nothing() -> None:
    game = Game(WON)
    with pytest.raises(ValueError, match="b1 cannot be played: the game is over"):
        game.play("b1")
    with pytest.raises(ValueError, match="h8 is occupied by black"):
        game.root.children[0].add("h8")
    assert str(game) == WON and game.result == "black"
    with pytest.raises(ValueError, match="the game has 9 moves, not 10"):
        game.position(10)


def test_sgf_keeps_all_and_another_reader_agrees() -> None:
    game = annotated()
    game.result, game.event, game.date = "white", "Cup", "2026-01-02"
    again = parse_game(write_sgf(game))
    assert as_text(again.root) == as_text(game.root)
    for name in ("black", "white", "event", "date", "result", "rule", "width", "height"):
        assert getattr(again, name) == getattr(game, name)
    tree = sgf.Sgf_game.from_string(write_sgf(game).replace("GM[4]", "GM[1]"))
    assert tree.get_winner() == "w"
    assert [*tree.get_main_sequence()][3].get("C") == "first line\nsecond ]line\\"


def test_any_tree_comes_back_from_a_library_and_from_sgf() -> None:
    chance = random.Random(40)
    for comment_end, label_end in [("\né\n", " ü"), ("", "")] * 10:
        game = Game(rule="renju")
        nodes = [game.root]
        while len(nodes) < 40:
            node = chance.choice(nodes)
            if (position := node.position()).is_over:
                continue
            nodes.append(node.add(chance.choice(position.legal_moves())))
            if chance.random() < 0.3:
                nodes[-1].comment = "x" * chance.randrange(4) + comment_end
            if chance.random() < 0.3:
                points = chance.sample(Position().legal_moves(), 2)
                nodes[-1].marks = {p: f"{n}{label_end}" for n, p in enumerate(points)}
        for data in (write_renlib(game), write_sgf(game)):
            assert as_text(parse_game(data).root) == as_text(game.root)


@pytest.mark.parametrize("sign", ["MA", "TR", "CR", "SQ"])
def test_a_sign_is_kept_in_a_library_or_refused(sign: str) -> None:
    own = parse_game(f"(;GM[4]SZ[15]RU[renju];B[hh]{sign}[hh])")
    assert parse_game(write_renlib(own)).end.marks == own.end.marks == {"h8": ""}
    game = parse_game(f"(;GM[4]SZ[15]RU[renju];B[hh](;W[ii])(;W[jj]{sign}[aa]))")
    with pytest.raises(ValueError, match=r"after move 2, a15 has a mark .* write it as sgf"):
        write_renlib(game)
    game.root.marks = {"a1": "Z", "b2": ""}
    with pytest.raises(ValueError, match="after move 0, b2 has a mark without a text"):
        write_renlib(game)


@pytest.mark.parametrize("sign", ["MA", "TR", "CR", "SQ"])
@pytest.mark.parametrize("corners", ["aa:bc", "ac:ba"])
def test_a_rectangle_of_signs_marks_all_its_points(sign: str, corners: str) -> None:
    node = parse_game(f"(;GM[4]SZ[15];B[hh]{sign}[{corners}][jj])").end
    assert node.marks == dict.fromkeys(["a15", "b15", "a14", "b14", "a13", "b13", "j6"], "")
    node.marks = {"a1": ""}
    assert node.marks == {"a1": ""}


def test_a_move_and_a_mark_outside_the_board_are_none() -> None:
    game = parse_game("(;GM[4]SZ[15];B[hh]LB[zz:A][aa:B](;W[ii])(;W[zz]TR[pp]))")
    assert [node.move for node in game.nodes()] == [None, "h8", "i7", None]
    assert [node.marks for node in game.nodes()] == [{}, {"a15": "B"}, {}, {}]


def test_passes_and_a_move_in_the_first_node_are_kept() -> None:
    game = parse_game("(;GM[4]SZ[15]RU[renju]B[hh];W[tt];B[ii]C[after a pass])")
    assert [(node.number, node.move) for node in game] == [(1, "h8"), (2, "i7")]
    assert game.position().stones == {"h8": "black", "i7": "black"}
    again = parse_game(write_renlib(game))
    assert [(node.move, node.comment) for node in again] == [("h8", ""), ("i7", "after a pass")]
    position = game.position()
    assert position.copy() == position
    assert (position.undo(), position.turn) == ("i7", "black")


def test_a_game_goes_on_after_a_pass_a_last_comment_and_a_fault() -> None:
    game = parse_game("(;SZ[15]RU[renju];B[hh];W[];C[goodbye])")
    assert [node.position().turn for node in game.nodes()] == ["black", "white", "black", "black"]
    game.play("i7")
    assert game.moves == ("h8", "i7") and game.position().stones["i7"] == "black"
    late = parse_game("(;SZ[15];B[hh];AW[ii];B[jj])")
    assert len(late) == 1 and late.fault == "sgf: set-up stones after move 1"
    with pytest.raises(ValueError, match="set up after the first move"):
        [*late.nodes()][-1].position()
    damaged = parse_game("(;SZ[15];B[hh];W[hh];B[aa])")
    assert (damaged.moves, damaged.fault) == (("h8",), "sgf: move 2 is played on a stone")
    damaged.play("i7")
    assert damaged.moves == ("h8", "i7") and not damaged.fault


def test_rif_has_the_main_line() -> None:
    game = annotated()
    game.result = "black"
    game.black, game.event = """A "quoted" <name> & 'more'""", "two\nlines"
    game.white = "\u5c71\u7530\u3000\u592a\u90ce\xa0II\x07"
    again = parse_game(write_rif(game))
    game.white = game.white[:-1]  # which xml cannot hold
    for name in ("black", "white", "event", "moves", "rule", "result"):
        assert getattr(again, name) == getattr(game, name)
    assert parse_game(write_rif(parse_game("(;GM[4]SZ[15]RE[Draw];B[hh])"))).result == "draw"


def test_stones_that_were_set_up_stay_and_only_sgf_and_text_can_hold_them() -> None:
    game = Game(FOUL)
    game.play("e5", comment="a foul")
    assert game.result == "white" and game.position().winner() == "white"
    again = parse_game(write_sgf(game))
    assert again.position() == game.position() and again.start() == Position(FOUL)
    assert str(game).endswith("\n\ne5")
    for ending in (".psq", ".lib", ".rif", ".txt"):
        with pytest.raises(ValueError, match="write it as sgf"):
            format_game(game, ending)


def test_stones_may_be_set_up_in_any_node_before_the_first_move() -> None:
    game = parse_game("(;SZ[15]PL[W];AB[hh];AB[gg]C[two];W[ii])")
    assert [(node.move, node.colour) for node in game] == [("i7", "white")] and not game.fault
    assert game.end.position().stones == {"h8": "black", "g9": "black", "i7": "white"}
    with pytest.raises(ValueError, match="a game cannot begin on a board with walls"):
        Game("to move: black\n#....\n.....\n.....\n.....\n.....")


def test_files_are_written_by_their_ending_and_read_by_their_content(tmp_path: Path) -> None:
    game = annotated()
    for ending in ("sgf", "psq", "lib", "rif", "txt"):
        path = tmp_path / f"game.{ending}"
        write_game(game, path)
        write_game(game, path)
        assert read_game(path).moves == game.moves
    with pytest.raises(ValueError, match=r"game\.doc: expected a name that ends in \.sgf, \.psq"):
        write_game(game, tmp_path / "game.doc")
    small = Game("c3", size=9)
    write_game(small, tmp_path / "small.sgf")
    before = (tmp_path / "game.lib").read_bytes()
    with pytest.raises(ValueError, match="15x15"):
        write_game(small, tmp_path / "game.lib")
    assert (tmp_path / "game.lib").read_bytes() == before


@pytest.mark.parametrize(
    "game",
    [
        Game("h8 t20", size=20),
        Game("h8 i9", size="20x15", rule="standard"),
        Game("h8 i9 g9", rule="renju"),
        Game("", rule="caro-exact", size=7),
        Game("h8 i9"),
        Game(FOUL),
    ],
    ids=repr,
)
def test_a_text_keeps_board_rule_and_stones(game: Game, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    write_game(game, path)
    assert read_game(path).position() == game.position()
    assert read_game(path).moves == game.moves


@pytest.mark.parametrize("kind", ["psq", "rif", "txt"])
def test_a_file_without_colours_refuses_passes_and_moves_out_of_turn(
    tmp_path: Path, kind: str
) -> None:
    path = tmp_path / f"game.{kind}"
    for moves in (";B[hh];W[tt];B[ii]", ";B[hh];W[];B[];W[ii]", ";B[hh];B[ii]"):
        game = parse_game(f"(;GM[4]SZ[15]RU[renju]{moves})")
        with pytest.raises(ValueError, match="only moves in turns, .* no passes; write it as sgf"):
            write_game(game, path)
    assert not path.exists()
    # At the end of a game a pass is nothing.
    write_game(parse_game("(;GM[4]SZ[15]RU[renju];B[hh];W[tt])"), path)
    assert read_game(path).moves == ("h8",)


def test_the_rule_that_a_text_is_read_by_overrides_its_own(tmp_path: Path) -> None:
    """Also where the text is no game by its own rule."""
    path = tmp_path / "game.txt"
    six = "a1 h1 b1 h2 c1 h3 e1 h5 f1 h6 d1 h7"
    for text in ("rule: renju\nh8 i9", f"rule: freestyle\n{six}"):
        path.write_text(text)
        assert read_game(path, rule="standard").rule == "standard"
        assert parse_game(text, rule="standard").moves == read_game(path, rule="standard").moves
    assert len(read_game(path, rule="standard")) == 12
    with pytest.raises(ValueError, match="move 12 is played after the end of the game"):
        read_game(path)


def test_all_games_of_a_file_are_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text("(;SZ[9]PB[a];B[cc])\n(;SZ[9]PB[b];B[dd])\n(;SZ[99]PB[c])", encoding="ascii")
    games = read_games(path)
    assert len(games) == 3 and [game.black for game in games[:2]] == ["a", "b"]
    assert read_game(path, 2).moves == ("d6",)
    with pytest.raises(ValueError, match=r"games\.sgf, game 3: sgf: SZ\[99\] is not a board size"):
        games[-1]
    with pytest.raises(ValueError, match=r"games\.sgf: there are 3 games, not 4"):
        read_game(path, 4)
    assert read_game(path, rule="standard").rule == "standard"
    for content, message in ((b"(;GM[2])", "is another game"), (b"nothing", "is not a point")):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=rf"games\.sgf: .*{message}"):
            read_game(path)


# ---- copies


WIN = "g10 j10 g9 f10 f9 h11 e9 h9 g8 g11"
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}


@pytest.mark.parametrize("way", COPIES)
def test_a_copied_game_shares_nothing_with_its_origin(way: str) -> None:
    game = parse_game("(;GM[4]SZ[19]RU[renju]PB[A];B[jj];W[kk](;B[ll]C[best])(;B[jl]))")
    game[0].time_s, game[0].report = 1.5, Report(value=3)
    text = write_sgf(game)
    other = COPIES[way](game)
    assert (other[0].time_s, other[0].report) == (1.5, Report(value=3))
    assert (write_sgf(other), other.rule, other.width) == (text, "renju", 19)
    other.play("a1")
    other.black = "B"
    other.end.comment = "changed"
    assert COPIES[way](game.end).game is not game
    other.root.children[0].children[0].children[1].promote()
    assert write_sgf(game) == text != write_sgf(other)


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
        position, Position(FOUL), position.point("h8"), engine.play(position, nodes=100),
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
    assert position == Position(WIN) != other and position.moves == Position(WIN).moves
