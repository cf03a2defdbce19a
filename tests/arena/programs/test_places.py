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


def test_a_folder_is_known_by_its_name_and_the_start_of_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = make_place()
    # Another process had this number before, and others name their folders alike.
    started = int(psutil.Process().create_time())
    old = tmp_path / f"tengen-match-{os.getpid()}-{started - 100}-abc"
    for folder in (old, *(tmp_path / name for name in ("tengen-match-1-x", "tengen-match-x-1-y"))):
        folder.mkdir()
    assert remove_leftovers() == [old]
    # A clock that was set changes nothing.
    create_time = psutil.Process.create_time
    for step_s in (-50, 50):
        monkeypatch.setattr(
            psutil.Process, "create_time", lambda self, step_s=step_s: create_time(self) + step_s
        )
        assert remove_leftovers() == [] and own.is_dir()
