"""`tengen lab queue`: tests in turn over several rules, gone on with, and files that hold none."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tengen.game.record.games_jsonl import read_records
from tengen.lab.sprt import queue
from tests.lab.command import Run

_FILE = """
base = "old"
leagues = ["freestyle 15", "renju 20"]
nodes = 1000
games = 8
openings.freestyle = "book.txt"
openings.renju = "book.txt"
[test.newer]
new = "new"
sprt = "elo0=-6 elo1=0"
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


def test_tests_are_played_one_after_the_other(tests_file: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "queue"
    results = _results(run("lab", "queue", tests_file, "--out", out).good)
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


def test_a_queue_goes_on_where_it_was_stopped(tests_file: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "queue"
    results = _results(run("lab", "queue", tests_file, "--out", out).good)
    whole = out / "newer" / "0001-freestyle-15x15" / "timing.jsonl"
    cut = out / "newer" / "0002-renju-20x20" / "games.jsonl"
    before = whole.read_bytes(), cut.read_bytes()
    # As after a kill: a line half written, and the later folders not begun.
    cut.write_bytes(before[1][:-40])
    shutil.rmtree(out / "margin")
    assert _results(run("lab", "queue", tests_file, "--out", out).good) == results
    assert (whole.read_bytes(), cut.read_bytes()) == before


def test_a_test_that_was_changed_needs_another_name(
    tests_file: Path, tmp_path: Path, run: Run
) -> None:
    run("lab", "queue", tests_file, "--out", tmp_path)
    tests_file.write_text(_FILE.replace("razor_margin = 100", "razor_margin = 90"))
    said = run("lab", "queue", tests_file, "--out", tmp_path)
    assert said.status == 2
    assert "margin/0001-freestyle-15x15 holds games of another test" in said.err.replace("\\", "/")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "has no test; expected tables such as [test.razor-100]"),
        ("nodes = [", "tests.toml: "),
        ("speed = 1", "the file: speed is not a key; expected base, leagues"),
        ("nodes = true", "the file: nodes = True: expected a whole number"),
        ('leagues = ["chess 15"]\n[test.a]\nnew = "x"', "there is no rule 'chess'"),
        ('leagues = ["renju 40"]\n[test.a]\nnew = "x"', "'renju 40': expected a rule and a size"),
        ("leagues = []\n[test.a]\nnew = 'x'", "leagues: expected one or more, each once"),
        ("leagues = ['renju 15', '4 15x15']\n[test.a]\nnew = 'x'", "one or more, each once"),
        ("[test.a]\nnew = 'x'\nmemory = -1", "test.a: memory = -1: expected 1 or more"),
        ("test = 1", "the file: test = 1: expected a table"),
        ("test.a = 1", "test.a = 1: expected a table"),
        ("[test.a]", "test.a: expected new = REVISION, or param.NAME = NUMBER"),
        ("[test.a]\nolder = 1", "test.a: older is not a key; expected nodes"),
        ("[test.'a/b']\nnew = 'x'", "test.a/b: expected a name of letters"),
        ("[test.a]\nparam.razor_margin = 'x'", "param.razor_margin = 'x': expected a whole number"),
        ("[test.a]\nparam.razor_margin = 9999", "razor_margin = 9999 is out of range, 0 to 2000"),
        ("[test.a]\nparam.razor = 1", "there is no parameter 'razor'; did you mean razor_"),
        ("[test.a]\nnew = 'x'\nnodes = 0", "test.a: nodes = 0: expected 1 or more"),
        ("[test.a]\nnew = 'x'\nsprt = 'elo0=5 elo1=0'", "a test needs elo0 < elo1"),
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
