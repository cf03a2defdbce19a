"""Programs that play a script, and short time limits for tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tengen.arena.programs.program import Timeouts
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.played import TimeControl

# Plays a script: one argument for each request for a move, after START was answered as the first
# argument says. Parts of an argument are separated by `;` and done in order: `sleep 0.2`, `crash`,
# `exit`, `stall`, `child`; anything else is printed. When the script is over, it starts again from
# the beginning. With `deaf` in the first argument it ignores END.
SCRIPTED = """
import os, subprocess, sys, time

def do(parts):
    for part in parts.split(";"):
        word, _, rest = part.partition(" ")
        if word == "sleep":
            time.sleep(float(rest))
        elif word == "crash":
            sys.stderr.write("first line\\nsomething broke\\n")
            sys.stderr.flush()
            os._exit(3)
        elif word == "exit":
            os._exit(0)
        elif word == "stall":
            time.sleep(600)
        elif word == "child":
            code = "import time; time.sleep(600)"
            subprocess.Popen([sys.executable, "-SEc", code], start_new_session=rest == "away")
        elif word != "deaf":
            print(part, flush=True)

start, *script = sys.argv[1:]
log = open(os.environ["SCRIPT_LOG"], "a") if "SCRIPT_LOG" in os.environ else None
n = 0
in_board = False
for line in sys.stdin:
    if log:
        log.write(line)
        log.flush()
    word = (line.split() or [""])[0]
    if word in ("START", "RECTSTART"):
        n = 0
        do(start)
    elif word == "ABOUT":
        print('name="Scripted"', flush=True)
    elif word == "BOARD":
        in_board = True
    elif word == "END" and "deaf" not in start:
        break
    elif word in ("BEGIN", "TURN", "PLAY") or (in_board and word == "DONE"):
        in_board = False
        do(script[n % len(script)])
        n += 1
if "deaf" in start:
    time.sleep(600)
"""

MakeProgram = Callable[..., ProgramSpec]

# For a move: more than any program needs on a busy machine; and for one that fails to make it.
AMPLE_S = 60.0
BRIEF_S = 0.2


@pytest.fixture
def scripted(tmp_path: Path) -> MakeProgram:
    """Makes programs that play a script: `scripted("name", "7,7", "8,8", start="OK", turn_s=1)`."""
    path = tmp_path / "scripted.py"
    path.write_text(SCRIPTED, encoding="ascii")

    def make(
        name: str, *script: str, start: str = "OK", turn_s: float | None = AMPLE_S, **more: object
    ) -> ProgramSpec:
        command = (sys.executable, "-SE", str(path), start, *script)
        program = ProgramSpec(name, command, TimeControl(turn_s))
        return replace(program, **more)  # type: ignore[arg-type]

    return make


@pytest.fixture
def hasty() -> Timeouts:
    """So that failures are found soon: of a program that is given BRIEF_S for a move none is waited
    for longer than another 1.3 s. All other limits are ample."""
    return Timeouts(start_s=AMPLE_S, tolerance_s=0.5, late_s=0.8, exit_s=0.3)
