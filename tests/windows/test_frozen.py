"""The program that PyInstaller builds under a Windows Python: folder and zip, by wine."""

from __future__ import annotations

import os
import shutil
import zipfile
from pathlib import Path

import pytest

from release import wine
from release.windows_python import TREE, build
from tests.processes import processes_of
from tests.protocol.conversation import Program

# Where PyInstaller under wine leaves the folder.
FOLDER = TREE / "dist" / "pbrain-tengen64"
ZIP = TREE / "dist" / "release" / "TENGEN.zip"
NETS = {f"net-{rule}.bin" for rule in ("freestyle", "standard", "renju", "caro", "caro-exact")}

pytestmark = [pytest.mark.windows, pytest.mark.verify]


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    """What the job on Windows does, except for installing, compiling and testing: pip and
    Microsoft's compiler do not run under wine."""
    os.environ["PYI_LOG_LEVEL"] = "ERROR"  # it warns of each system DLL that is wine's own
    steps = ["-m", "release.build", "--no-install", "--no-compile", "--no-tests"]
    assert wine.run_python(build(), steps, TREE) == 0


def test_the_zip_has_the_program_in_its_root_and_nothing_for_other_systems() -> None:
    with zipfile.ZipFile(ZIP) as archive:
        names = set(archive.namelist())
    assert {"pbrain-tengen64.exe", "README.txt", "LICENSE.txt", "licences/Python.txt"} <= names
    shipped = {"values.bin", *NETS}
    assert {f"_internal/engine/data/{name}" for name in shipped} <= names
    assert "_internal/engine/search.pyd" in names
    unwanted = ("unicodedata", "select", "_ssl", "probe", ".so")
    assert not [name for name in names if name.endswith(unwanted) or "unicodedata" in name]


def test_the_folder_plays_in_one_process(tmp_path: Path) -> None:
    home = tmp_path / "folder"
    shutil.copytree(FOLDER, home)
    with Program(["wine", str(home / "pbrain-tengen64.exe")]) as running:
        running.search()
        assert [process.pid for process in processes_of(str(home))] == [running.process.pid]
        running.process.kill()
        running.process.wait()
        assert not list(processes_of(str(home)))
