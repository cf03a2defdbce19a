"""Writes SHA256SUMS, which `sha256sum --check` reads: `python -m release.checksums FOLDER`."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

NAME = "SHA256SUMS"


def write_checksums(folder: Path) -> Path:
    """Writes the file for every other file of the folder, in the order of their names."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != NAME)
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / NAME).write_text("".join(lines), encoding="utf-8", newline="\n")
    return folder / NAME


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("usage: python -m release.checksums FOLDER")
    print(write_checksums(Path(sys.argv[1])).read_text(encoding="utf-8"), end="")
