"""Matches of Tengen as users run them: no illegal move, no late move, and it wins."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.paths import ROOT

TENGEN = f"{sys.executable} -m tengen.pbrain"
SIMPLE = f"{sys.executable} -m tengen brain simple"
RULES = (0, 1, 4, 8, 9)
SIZES = (15, 20)
FAIR_ENDS = {"FIVE", "FULL"}


def _match(out: Path, engines: list[str], options: list[str]) -> list[dict[str, Any]]:
    """Plays a match with the tengen command; the games' records."""
    command = [sys.executable, "-m", "tengen", "match", "--display=lines", "--out", str(out)]
    for number, engine in enumerate(engines):
        command += ["--engine", f"name=P{number}", f"cmd={engine}"]
    finished = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    lines = (out / "games.jsonl").read_text().splitlines()
    return [record for record in map(json.loads, lines) if "game" in record]


def test_a_game_against_the_simple_opponent(tmp_path: Path) -> None:
    options = ["--games", "2", "--turn", "0.1", "--each", "tolerance=60", "start=60"]
    records = _match(tmp_path / "games", [TENGEN, SIMPLE], options)
    assert [record[record["winner"]] for record in records] == ["P0", "P0"]


@pytest.mark.verify
def test_a_hundred_games_against_itself(tmp_path: Path) -> None:
    """At 50 ms a move with no tolerance, all rules, 15x15 and 20x20."""
    ends: Counter[str] = Counter()
    for number, (rule, size) in enumerate(product(RULES, SIZES)):
        options = ["--rule", str(rule), "--size", str(size), "--games", "10"]
        options += ["--turn", "0.05", "--each", "tolerance=0", "--seed", str(number)]
        records = _match(tmp_path / f"{rule}-{size}", [TENGEN, TENGEN], options)
        ends.update(record["termination"] for record in records)
    print(f"100 games of self-play: {dict(ends)}")
    assert sum(ends.values()) == 100
    assert set(ends) <= FAIR_ENDS
