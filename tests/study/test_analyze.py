"""`tengen analyze` of a position."""

from __future__ import annotations

import json
from itertools import pairwise
from math import isclose
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Score, win_chance
from engine.text import read_moves
from tengen.game.files.positions import Choice, read_position
from tengen.game.referee import BLACK
from tengen.study.analysis import Study, analyse
from tests.commands import Run

from .conftest import Asked

# Black wins by a four-three; White has nothing.
WIN = "h4i3h3g3h5h2i5j2j4"


def analysed(
    text: str,
    nodes: int = 2000,
    lines: int = 3,
    choice: Choice = Choice(),  # noqa: B008
) -> Study:
    return analyse(Engine(), read_position(text, "it", choice).position, None, nodes, lines)


def test_chances() -> None:
    assert win_chance(Score(0)) == 0.5
    assert isclose(win_chance(Score(150)) + win_chance(Score(-150)), 1)
    assert isclose(win_chance(Score(220)), 0.731, abs_tol=1e-3)
    assert win_chance(Score(0, 7)) == 1 and win_chance(Score(0, -8)) == 0
    values = [win_chance(Score(value)) for value in range(-30_000, 30_000, 500)]
    assert all(0 <= low <= high <= 1 for low, high in pairwise(values))


def test_points_of_fives_and_of_fouls() -> None:
    analysis = analysed("h8a1i8a3j8a5k8c1", choice=Choice(rule=4))
    assert analysis.threats[BLACK].fives == tuple(read_moves("g8 l8", 15, 15))
    assert analysis.search.move in ("g8", "l8")
    assert analysis.search.score == Score(0, 1)
    # Threes down and across at h8, where neither may be made.
    analysis = analysed("h9a1h10c1i8e1j8g1", choice=Choice(rule=4))
    assert "h8" in analysis.forbidden
    assert not {*analysis.forbidden} & {line.move for line in analysis.search.lines}


def test_the_limits_hold_for_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, nodes = Asked(), 0

    def count(name: str) -> None:
        ask = getattr(engine, name)

        def asked(limits: Any, *more: Any) -> Any:
            nonlocal nodes
            found = ask(limits, *more)
            nodes += found.info.nodes if name == "think" else found.nodes
            return found

        monkeypatch.setattr(engine, name, asked)

    count("solve")
    count("think")
    analyse(engine, read_position("h8i9h9h10g8i8", "it").position, None, 4000, 2)
    assert 2000 < nodes <= 4000


def test_the_board_shows_the_ranks(run: Run) -> None:
    words = ("analyze", WIN, "--side", "black", "--size", "11", "--nodes", "2000")
    row = next(line for line in run(*words).good.splitlines() if line.startswith(" 6 "))
    assert row.split()[8] == "1"


def test_threats_are_shown(run: Run) -> None:
    _, out, _ = run("analyze", "h8a1i8c1j8", "--nodes", "2e4")
    assert "Black threatens to win with stone 3: " in out
    assert "White can play g8 k8\n" in out  # all others lose
    assert "Black makes an open or double four at g8 k8\n" in out
    assert "White makes" not in out and "White wins" not in out


def test_a_rule_that_is_assumed_is_said(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "game.psq"
    file.write_text("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n8,9,0\n")
    words = (str(file), "--after", "2", "--nodes", "100")
    assert f"{file} names no rule; freestyle is assumed" in run("analyze", *words)[1]
    assert "assumed" not in run("analyze", *words, "--rule", "standard")[1]


def test_json(run: Run) -> None:
    status, out, err = run("analyze", "h8i9h9", "--json", "--nodes", "1000", "--multipv", "4")
    assert (status, err) == (0, "")
    record = json.loads(out)
    assert (record["rule"], record["says_rule"], record["side"]) == (0, False, "white")
    assert record["stones"] == [[7, 7, 1], [8, 6, 2], [7, 6, 1]]
    assert len(record["lines"]) == 4
    for line in record["lines"]:
        assert line["line"][0] == line["move"]
        assert (line["value"] is None) != (line["mate_plies"] is None)
    chances = [line["win_chance"] for line in record["lines"]]
    assert chances == sorted(chances, reverse=True)
    assert record["threats"]["black"] == {"fives": [], "open_fours": []}
    assert record["win"]["check"] is None and record["defence"]["moves"] == []


@pytest.mark.parametrize(
    "words", [["analyze"], ["analyze", "--review"], ["solve"], ["solve", "--method", "full"]]
)
def test_threads_and_memory_are_chosen(asked: Asked, run: Run, words: list[str]) -> None:
    more = ["--nodes", "100", "--threads", "2", "--memory", "64"]
    _, out, err = run(*words, "h8i9h9", *more)
    assert out and err == "" and asked.given == (64 * 2**20, 2)
