"""Games that a judge ends by a proof, which the referee replays."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import psutil
import pytest

from tengen import cli as tengen
from tengen.game.files.jsonl import read_records
from tests.arena.match.actor import actor

# Says that the side to move wins where it has four stones on row 0 or 5: MOVE decides with which
# stone. Anything else is no win.
JUDGE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    own = [stone for stone in asked["stones"] if stone[2] == asked["attacker"]]
    answer = None
    if sum(y in (0, 5) for _, y, _ in own) == 4:
        y = max(y for _, y, _ in own if y in (0, 5))
        answer = asked | {"plies": 1, "proof": {"move": MOVE, "replies": [], "otherwise": None}}
    print(json.dumps(answer), flush=True)
"""


def _play(judge: str, *more: str) -> int:
    Path("judge.py").write_text(judge, encoding="ascii")
    words = [*actor("A", 0), *actor("B", 5), "--openings", "book.txt", "--games", "2"]
    command = shlex.join([sys.executable, "-SE", "judge.py"])
    options = ["--each", "nodes=5", "--out", "out", "--display", "result"]
    return tengen.run(["match", *words, *options, "--judge", command, *more])


def test_a_proven_win_ends_a_game(stage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _play(JUDGE.replace("MOVE", "[4, y]"), "--jobs", "2") == 0
    plan, *games = read_records(Path("out/games.jsonl"))
    assert shlex.split(plan["judge"])[-1] == str(Path("judge.py").absolute())
    # Without the judge each game is won by the fifth stone of Black, the eleventh on the board.
    assert [(len(game["moves"]), game["winner"]) for game in games] == [(10, "black")] * 2
    details = [record["detail"] for record in read_records(Path("out/timing.jsonl"))]
    assert details == ["Black wins within 1 stone, by proof"] * 2
    assert "2 games, ended by: 2 adjudicated" in capsys.readouterr().out
    assert not [child for child in psutil.Process().children() if "judge.py" in child.cmdline()]


def test_a_proof_that_the_referee_does_not_confirm_is_none(stage: Path) -> None:
    assert _play(JUDGE.replace("MOVE", "[9, 9]")) == 0
    _, *games = read_records(Path("out/games.jsonl"))
    assert [(len(game["moves"]), game["termination"]) for game in games] == [(11, "FIVE")] * 2


@pytest.mark.parametrize(
    ("judge", "complaint"),
    [
        ("raise SystemExit('out of ideas')", "--judge: the program has ended: out of ideas"),
        ("input(); print('White')", "--judge: the answer is not JSON"),
        ("input(); print('[]')", "--judge: the answer is not a proof"),
    ],
)
def test_a_judge_that_fails_ends_the_run_in_one_line(
    judge: str, complaint: str, stage: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _play(judge) == 2
    said = capsys.readouterr().err
    assert complaint in said and said.count("\n") == 1


@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_the_solver_of_tengen_is_a_judge(rule: str, stage: Path) -> None:
    """Black has an open three on the empty side of the board as soon as it has played three
    stones, so that it wins by fours, and its proof is larger than a line of a program may be."""
    words = [*actor("A", 7), *actor("B", 0), "--openings", "book.txt"]
    Path("book.txt").write_text("-6,-6, 6,6\n", encoding="ascii")
    judge = shlex.join([sys.executable, "-m", "tengen", "judge", "--nodes", "20000"])
    options = ["--each", "nodes=5", "--rule", rule, "--games", "1", "--out", "out"]
    assert tengen.run(["match", *words, *options, "--judge", judge]) == 0
    _, game = read_records(Path("out/games.jsonl"))
    assert game["termination"] == "ADJUDICATED" and len(game["moves"]) < 11
    assert "by proof" in read_records(Path("out/timing.jsonl"))[0]["detail"]
