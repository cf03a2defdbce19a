"""The program that PyInstaller builds under a Windows Python: folder, zip and one file, by wine."""

from __future__ import annotations

import shutil
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from release.windows_build import FOLDER, ONE_FILE, ZIP
from release.windows_build import run as run_build_program
from release.windows_python import build
from tests.protocol.conversation import Program
from tests.windows.test_program import processes_of, search

NETS = {f"net-{rule}.bin" for rule in ("freestyle", "standard", "renju", "caro")}

pytestmark = [pytest.mark.windows, pytest.mark.verify]

# Managers look for processes that a killed program has left; this is when they find none.
GONE_S = 60.0


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    """What the job on Windows does, except for installing, compiling and testing."""
    assert run_build_program(build(), ["--no-tests"]) == 0


def test_the_zip_has_the_program_in_its_root_and_nothing_for_other_systems() -> None:
    with zipfile.ZipFile(ZIP) as archive:
        names = set(archive.namelist())
    assert {"pbrain-tengen64.exe", "README.txt", "LICENSE.txt", "licences/Python.txt"} <= names
    shipped = {"values.bin", *NETS}
    assert {f"_internal/engine/data/{name}" for name in shipped} <= names
    assert "_internal/engine/search.pyd" in names
    unwanted = ("unicodedata", "select", "_ssl", "_probe", ".so")
    assert not [name for name in names if name.endswith(unwanted) or "unicodedata" in name]


def test_the_folder_plays_in_one_process(tmp_path: Path) -> None:
    home = tmp_path / "folder"
    shutil.copytree(FOLDER, home)
    with Program(["wine", str(home / "pbrain-tengen64.exe")]) as running:
        search(running)
        assert [process.pid for process in processes_of(home)] == [running.process.pid]
        running.process.kill()
        running.process.wait()
        assert not list(processes_of(home))


@pytest.fixture
def one_file(tmp_path: Path) -> Iterator[Path]:
    """A copy of the one-file program, so that no other one can be mistaken for it."""
    home = tmp_path / "alone"
    home.mkdir()
    yield Path(shutil.copy(ONE_FILE, home))
    for process in living(home / ONE_FILE.name):
        process.kill()


def test_the_one_file_program_answers_and_ends(one_file: Path) -> None:
    with Program(["wine", str(one_file)]) as running:
        running.send(b"START 15\r\nINFO timeout_turn 100\r\nBEGIN\r\n")
        assert running.read_line() == "OK"
        running.read_move()
        running.send(b"END\r\n")
        running.expect_exit()


def test_killed_in_mid_search_the_one_file_program_leaves_nothing(one_file: Path) -> None:
    with Program(["wine", str(one_file)]) as running:
        search(running)
        both = living(one_file)
        # Parent and child: otherwise this would test nothing.
        assert len(both) == 2
        running.process.kill()
        running.process.wait()
        killed = time.monotonic()
        # The input stays open: its end would end the child in any case.
        while left := living(one_file):
            assert time.monotonic() - killed < GONE_S, f"still running: {left}"
            time.sleep(0.02)
        print(f"gone after {time.monotonic() - killed:.2f} s")


def living(program: Path) -> list[psutil.Process]:
    """The running processes of the program: the parent is named by a path of Linux, the child by
    one of Windows. One that has ended and that nobody has waited for does not count."""
    found = []
    for process in psutil.process_iter(["cmdline", "status"]):
        words = [word.replace("\\", "/") for word in process.info["cmdline"] or ()]
        if any(str(program) in word for word in words) and process.info["status"] != "zombie":
            found.append(process)
    return found
