"""Runs the tests of the project under a Windows Python, by wine.

`python -m release.windows_suite` runs the rooms of SUITE, or what the words after it tell pytest.
Tests that wine itself breaks are listed with their reason in release/wine-breaks.txt and left out.
"""

from __future__ import annotations

import sys
from pathlib import Path

from release import wine
from release.inputs import HERE, BuildFailed
from release.windows_python import TREE, build

# What must work on Windows, and imports there.
SUITE = (
    "engine", "protocol", "game", "arena/stats", "arena/programs", "arena/match", "opponents",
    "study",
)  # fmt: skip
BREAKS = HERE / "wine-breaks.txt"


def main(words: list[str]) -> int:
    """Builds the Windows Python and runs pytest in it; returns the exit status."""
    try:
        python = build()
        with wine.running():
            tests = words or [f"tests/{room}" for room in SUITE]
            options = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
            for test in broken_tests(BREAKS):
                options += ["--deselect", test]
            return wine.run_python(python, [*options, *tests], TREE)
    except BuildFailed as error:
        print(f"make windows-suite: {error}", file=sys.stderr)
        return 1


def broken_tests(path: Path) -> list[str]:
    """The tests that the file names: a line each, and above them, as comments, the reason."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
