"""A small run to fit values to: games of the engine against itself, as a match writes them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Limits, Placed, Position, Rule, Stone
from tests.engine.fixed_search import fix_search

SIZE = 9
GAMES = 12


def play(engine: Engine, rule: int, rng: random.Random) -> dict[str, Any]:
    """The record of one game: two stones anywhere near the middle, then the engine."""
    engine.new_game()
    stones: list[Placed] = []
    reports: list[dict[str, int] | None] = []
    while engine_winner(engine, rule, stones) is None and len(stones) < SIZE * SIZE:
        side = Stone.BLACK if len(stones) % 2 == 0 else Stone.WHITE
        if len(stones) < 3:
            cells = [(x, y) for x in range(2, 7) for y in range(2, 7)]
            x, y = rng.choice([cell for cell in cells if cell not in {s[:2] for s in stones}])
            reports.append(None)
        else:
            engine.set_position(Position(SIZE, SIZE, Rule(rule), tuple(stones), side))
            move, info = engine.think(Limits(nodes=rng.randrange(2500, 3500)))
            x, y = move
            said = {"depth_plies": info.depth_plies, "nodes": info.nodes}
            if info.score.mate_plies is None:
                said["value"] = info.score.value
            else:
                said["mate_plies"] = info.score.mate_plies
            reports.append(said)
        stones.append(Placed(x, y, side))
    winner = engine_winner(engine, rule, stones)
    return {
        "game": 0,
        "width": SIZE,
        "height": SIZE,
        "rule": rule,
        "winner": winner,
        "termination": "FULL" if winner is None else "FIVE",
        "moves": [[x, y] for x, y, _ in stones],
        "reports": reports,
    }


def engine_winner(engine: Engine, rule: int, stones: list[Placed]) -> str | None:
    """Who has won, in the words of a record."""
    engine.set_position(Position(SIZE, SIZE, Rule(rule), tuple(stones), Stone.BLACK))
    winner = engine.winner()
    return None if winner is None else winner.name.lower()


def write_run(folder: Path, records: list[dict[str, Any]]) -> Path:
    """A folder with the files of a match that are read here."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"format": 2, "programs": []}), *(json.dumps(record) for record in records)]
    (folder / "games.jsonl").write_text("\n".join(lines) + "\n", encoding="ascii")
    return folder


@pytest.fixture(scope="session")
def games() -> dict[int, list[dict[str, Any]]]:
    """Some games of freestyle and of renju."""
    rng = random.Random(5)
    engine = Engine()
    fix_search(engine)
    return {rule: [play(engine, rule, rng) for _ in range(GAMES)] for rule in (0, 4)}


@pytest.fixture(scope="session")
def run(games: dict[int, list[dict[str, Any]]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all of them."""
    return write_run(tmp_path_factory.mktemp("run"), [*games[0], *games[4]])
