"""Ctrl-C during a search: what has been found is shown and written, and the status is 130."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine
from tengen.game.files.formats import read_game, write_game
from tengen.game.game import Game
from tests.commands import Run

WIN = "g10 j10 g9 f10 f9 h11 e9 h9 g8 g11"
Interrupt = Callable[[str, int], None]


class Interrupted(Engine):
    """Ctrl-C is pressed when the search that `left` counts down to begins."""

    left: dict[str, int] = {}  # noqa: RUF012 (one for all engines of a command)


def _counted(name: str) -> Callable[..., Any]:
    def ask(engine: Interrupted, *given: Any) -> Any:
        engine.left[name] = engine.left.get(name, 0) - 1
        if engine.left[name] == 0:
            signal.raise_signal(signal.SIGINT)
        return getattr(Engine, name)(engine, *given)

    return ask


for _name in ("think", "solve", "solve_all", "defences"):
    setattr(Interrupted, _name, _counted(_name))


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Interrupt:
    """Ctrl-C comes with the Nth search of a kind."""
    for module in ("analyze_cli", "solve_cli", "review_games"):
        monkeypatch.setattr(f"tengen.study.{module}.Engine", Interrupted)

    def at(name: str, number: int) -> None:
        Interrupted.left = {name: number}

    return at


@pytest.mark.parametrize(
    ("command", "search"),
    [
        ("analyze", "solve"), ("analyze", "defences"), ("analyze", "think"), ("solve", "solve"),
        ("solve", "think"), ("solve --method full", "think"), ("solve --all", "solve_all"),
        ("solve --defend", "defences"),
    ],
)  # fmt: skip
def test_a_position_shows_what_it_has(
    command: str, search: str, interrupt: Interrupt, run: Run
) -> None:
    words = [*command.split(), "h8i9g9", "--nodes", "50000"]
    interrupt(search, 1)
    status, out, err = run(*words)
    assert (status, err) == (130, "") and out.strip()
    interrupt(search, 1)
    status, out, _ = run(*words, "--json")
    assert status == 130 and json.loads(out)


def test_a_batch_counts_the_puzzles_so_far(interrupt: Interrupt, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "puzzles.jsonl"
    path.write_text('{"rule": 0, "size": 15, "moves": [[7, 7], [8, 6]]}\n' * 5)
    words = ("solve", str(path), "--method", "vct", "--nodes", "1000")
    interrupt("solve", 3)
    status, out, _ = run(*words)
    assert status == 130 and "of 2 (" in out
    interrupt("solve", 3)
    status, out, _ = run(*words, "--json")
    assert status == 130 and json.loads(out.splitlines()[-1])["summary"]["puzzles"] == 2


def test_a_review_shows_and_writes_the_moves_it_has_searched(
    interrupt: Interrupt, run: Run, tmp_path: Path
) -> None:
    game, notes = tmp_path / "game.sgf", tmp_path / "notes.sgf"
    write_game(Game(WIN), game)
    interrupt("think", 5)
    status, out, err = run("analyze", str(game), "--nodes", "200", "--sgf", str(notes))
    assert (status, err) == (130, "interrupted: the moves from 8 on were searched\n")
    assert "accuracy: Black" in out and " 7 B" not in out
    assert [bool(node.comment) for node in read_game(notes)] == 7 * [False] + 3 * [True]
    # Nothing was found yet.
    interrupt("think", 1)
    assert run("analyze", str(game), "--nodes", "200")[:2] == (130, "")


def test_a_review_of_several_games_keeps_those_it_has(
    interrupt: Interrupt, run: Run, tmp_path: Path
) -> None:
    for name in "abc":
        write_game(Game("h8 i9 g9 j7"), tmp_path / f"{name}.sgf")
    interrupt("think", 6)  # the first game of the second
    words = ["analyze", "--review", str(tmp_path), "--nodes", "100", "--loss", "100"]
    status, out, _ = run(*words)
    assert status == 130 and "a.sgf: " in out and "c.sgf" not in out
