"""`tengen lab time` as users run it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tengen import cli as tengen


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    status = tengen.run(["lab", "time", *map(str, words)])
    out, err = capsys.readouterr()
    return status, out, err


def test_tables(sgf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys, sgf, "--speed", 500, "--moves", 3, "--list")
    assert (status, err) == (0, "")
    for control in ("5 s/move, 120 s/game", "30 s/move, 180 s/game", "300 s/move, 1000 s/game"):
        assert f"{control}, 500 nodes a second" in out
    assert out.count("moves over their limits: 0 of 6") == 3
    assert out.count("short.sgf, black") == out.count("short.sgf, white") == 3
    assert out.count("with 3 own moves") == 3
    # The first stone of the game is played without a search, and has no depth.
    lines = [line.split() for line in out.splitlines()]
    assert ["1", "0", "120.0", "0.00"] in lines
    assert any(line[:1] == ["2"] and "#" in line[-1] for line in lines)


def test_json_and_jobs_say_the_same(sgf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (sgf, "--tc", "5/1", "--tc", "0/0.5", "--speed", 1000, "--json")
    status, out, err = said(capsys, *words)
    assert (status, err) == (0, "")
    match, turns = json.loads(out)["controls"]
    assert match["control"]["match_s"] == 5 and turns["control"]["match_s"] is None
    assert [len(side["moves"]) for side in match["sides"]] == [5, 5]
    used = [sum(move["time_ms"] for move in side["moves"]) / 5000 for side in match["sides"]]
    assert (match["used"]["low"], match["used"]["high"]) == pytest.approx((min(used), max(used)))
    assert said(capsys, *words, "--jobs", 2) == (0, out, "")


def test_an_overrun_is_the_exit_status(sgf: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, sgf, "--tc", "0/0.001", "--moves", 2)
    assert status == 1
    assert "moves over their limits: 3 of 4" in out


def test_players_can_be_chosen(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (run, "--tc", "0/0.1", "--speed", 1000, "--json")
    _, out, _ = said(capsys, *words, "--full", "--moves", 30)
    sides = json.loads(out)["controls"][0]["sides"]
    # 29 own moves each in the first game, 35 in the second.
    assert [side["game"][-6:] for side in sides] == ["game 2", "game 2"]
    assert [len(side["moves"]) for side in sides] == [30, 30]
    _, out, _ = said(capsys, *words, "--players", 1, "--moves", 2)
    assert len(json.loads(out)["controls"][0]["sides"]) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--tc", "5"), "Missing argument"),
        (("GAME", "--tc", "fast"), "'fast': expected seconds as MATCH/TURN+INCREMENT"),
        (("GAME", "--tc", "60/0"), "--tc 60/0: a turn of 0 seconds has no time to use"),
        (("GAME", "--speed", "0"), "'--speed'"),
        (("GAME", "--full"), "no player has 40 own moves in these files"),
        (("nowhere.psq",), "nowhere.psq: No such file or directory"),
    ],
)
def test_bad_input_is_one_line(
    sgf: Path, words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = said(capsys, *(str(sgf) if word == "GAME" else word for word in words))
    assert (status, out) == (2, "")
    assert err.startswith("tengen lab time: ") and err.count("\n") == 1
    assert message in err
