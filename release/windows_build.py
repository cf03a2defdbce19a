"""Runs the build program of the Windows job under wine: `python -m release.windows_build`.

The steps are those of `python -m release.build`, except that the packages come from pinned wheels
and the engine from the compiler of `make windows`: pip and Microsoft's compiler do not run there.
The results are in build/windows/tree/dist/. Words after the command are options of the program.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from release import wine
from release.contents import ROOT
from release.inputs import BuildFailed
from release.windows_python import TREE, build

# Where PyInstaller under wine leaves the folder.
FOLDER = TREE / "dist" / "pbrain-tengen64"
ZIP = TREE / "dist" / "release" / "TENGEN.zip"


def run(python: Path, words: list[str]) -> int:
    """Runs the build program with a Windows Python, inside `wine.running()`; returns its status."""
    os.environ["PYI_LOG_LEVEL"] = "ERROR"  # it warns of each system DLL that is wine's own
    steps = ["-m", "release.build", "--no-install", "--no-compile"]
    return wine.run_python(python, [*steps, *words], TREE)


def main(words: list[str]) -> int:
    """Builds the Windows Python and runs the build program; returns the exit status."""
    try:
        python = build()
        with wine.running():
            status = run(python, words)
    except BuildFailed as error:
        print(f"release.windows_build: {error}", file=sys.stderr)
        return 1
    if status == 0:
        print(f"{ZIP.relative_to(ROOT)}: {ZIP.stat().st_size / 1e6:.2f} MB")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
