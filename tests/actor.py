"""A program for tests that plays as a test says and notes what happens to it, words that start it,
and time limits."""

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

# Arguments: LOG ROW CODE ... It plays along the row. Each CODE is Python with bars for line ends:
# the first is run before the first move of a process, and so on; that of `on move CODE` before
# every move, that of `on WORD CODE` before such a line, which is then not obeyed if `skip = True`.
# Code can set `cell`, the next move as (x, y) or a text, and use what is defined below. In the file
# LOG, if there is one, it notes what it is told, where it runs, which files are there and in its
# folder for kept files; it leaves one in both.
ACTOR = """
import json, os, subprocess, sys, time
log, row, *acts = sys.argv[1:]
hooks = dict(act[3:].split(None, 1) for act in acts if act.startswith("on "))
acts = [act for act in acts if not act.startswith("on ")]
names = globals()

def run(code):
    exec(code.replace("|", "\\n"), names)

def note(**entry):
    if log:
        with open(log, "a") as file:
            file.write(json.dumps(entry) + "\\n")

def entries():
    with open(log) as file:
        return [json.loads(line) for line in file if line.endswith("\\n")]

def say(*texts):
    print(*texts, flush=True)

def die():
    sys.stderr.write("first line\\nsomething broke\\n")
    sys.stderr.flush()
    os._exit(3)

def state(pid):
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]

# A child is ready once it has written a line.
def child(code, **more):
    code = f"import time; {code}; print(1, flush=True); time.sleep(600)"
    command = [sys.executable, "-SEc", code]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, **more)
    process.stdout.readline()
    return process.pid

def is_free(x, y):
    return (x, y) not in [stone[:2] for stone in stones]

# Moves of the process and of the game; stones as (x, y, field), where 1 is its own.
done = move = 0
info, stones, block = {}, [], ""
for line in sys.stdin:
    words = line.split()
    note(row=row, told=line.strip())
    skip = False
    run(hooks.get(words[0], ""))
    if skip:
        continue
    if words[0] == "ABOUT":
        say('name="Actor"')
    elif words[0] in ("START", "RECTSTART"):
        move, stones = 0, []
        note(row=row, pids=[os.getpid()], cwd=os.getcwd(), found=sorted(os.listdir()))
        open("litter", "w").close()
        say("OK")
    elif words[:2] == ["INFO", "folder"]:
        folder = line.rstrip("\\r\\n").split(" ", 2)[2]
        kept = sorted(os.listdir(folder))
        note(row=row, keep=folder, kept=kept)
        open(os.path.join(folder, str(len(kept))), "w").close()
    elif words[0] == "INFO":
        info[words[1]] = " ".join(words[2:])
    elif words[0] in ("BOARD", "SWAP2BOARD"):
        block, stones = words[0], []
    elif words[0] == "TURN":
        stones.append((*map(int, words[1].split(",")), 2))
    elif "," in words[0]:
        stones.append(tuple(map(int, words[0].split(","))))
    elif words[0] == "END":
        break
    if words[0] in ("BEGIN", "TURN") or words[0] == "DONE" and block == "BOARD":
        cell = None
        for code in (hooks.get("move", ""), *acts[done : done + 1]):
            run(code)
        cell = cell or (move, int(row))
        say(cell if isinstance(cell, str) else "%d,%d" % cell)
        stones.append((*cell, 1))
        done += 1
        move += 1
"""

# For a move: more than any program needs on a busy machine; and for one that fails to make it.
AMPLE_S = 60.0
BRIEF_S = 0.2


@pytest.fixture
def hasty() -> Timeouts:
    """So that failures are found soon: of a program that is given BRIEF_S for a move none is waited
    for longer than another 1.3 s. All other limits are ample."""
    return Timeouts(start_s=AMPLE_S, tolerance_s=0.5, late_s=0.8, exit_s=0.3)


def command_of(row: int, *acts: str, log: Path | str = "") -> tuple[str, ...]:
    """The words that start the actor."""
    return (sys.executable, "-SEc", ACTOR, str(log), str(row), *acts)


def acting(
    name: str, row: int, *acts: str, turn_s: float | None = AMPLE_S, **more: Any
) -> ProgramSpec:
    """The actor as a program of a match; `more` are fields of the program."""
    return replace(ProgramSpec(name, command_of(row, *acts), TimeControl(turn_s)), **more)


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new current folder with the actor and a book."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "actor.py").write_text(ACTOR, encoding="ascii")
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
    return [e[key] for e in entries if key in e and row in (None, int(e.get("row", -1)))]
