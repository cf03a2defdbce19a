"""A small project in each layout, for the tests of `tengen lab sprt` and `queue`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

# Its build only writes a file that the program and the bench need.
_SETUP = """
import sys
assert sys.argv[1:] == ["-q", "build_ext", "--inplace"], sys.argv
with open("signature.py", "w") as file:
    file.write("NODES = {nodes}")
"""
# Plays along a row of its colour after an opening, so that Black wins.
_PROGRAM = """
import os, sys
sys.path[0] = os.path.dirname(os.path.abspath(__file__)){up}
from signature import NODES
move = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "ABOUT":
        print('name="P", version="%d"' % NODES, flush=True)
    elif words[0] in ("START", "RECTSTART"):
        move = 0
        print("OK", flush=True)
    elif words[0] == "BOARD":
        stones = 0
    elif words[0] in ("BEGIN", "TURN", "DONE"):
        if words[0] == "DONE":
            row = 5 * (stones % 2)
        print(f"{{move}},{{row}}", flush=True)
        move += 1
    elif "," in words[0]:
        stones += 1
    elif words[0] == "END":
        break
"""
_BENCH = "from signature import NODES\nprint('Nodes searched:', NODES)\n"


def _write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="ascii")


def _commit(root: Path, tag: str) -> None:
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a"}
    who |= {"GIT_COMMITTER_EMAIL": "a@b", "GIT_CONFIG_GLOBAL": os.devnull}
    for words in (["add", "-A"], ["commit", "-q", "-m", tag], ["tag", tag]):
        subprocess.run(["git", *words], cwd=root, env=os.environ | who, check=True)


@pytest.fixture(scope="module")
def _git() -> None:
    """Leaves out what needs git where there is none."""
    if shutil.which("git") is None:
        pytest.skip("needs git")


@pytest.fixture(scope="module")
def project(_git: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a commit before there was a program, one of the old layout and one of
    today's, and a working tree that has been edited since."""
    root = tmp_path_factory.mktemp("a project")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("build/\ngames/\nsignature.py\n__pycache__/\n")
    _write(root, setup=_SETUP.format(nodes=1))
    _commit(root, "first")
    _write(root, pbrain=_PROGRAM.format(up=""))
    _commit(root, "without-bench")
    _write(root, tengen=_BENCH, setup=_SETUP.format(nodes=2))
    _commit(root, "old")
    (root / "tengen.py").unlink()
    (root / "pbrain.py").unlink()
    up = "\nsys.path[0] = os.path.dirname(sys.path[0])"
    _write(root, tengen__pbrain=_PROGRAM.format(up=up), setup=_SETUP.format(nodes=3))
    for name, text in (("__init__", ""), ("__main__", _BENCH)):
        (root / "tengen" / f"{name}.py").write_text(text, encoding="ascii")
    _commit(root, "new")
    _write(root, setup=_SETUP.format(nodes=4))
    (root / "unknown to git.txt").write_text("x")
    return root
