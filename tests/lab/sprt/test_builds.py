"""`tengen lab sprt`: builds of a small project in each layout, and commits that cannot be built."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tengen.game.record.games_jsonl import read_records
from tengen.lab.sprt.builds import Build, build_of_commit, build_of_working_tree, find_project
from tests.lab.command import Run

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


def _short(root: Path, tag: str) -> str:
    words = ["git", "rev-parse", "--short=7", tag]
    return subprocess.run(words, cwd=root, capture_output=True, check=True).stdout.decode().strip()


@pytest.mark.parametrize(("tag", "nodes"), [("old", "2"), ("new", "3")])
def test_a_commit_of_either_layout_is_built_and_played(
    project: Path, tag: str, nodes: str, tmp_path: Path
) -> None:
    build = build_of_commit(find_project(project), tag, tmp_path)
    assert (build.what, build.label, build.is_ready) == (tag, _short(project, tag), False)
    assert not build.folder.exists()
    build.make()
    assert build.is_ready and build.bench_nodes() == nodes
    answer = subprocess.run(
        build.command, input=b"ABOUT\nEND\n", shell=True, capture_output=True, check=True
    )
    assert f'version="{nodes}"' in answer.stdout.decode()
    # It is found again.
    assert build_of_commit(project, tag, tmp_path).is_ready


def test_the_working_tree_is_built_as_it_is_with_new_files(project: Path, tmp_path: Path) -> None:
    build = build_of_working_tree(project, tmp_path)
    build.make()
    assert build.bench_nodes() == "4"
    assert (build.folder / "unknown to git.txt").is_file()
    assert not (build.folder / "games").exists()


@pytest.mark.parametrize(
    ("revision", "complaint"),
    [
        ("nosuchcommit", "nosuchcommit: no such commit"),
        ("first", "first: cannot be tested without setup.py"),
        ("without-bench", "tengen.py; the first commit that can is OLD"),
    ],
)
def test_a_commit_that_cannot_be_tested_is_said_before_anything_is_built(
    project: Path, revision: str, complaint: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(build: Build) -> None:
        raise AssertionError(f"builds {build.what}")

    monkeypatch.setattr(Build, "make", make)
    monkeypatch.chdir(project)
    line = run("lab", "sprt", revision).refusal
    assert complaint.replace("OLD", _short(project, "old")) in line


def test_a_commit_that_does_not_build_is_one_line(project: Path, tmp_path: Path) -> None:
    build = build_of_commit(project, "new", tmp_path)

    def unpack(place: Path) -> None:
        (place / "setup.py").write_text("raise SystemExit('no compiler')", encoding="ascii")

    broken = Build(build.what, build.label, build.folder, unpack)
    with pytest.raises(ValueError, match=r"^new: does not build: no compiler$"):
        broken.make()
    assert not broken.is_ready


def test_a_test_against_the_old_layout_says_what_it_builds(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "book.txt").write_text("# one\n0,0, 1,1\n", encoding="ascii")
    monkeypatch.chdir(project)
    words = ["lab", "sprt", "old", "--pairs", "1", "--nodes", "1e3", "--openings", "book.txt"]
    said = run(*words, "--sprt", "elo0=0 elo1=50", "--out", "games/test").good
    label = build_of_working_tree(project, project / "build" / "sprt").label
    commit = _short(project, "old")
    lines = said.splitlines()
    assert lines[0] == f"building the working tree ({label})"
    assert lines[1].startswith(f"building the working tree ({label}): done in ")
    assert lines[2] == f"building old ({commit})"
    assert f"the working tree ({label}): bench 4" in lines
    assert f"old ({commit}): bench 2" in lines
    assert f"the games go to {Path('games/test')}" in lines
    plan, *games = read_records(Path("games/test/games.jsonl"))
    assert [program["nodes"] for program in plan["programs"]] == [1000, 1000]
    assert plan["sprt"]["elo1"] == 50 and len(games) == 2
    assert {game["termination"] for game in games} == {"FIVE"}
    # The second time nothing is built.
    assert "building" not in run(*words, "--out", "games/again", "--display=result").good


@pytest.mark.usefixtures("_git")
def test_a_folder_without_a_project_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(ValueError, match="no git repository"):
        find_project(tmp_path)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    with pytest.raises(ValueError, match="has no setup.py"):
        find_project(tmp_path)
