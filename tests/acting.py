"""Words that start the actor (tests/actor.py), what it noted, and time limits."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.played import TimeControl
from tests.paths import ROOT

ACTOR = ROOT / "tests" / "actor.py"
# Code for a program that plays the first empty point; and for one that hears no END.
INSTANT = "on move cell = free()[0]"
IGNORE_END = (
    "on begin import signal|signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "on END time.sleep(600)",
    "on eof time.sleep(600)",
)
# For a move: more than any program needs on a busy machine; and for one that fails to make it.
AMPLE_S = 60.0
BRIEF_S = 0.2


@pytest.fixture
def hasty() -> Timeouts:
    """So that failures are found soon: of a program that is given BRIEF_S for a move none is waited
    for longer than another 1.3 s. All other limits are ample."""
    return Timeouts(start_s=AMPLE_S, tolerance_s=0.5, late_s=0.8, exit_s=0.3)


def command_of(*acts: str, row: int | str = "", log: Path | str = "") -> tuple[str, ...]:
    """The words that start the actor."""
    return (sys.executable, "-SE", str(ACTOR), str(log), str(row), *acts)


def acting(
    name: str, *acts: str, row: int | str = "", turn_s: float | None = AMPLE_S, **more: Any
) -> ProgramSpec:
    """The actor as a program of a match; `more` are fields of the program."""
    return replace(ProgramSpec(name, command_of(*acts, row=row), TimeControl(turn_s)), **more)


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new current folder with the actor and a book."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "actor.py").write_bytes(ACTOR.read_bytes())
    (folder / "book.txt").write_text("0,0, 1,1\n", encoding="ascii")
    return folder


def actor(name: str, row: int, *acts: str, script: str = "actor.py") -> list[str]:
    """The words of --engine for the actor of the `stage`."""
    log = str(Path("log.jsonl").absolute())
    command = shlex.join([sys.executable, "-SE", script, log, str(row), *acts])
    return ["--engine", f"name={name}", f"cmd={command}"]


def settings(text: str) -> list[str]:
    """The words for these settings of a config file."""
    Path("settings.toml").write_text(text, encoding="utf-8")
    return ["--config", "settings.toml"]


def noted(key: str, row: int | None = None, log: Path = Path("log.jsonl")) -> list[Any]:
    """What actors have noted under a key, one by one."""
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    return [e[key] for e in entries if key in e and row in (None, int(e.get("row") or -1))]
