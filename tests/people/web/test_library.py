"""The folder of games without a server: what is kept, also where it cannot be written a while."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from engine.files import replace_file
from engine.text import read_point
from tengen import cli as tengen
from tengen.game.referee import BLACK, WHITE
from tengen.people.session.files import load_game
from tengen.people.session.game import Game
from tengen.people.session.session import GameSession
from tengen.people.web.library import Library
from tengen.people.web.room import Room
from tengen.people.web.server import Server
from tests.people.web.running import Running
from tests.people.web.talk import open_page, read

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
    assert not list(folder.glob("*.sgf"))


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


_KEPT_AGAIN = "The game is kept again."


class _Disk:
    """Writes files while `error` is None; otherwise raises it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.error: Exception | None = None
        self.tries = 0
        monkeypatch.setattr("tengen.people.session.files.replace_file", self.replace)

    def replace(self, name: str, data: bytes | str) -> None:
        self.tries += 1
        if self.error is not None:
            raise self.error
        replace_file(name, data)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> _Disk:
    return _Disk(monkeypatch)


def _moves(folder: Path) -> list[int]:
    """Of the games in the folder."""
    return sorted(len(load_game(str(path), 0).game.moves) for path in folder.glob("*.sgf"))


@pytest.mark.parametrize(
    "error", [OSError(errno.EROFS, os.strerror(errno.EROFS)), RuntimeError("another")]
)
def test_it_is_told_once_and_nothing_is_lost(
    disk: _Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr("tengen.people.web.library._PAUSE_S", 0.0)
    board = Board(tmp_path)
    board.request("play", x=7, y=7)
    assert _moves(tmp_path) == [1] and board.all_told("note") == []
    disk.error = error
    for x in (8, 9):
        assert not board.request("play", x=x, y=8)
    board.begin()
    assert not board.request("play", x=0, y=0)
    problems = [state["problem"] for state in board.all_told("state")]
    reason = error.strerror if isinstance(error, OSError) else str(error)
    text = f"The game cannot be kept: {tmp_path}: {reason}"
    begins = problems.index(text)
    assert set(problems[:begins]) == {""} and set(problems[begins:]) == {text}
    assert _moves(tmp_path) == [1] and board.all_told("note") == []
    disk.error = None
    for _ in range(3):
        board.step()
    assert [note["text"] for note in board.all_told("note")] == [_KEPT_AGAIN]
    assert board.all_told("state")[-1]["problem"] == "" and _moves(tmp_path) == [1, 3]
    board.room.close()


def test_what_cannot_be_written_is_not_tried_again_at_once(
    disk: _Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tengen.people.web.library._PAUSE_S", 600.0)
    disk.error = OSError(errno.ENOSPC, "no room")
    board = Board(tmp_path)
    board.room.hear('{"do": "play", "x": 7, "y": 7}', lambda _: None)
    while not disk.tries or board.room._library._writing:
        board.room.step()
    for _ in range(5):
        board.room.step()
    due_s = board.room._library.due_s()
    assert disk.tries == 1 and due_s is not None and due_s > 0
    board.room.close()
    assert disk.tries == 2


def test_a_game_that_waits_is_opened_as_it_is(disk: _Disk, tmp_path: Path) -> None:
    board = Board(tmp_path)
    board.request("play", x=7, y=7)
    disk.error = OSError(errno.ENOSPC, "no room")
    board.request("play", x=8, y=8)
    board.begin()
    (path,) = tmp_path.iterdir()
    assert _moves(tmp_path) == [1]
    assert not board.request("load", name=path.name)
    assert len(board.room.session.game.moves) == 2
    board.begin()
    # One that was deleted does not come back.
    assert not board.request("delete", name=path.name)
    disk.error = None
    board.step()
    board.room.close()
    assert _moves(tmp_path) == []


@contextmanager
def _mounted(folder: Path) -> Iterator[None]:
    """A small disk."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=64k", "none", str(folder)]
    if sys.platform != "linux" or subprocess.run(words, capture_output=True).returncode:
        pytest.skip("needs the right to mount")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


Fault = Iterator[tuple[Callable[[], object], Callable[[], object]]]


@contextmanager
def _full(folder: Path) -> Fault:
    def fill() -> None:
        with open(folder / "filler", "wb", buffering=0) as file:
            while True:
                try:
                    file.write(b"x" * 512)
                except OSError:
                    return

    with _mounted(folder):
        yield fill, (folder / "filler").unlink


@contextmanager
def _read_only(folder: Path) -> Fault:
    def remount(how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)

    with _mounted(folder):
        yield lambda: remount("ro"), lambda: remount("rw")


@contextmanager
def _gone(folder: Path) -> Fault:
    """A file is in its place."""
    other = folder.with_name("other")

    def take() -> None:
        folder.rename(other)
        folder.write_text("")

    def give_back() -> None:
        folder.unlink()
        with suppress(OSError):  # the server has made another one meanwhile
            other.rename(folder)

    yield take, give_back


@pytest.mark.parametrize("fault", [_full, _read_only, _gone])
def test_the_board_goes_on_while_the_folder_cannot_be_written(
    tmp_path: Path, fault: Callable[[Path], Any]
) -> None:
    folder = tmp_path / "games"

    async def run(running: Running, take: Callable[[], None], give: Callable[[], None]) -> None:
        page = await open_page(running)
        await page.play((7, 7))
        while not folder.is_dir() or _moves(folder) != [1]:
            await asyncio.sleep(0.01)
        take()
        await page.send(do="play", x=8, y=8)
        problem = (await page.hear("state", lambda state: state["problem"]))["problem"]
        assert problem.startswith("The game cannot be kept: ") and "\n" not in problem
        await page.play((6, 6))
        other = await open_page(running)
        assert len((await other.hear("state"))["cells"]) == 3
        await other.close()
        give()
        assert (await page.hear("note"))["text"] == _KEPT_AGAIN
        await page.until(problem="")
        assert _moves(folder) == [3]
        await page.close()

    with fault(folder) as (take, give), Running(folder, seats=("you", "you")) as running:
        asyncio.run(run(running, take, give))
        assert not running.log


def test_a_folder_that_was_removed_is_made_anew(tmp_path: Path) -> None:
    board = Board(tmp_path / "games")
    board.request("play", x=7, y=7)
    shutil.rmtree(tmp_path / "games")
    board.request("play", x=8, y=8)
    board.room.close()
    assert _moves(tmp_path / "games") == [2]
    assert not any(state["problem"] for state in board.all_told("state"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may do all")
def test_a_folder_that_may_not_be_looked_into_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir(mode=0)
    board = Board(tmp_path / "games")
    assert not board.request("play", x=7, y=7)
    assert "there is no game" in board.request("load", name="game-20260101-000000.sgf")
    assert "Permission denied" in board.all_told("state")[-1]["problem"]
    (tmp_path / "games").chmod(0o700)
    board.room.close()
    assert _moves(tmp_path / "games") == [1]


def test_at_the_end_what_could_not_be_kept_goes_to_another_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)

    def play(close: Callable[[], None]) -> None:
        server: Server = getattr(close, "__self__")  # noqa: B009
        for game in range(2):
            for x in range(game + 1):
                server.room.hear(f'{{"do": "play", "x": {x}, "y": 0}}', lambda _: None)
            server.room.hear(
                '{"do": "setup", "width": 9, "height": 9, "rule": 0, "black": [], "white": [],'
                ' "first": "black"}',
                lambda _: None,
            )
        close()

    monkeypatch.setattr("tengen.people.web.cli.run", play)
    words = ["board", "--no-browser", f"--out={tmp_path / 'file' / 'games'}"]
    assert tengen.run(words) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "is now in" in line]
    assert len(lines) == 2 and all("cannot be kept" in line for line in lines)
    assert _moves(tmp_path) == [1, 2]
