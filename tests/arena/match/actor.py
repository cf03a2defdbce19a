"""A program for runs that notes what happens to it, and does at its moves what a test says."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

# Plays along row ROW. Its further arguments are Python code with bars for line ends, run before its
# first, second ... move of a process; `note` writes to the file LOG. It notes what it is told, too,
# where it runs, which files are there and in its folder for kept files, and leaves one in both.
ACTOR = """
import json, os, subprocess, sys, time
log, row, *acts = sys.argv[1:]

def note(**entry):
    with open(log, "a") as file:
        file.write(json.dumps(entry) + "\\n")

def entries():
    with open(log) as file:
        return [json.loads(line) for line in file if line.endswith("\\n")]

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

names = globals()
done = move = 0
for line in sys.stdin:
    words = line.split()
    note(row=row, told=line.strip())
    if words[0] == "ABOUT":
        print('name="Actor"', flush=True)
    elif words[0] in ("START", "RECTSTART"):
        move = 0
        note(row=row, pids=[os.getpid()], cwd=os.getcwd(), found=sorted(os.listdir()))
        open("litter", "w").close()
        print("OK", flush=True)
    elif words[:2] == ["INFO", "folder"]:
        folder = line.rstrip("\\n").split(" ", 2)[2]
        kept = sorted(os.listdir(folder))
        note(row=row, keep=folder, kept=kept)
        open(os.path.join(folder, str(len(kept))), "w").close()
    elif words[0] in ("BEGIN", "TURN", "DONE"):
        if done < len(acts):
            exec(acts[done].replace("|", "\\n"), names)
        done += 1
        print(f"{move},{row}", flush=True)
        move += 1
    elif words[0] == "END":
        break
"""


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
    """The words of --engine for the actor."""
    log = str(Path("log.jsonl").absolute())
    command = shlex.join([sys.executable, "-SE", script, log, str(row), *acts])
    return ["--engine", f"name={name}", f"cmd={command}"]


def settings(text: str) -> list[str]:
    """The words for these settings of a config file."""
    Path("settings.toml").write_text(text, encoding="utf-8")
    return ["--config", "settings.toml"]


def noted(key: str, row: int | None = None) -> list[Any]:
    """What actors have noted under a key, one by one."""
    log = [json.loads(line) for line in Path("log.jsonl").read_text().splitlines()]
    return [e[key] for e in log if key in e and row in (None, int(e.get("row", -1)))]
