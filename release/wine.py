"""Runs Windows programs on Linux by wine, for tests, and the tests of the project under a Windows
Python: `python -m release.wine` runs the rooms of SUITE, or what the words after it tell pytest.

Tests that wine itself breaks are listed with their reason in release/wine-breaks.txt and left out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from release.inputs import HERE, BuildFailed
from release.windows import WORK
from release.windows_python import TREE, build

# Wine's own Windows, apart from the user's; no debug lines; no offers to install what it lacks.
SETTINGS = {
    "WINEPREFIX": str(WORK / "wine"),
    "WINEARCH": "win64",
    "WINEDEBUG": "-all",
    "WINEDLLOVERRIDES": "mscoree,mshtml=",
}
_BOOT_S = 300
# What must work on Windows, and imports there.
SUITE = (
    "engine", "protocol", "game", "arena/stats", "arena/programs", "arena/match", "opponents",
    "study",
)  # fmt: skip
BREAKS = HERE / "wine-breaks.txt"


@contextmanager
def running() -> Iterator[None]:
    """Makes the environment of this process and its children that of wine, and keeps wine's own
    processes running inside the context. BuildFailed if there is no wine.

    Wine's server and services, if a program had to start them, would inherit the pipes of that
    program and hold them open. So they are started here, and an idle program keeps them running.
    """
    for program in ("wine", "wineserver"):
        if shutil.which(program) is None:
            raise BuildFailed(f"{program} is missing (Debian: apt-get install wine wine64)")
    os.environ |= SETTINGS
    WORK.mkdir(parents=True, exist_ok=True)
    nowhere = subprocess.DEVNULL
    for command in (["wineserver", "-p"], ["wine", "wineboot"]):
        subprocess.run(
            command, stdin=nowhere, stdout=nowhere, stderr=nowhere, check=False, timeout=_BOOT_S
        )
    idle = subprocess.Popen(
        ["wine", "cmd.exe"], stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere
    )
    try:
        yield
    finally:
        assert idle.stdin
        idle.stdin.close()
        idle.wait()
        subprocess.run(["wineserver", "-k"], check=False)


def run_python(python: Path, words: list[str], folder: Path) -> int:
    """Runs a Windows Python in a folder and shows what it prints; returns its exit status.

    Its streams are pipes: wine 8 hangs or fails on others.
    """
    with subprocess.Popen(
        ["wine", str(python), *words],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        assert process.stdin and process.stdout
        process.stdin.close()
        for line in process.stdout:
            sys.stdout.buffer.write(line.replace(b"\r\n", b"\n"))
            sys.stdout.flush()
    return process.returncode


def main(words: list[str]) -> int:
    """Builds the Windows Python and runs pytest in it; returns the exit status."""
    try:
        python = build()
        with running():
            tests = words or [f"tests/{room}" for room in SUITE]
            options = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
            for test in broken_tests(BREAKS):
                options += ["--deselect", test]
            return run_python(python, [*options, *tests], TREE)
    except BuildFailed as error:
        print(f"make windows-suite: {error}", file=sys.stderr)
        return 1


def broken_tests(path: Path) -> list[str]:
    """The tests that the file names: a line each, and above them, as comments, the reason."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
