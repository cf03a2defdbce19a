"""`tengen lab sprt`: builds of a small project in each layout, and commits that cannot be built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tengen.game.record.games_jsonl import read_records
from tengen.lab.sprt.builds import Build, build_of_commit, build_of_working_tree, find_project
from tests.lab.command import Run


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
