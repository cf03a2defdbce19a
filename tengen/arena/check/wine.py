"""How a Windows program is started on a system that is not Windows: by wine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# No debug lines, no offers to install what wine lacks, nothing added to the menus of the desktop.
_SETTINGS = {"WINEDEBUG": "-all", "WINEDLLOVERRIDES": "mscoree,mshtml,winemenubuilder.exe="}
NO_WINE = "wine is missing (Debian, Ubuntu: apt-get install wine wine64)"
# The first start of all makes wine's own Windows.
_FIRST_START_S = 300


def is_missing() -> bool:
    """Are Windows programs to be started by wine, and there is none?"""
    return sys.platform != "win32" and shutil.which("wine") is None


def windows_command(program: Path) -> tuple[str, ...]:
    """The words that start a Windows program here. OSError if wine is needed and missing."""
    if sys.platform == "win32":
        return (str(program),)
    wine = shutil.which("wine")
    if wine is None:
        raise FileNotFoundError(NO_WINE)
    return (wine, str(program))


def windows_path(path: Path) -> str:
    """An absolute path as a Windows program knows it; wine shows the root as drive Z."""
    return str(path) if sys.platform == "win32" else "Z:" + str(path).replace("/", "\\")


def wine_folders() -> list[Path]:
    """The folders of wine's own Windows where programs keep temporary files and settings; none on
    Windows itself."""
    if sys.platform == "win32":
        return []
    prefix = os.environ.get("WINEPREFIX") or Path.home() / ".wine"
    folders = [Path(prefix, "drive_c", *rest) for rest in (("users",), ("windows", "temp"))]
    return [folder for folder in folders if folder.is_dir()]


@contextmanager
def wine_running() -> Iterator[None]:
    """Keeps wine's own processes running inside the context; does nothing on Windows. OSError if
    wine cannot be started.

    If a program under test had to start them, they would inherit its pipes and hold them open, and
    would be taken for processes of that program.
    """
    if sys.platform == "win32":
        yield
        return
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)  # for all that is started from now on
    nowhere = subprocess.DEVNULL
    idle = subprocess.Popen(
        windows_command(Path("cmd.exe")), stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere
    )
    try:
        # Ends when the start that `idle` has begun is over.
        try:
            subprocess.run(
                [*windows_command(Path("cmd.exe")), "/c", "exit"],
                stdin=nowhere,
                stdout=nowhere,
                stderr=nowhere,
                check=False,
                timeout=_FIRST_START_S,
            )
        except subprocess.TimeoutExpired:
            idle.kill()
            raise TimeoutError(f"wine has not started within {_FIRST_START_S} s") from None
        yield
    finally:
        assert idle.stdin
        idle.stdin.close()
        idle.wait()
