"""A folder of games that cannot be written for a while: play goes on, and nothing is lost."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.files import replace_file
from tengen import cli as tengen
from tengen.people.session.files import load_game
from tengen.people.web.server import Server
from tests.people.web.running import PATIENCE_S, Running
from tests.people.web.talk import has, open_page
from tests.people.web.test_library import Board

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
    "error",
    [OSError(number, os.strerror(number)) for number in (errno.ENOSPC, errno.EROFS, errno.ENOENT)]
    + [ValueError("a text"), RuntimeError("another")],
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


def test_what_cannot_be_written_is_not_tried_again_at_once(disk: _Disk, tmp_path: Path) -> None:
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
        other.rename(folder)

    yield take, give_back


@pytest.mark.parametrize("fault", [_full, _read_only, _gone])
def test_the_board_goes_on_while_the_folder_cannot_be_written(
    tmp_path: Path, fault: Callable[[Path], Any]
) -> None:
    folder = tmp_path / "games"

    async def run(running: Running, take: Callable[[], None], give: Callable[[], None]) -> None:
        page = await open_page(running)
        await page.send(do="play", x=7, y=7)
        await page.hear("state", has(1))
        ends_at = time.monotonic() + PATIENCE_S
        while not folder.is_dir() or _moves(folder) != [1]:
            assert time.monotonic() < ends_at
            await asyncio.sleep(0.01)
        take()
        await page.send(do="play", x=8, y=8)
        problem = (await page.hear("state", lambda state: state["problem"]))["problem"]
        assert problem.startswith("The game cannot be kept: ") and "\n" not in problem
        await page.send(do="play", x=6, y=6)
        await page.hear("state", has(3))
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


def test_each_move_is_written_at_once(tmp_path: Path) -> None:
    """A board that is killed loses nothing."""
    board = Board(tmp_path)
    for count, cell in enumerate(((7, 7), (8, 8), (6, 6)), start=1):
        assert not board.request("play", x=cell[0], y=cell[1])
        assert _moves(tmp_path) == [count]
    board.room.close()
