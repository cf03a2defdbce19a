"""`tengen lab sprt` and `queue`: builds of a small project, tests in turn over several rules, and
what cannot be tested."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tengen.game.files.jsonl import read_records
from tengen.lab.sprt import queue
from tengen.lab.sprt.builds import Build, build_of_commit, build_of_working_tree, find_project
from tests.acting import ACTOR
from tests.commands import Run

# Its build only writes a file that the program and the bench need.
_SETUP = """
import sys
assert sys.argv[1:] == ["-q", "build_ext", "--inplace"], sys.argv
with open("signature.py", "w") as file:
    file.write("NODES = {nodes}")
"""
# Plays along a row of its colour after an opening, so that Black wins.
_ACTS = (
    "on begin sys.path[0] = os.path.dirname(sys.path[0])|from signature import NODES",
    'on ABOUT skip = True|say(f\'name="P", version="{NODES}"\')',
    "on move cell = move, 5 * (len(stones) % 2)",
)
_PROGRAM = ACTOR.read_text(encoding="utf-8").replace("sys.argv[1:]", repr(["", "", *_ACTS]))
_BENCH = "from signature import NODES\nprint('Nodes searched:', NODES)\n"


def _write(root: Path, **files: str) -> None:
    for name, text in files.items():
        path = root / (name.replace("tengen__", "tengen/") + ".py")
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
    """A repository with a commit before there was a program, two that can be played, and a working
    tree that has been edited since."""
    root = tmp_path_factory.mktemp("a project")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".gitignore").write_text("build/\ngames/\nsignature.py\n__pycache__/\n")
    _write(root, setup=_SETUP.format(nodes=1))
    _commit(root, "first")
    files = {"tengen__pbrain": _PROGRAM, "tengen____init__": "", "tengen____main__": _BENCH}
    for nodes, tag in ((2, "old"), (3, "new")):
        _write(root, **files, setup=_SETUP.format(nodes=nodes))
        _commit(root, tag)
    _write(root, setup=_SETUP.format(nodes=4))
    (root / "unknown to git.txt").write_text("x")
    return root


def _short(root: Path, tag: str) -> str:
    words = ["git", "rev-parse", "--short=7", tag]
    return subprocess.run(words, cwd=root, capture_output=True, check=True).stdout.decode().strip()


def test_a_commit_is_built_and_played(project: Path, tmp_path: Path) -> None:
    tag, nodes = "old", "2"
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
        ("first", "tengen/__main__.py; the first commit that can is OLD"),
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


def test_a_test_says_what_it_builds(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "book.txt").write_text("# one\n0,0, 1,1\n", encoding="ascii")
    monkeypatch.chdir(project)
    words = ["lab", "sprt", "old", "--pairs", "1", "--nodes", "1e3", "--openings", "book.txt"]
    said = run(*words, "--sprt", "elo0=0", "elo1=50", "--out", "games/test").good
    label = build_of_working_tree(project, project / "build" / "sprt").label
    commit = _short(project, "old")
    lines = said.splitlines()
    assert lines[:2] == [f"building the working tree ({label})", f"building old ({commit})"]
    assert f"the working tree ({label}): bench 4" in lines
    assert f"old ({commit}): bench 2" in lines
    assert f"the games go to {Path('games/test')}" in lines
    plan, *games = read_records(Path("games/test/games.jsonl"))
    assert [program["nodes"] for program in plan["programs"]] == [1000, 1000]
    assert plan["sprt"]["elo1"] == 50 and len(games) == 2
    assert {game["termination"] for game in games} == {"FIVE"}
    # The second time nothing is built.
    assert "building" not in run(*words, "--out", "games/again", "--display=result").good


def test_ctrl_c_while_it_builds_is_one_line(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(build: Build) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Build, "make", make)
    monkeypatch.setattr(Build, "is_ready", False)
    monkeypatch.chdir(project)
    status, said, errors = run("lab", "sprt", "old", "--display=result")
    line = "stopped before the first game; builds that are ready are kept\n"
    assert (status, errors.strip()) == (130, "") and said.endswith(line)


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


# -- queues

_FILE = """
base = "old"
leagues = ["freestyle 15", "renju 20"]
nodes = 1000
games = 8
openings.freestyle = "book.txt"
openings.renju = "book.txt"
[test.newer]
new = "new"
sprt = {elo0 = -6, elo1 = 0}
[test.margin]
param.razor_margin = 100
nodes = 2000
"""


@pytest.fixture
def tests_file(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of two tests, with one pair of games in a turn of a league."""
    monkeypatch.setattr(queue, "PAIRS_A_TURN", 1)
    monkeypatch.chdir(project)
    (project / "book.txt").write_text("0,0, 1,1\n", encoding="ascii")
    path = project / "tests.toml"
    path.write_text(_FILE, encoding="utf-8")
    return path


def _results(said: str) -> list[str]:
    return [line for line in said.splitlines() if line.startswith("** ")]


def test_a_queue(tests_file: Path, tmp_path: Path, run: Run) -> None:
    """It plays one test after the other, goes on where it was stopped, and knows its tests."""
    out = tmp_path / "queue"
    words = ("lab", "queue", tests_file, "--out", out)
    results = _results(run(*words).good)
    # Black wins every game of these programs, so every pair is split: two turns of two leagues.
    assert results[0].startswith("** newer: ") and results[1].startswith("** margin: ")
    for line in results:
        assert ", 8 games, pairs 0 0 4 0 0, LLR " in line, line
        assert "freestyle-15x15 " in line and "renju-20x20 " in line
    folders = sorted(path.name for path in (out / "margin").iterdir())
    leagues = "freestyle-15x15", "renju-20x20"
    assert folders == [f"000{turn}-{league}" for turn in (1, 2) for league in leagues]
    plan, *games = read_records(out / "margin" / folders[0] / "games.jsonl")
    new, base = plan["programs"]
    assert len(games) == 2 and (new["nodes"], base["nodes"]) == (2000, 2000)
    assert new["options"] == {"param.razor_margin": "100"}
    assert not base["options"]
    whole = out / "newer" / "0001-freestyle-15x15" / "timing.jsonl"
    cut = out / "newer" / "0002-renju-20x20" / "games.jsonl"
    before = whole.read_bytes(), cut.read_bytes()
    # As after a kill: a line half written, and the later folders not begun.
    cut.write_bytes(before[1][:-40])
    shutil.rmtree(out / "margin")
    assert _results(run(*words).good) == results
    assert (whole.read_bytes(), cut.read_bytes()) == before
    # A test that was changed needs another name.
    tests_file.write_text(_FILE.replace("razor_margin = 100", "razor_margin = 90"))
    said = run(*words)
    assert said.status == 2
    assert "margin/0001-freestyle-15x15 holds games of another test" in said.err.replace("\\", "/")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no test; expected tables such as [test.razor-100]"),
        ("nodes = [", "tests.toml: "),
        ("speed = 1\n[test.a]\nnew = 'x'", "test.a: speed= is not a key; expected new, nodes"),
        ("nodes = true\n[test.a]\nnew = 'x'", "test.a: nodes=True: expected a whole number"),
        ('leagues = ["chess 15"]\n[test.a]\nnew = "x"', "there is no rule 'chess'"),
        ('leagues = ["renju 40"]\n[test.a]\nnew = "x"', "'renju 40': expected a rule and a size"),
        ("leagues = []\n[test.a]\nnew = 'x'", "leagues: expected one or more, each once"),
        ("leagues = ['renju 15', '4 15x15']\n[test.a]\nnew = 'x'", "one or more, each once"),
        (
            "[test.a]\nnew = 'x'\nmemory = -1",
            "test.a: memory=-1: expected a whole number above",
        ),
        ("test = 1", "test = 1: expected a table"),
        ("test.a = 1", "a = 1: expected a table"),
        ("[test.a]", "test.a: expected new = REVISION, or param.NAME = NUMBER"),
        ("[test.a]\nolder = 1", "test.a: older= is not a key; expected new, nodes"),
        ("[test.'a/b']\nnew = 'x'", "test.a/b: expected a name of letters"),
        ("[test.a]\nparam.razor_margin = 'x'", "param.razor_margin = 'x': expected a whole number"),
        ("[test.a]\nparam.razor_margin = 9999", "razor_margin = 9999 is out of range, 0 to 2000"),
        ("[test.a]\nparam.razor = 1", "there is no parameter 'razor'; did you mean razor_"),
        ("[test.a]\nnew = 'x'\nnodes = 0", "test.a: nodes=0: expected a whole number above zero"),
        ("[test.a]\nnew = 'x'\nsprt = {elo0 = 5, elo1 = 0}", "a test needs elo0 < elo1"),
        ("openings.renju = 'none.txt'\n[test.a]\nnew = 'x'", "none.txt"),
    ],
)
def test_what_is_no_file_of_tests_is_one_line(
    text: str, complaint: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / "tests.toml"
    path.write_text(text, encoding="utf-8")
    assert complaint in run("lab", "queue", path, "--out", tmp_path / "out").refusal
    assert not (tmp_path / "out").exists()
