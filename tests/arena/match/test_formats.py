"""What other programs read: json documents, a table of positions. Every key
is in docs/FORMATS.md, and nothing else is."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tengen import cli as tengen
from tengen.arena.report.positions_csv import COLUMNS
from tengen.game.files.jsonl import read_records
from tests.arena.match.actor import actor
from tests.paths import ROOT


def _described(heading: str, first: str) -> set[str]:
    """The keys of the table under that heading whose first column has that name."""
    text = (ROOT / "docs" / "FORMATS.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    table = section.split(f"| {first} | Value |\n|---|---|\n")[1].split("\n\n")[0]
    return set(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines())))


def _match(*options: str) -> list[str]:
    words = [*actor("A", 0), *actor("B", 5), "--openings", "book.txt", "--games", "2"]
    return ["match", *words, *options]


def test_the_result_is_one_document_with_the_keys_that_are_described(
    stage: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--json", "--out", "out", "--sprt", "elo1=300", "--games", "2"]
    assert tengen.run(_match(*options)) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert "game 1/2" in said.err and "LLR" not in said.err
    assert document.keys() == _described("The result of a run", "Key")
    for program in document["programs"]:
        assert program.keys() == _described("The result of a run", "Key of a program")
    [pairing] = document["pairings"]
    assert pairing.keys() == _described("The result of a run", "Key of a pairing")
    assert (document["games"], document["terminations"]) == (2, {"FIVE": 2})
    # Each program is first to five when it begins.
    assert (pairing["won"], pairing["lost"], pairing["pairs"]) == (1, 1, [0, 0, 1, 0, 0])
    assert pairing["elo"] is None and pairing["games_needed"] > 2
    assert [program["points"] for program in document["programs"]] == [1, 1]
    assert all(program["peak_bytes"] > 2**20 for program in document["programs"])
    assert document["sprt"]["verdict"] == "undecided"
    assert tengen.run(["report", "out", "--json"]) == 0
    again: dict[str, Any] = json.loads(capsys.readouterr().out)
    # The times that were kept are rounded to millionths, so their mean may differ by one.
    for one, other in zip(again["programs"], document["programs"], strict=True):
        assert abs(one.pop("mean_move_s") - other.pop("mean_move_s")) < 2e-6
    assert again == document


def test_every_key_of_the_files_of_a_run_is_described(stage: Path) -> None:
    assert tengen.run(_match("--out", "out", "--each", "nodes=5", "--display", "result")) == 0
    plan, *games = read_records(Path("out/games.jsonl"))
    assert plan.keys() == _described("games.jsonl", "Key of the plan")
    for program in plan["programs"]:
        assert program.keys() == _described("games.jsonl", "Key of a program")
    for game in games:
        assert game.keys() == _described("games.jsonl", "Key of a game")
    for timing in read_records(Path("out/timing.jsonl")):
        assert timing.keys() == _described("timing.jsonl", "Key")


def test_positions_are_a_table(stage: Path) -> None:
    assert tengen.run(_match("--out", "out", "--display", "result")) == 0
    assert tengen.run(["report", "out", "--out", "positions.csv"]) == 0
    with open("positions.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert _described("The table of positions", "Column") == set(COLUMNS) == rows[0].keys()
    _, *games = read_records(Path("out/games.jsonl"))
    assert len(rows) == sum(len(game["moves"]) - game["opening_moves"] for game in games)
    for before, after in zip(rows, rows[1:], strict=False):
        if before["game"] == after["game"]:
            assert after["position"] == before["position"] + before["move"]
    assert (rows[-1]["program"], rows[-1]["points"]) == ("B", "1.0")


def test_what_excludes_each_other(stage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert tengen.run(["report", "out", "--json", "--out", "x.csv"]) == 2
    assert "--json prints the result and makes no page" in capsys.readouterr().err
