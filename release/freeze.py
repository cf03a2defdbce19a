"""Freezes the program with PyInstaller for the system this runs on, and asks it for a move.

`python -m release.freeze` makes dist/pbrain-tengen/, one folder and one process. The engine must
have been compiled in place, and PyInstaller installed.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from release import contents
from release.inputs import BuildFailed

DIST = contents.ROOT / "dist"
# Without END, which would end it before the move; the end of the input lets it answer first.
CONVERSATION = "ABOUT\nSTART 15\nINFO timeout_turn 100\nBEGIN\n"
# Enough for a busy machine, and for a virus scanner that looks at a new program first.
PATIENCE_S = 60


def freeze() -> Path:
    """Builds the executable and returns its path; BuildFailed if PyInstaller reports an error."""
    name = contents.program_name()
    command = [sys.executable, "-m", "PyInstaller", "--noconfirm"]
    command += ["--distpath", str(DIST), "--workpath", str(contents.ROOT / "build" / "exe")]
    run_step(
        [*command, str(contents.ROOT / "build_exe.spec")],
        PYI_LOG_LEVEL=os.environ.get("PYI_LOG_LEVEL", "WARN"),
    )
    suffix = ".exe" if sys.platform == "win32" else ""
    return DIST / name / f"{name}{suffix}"


def first_move(program: list[str]) -> str:
    """Starts a program by its command, plays the manager for one move, and returns that move;
    BuildFailed if any answer is not what the protocol demands."""
    try:
        done = subprocess.run(
            program, input=CONVERSATION, capture_output=True, text=True, timeout=PATIENCE_S
        )
    except subprocess.TimeoutExpired:
        raise BuildFailed(f"{program[-1]} did not end within {PATIENCE_S} s") from None
    except OSError as error:
        raise BuildFailed(f"{program[-1]} cannot be started: {error}") from None
    lines = [line for line in done.stdout.splitlines() if not line.startswith("MESSAGE")]
    about, started, move = [*lines, "", "", ""][:3]
    is_right = (
        len(lines) == 3
        and about.startswith('name="Tengen"')
        and started == "OK"
        and re.fullmatch(r"\d+,\d+", move)
        and done.returncode == 0
        and not done.stderr
    )
    if not is_right:
        raise BuildFailed(
            f"{program[-1]}: expected its name, OK, a move and status 0; got {lines},"
            f" {done.stderr!r} and status {done.returncode}"
        )
    return move


def run_step(command: list[str], **variables: str) -> None:
    """Runs a command in the project's folder and shows what it prints; BuildFailed if it fails."""
    sys.stdout.flush()  # it writes to the same place
    done = subprocess.run(command, cwd=contents.ROOT, env=os.environ | variables, check=False)
    if done.returncode:
        raise BuildFailed(f"status {done.returncode} of: {' '.join(command)}")


def main() -> int:
    """Freezes and tries it; returns the exit status."""
    try:
        program = freeze()
        print(f"{program.relative_to(contents.ROOT)} plays {first_move([str(program)])}")
    except BuildFailed as error:
        print(f"release.freeze: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
