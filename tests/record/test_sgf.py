"""SGF: what we write, as others read it; what others write, as we read it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.sgf import Sgf_game

from tengen.record.game import Game, Setting
from tengen.record.sgf import SgfMove, read_sgf, to_sgf
from tengen.record.termination import Termination
from tengen.rules.referee import BLACK, WHITE
from tests.record.sample_games import assert_read_or_refused, assert_refused, games
from tests.record.sample_games import game as sample


def test_points_are_two_letters() -> None:
    assert to_sgf(sample(setting=Setting(15, 20, 0))) == (
        "(;FF[4]GM[4]CA[UTF-8]SZ[15:20]RU[freestyle]GN[1]PB[Tengen]PW[Simple]RE[B+]GC[five]\n"
        ";B[hh]C[opening]\n;W[ii]C[-12/3 12 ms]\n;B[ga]C[+M3 1500 ms]\n;W[oo]C[250 ms])\n"
    )


@pytest.mark.parametrize(
    ("winner", "termination", "result"),
    [
        (WHITE, Termination.TIMEOUT, "W+T"),
        (WHITE, Termination.CRASH, "W+F"),
        (BLACK, Termination.FORBIDDEN, "B+F"),
        (WHITE, Termination.FIVE, "W+"),
        (0, Termination.FULL, "0"),
        (0, Termination.INTERRUPTED, "Void"),
    ],
)
def test_how_a_game_ended(winner: int, termination: Termination, result: str) -> None:
    assert f"RE[{result}]" in to_sgf(sample(winner, termination))


def test_text_is_escaped() -> None:
    text = to_sgf(sample(names=("A[1]\\:\n2", "B")))
    (name,) = re.findall(r"PB\[((?:\\.|[^\]\\])*)\]", text)
    assert re.sub(r"\\(.)", r"\1", name) == "A[1]\\: 2"
    assert read_sgf(text).info["PB"] == "A[1]\\: 2"


def test_another_reader_sees_the_same() -> None:
    game = sample(names=("Ten]gen\\", "Sim:ple"))
    sgf = Sgf_game.from_string(to_sgf(game))
    assert sgf.get_size() == 15
    assert (sgf.get_player_name("b"), sgf.get_player_name("w")) == ("Ten]gen\\", "Sim:ple")
    root, *nodes = sgf.get_main_sequence()
    assert root.get_raw("GM") == b"4"
    # That reader counts rows from the bottom.
    moves = [(colour, (14 - row, column)) for colour, (row, column) in map(_move_of, nodes)]
    assert moves == [("b", (7, 7)), ("w", (8, 8)), ("b", (0, 6)), ("w", (14, 14))]
    assert nodes[1].get("C") == "-12/3 12 ms"


def _move_of(node: object) -> tuple[str, tuple[int, int]]:
    return node.get_move()  # type: ignore[attr-defined,no-any-return]


def test_letters_and_numbers_count_from_the_bottom() -> None:
    game = read_sgf("(;GM[4]SZ[15];B[h8];W[a1];B[O15];W[i10])")
    assert [(m.x, m.y) for m in game.moves] == [(7, 7), (0, 14), (14, 0), (8, 5)]
    assert [m.colour for m in game.moves] == [BLACK, WHITE, BLACK, WHITE]
    assert (game.width, game.height) == (15, 15)


def test_set_up_stones() -> None:
    game = read_sgf("(;SZ[9]AB[aa][bc:cd]AW[i1];AE[aa];W[ee])")
    assert game.setup == (
        SgfMove(1, 2, BLACK), SgfMove(2, 2, BLACK), SgfMove(1, 3, BLACK), SgfMove(2, 3, BLACK),
        SgfMove(8, 8, WHITE),
    )  # fmt: skip
    assert game.moves == (SgfMove(4, 4, WHITE),)


def test_the_main_line_is_that_of_the_first_branches() -> None:
    text = "junk before (;SZ[15];B[hh](;W[ii]C[first (one; here\\]];B[jj])(;W[gg](;B[aa])))(;B[bb])"
    game = read_sgf(text)
    assert [(m.x, m.y) for m in game.moves] == [(7, 7), (8, 8), (9, 9)]
    assert game.moves[1].comment == "first (one; here]"


def test_escapes_and_long_names_of_properties() -> None:
    game = read_sgf("(;GaMe[4]SiZe[15]PlayerBlack[A\\\nB\\]\\\\ ]PW\n[x\\:y];Black[hh])")
    assert game.info["PB"] == "AB]\\ " and game.info["PW"] == "x:y"
    assert game.moves == (SgfMove(7, 7, BLACK),)


def test_sizes() -> None:
    assert (read_sgf("(;B[hh])").width, read_sgf("(;B[hh])").height) == (15, 15)
    wide = read_sgf("(;SZ[20:12];B[tl])")
    assert (wide.width, wide.height, wide.moves[0].x, wide.moves[0].y) == (20, 12, 19, 11)
    assert read_sgf("(;SZ[30];B[DA])").moves[0] == SgfMove(29, 26, BLACK)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "holds no game"),
        ("B[hh]", "holds no game"),
        ("(;GM[1];B[hh])", "GM\\[1\\] is another game"),
        ("(;SZ[0])", "SZ\\[0\\] is not a board size"),
        ("(;SZ[big])", "SZ\\[big\\] is not a board size"),
        ("(;SZ[15];B[pp])", "\\[pp\\] is outside the 15x15 board"),
        ("(;SZ[15];B[h16])", "\\[h16\\] is outside"),
        ("(;SZ[15];B[hhh])", "\\[hhh\\] is not a point"),
        ("(;SZ[15];B[])", "B\\[\\] is a pass"),
        ("(;SZ[15];B[hh];W[hh])", "move 2 is played on a stone"),
        ("(;SZ[15]AB[hh];W[hh])", "move 1 is played on a stone"),
        ("(;SZ[15];B[hh];AW[ii])", "set-up stones after move 1"),
        ("(;SZ[15];B[hh]", "ends too early"),
        ("(;SZ[15];B[hh", "cannot be read from '\\[hh' on"),
        ("(;SZ[15];B[h\nh])", "\\[h h\\] is not a point"),
        ("(;[15])", "\\[15\\] does not follow a property"),
    ],
)
def test_what_is_wrong_is_named(text: str, wrong: str) -> None:
    assert_refused(read_sgf, text, wrong)


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)


@given(games(NAMES))
def test_what_is_written_is_read(game: Game) -> None:
    text = to_sgf(game)
    read = read_sgf(text)
    assert (read.width, read.height) == (game.setting.width, game.setting.height)
    assert [(m.x, m.y, m.colour) for m in read.moves] == [(m.x, m.y, m.colour) for m in game.moves]
    assert read.info["PB"].split() == game.job.black.split()
    assert read.info["PW"].split() == game.job.white.split()
    if game.setting.width == game.setting.height:
        other = Sgf_game.from_string(text)
        assert other.get_size() == game.setting.width
        assert len(other.get_main_sequence()) == len(game.moves) + 1


@given(st.text(max_size=60) | st.text("();[]\\ABWSZaht18:", max_size=40).map("(;".__add__))
def test_anything_is_read_or_refused_in_one_line(text: str) -> None:
    assert_read_or_refused(read_sgf, text, "sgf: ")
