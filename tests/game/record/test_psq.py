"""Piskvork's files: what we write, what we read, and that the one is the other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.game.record.game import Game
from tengen.game.record.psq import PERSON, PsqMove, read_psq, to_psq
from tengen.game.record.recorded import read_saved_game
from tengen.game.record.termination import Termination
from tengen.game.record.time_control import TimeControl
from tengen.game.rules.referee import WHITE
from tests.game.record.sample_games import assert_read_or_refused, assert_refused, games
from tests.game.record.sample_games import game as sample

CONTROLS = {"Tengen": TimeControl(0.1), "Simple": TimeControl(1.2, 60)}


def test_as_piskvork_writes_it() -> None:
    assert to_psq(sample(), CONTROLS) == (
        "Piskvorky 15x15, 1:4, 0\n"
        "8,8,0\n9,9,12\n7,1,1500\n15,15,250\n"
        "Tengen\nSimple\n0\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("termination", "code"),
    [
        (Termination.FIVE, 0),
        (Termination.TIMEOUT, 15),
        (Termination.CRASH, -2),
        (Termination.FORBIDDEN, -2),
        (Termination.ADJUDICATED, -1),
        (Termination.INTERRUPTED, -1),
    ],
)
def test_how_a_game_ended(termination: Termination, code: int) -> None:
    text = to_psq(sample(WHITE, termination))
    assert text.endswith(f"\n{code}\n")
    assert read_psq(text).code == code


def test_without_a_limit_the_level_is_the_highest() -> None:
    assert to_psq(sample()).startswith("Piskvorky 15x15, 11:11, 0\n")
    below = {"Tengen": TimeControl(0.01), "Simple": TimeControl(None, 60)}
    assert to_psq(sample(), below).startswith("Piskvorky 15x15, 1:11, 0\n")


def test_a_person_has_level_zero() -> None:
    text = to_psq(sample(), CONTROLS, people=["Simple"])
    assert text.startswith("Piskvorky 15x15, 1:0, 0\n")
    assert read_psq(text).levels == (1, PERSON)


def test_ours_loads_back() -> None:
    game = read_psq(to_psq(sample(), CONTROLS))
    assert (game.width, game.height, game.levels, game.starter) == (15, 15, (1, 4), 0)
    assert game.moves == (
        PsqMove(7, 7, 0), PsqMove(8, 8, 12), PsqMove(6, 0, 1500), PsqMove(14, 14, 250)
    )  # fmt: skip
    assert (game.names, game.code, game.judge) == (("Tengen", "Simple"), 0, "")


def test_a_file_of_the_judge_with_carriage_returns() -> None:
    text = (
        "Piskvorky 20x20, 11:11, 0\r\n10,11,0\r\n1,20,37\r\nONE\r\nTWO 2\r\n-1\r\n1,Freestyle1\r\n"
    )
    game = read_psq(text)
    assert (game.width, game.height) == (20, 20)
    assert game.moves == (PsqMove(9, 10, 0), PsqMove(0, 19, 37))
    assert (game.names, game.code, game.judge) == (("ONE", "TWO 2"), -1, "1,Freestyle1")


def test_who_began_is_black() -> None:
    game = read_psq("Piskvorky 15x15, 0:3, 1\n8,8,900\nhomo-1\npbrain\n0\n")
    assert (game.black, game.white) == ("pbrain", "homo-1")


@pytest.mark.parametrize(
    ("tail", "names", "code"),
    [
        ("", None, None),
        ("-1\n\n", None, -1),
        ("A\nB\n", ("A", "B"), None),
        ("7\n8\n0\n", ("7", "8"), 0),
    ],
)
def test_tails_that_lack_something(
    tail: str, names: tuple[str, str] | None, code: int | None
) -> None:
    game = read_psq(f"\ufeffPiskvorky 15x12, 11:11, 0\n 8, 8\n{tail}")
    assert game.moves == (PsqMove(7, 7),)
    assert (game.names, game.code) == (names, code)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "line 1: expected a header"),
        ("Gomoku 15x15\n", "line 1: expected a header"),
        ("Piskvorky 15x15, 11:11, 2\n", "line 1: player 2 began"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n16,1,0\n", "line 3: 16,1 is outside the 15x15"),
        ("Piskvorky 15x15, 11:11, 0\n0,1,0\n", "line 2: 0,1 is outside"),
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n", "line 3: a second stone at 8,8"),
        ("Piskvorky 15x15, 11:11, 0\n8;8\n", "line 2: expected a move, or the code"),
        ("Piskvorky 15x15, 11:11, 0\nA\nB\nC\n", "line 4: expected the code of the end"),
        ("Piskvorky 15x15, 11:11, 0\nA\nB\n0\n1,x\nmore\n", "line 6: nothing may follow"),
    ],
)
def test_what_is_wrong_is_named(text: str, wrong: str) -> None:
    assert_refused(read_saved_game if text.startswith("Piskvorky") else read_psq, text, wrong)


@pytest.mark.parametrize(
    ("time", "ms"),
    [
        ("", None), (",", None), (",12", 12), (",0", 0), (", 12 ", 12), (",-15", None),
        (",12.5", None), (",4294967295", None), (",-2147483648", None), (",1e3", None),
        (",soon", None), (",12,13", None), (",+5", None), (",99999999999999999999", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_move_with_any_time_is_a_move(time: str, ms: int | None, end: str) -> None:
    lines = ("Piskvorky 15x15, 11:11, 0", "8,8,0", f" 9 , 9{time}", "", "10,10,7", "A", "B", "0")
    game = read_psq(end.join(lines))
    assert game.moves == (PsqMove(7, 7, 0), PsqMove(8, 8, ms), PsqMove(9, 9, 7))
    assert (game.names, game.code) == (("A", "B"), 0)


@pytest.mark.parametrize(
    "header",
    ["Piskvorky 15x15, 11:11, 0", "Piskvorky 15x15,11:11,0", "Piskvorky  15 x 15 , -1 : 0 , 1",
     " Piskvorky 15x15, 11:11, 0  ", "Piskvorky\t15x15,\t11:11,\t0"],
)  # fmt: skip
def test_headers_with_any_spaces(header: str) -> None:
    assert read_psq(f"{header}\n8,8,0\n").moves == (PsqMove(7, 7, 0),)


@pytest.mark.parametrize(
    ("tail", "names", "code", "judge"),
    [
        ("-1\n2,Renju\n", None, -1, "2,Renju"),
        ("0\n1,2\n", None, 0, "1,2"),
        ("A\nB\n-1\n1,2,3\n", ("A", "B"), -1, "1,2,3"),
    ],
)
def test_the_line_of_the_manager(
    tail: str, names: tuple[str, str] | None, code: int, judge: str
) -> None:
    game = read_psq(f"Piskvorky 15x15, 11:11, 0\n8,8,0\n{tail}")
    assert (len(game.moves), game.names, game.code, game.judge) == (1, names, code, judge)


@pytest.mark.parametrize("line", ["9;9", "9,x,0", "x", "-1,9,0", "9.5,9,0"])
@pytest.mark.parametrize("rest", ["10,10,0\n", "10,10,0\nA\nB\n0\n", "10,10,0\n11,11,0\n0\n"])
def test_an_error_names_its_own_line(line: str, rest: str) -> None:
    text = f"Piskvorky 15x15, 11:11, 0\n8,8,0\n{line}\n{rest}"
    assert_refused(read_psq, text, f"psq, line 3: expected a move, found '{line}'")


# Also names that look like moves.
NAMES = st.text(min_size=1, max_size=12).filter(lambda text: text.split()) | st.sampled_from(
    ["1,2", "3,4,5", "7"]
)


@given(games(NAMES))
def test_what_is_written_is_read(game: Game) -> None:
    read = read_psq(to_psq(game))
    assert (read.width, read.height) == (game.setting.width, game.setting.height)
    assert [(m.x, m.y, m.ms) for m in read.moves] == [
        (m.x, m.y, round(m.elapsed_s * 1000)) for m in game.moves
    ]
    assert read.names is not None
    for written, name in zip(read.names, (game.job.black, game.job.white), strict=True):
        # A name is one line, and has quotes where it would look like a move.
        assert written.strip('"') == " ".join(name.split()).strip('"')


@given(st.text(max_size=60) | st.text(max_size=60).map("Piskvorky 15x15, 1:1, 0\n".__add__))
def test_anything_is_read_or_refused_in_one_line(text: str) -> None:
    assert_read_or_refused(read_psq, text, "psq, line ")
