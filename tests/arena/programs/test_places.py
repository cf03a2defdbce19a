"""Temporary folders, and what a killed run leaves of them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from tengen.arena.programs.places import make_place, remove_leftovers


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_the_folders_of_a_process_that_was_killed_are_removed(tmp_path: Path) -> None:
    own = make_place()
    code = (
        "import time; from tengen.arena.programs.places import make_place\n"
        "print(make_place(), flush=True); time.sleep(600)"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path), "TEMP": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    with process:
        other = Path(process.stdout.readline().strip())
        (other / "work").mkdir()
        (other / "work" / "file").write_text("x")
        assert remove_leftovers() == [] and other.is_dir()
        process.kill()
    assert remove_leftovers() == [other]
    assert own.is_dir() and not other.exists()


def test_a_process_with_the_same_number_is_another_one(tmp_path: Path) -> None:
    started = int(psutil.Process().create_time())
    old = tmp_path / f"tengen-match-{os.getpid()}-{started - 100}-abc"
    old.mkdir()
    assert remove_leftovers() == [old]


@pytest.mark.parametrize("step_s", [-50, -1, 1, 50])
def test_a_clock_that_was_set_changes_nothing(step_s: int, monkeypatch: pytest.MonkeyPatch) -> None:
    own = make_place()
    create_time = psutil.Process.create_time
    monkeypatch.setattr(psutil.Process, "create_time", lambda self: create_time(self) + step_s)
    assert remove_leftovers() == [] and own.is_dir()


@pytest.mark.parametrize("name", ["tengen-match-1-x", "tengen-match-x-1-y", "other-1-1-x"])
def test_other_folders_stay(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert remove_leftovers() == []
    assert (tmp_path / name).is_dir()
