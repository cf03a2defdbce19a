"""Versions of a project side by side: a commit, and the working tree as it is now, each in a folder
of its own where it is built and stays as it was.

A project is a git repository with a `setup.py` that compiles in place and a program to start:
`tengen/pbrain.py`, or `pbrain.py` in commits before there was a package `tengen/`.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

_BUILT = ".built"
# Where the program to start is, by layout: today's, and the one before it.
_PROGRAMS = ("tengen/pbrain.py", "pbrain.py")


@dataclass(frozen=True)
class Build:
    """A version that is ready to play; `label` tells people which."""

    label: str
    folder: Path

    @property
    def command(self) -> str:
        """What starts it, for `cmd=`."""
        return f'"{sys.executable}" "{_program(self.folder)}"'

    def bench_nodes(self) -> str:
        """The node signature, the last word that `tengen bench` prints; ValueError if it fails."""
        is_package = _program(self.folder) == self.folder / _PROGRAMS[0]
        words = ["-m", "tengen", "bench"] if is_package else ["tengen.py", "bench"]
        said = _run([sys.executable, *words], self.folder, f"{self.label}: bench")
        return said.decode().split()[-1]


def find_project(start: Path) -> Path:
    """The top folder of the project around `start`; ValueError if there is none."""
    top = _run(["git", "rev-parse", "--show-toplevel"], start, f"{start}: no git repository")
    root = Path(top.decode().strip())
    if not (root / "setup.py").is_file():
        raise ValueError(f"{root}: has no setup.py, so there is nothing to build")
    _program(root)
    return root


def build_commit(root: Path, revision: str, folder: Path) -> Build:
    """Builds a commit in a folder below `folder`, unless that has been done before. ValueError, in
    one line, if there is no such commit or it does not build."""
    name = ["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    commit = _run(name, root, f"{revision}: no such commit").decode().strip()
    place = folder / commit[:12]
    if not (place / _BUILT).exists():
        _clear(place)
        archive = _run(["git", "archive", commit], root, f"{revision}: cannot be read")
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(place, filter="data")
        _build(place, revision)
    return Build(commit[:7], place)


def build_working_tree(root: Path, folder: Path) -> Build:
    """Builds the working tree, files included that git does not know yet, in a folder below
    `folder` that is named by its contents: what is edited later does not matter any more."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = sorted(_run(listing, root, f"{root}: cannot be listed").decode().split("\0"))
    files = [name for name in names if name and (root / name).is_file()]
    digest = hashlib.sha256()
    for name in files:
        digest.update(f"{name}\0".encode())
        digest.update(hashlib.sha256((root / name).read_bytes()).digest())
    label = f"work-{digest.hexdigest()[:7]}"
    place = folder / label
    if not (place / _BUILT).exists():
        _clear(place)
        for name in files:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, place / name)
        _build(place, "the working tree")
    return Build(label, place)


def _build(place: Path, what: str) -> None:
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    _run(command, place, f"{what}: does not build")
    (place / _BUILT).touch()


def _program(folder: Path) -> Path:
    """The program to start in a folder of the project; ValueError if it has none."""
    for name in _PROGRAMS:
        if (folder / name).is_file():
            return folder / name
    raise ValueError(f"{folder}: has no {_PROGRAMS[0]}, so there is nothing to start")


def _clear(place: Path) -> None:
    if place.exists():
        shutil.rmtree(place)
    place.mkdir(parents=True)


def _run(command: list[str], cwd: Path, complaint: str) -> bytes:
    """The output of a command; ValueError with the complaint and its last line if it fails."""
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, check=False)
    except OSError as error:
        raise ValueError(f"{complaint}: {command[0]}: {error.strerror}") from None
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ValueError(f"{complaint}: {lines[-1]}" if lines else complaint)
    return done.stdout
