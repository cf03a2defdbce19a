"""The one-file program: it speaks the protocol, and its child never outlives its parent."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import psutil
import pytest

from release.contents import program_name
from tests.paths import ROOT
from tests.protocol.conversation import SCRIPTS, Program, Script

pytestmark = pytest.mark.exe

SUFFIX = ".exe" if os.name == "nt" else ""
ONE_FILE = ROOT / "dist" / "one-file" / f"{program_name()}{SUFFIX}"
# Managers look for processes that a killed program has left; this is when they find none.
GONE_S = 60.0


@pytest.fixture
def one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the program, alone in its folder, that unpacks itself below `tmp_path`."""
    assert ONE_FILE.is_file(), f"{ONE_FILE} is missing: run `make exe-one-file`"
    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    monkeypatch.setenv("TMP" if os.name == "nt" else "TMPDIR", str(unpacked))
    (tmp_path / "alone").mkdir()
    return Path(shutil.copy(ONE_FILE, tmp_path / "alone"))


@pytest.mark.parametrize("script", sorted(SCRIPTS.glob("*.txt")), ids=lambda path: path.stem)
def test_conversation(one_file: Path, script: Path) -> None:
    with Program([str(one_file)]) as running:
        Script(running).play(script.read_text(encoding="ascii"))


def test_it_reads_the_settings_beside_it_and_leaves_nothing(one_file: Path, tmp_path: Path) -> None:
    (one_file.parent / "pbrain-tengen.toml").write_text('log = "my.log"\n', encoding="ascii")
    with Program([str(one_file)]) as running:
        running.send(b"ABOUT\nEND\n")
        running.read_line()
        running.expect_exit()
    assert "ABOUT" in (one_file.parent / "my.log").read_text(encoding="utf-8")
    assert not list((tmp_path / "unpacked").iterdir())


def processes_of(program: Path) -> list[psutil.Process]:
    """The running processes of the program."""
    found = []
    for process in psutil.process_iter(["exe", "status"]):
        # One that has ended and that nobody has waited for uses nothing.
        if process.info["exe"] == str(program) and process.info["status"] != "zombie":
            found.append(process)
    return found


def test_killed_in_mid_search_it_leaves_no_process(one_file: Path) -> None:
    with Program([str(one_file)]) as running:
        running.send(b"START 15\nINFO timeout_turn 60000\nBOARD\n7,7,2\nDONE\n")
        assert running.read_line() == "OK"
        while not (running.read_line() or "").startswith("MESSAGE Depth"):
            pass
        # Parent and child: otherwise this would test nothing.
        assert len(processes_of(one_file)) == 2
        running.process.kill()
        running.process.wait()
        killed = time.monotonic()
        # The input stays open: its end would end the child in any case.
        while left := processes_of(one_file):
            if time.monotonic() - killed > GONE_S:
                for process in left:
                    process.kill()
                raise AssertionError(f"still running after {GONE_S} s: {left}")
            time.sleep(0.02)
        print(f"gone after {time.monotonic() - killed:.2f} s")
