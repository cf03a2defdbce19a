"""The executables under test: TENGEN_PROGRAM, by default what `make exe` has built, and what
`make exe-one-file` has built."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from release.contents import program_name
from tests.paths import ROOT

DIST = ROOT / "dist"
SUFFIX = ".exe" if os.name == "nt" else ""
FROZEN = Path(os.environ.get("TENGEN_PROGRAM", DIST / "pbrain-tengen" / "pbrain-tengen"))
ONE_FILE = DIST / "one-file" / f"{program_name()}{SUFFIX}"


@pytest.fixture
def frozen() -> Path:
    """The executable in its folder, where it was built."""
    assert FROZEN.is_file(), f"{FROZEN} is missing: run `make exe`"
    return FROZEN.resolve()


@pytest.fixture(params=["folder", "one file"])
def program(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A copy of either program, so that no other one can be mistaken for it, in a folder with
    blanks. One that unpacks itself does so in `tmp_path`/unpacked."""
    home = tmp_path / "my engines" / "Tengen 1"
    (tmp_path / "unpacked").mkdir()
    if request.param == "folder":
        frozen: Path = request.getfixturevalue("frozen")
        shutil.copytree(frozen.parent, home)
        return home / frozen.name
    assert ONE_FILE.is_file(), f"{ONE_FILE} is missing: run `make exe-one-file`"
    monkeypatch.setenv("TMP" if os.name == "nt" else "TMPDIR", str(tmp_path / "unpacked"))
    home.mkdir(parents=True)
    return Path(shutil.copy(ONE_FILE, home))
