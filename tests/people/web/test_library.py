"""The folder of games, without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.text import read_point
from tengen import cli as tengen
from tengen.game.referee import BLACK, WHITE
from tengen.people.session.files import read_loaded
from tengen.people.session.game import Game
from tengen.people.session.session import GameSession
from tengen.people.web.library import Library
from tengen.people.web.room import Room
from tests.people.web.talk import read

_WON = "e8 a1 f8 a2 g8 a3 h8 a4 i8"


def _for_two(words: str) -> GameSession:
    session = GameSession(Game(15, 15, 0), {BLACK: None, WHITE: None})
    for word in words.split():
        session.play(read_point(word, 15, 15))
    return session


def _kept(folder: Path) -> str:
    (path,) = folder.iterdir()
    return path.read_text()


@pytest.mark.parametrize("is_resigned", [False, True])
def test_stepping_through_a_game_leaves_its_file(tmp_path: Path, is_resigned: bool) -> None:
    session, library = _for_two("h8 a1 i8" if is_resigned else _WON), Library(tmp_path)
    if is_resigned:
        session.resign()
    library.keep(session)
    before = _kept(tmp_path)
    assert "RE[B+" in before
    for step in (session.undo, session.undo, session.redo, lambda: session.jump(())):
        step()
        library.keep(session, is_last=True)
        assert _kept(tmp_path) == session.snapshot().text(".sgf") == before
    # Another move begins another line.
    session.play((0, 0))
    library.keep(session, is_last=True)
    assert "RE[Void]" in _kept(tmp_path)


def test_how_a_game_ended_is_kept_where_its_moves_were_already(tmp_path: Path) -> None:
    session, library = _for_two("h8 a1"), Library(tmp_path)
    library.keep(session)
    assert "RE[Void]" in _kept(tmp_path)
    session.resign()
    library.keep(session, is_last=True)
    assert "RE[W+" in _kept(tmp_path) and not session.is_unsaved


def test_stepping_through_a_game_that_was_opened_writes_nothing(tmp_path: Path) -> None:
    session, library = _for_two(""), Library(tmp_path)
    session.take_over(read_loaded("h8i9j10", "the text", 0))
    session.undo()
    library.keep(session, is_last=True)
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


class Board:
    """A room for two people and its page, without a server."""

    def __init__(self, folder: Path) -> None:
        self.room = Room(_for_two(""), Library(folder))
        self._told: list[str] = []
        self.room.join(self._told.append)

    def request(self, do: str, **values: Any) -> str:
        """Wishes that; the error, or ""."""
        before = len(self.all_told("error"))
        self.room.hear(json.dumps({"do": do, **values}), self._told.append)
        self.wait()
        return "".join(each["text"] for each in self.all_told("error")[before:])

    def all_told(self, kind: str) -> list[dict[str, Any]]:
        """All messages of that kind to the page."""
        return [told for text in self._told if (told := read(text))["kind"] == kind]

    def step(self) -> None:
        """Lets the room go on, and waits."""
        self.room.step()
        self.wait()

    def wait(self) -> None:
        """Until nothing is being read or written, and what can be written is."""
        library = self.room._library
        self.room.step()
        while library._waiting and not library.problem:
            self.room.step()
        while self.room._reader._asked:
            self.room._reader.tell()

    def begin(self, *black: list[int]) -> None:
        """A new position, so that the game before it is kept."""
        board = {"width": 15, "height": 15, "rule": 0, "first": "black"}
        assert not self.request("setup", **board, black=black, white=[[3, 3]] if black else [])


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    yield board
    board.room.close()


@pytest.mark.parametrize("stones", [[], [[7, 7]]])
@pytest.mark.parametrize("what", ["comment", "mark"])
def test_what_is_written_before_the_first_move_is_kept(
    board: Board, tmp_path: Path, stones: list[list[int]], what: str
) -> None:
    board.begin(*stones)
    values = (
        {"text": "here"} if what == "comment" else {"x": 1, "y": 2, "mark": "circle", "text": ""}
    )
    assert not board.request(what, node=0, **values)
    board.begin()
    assert ("C[here]" if what == "comment" else "CR[bc]") in _kept(tmp_path)
    (path,) = tmp_path.iterdir()
    assert not board.request("load", name=path.name)
    remarks = board.room._tree.remarks(0)
    assert remarks["comment"] == "here" if what == "comment" else remarks["marks"]
    assert len(board.room.session.game.setup) == 2 * len(stones)


def test_deleting_all_moves_is_kept(board: Board, tmp_path: Path) -> None:
    board.request("play", x=7, y=7)
    board.request("play", x=8, y=8)
    board.step()
    assert ";W[ii]" in _kept(tmp_path)
    board.request("show", cells=[[7, 7]])
    assert not board.request("cut")
    board.begin()
    assert ";B[" not in _kept(tmp_path) and ";W[" not in _kept(tmp_path)


def test_what_was_written_last_is_kept_when_another_game_is_loaded(
    board: Board, tmp_path: Path
) -> None:
    for name, point in (("game-20260101-000000.sgf", "hh"), ("game-20260101-000001.sgf", "ii")):
        (tmp_path / name).write_text(f"(;GM[4]SZ[15];B[{point}])")
    first, second = sorted(path.name for path in tmp_path.iterdir())
    board.request("load", name=first)
    for text in ("one", "two"):
        board.request("comment", node=1, text=text)
        board.step()
    board.request("load", name=second)
    assert "C[two]" in (tmp_path / first).read_text()
    assert len(list(tmp_path.iterdir())) == 2


def test_a_game_on_the_board_cannot_be_deleted(board: Board, tmp_path: Path) -> None:
    board.request("play", x=7, y=7)
    board.step()
    (path,) = tmp_path.iterdir()
    assert "is on the board" in board.request("delete", name=path.name)
    board.begin()
    assert not board.request("load", name=path.name)
    assert "is on the board" in board.request("delete", name=path.name) and path.exists()
    board.begin()
    assert not board.request("delete", name=path.name) and not path.exists()


def test_a_game_that_the_command_line_names_goes_on_in_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    file = folder / "game-20260101-000000.sgf"
    file.write_text("(;GM[4]SZ[15];B[hh])")
    (tmp_path / file.name).write_text("(;GM[4]SZ[15];B[hh])")  # not one of the folder
    rooms = []

    def begin(room: Room, *_: object) -> None:
        rooms.append(room)
        raise ValueError("that is enough")

    monkeypatch.setattr("tengen.people.web.cli.Server", begin)
    monkeypatch.chdir(folder)
    for name in (file, file.name, "../games/" + file.name, tmp_path / file.name, "h8" * 200):
        assert tengen.run(["board", str(name), f"--out={folder}"]) == 2
    told: list[str] = []
    for room, is_own in zip(rooms, (True, True, True, False), strict=True):
        room.hear(json.dumps({"do": "delete", "name": file.name}), told.append)
        assert is_own == any("is on the board" in text for text in told) == file.exists()
        del told[:]
        room.close()
    assert not list(folder.iterdir())


def test_what_is_written_belongs_to_the_position_that_it_names(board: Board) -> None:
    board.request("play", x=7, y=7)
    board.request("play", x=8, y=8)
    assert not board.request("comment", node=1, text="late")
    assert not board.request("mark", node=1, x=1, y=2, mark="circle", text="")
    tree = board.room._tree
    assert tree.remarks(1) == {
        "node": 1,
        "comment": "late",
        "is_cut": False,
        "marks": [[1, 2, "circle", ""]],
    }
    assert tree.remarks(2) == {"node": 2, "comment": "", "is_cut": False, "marks": []}
    board.request("cut")
    for node in (2, 3):
        assert "no longer in the game" in board.request("comment", node=node, text="later")
