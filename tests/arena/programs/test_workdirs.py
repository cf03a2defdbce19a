"""Temporary folders, and what a killed run leaves of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tengen.arena.programs import workdirs
from tengen.arena.programs.workdirs import Workdir, remove_leftovers
from tengen.common.process import take_lock


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@contextmanager
def _another_run(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    code = (
        "import time; from tengen.arena.programs.workdirs import Workdir\n"
        "workdir = Workdir(); print(workdir.path, flush=True); time.sleep(600)"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    with process:
        folder = Path(process.stdout.readline().strip())
        (folder / "work").mkdir()
        (folder / "work" / "file").write_text("x")
        yield process, folder
        process.kill()


def test_the_folders_of_a_process_that_was_killed_are_removed(tmp_path: Path) -> None:
    own = Workdir()
    with _another_run(tmp_path) as (process, other):
        assert remove_leftovers() == [] and other.is_dir()
        process.kill()
        process.wait()
        assert remove_leftovers() == [other]
        assert own.path.is_dir() and not other.exists()
    own.remove()
    assert not own.path.exists()


def test_a_folder_in_use_stays_whatever_is_known_of_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another container or on another machine no process has its number, and after the clock was
    set none was started when it was."""

    def unknown(*_: object) -> psutil.Process:
        raise psutil.NoSuchProcess(1)

    with _another_run(tmp_path) as (_, other):
        monkeypatch.setattr(psutil, "Process", unknown)
        monkeypatch.setattr(psutil, "pid_exists", lambda _: False)
        monkeypatch.setattr(os, "getpid", lambda: 1)
        assert remove_leftovers() == [] and other.is_dir()


def test_what_has_no_lock_stays(tmp_path: Path) -> None:
    """It is just being made, or somebody else's."""
    for name in ("tengen-match-new", "another"):
        (tmp_path / name).mkdir()
    (tmp_path / "tengen-match-file").write_text("x")
    assert remove_leftovers() == []
    assert len(list(tmp_path.iterdir())) == 3


def test_another_run_that_looks_while_a_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the first folder for a leftover; the second one is kept."""
    removed: list[Path] = []

    def take_late(folder: Path) -> object:
        monkeypatch.setattr(workdirs, "take_lock", take_lock)
        (folder / ".lock").touch()
        removed.extend(remove_leftovers())
        raise ValueError("in use")

    monkeypatch.setattr(workdirs, "take_lock", take_late)
    workdir = Workdir()
    assert len(removed) == 1 and not removed[0].exists()
    assert workdir.path.is_dir() and remove_leftovers() == []
    workdir.remove()


def test_where_files_cannot_be_locked_folders_are_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> object:
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(workdirs, "take_lock", refuse)
    workdir = Workdir()
    assert workdir.path.is_dir() and remove_leftovers() == []
    workdir.remove()
    assert not workdir.path.exists()
