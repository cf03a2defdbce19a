"""Games saved and loaded; one error line where that is not possible."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest

from engine.text import read_point
from tengen.game.files.positions import Choice
from tengen.game.game import PERSON_NAME
from tengen.game.played import Move, TimeControl
from tengen.game.referee import BLACK, WHITE
from tengen.people.session.files import Snapshot, load_game, read_loaded
from tengen.people.session.game import Game
from tests.game.sample_games import cells, read_saved_game

AGAINST_TENGEN = {BLACK: "Tengen", WHITE: PERSON_NAME}
BOTH = {BLACK: PERSON_NAME, WHITE: PERSON_NAME}


def _game(words: str, rule: int = 0, size: tuple[int, int] = (15, 15)) -> Game:
    game = Game(*size, rule)
    for number, word in enumerate(words.split()):
        game.play(read_point(word, *size), number / 8)
    return game


@pytest.mark.parametrize("ending", [".psq", ".sgf", ".SGF"])
@pytest.mark.parametrize("words", ["", "h8 i8 h9", "e8 a1 f8 a2 g8 a3 h8 a4 i8"])
def test_what_is_saved_is_loaded(tmp_path: Path, ending: str, words: str) -> None:
    game = _game(words, rule=1, size=(15, 12))
    path = Snapshot(game, AGAINST_TENGEN, TimeControl(1.0)).save(str(tmp_path / f"game{ending}"))
    loaded = load_game(str(path), rule=1)
    assert loaded.game.moves == (game.moves if ending == ".psq" else _untimed(game))
    assert loaded.game.outcome == game.outcome
    assert (loaded.game.width, loaded.game.height, loaded.game.rule) == (15, 12, 1)
    assert loaded.people == {WHITE}
    assert loaded.says_rule == (ending != ".psq")


def test_other_programs_read_who_played_and_how_it_ended(tmp_path: Path) -> None:
    won = _game("e8 a1 f8 a2 g8 a3 h8 a4 i8")
    psq = Snapshot(won, AGAINST_TENGEN).save(str(tmp_path / "a.psq")).read_text()
    assert psq.startswith("Piskvorky 15x15, 11:0, 0\n") and psq.endswith("\nTengen\nPlayer\n0\n")
    sgf = read_saved_game(Snapshot(won, AGAINST_TENGEN).save(str(tmp_path / "a.sgf")).read_text())
    assert (sgf.result, sgf.white) == ("black", "Player")
    open_game = _game("e8 a1")
    psq = Snapshot(open_game, AGAINST_TENGEN).save(str(tmp_path / "b.psq")).read_text()
    assert psq.endswith("\n-1\n")


def test_the_rule_of_the_file_and_the_wished_one(tmp_path: Path) -> None:
    game = _game("h8 i8", rule=4)
    sgf = str(Snapshot(game, AGAINST_TENGEN).save(str(tmp_path / "a.sgf")))
    psq = str(Snapshot(game, AGAINST_TENGEN).save(str(tmp_path / "a.psq")))
    assert load_game(sgf, rule=0).game.rule == 4
    assert load_game(sgf, 0, Choice(rule=0)).game.rule == 0
    assert load_game(psq, rule=8).game.rule == 8


def test_where_nothing_can_be_saved(tmp_path: Path) -> None:
    game = _game("h8")
    (tmp_path / "folder.psq").mkdir()
    for name, wrong in (
        ("game.txt", r"game.txt: expected a name that ends in \.psq or \.sgf"),
        ("game", "expected a name that ends in"),
        ("folder.psq", "is a folder"),
    ):
        with pytest.raises(ValueError, match=wrong):
            Snapshot(game, AGAINST_TENGEN).save(str(tmp_path / name))
    with pytest.raises(ValueError, match="game.psq: No such file or directory$"):
        Snapshot(game, AGAINST_TENGEN).save(str(tmp_path / "missing" / "game.psq"))
    with pytest.raises(ValueError, match="g.psq: [A-Z]"):
        Snapshot(game, AGAINST_TENGEN).save(str(tmp_path / f"{'g' * 300}.psq"))
    with pytest.raises(ValueError, match="no such home folder"):
        Snapshot(game, AGAINST_TENGEN).save("~nobody-of-this-name/game.psq")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (". . . . .\n" * 4 + ". . X . #", "has walls, which a game at the board has not"),
        ("(;GM[4]SZ[15]AB[hh];W[ii];W[jj])", "move 2 is White's, but it is Black's turn"),
        ("(;GM[4]SZ[15]AB[hh:lh];W[ii])", "move 1 is played after the end of the game"),
        ("(;GM[4]SZ[15];B[hh];B[ii])", "move 2 is Black's, but it is White's turn"),
        ("(;GM[4]SZ[15];W[hh])", "move 1 is White's, but it is Black's turn"),
    ],
)
def test_broken_files_are_named_in_one_line(tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "game"
    path.write_text(text)
    with pytest.raises(ValueError, match=wrong) as refused:
        load_game(str(path), 0)
    assert str(refused.value).startswith(f"{path}: ")
    assert str(refused.value).isprintable()


def test_files_of_others(tmp_path: Path) -> None:
    """Without names, with those of another alphabet in its old encoding, with player two first."""
    path = tmp_path / "game"
    path.write_text("(;GM[4]SZ[15]PB[Ann]PW[Player];B[h8];W[i9])")
    loaded = load_game(str(path), 0)
    assert [(move.x, move.y) for move in loaded.game.moves] == [(7, 7), (8, 6)]
    assert loaded.people == {WHITE} and not loaded.says_rule
    path.write_bytes(
        "Piskvorky 20x20, 0:5, 1\r\n10,10,0\r\nDvořák\r\nTengen\r\n-1\r\n".encode("cp1250")
    )
    loaded = load_game(str(path), 0)
    assert [(move.x, move.y) for move in loaded.game.moves] == [(9, 9)]
    assert loaded.people == {WHITE}
    path.write_text("Piskvorky 20x20, 11:11, 0\n10,10,0\n")
    assert load_game(str(path), 0).people == frozenset()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    link = tmp_path / "game.psq"
    link.symlink_to("/dev/full")
    with pytest.raises(ValueError, match="game.psq: this is not an ordinary file$"):
        Snapshot(_game("h8"), AGAINST_TENGEN).save(str(link), overwrites=True)
    assert Path("/dev/full").is_char_device()


def test_a_game_that_would_be_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An unsaved game goes to a new file in the current folder, else in the home folder."""
    here, home, temporary = (tmp_path / name for name in ("here", "home", "temporary"))
    for folder in (here, home, temporary):
        folder.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(temporary))
    monkeypatch.chdir(here)
    game = _game("h8 i8", rule=4)
    paths = [Snapshot(game, AGAINST_TENGEN).save_unsaved() for _ in range(3)]
    assert len(set(paths)) == 3 and {path.resolve().parent for path in paths} == {here}
    for path in paths:
        assert re.fullmatch(r"tengen-unsaved-\d{8}-\d{6}(-\d)?\.sgf", path.name)
        assert load_game(str(path), 0).game.moves == _untimed(game)
        assert load_game(str(path), 0).game.rule == 4
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    if os.name != "nt":
        assert Snapshot(game, AGAINST_TENGEN).save_unsaved().parent == home
        home.rename(tmp_path / "moved")
        assert Snapshot(game, AGAINST_TENGEN).save_unsaved().parent == temporary
        temporary.rename(tmp_path / "moved too")
        with pytest.raises(ValueError, match="No such file or directory"):
            Snapshot(game, AGAINST_TENGEN).save_unsaved()

    def unusable() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", unusable)
    monkeypatch.chdir(here)
    assert Snapshot(game, AGAINST_TENGEN).save_unsaved().resolve().parent == here


def _untimed(game: Game) -> tuple[Move, ...]:
    """The moves as sgf has them."""
    return tuple(Move(move.x, move.y, move.colour) for move in game.moves)


def test_a_game_with_stones_set_up_is_kept_as_sgf() -> None:
    setup = ((7, 7, BLACK), (8, 8, BLACK), (6, 8, WHITE))
    game = Game(15, 12, 4, setup, WHITE)
    game.play((0, 0))
    game.play((9, 9))
    text = Snapshot(game, AGAINST_TENGEN).text(".sgf")
    again = read_loaded(text, "text", 0).game
    assert (again.width, again.height, again.rule) == (15, 12, 4)
    assert (set(again.setup), again.first) == (set(setup), WHITE)
    assert [(m.x, m.y, m.colour) for m in again.moves] == [(0, 0, WHITE), (9, 9, BLACK)]
    with pytest.raises(ValueError, match="psq file cannot hold stones that were set up or passes"):
        Snapshot(game, AGAINST_TENGEN).text(".psq")


def test_a_picture_is_a_game_to_play_from() -> None:
    loaded = read_loaded(". . . . .\n" * 4 + ". . X . .", "text", 0)
    assert loaded.game.setup == ((2, 4, BLACK),) and loaded.game.to_move == WHITE


FILE = (
    "(;GM[4]SZ[15]RU[renju]PB[Nakamura]PW[Lee]EV[Cup]XX[kept][too]RE[B+1];B[hh]C[centre]MA[hh]"
    ";W[ih](;B[hg]C[main];W[hi]N[end])(;B[ig]C[other]LB[aa:A];W[gi]))"
)


def test_a_file_is_saved_with_all_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(FILE)
    game = load_game(str(tmp_path / "a.sgf"), 0).game
    text = Snapshot(game, BOTH).text(".sgf")
    assert text.replace("\n", "") == FILE.replace("(;GM[4]", "(;FF[4]GM[4]CA[UTF-8]")
    # What is played is the main line, and nothing of the file is lost.
    game.undo()
    game.play((0, 0))
    text = Snapshot(game, BOTH | {WHITE: "Tengen"}).text(".sgf")
    read = read_saved_game(text)
    assert cells(read) == ((7, 7), (8, 7), (7, 6), (0, 0)) and read.names == ("Nakamura", "Tengen")
    assert read.said_result is None, "the result was that of other moves"
    for kept in ("EV[Cup]", "XX[kept][too]", "C[main]", "N[end]", "LB[aa:A]", ";W[gi]"):
        assert kept in text
    assert read_loaded(text, "it", 0).game.moves == game.moves


def test_a_file_with_passes_goes_on_after_them() -> None:
    text = "(;GM[4]SZ[15]RU[renju];B[hh];W[ih];B[]C[passed];W[hg];B[ii];W[])"
    game = read_loaded(text, "it", 0).game
    assert [stone[2] for stone in game.stones] == [BLACK, WHITE, WHITE, BLACK]
    assert (game.first, len(game.moves), game.to_move) == (WHITE, 2, WHITE)
    game.play((0, 0))
    saved = Snapshot(game, BOTH).text(".sgf")
    assert "B[]C[passed]" in saved
    again = read_loaded(saved, "it", 0).game
    assert again.stones == game.stones and again.to_move == BLACK
    with pytest.raises(ValueError, match="or passes; save it as sgf"):
        Snapshot(game, BOTH).text(".psq")


def test_a_psq_file_keeps_its_names() -> None:
    text = "Piskvorky 15x15, 11:11, 1\n8,8,7\n9,9,0\nA\nB\n0\n"
    saved = Snapshot(read_loaded(text, "it", 0).game, BOTH).text(".psq")
    assert saved == "Piskvorky 15x15, 11:11, 0\n8,8,7\n9,9,0\nB\nA\n-1\n"
