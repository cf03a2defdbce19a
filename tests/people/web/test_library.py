"""The folder of games, without a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.text import read_point
from tengen import cli as tengen
from tengen.game.rules.referee import BLACK, WHITE
from tengen.people.sitting.files import read_loaded
from tengen.people.sitting.game import Game
from tengen.people.sitting.sitting import Sitting
from tengen.people.web.library import Library

_WON = "e8 a1 f8 a2 g8 a3 h8 a4 i8"


def _for_two(words: str) -> Sitting:
    sitting = Sitting(Game(15, 15, 0), {BLACK: None, WHITE: None})
    for word in words.split():
        sitting.play(read_point(word, 15, 15))
    return sitting


def _kept(folder: Path) -> str:
    (path,) = folder.iterdir()
    return path.read_text()


@pytest.mark.parametrize("is_resigned", [False, True])
def test_stepping_through_a_game_leaves_its_file(tmp_path: Path, is_resigned: bool) -> None:
    sitting, library = _for_two("h8 a1 i8" if is_resigned else _WON), Library(tmp_path)
    if is_resigned:
        sitting.resign()
    library.keep(sitting)
    before = _kept(tmp_path)
    assert "RE[B+" in before
    for step in (sitting.undo, sitting.undo, sitting.redo, lambda: sitting.jump(())):
        step()
        library.keep(sitting, is_last=True)
        assert _kept(tmp_path) == sitting.file_text(".sgf") == before
    # Another move begins another line.
    sitting.play((0, 0))
    library.keep(sitting, is_last=True)
    assert "RE[Void]" in _kept(tmp_path)


def test_how_a_game_ended_is_kept_where_its_moves_were_already(tmp_path: Path) -> None:
    sitting, library = _for_two("h8 a1"), Library(tmp_path)
    library.keep(sitting)
    assert "RE[Void]" in _kept(tmp_path)
    sitting.resign()
    library.keep(sitting)
    assert "RE[W+" in _kept(tmp_path) and not sitting.is_unsaved


def test_stepping_through_a_game_that_was_opened_writes_nothing(tmp_path: Path) -> None:
    sitting, library = _for_two(""), Library(tmp_path)
    sitting.take_over(read_loaded("h8i9j10", "the text", 0))
    sitting.undo()
    library.keep(sitting, is_last=True)
    assert not list(tmp_path.iterdir())


def test_the_home_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folders = []

    def begin(folder: Path) -> Library:
        folders.append(folder)
        raise ValueError("that is enough")

    monkeypatch.setattr("tengen.people.web.cli.Library", begin)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    assert tengen.run(["board", "--out=~/kept"]) == 2
    assert folders == [tmp_path / "kept"] and "that is enough" in capsys.readouterr().err
    assert tengen.run(["board", "--out=~nobody-of-this-name/kept"]) == 2
    assert "no such home folder" in capsys.readouterr().err


def test_what_cannot_be_written_is_not_tried_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def fail(self: Sitting, name: str, *, overwrites: bool = False) -> Path:
        tries.append(name)
        raise ValueError("no room")

    monkeypatch.setattr(Sitting, "save", fail)
    sitting, library = _for_two(_WON), Library(tmp_path)
    for _ in range(5):
        library.keep(sitting)
    assert len(tries) == 1 and library.problem == "The game cannot be kept: no room"
    library.keep(sitting, is_last=True)
    assert len(tries) == 2
