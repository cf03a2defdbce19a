"""`tengen play` reading from a file or a pipe: usage, failing programs, files, endings."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tengen import cli as tengen
from tengen.people.terminal.commands import WORDS
from tests.paths import ROOT

Capture = pytest.CaptureFixture[str]
COMMAND = [sys.executable, "-m", "tengen", "play"]


Talk = Callable[..., str]


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Talk:
    """What `tengen play` with these options says to these lines."""

    def run(command: str, *lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert tengen.run(["play", *command.split()]) == 0
        said = capsys.readouterr()
        assert said.err == ""
        return said.out

    return run


def _answer(said: str, line: str) -> str:
    """What came after a line, up to the next prompt."""
    return said.partition(f"> {line}\n")[2].partition("> ")[0].rpartition("\n")[0]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ("--opponent nobody", "there is no opponent 'nobody'; there are tengen, "),
        ("--rule go", "there is no rule 'go'; there are 0 or freestyle, 1 or standard, 4 or renju"),
        ("--size 4", "'4' is not a board size; expected 5 to 22, such as 15 or 20x15"),
        ("--time -1", "-1: expected seconds from"),
        ("--nodes 0", "0: expected a whole number from 1"),
        ("--time 1 --nodes 5", "--time and --nodes: give one of them"),
        ("--two --first me", "--first needs a game against a program"),
        ("--opponent cmd=no-such-program", "there is no program 'no-such-program'"),
        ("--two --opponent simple", "--opponent needs a game against a program"),
        ("--level 0", "0: expected a whole number from 1"),
        ("--level 11", "11: expected a whole number from 1 to 10"),
        ("--level 3 --opponent simple", "--level needs Tengen as a program"),
        ("--level 3 --seed=-5", "-5: expected a whole number from 0"),
        ("--level 3 --seed 2147483648", "2147483648: expected a whole number from 0"),
        ("--ponder --level 9", "--ponder needs Tengen at level 10, by time"),
        ("--ponder --nodes 5", "--ponder needs Tengen at level 10, by time"),
        ("--level 3 --two", "--level needs Tengen as a program"),
        (f"--load {ROOT / 'tests/people/terminal/game.sgf'} --size 9", "leave out --size"),
        ("--game 2", "--game needs --load"),
        (
            "--opening pro",
            "'pro' is not one of 'balance', 'swap1', 'swap2', 'soosyrv8', 'taraguchi10'",
        ),
        ("--opening swap1 --load h8", "--opening and --load: give one of them"),
        ("--opening soosyrv8", "soosyrv8 is an opening of renju on 15x15"),
        ("--load no-such-file.psq", "no-such-file.psq: No such file or directory"),
        (f"--load {ROOT / 'setup.py'}", "is not a point; expected points such as h8 i9"),
        ("h8", "Got unexpected extra argument"),
    ],
)
def test_bad_usage_is_one_line(capsys: Capture, options: str, text: str) -> None:
    assert tengen.run(["play", *options.split()]) == 2
    said = capsys.readouterr()
    assert text in said.err and said.err.count("\n") == 1
    assert said.err.startswith("tengen play: ")
    assert said.out == ""


def test_lines_from_a_file_are_shown_as_if_typed(talk: Talk) -> None:
    said = talk("--two --size 5", "c3", "", "nonsense", "moves")
    assert "Black 1> c3\n" in said and "White 2> \n" in said
    assert _answer(said, "nonsense").startswith("'nonsense' is neither a point such as c3")
    assert _answer(said, "moves") == "  1. c3"
    assert said.endswith("White 2> \nThe game was not saved; save FILE would have kept it.\n")
    assert "\x1b" not in said and "thinks" not in said


def test_help_names_every_command(talk: Talk) -> None:
    said = talk("--two --rule caro", "help", "level", "time 3", "nodes 70")
    for word in WORDS:
        assert f"\n  {word}" in said
    assert "7,7 is the same point in the protocol's notation" in said
    assert "stones of the other colour stand at both" in said
    assert _answer(said, "level") == "Two people play, Black first; hints take 2 s a move."
    assert _answer(said, "time 3") == "Two people play, Black first; hints take 3 s a move."
    assert _answer(said, "nodes 70").endswith("hints take 70 nodes a move.")


def test_a_program_that_fails_waits_to_be_asked_again(talk: Talk) -> None:
    said = talk(
        "--opponent failing",
        "h8", "go", "hint nothing", "a9", "undo", "undo", "redo", "swap", "quit",
    )  # fmt: skip
    failed = (
        "Failing failed: RuntimeError: no idea at all; type go to ask again, or play, undo or swap"
    )
    assert _answer(said, "h8") == failed
    assert _answer(said, "go") == failed
    # A move for it, all taken back, and the other side instead.
    assert "White 2> a9\n" in said and "Black 3> undo\n" in said
    assert said.count(failed) >= 3
    assert "You are White, Failing is Black." in said
    assert "Traceback" not in said


def test_a_program_that_answers_nonsense(talk: Talk) -> None:
    said = talk("--opponent wild --size 9", "e5", "e4", "quit")
    assert "Wild plays a9." in said
    assert "Wild answered 0,0, which is not an empty point; type go to ask again" in said


def test_a_program_that_makes_a_foul_has_lost(talk: Talk, tmp_path: Path) -> None:
    game = tmp_path / "game.sgf"
    black, white = "ba ca da ab ac ad".split(), "oo oa mo ko io go".split()
    moves = "".join(f";B[{b}];W[{w}]" for b, w in zip(black, white, strict=True))
    game.write_text(f"(;GM[4]SZ[15]RU[renju]{moves})")
    options = f"--opponent wild --first it --load {game}"
    said = talk(options, "undo", "quit")
    assert "Wild plays a15.\nWhite (you) wins: Black made a double four at a15.\nGame o" in said
    assert "Game over> undo" in said and "White 12> quit" in said


def test_moves_after_the_end_of_a_game_by_another_rule(
    talk: Talk, capsys: Capture, tmp_path: Path
) -> None:
    """A psq file does not name its rule; six in a row do not win under the standard rule."""
    six = "Piskvorky 15x15, 0:0, 0\n" + "".join(
        f"{b},8\n{w},1\n" for b, w in zip((1, 2, 3, 5, 6, 4), (1, 3, 5, 7, 9, 11), strict=True)
    )
    path = tmp_path / "six.psq"
    path.write_text(six)
    assert tengen.run(["play", "--load", str(path)]) == 2
    assert "move 12 is played after the end of the game" in capsys.readouterr().err
    said = talk(f"--two --rule standard --load {path}", "moves", "quit")
    assert "11. d8   k15" in said and "Black 13> quit" in said
    # Within a conversation it is as if nothing had been asked.
    said = talk("--two", "h8", f"load {path}", "moves")
    assert "move 12 is played after the end" in _answer(said, f"load {path}")
    assert _answer(said, "moves") == "  1. h8"


def test_who_is_to_move_in_a_game_of_others(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[4]SZ[9]PB[Ann]PW[Bob];B[ee])")
    said = talk(f"--load {path} --nodes 50", "quit")
    assert "You are White, Tengen is Black" in said and "plays" not in said
    said = talk("--size 9 --nodes 50", f"load {path}", "quit")
    assert "1 move, freestyle, as the file names no rule. You are White, Tengen is" in said
    said = talk(f"--load {path} --first me --nodes 50", "quit")
    assert "Tengen plays" in said and "Black 3> quit" in said


def test_which_game_of_several_is_loaded(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    path.write_text("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[15];B[hh];W[ii])")
    first = f"{path}, game 1 of 2; --game 2 for the next"
    assert talk(f"--two --load {path}", "quit").startswith(first)
    said = talk(f"--two --load {path} --game 2", "quit")
    assert said.startswith(f"{path}, game 2 of 2\n") and "Black 3> quit" in said
    said = talk("--two", f"load {path}", "quit")
    answer = " ".join(_answer(said, f"load {path}").split())
    assert "game 1 of 2; --game 2 for the next, an option of tengen play. 1 move," in answer


def test_the_same_lines_have_the_same_answers(talk: Talk) -> None:
    """Under a node limit the game is the same with and without hints."""
    lines = ["h8", "i9", "g7", "f6", "moves"]
    answers = {
        _answer(talk("--nodes 500", *[x for line in lines for x in (line, *more)]), "moves")
        for more in ([], [], ["hint 0.05", "undo", "redo"])
    }
    assert len(answers) == 1


@pytest.mark.skipif(os.name == "nt", reason="needs a shell")
@pytest.mark.parametrize("talk", ["{} <&-", "yes board | {} | head -n 1", "echo c3 | {} >&-"])
def test_nobody_to_talk_to(talk: str) -> None:
    """Without standard input or output, and with a closed pipe at the output."""
    command = talk.format(" ".join(f"'{word}'" for word in (*COMMAND, "--two")))
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "") and "Black 1>" not in done.stdout
    assert done.stdout.startswith("15x15, freestyle") or ">&-" in talk


def test_what_is_switched_is_said(talk: Talk) -> None:
    """The board may look the same: no stone, no forbidden point, or no room for numbers."""
    said = talk("--two --rule renju", "numbers", "fouls", "fouls", "numbers")
    off = "Move numbers are not shown now."
    assert _answer(said, "numbers").endswith(f"\n\n{off}")
    assert _answer(said, "fouls").endswith("\n\nForbidden points are not marked now.")
    assert said.count("\nForbidden points are marked now.\n") == 1
    assert said.count("\nMove numbers are shown now, where there is room.\n") == 1


def test_what_was_not_saved_is_said_where_there_is_something(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    lost = "The game was not saved"
    assert lost in talk("--two", "h8", "quit")
    saved = ("h8", "save game.sgf")
    assert lost not in talk("--two", *saved, "quit")
    assert lost in talk("--two", "load game.sgf", "h9", "quit")
    # An empty board is not a game to save, even after moves were taken back.
    assert lost not in talk("--two", "load game.sgf", "restart", "quit")
    assert lost not in talk("--two", "load game.sgf", "undo", "quit")
    assert lost in talk("--two", "h8", "restart", "quit")


def test_who_resigns_loses_and_can_go_on(talk: Talk) -> None:
    said = talk("--two", "h8", "resign", "h9", "resign", "undo", "h9", "quit")
    assert _answer(said, "resign") == "Black wins: White has resigned."
    assert "h9 cannot be played: the game is over" in said
    assert "resign: the game is over" in said
    assert "White 2> quit" in said


def test_any_bytes_are_answered() -> None:
    done = subprocess.run(
        [*COMMAND, "--two", "--ascii", "--size", "5"],
        input=b"\xff\xfe\x00c3\nload \xff\n\x00\nload \x00\nsave \x00.psq\nc3\n",
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        env=os.environ | {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"White 2> " in done.stdout and done.stdout.isascii()


def test_two_people_draw_on_a_full_board(talk: Talk) -> None:
    black = "a1 c1 e1 a2 d2 b3 c3 e3 a4 d4 b5 c5 e5".split()
    white = "b1 d1 b2 c2 e2 a3 d3 b4 c4 e4 a5 d5".split()
    points = [name for pair in zip(black, white, strict=False) for name in pair]
    # Both notations are used; x,y counts from the top left.
    said = talk("--two --size 5", "0,4", *points[1:], "e5", "undo 99", "redo 20", "swap")
    assert _answer(said, "0,4").startswith("0,4 is a1.")
    assert "The board is full and neither side has won: a draw." in said
    assert "Only 25 moves could be taken back: there are no more.\nBlack 1> " in said
    assert "Black 21> swap\nswap: there is no program" in said


def test_undo_and_redo_as_far_as_possible(talk: Talk) -> None:
    lines = ("e5", "a1", "undo 99", "redo 99", "undo all", "redo all", "restart", "redo", "moves")
    said = talk("--opponent simple --size 9 --nodes 3000", *lines)
    assert "Only 2 of your moves could be taken back: there are no more.\nBlack 1> " in said
    assert "Only 2 moves could be brought back: there are no more.\nBlack 5> " in said
    assert "Only" not in said.partition("> undo all")[2]
    assert "A new game; redo brings the old one back." in said
    assert _answer(said, "moves").startswith("  1. e5 ")


NODES = "--nodes 3000 --rule standard"
CHOICE = "Play as White. Or type swap to change sides. Or type add to put down two more stones;"


def test_swap2_where_the_program_begins(talk: Talk) -> None:
    options = f"--opening swap2 --first it {NODES}"
    said = talk(options, "swap", "level", "moves")
    assert f", Black's first. {CHOICE} then the other player chooses." in " ".join(said.split())
    assert "White 4> swap\nYou are Black, Tengen is White.\n" in said
    assert _answer(said, "level").startswith("You are Black, Tengen is White;")
    # The program has moved as White.
    assert "Black 5> moves" in said
    said = talk(options, "add", "a1", "a1", "b1", "add")
    assert _answer(said, "add") == (
        "Put down a white and a black stone; then the other player chooses a side."
    )
    assert said.count("a1 is taken; choose an empty point") == 1
    chosen = _answer(said, "b1")
    assert "Tengen takes Black.\n" in chosen or "Tengen stays White and plays " in chosen
    assert "> add\nadd: two stones can be added only in swap2, after" in said


def test_the_person_begins(talk: Talk) -> None:
    for opening, stones, moves, asked in (
        ("swap1", "h8", "  1. h8", "Black's first stone"),
        ("swap2", "h8 a1 h9", "  1. h8   a1      3. h9", "three stones, Black's first"),
    ):
        said = talk(f"--opening {opening} {NODES}", *stones.split(), "moves")
        assert f"Put down {asked}; then the other player chooses a side." in said
        chosen = _answer(said, stones[-2:])
        assert chosen.endswith("Tengen takes Black.\nYou are White, Tengen is Black.")
        assert _answer(said, "moves") == moves


@pytest.mark.parametrize("who", ["--two", "--first me", "--first it", "--opponent simple"])
def test_a_balanced_opening(talk: Talk, who: str) -> None:
    said = talk(f"--opening balance {who} {NODES}", "moves", *["restart"] * 5)
    assert "Tengen puts down " in said and ", Black's first." in said
    # Other games begin in other ways; two may be alike, as they are drawn from a few hundred.
    begun = [line for line in said.splitlines() if " puts down " in line]
    assert len(begun) == 6 and len(set(begun)) > 1


def test_two_people_agree_on_an_opening(talk: Talk) -> None:
    lines = ("h8", "i9", "j10", "a1", "fifths 2", "swap", "a1", "swap", "h6", "g5", "h7", "g5")
    said = talk("--two --opening soosyrv8 --rule renju", *lines, "level")
    assert "Black: Put down the first three stones, in the middle" in said
    assert "White 4> a1\nsay first how many fifth moves Black offers: 1 to 8\n" in said
    assert _answer(said, "fifths 2") == "White: Play as White."
    assert "swap: the opening does not let the players change sides now\n" in said
    swapped = "The first player is White, the second one is Black.\nBlack: Fifth moves to offer: 2,"
    assert f"Black 5> swap\n{swapped}" in said
    assert "White: Take one of the fifth moves offered: h6 g5." in said
    assert "h7 is not offered; take one of h6 g5\n" in said
    assert "White 6> level\nThe first player is White, the second one is Black; hints take" in said


def test_balanced_stones_in_a_position(talk: Talk) -> None:
    said = talk("--two", "h8", "balance 3", "balance 2", "balance", "moves")
    assert _answer(said, "balance 3") == "balance: expected 1 or 2, not '3'"
    value = "The value for the side that played first is "
    assert f", White's first. {value}" in " ".join(said.split())
    assert "White 5> moves" in said or "Black 5> moves" in said
