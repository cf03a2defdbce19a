"""Builds of a project side by side: a commit, and the working tree as it is now, each in its own
folder, so that the working tree can be edited while they play.

A project is a git repository with a `setup.py` that compiles in place, a program to start and the
command `tengen bench`.
"""

from __future__ import annotations

import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

_BUILT = ".built"
_PROGRAM = "tengen/pbrain.py"
# What a version needs besides: setup.py to build, and `tengen bench`.
_NEEDED = ("setup.py", _PROGRAM, "tengen/__main__.py")


@dataclass(frozen=True)
class Build:
    """A version of the project in a folder of its own.

    what    what it is a version of, for people: `the working tree`, or the commit as it was given.
    label   a short name that tells this version from all others.
    folder  where it is built.
    """

    what: str
    label: str
    folder: Path
    _unpack: Callable[[Path], None] = field(repr=False, compare=False)

    @property
    def is_ready(self) -> bool:
        """True when it has been built, by this run or an earlier one."""
        return (self.folder / _BUILT).exists()

    @property
    def command(self) -> str:
        """The command that starts it, for `cmd=`."""
        return f'"{sys.executable}" "{self.folder / _PROGRAM}"'

    def make(self) -> None:
        """Builds it, which takes a minute or two. ValueError, in one line, if that fails."""
        if self.folder.exists():
            shutil.rmtree(self.folder)
        self.folder.mkdir(parents=True)
        self._unpack(self.folder)
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        _run(command, self.folder, f"{self.what}: does not build")
        (self.folder / _BUILT).touch()

    def bench_nodes(self) -> str:
        """The node signature, the last word that `tengen bench` prints; ValueError if it fails."""
        words = [sys.executable, "-m", "tengen", "bench"]
        output = _run(words, self.folder, f"{self.what}: tengen bench fails")
        return output.decode().split()[-1]


def find_project(start: Path) -> Path:
    """The top folder of the project around `start`; ValueError if there is none."""
    top = _run(["git", "rev-parse", "--show-toplevel"], start, f"{start}: no git repository")
    root = Path(top.decode().strip())
    for name in _NEEDED:
        if not (root / name).is_file():
            raise ValueError(f"{root}: has no {name}, so there is nothing to build and to play")
    return root


def build_of_commit(root: Path, revision: str, folder: Path) -> Build:
    """A build of a commit, to be made in a folder below `folder`. ValueError, in one line, if there
    is no such commit, or it is older than the first one that can be built and played."""
    name = ["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    commit = _run(name, root, f"{revision}: no such commit").decode().strip()
    _check_layout(root, revision, commit)

    def unpack(place: Path) -> None:
        archive = _run(["git", "archive", commit], root, f"{revision}: cannot be read")
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            tar.extractall(place, filter="data")

    return Build(revision, commit[:7], folder / commit[:12], unpack)


def _check_layout(root: Path, revision: str, commit: str) -> None:
    """ValueError unless the commit can be built and played."""
    if _has_needed(root, commit):
        return
    adding = ["git", "log", "--reverse", "--format=%h", "--diff-filter=A", "HEAD", "--", *_NEEDED]
    candidates = _run(adding, root, f"{revision}: cannot be read").decode().split()
    first = next((each for each in candidates if _has_needed(root, each)), None)
    hint = f"; the first commit that can is {first}" if first else ""
    raise ValueError(f"{revision}: cannot be tested without {', '.join(_NEEDED)}{hint}")


def _has_needed(root: Path, commit: str) -> bool:
    words = ["git", "ls-tree", "--name-only", commit, *_NEEDED]
    return len(_run(words, root, commit).split()) == len(_NEEDED)


def build_of_working_tree(root: Path, folder: Path) -> Build:
    """A build of the working tree as it is now, files included that git does not track yet. It is
    to be made in a folder below `folder` that is named after the contents of the tree."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = sorted(_run(listing, root, f"{root}: cannot be listed").decode().split("\0"))
    files = [name for name in names if name and (root / name).is_file()]
    digest = hashlib.sha256()
    for name in files:
        digest.update(f"{name}\0".encode())
        digest.update(hashlib.sha256((root / name).read_bytes()).digest())
    label = f"work-{digest.hexdigest()[:7]}"

    def unpack(place: Path) -> None:
        for name in files:
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, place / name)

    return Build("the working tree", label, folder / label, unpack)


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
