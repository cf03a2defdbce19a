"""Recorded games to time: two of the speed test, as a run and as psq and sgf files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen.lab.bench.records import GAMES, load_records

Moves = list[list[int]]
# By number of the file: 63 stones in freestyle, 72 in caro.
LONG, LONGEST = 2, 14


def moves_of(number: int) -> Moves:
    """The moves of a game of the speed test."""
    return [[x, y] for x, y, _ in load_records(GAMES)[number].position.stones]


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a match with two games; five and two stones are from an opening."""
    folder = tmp_path_factory.mktemp("run")
    lines = [{"format": 2, "programs": []}]
    for game, (number, rule, opening) in enumerate(((LONG, 0, 5), (LONGEST, 8, 2))):
        lines.append(
            {
                "game": game, "width": 15, "height": 15, "rule": rule, "opening_moves": opening,
                "winner": "black", "termination": "FIVE", "moves": moves_of(number),
            }
        )  # fmt: skip
    (folder / "games.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="ascii")
    return folder


@pytest.fixture
def sgf(tmp_path: Path) -> Path:
    """A short game of freestyle on 15x15: ten moves, Black has made an open three."""
    path = tmp_path / "short.sgf"
    moves = "".join(f";{'WB'[i % 2 == 0]}[{at}]" for i, at in enumerate(
        "hh ii ig gi hg ji fg ki if cc".split()
    ))  # fmt: skip
    path.write_text(f"(;FF[4]GM[4]SZ[15]RU[freestyle]{moves})", encoding="ascii")
    return path
