"""What a build downloads: packages pinned by hash, kept in a folder until the pins change."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class BuildFailed(Exception):
    """The build cannot go on; the text says why, in one line."""


def fetch(pins: str, folder: Path, *, for_windows: bool = False) -> list[Path]:
    """Downloads the wheels that the file `pins` (of this folder) names, into `folder`, unless they
    are there. Returns their paths; BuildFailed if one cannot be had or has another hash."""
    text = (HERE / pins).read_text(encoding="utf-8")
    stamp = folder / "pins.txt"
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == text):
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.whl"):
            old.unlink()
        command = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check"]
        command += ["--no-deps", "--only-binary=:all:", "--require-hashes"]
        if for_windows:
            command += ["--platform", "win_amd64", "--python-version", "3.11"]
        done = subprocess.run(
            [*command, "-d", str(folder), "-r", str(HERE / pins)], capture_output=True, text=True
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            raise BuildFailed(f"{pins}: cannot be downloaded: {last}")
        stamp.write_text(text, encoding="utf-8")
    return sorted(folder.glob("*.whl"))
