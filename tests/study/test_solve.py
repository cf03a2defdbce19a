"""`tengen solve`: from the command line, its checks and figures, and any text as a position."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.api import Engine
from engine.model import Limits, SolveLimits
from engine.text import point_name
from tengen.game.files.positions import StoredPosition
from tengen.game.position import Point, Position
from tengen.game.proof_file import read_proof
from tengen.game.referee import BLACK, in_turns
from tengen.study.results import NO_WIN, WIN, Solution
from tengen.study.show import check_text
from tengen.study.solve_cli import Outcome, quantile, summary_record, summary_text
from tengen.study.solver import (
    Check,
    Effort,
    check_answer,
    play_out,
    solve,
)
from tests.commands import Run

from .conftest import Asked

FOUR_THREE = """
. . . . . . . .
. . . . . . . .
. . . X . . . .
. . . X . . . .
O X X . X . . .
. . . . . O . .
. . . . . . O O
"""
# The same stones in turns, as a puzzle.
MOVES = [[3, 2], [0, 4], [3, 3], [5, 5], [1, 4], [6, 6], [2, 4], [7, 6], [4, 4], [7, 5]]
EASY = {"rule": 0, "size": [8, 7], "moves": MOVES, "best": [3, 4], "mate": 3}
HARD = {"rule": 0, "size": [8, 7], "moves": MOVES[:6], "best": [3, 4], "mate": 9}


VCF = ("--method", "vcf")
# Black's first win is not the shortest one.
SHORTENED = "e10g5l8g12d9f7c8b7c9c11"


@pytest.fixture
def board(tmp_path: Path) -> str:
    path = tmp_path / "board.txt"
    path.write_text("to move: black\n" + FOUR_THREE)
    return str(path)


@pytest.fixture
def batch(tmp_path: Path) -> str:
    path = tmp_path / "puzzles.jsonl"
    path.write_text(f"{json.dumps(EASY)}\n{json.dumps(HARD)}\n")
    return str(path)


def test_a_long_tree_is_cut(asked: Asked, board: str, run: Run) -> None:
    out = run("solve", board, "--tree", "1").good
    assert re.search(r"\nnodes  \d+\ntime   [\d.]+ ms\n", out)
    assert re.fullmatch(r"  \.\.\. \d more nodes\n", out.partition("plays d3\n")[2])
    assert asked.limits == SolveLimits(time_ms=2500), "the other half is the full search's"


def test_limits_reach_the_engine(asked: Asked, board: str, run: Run) -> None:
    words = ["--nodes", "77", "--moves", "4", "--method", "vcf"]
    assert run("solve", board, *words)[0] == 0
    assert asked.limits == SolveLimits(77, None, 4, "vcf")
    assert run("solve", board, "--time", "0.25")[0] == 0
    assert asked.limits == SolveLimits(time_ms=125)
    assert run("solve", board, "--time", "0.25", "--method", "vct")[0] == 0
    assert asked.limits == SolveLimits(time_ms=250)
    # What the solver has left of the time is for the full search.
    assert run("solve", "2,2 3,3", "--size", "6", "--time", "0.25")[0] == 1
    assert isinstance(asked.limits, Limits) and asked.limits.turn_ms is not None
    assert 0 < asked.limits.turn_ms <= 250


@pytest.mark.parametrize(
    ("words", "tried", "means"),
    [
        ("", "vct", "by fours, threes and moves that threaten to win by fours"),
        ("--method threes", "threes", "by fours and threes"),
        ("--method vcf --moves 3", "vcf", "by fours, within 3 moves"),
    ],
)
def test_no_win_names_the_moves_that_were_tried(
    words: str, tried: str, means: str, asked: Asked, run: Run
) -> None:
    command = ["solve", "2,2 3,3", "--size", "6", "--nodes", "2000", *words.split()]
    status, out, _ = run(*command)
    assert (status, out.splitlines()[0]) == (1, f"no win: Black does not win {means}")
    record = json.loads(run(*command, "--json")[1])
    assert (record["status"], record["moves_tried"], record["limit"]) == ("no win", tried, None)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--nodes 1", "the limit of nodes was reached"),
        ("--moves 1", "there is no win by fours, within 1 move, but there may be a longer one"),
    ],
)
def test_an_open_answer_says_why(words: str, reason: str, board: str, run: Run) -> None:
    limits = ["--method", "vcf", *words.split()]
    status, out, _ = run("solve", board, *limits)
    assert (status, out.splitlines()[0]) == (1, f"unknown: {reason}")
    _, out, _ = run("solve", board, "--side", "white", "--defend", *limits)
    assert out.splitlines()[0] == f"unknown: no threat was found: {reason}"
    record = json.loads(run("solve", board, *limits, "--json")[1])
    assert (record["status"], record["limit"]) == ("unknown", words[2:-2])


def test_a_win_is_shortened_with_what_is_left(run: Run) -> None:
    found = []
    for words in ((), ("--shortest", "--nodes", "3000"), ("--shortest", "--nodes", "60000")):
        command = ("solve", SHORTENED, *(words or ("--nodes", "60000")))
        record = json.loads(run(*command, "--json")[1])
        [length] = [*re.findall(r"\nlength (.*)", run(*command)[1]), ""][:1]
        found.append((record["mate_plies"], record["is_shortest"], length))
    (first, *of_first), (_, *of_second), (last, *of_last) = found
    assert of_first == [False, ""]
    assert of_second == [False, "the limits do not rule out a shorter win"]
    threats = "by fours, threes and moves that threaten to win by fours"
    assert last < first and of_last == [True, f"no win {threats} is shorter"]


def test_json_and_a_saved_proof(asked: Asked, board: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "proof.json"
    status, out, _ = run("solve", board, "--json", "--save", str(path), "--check-wins")
    record = json.loads(out)
    assert status == 0
    assert (record["status"], record["mate_plies"], record["move"]) == ("win", 5, [3, 4])
    assert record["check"]["ok"] is True
    assert record["proof"] == json.loads(path.read_text())
    assert read_proof(out).check().ok
    status, out, _ = run("solve", "--check", str(path))
    assert (status, out[:36]) == (0, "checked: it wins against every defen")
    # A file that cannot be written takes no answer away.
    status, out, err = run("solve", board, "--save", str(tmp_path / "no" / "proof"))
    assert status == 2 and "Black wins with stone 5" in out
    assert "No such file or directory" in err and err.count("\n") == 1
    assert json.loads(run("solve", "--check", str(path), "--json")[1])["mate_plies"] == 5


def test_a_wrong_proof_is_named(asked: Asked, board: str, tmp_path: Path, run: Run) -> None:
    asked.spoils = True
    path = tmp_path / "proof.json"
    status, out, _ = run("solve", board, "--check-wins", "--save", str(path))
    assert status == 1
    assert "\nWRONG: the attacker's move d3 is not an empty cell, after d3 " in out
    status, out, _ = run("solve", "--check", str(path))
    assert (status, out[:7]) == (1, "WRONG: ")
    asked.spoils, asked.plies = False, 3
    status, out, _ = run("solve", board, "--check-wins")
    assert status == 1
    assert "WRONG: the win is longer than the 3 plies announced" in out


def test_every_first_move(asked: Asked, board: str, run: Run) -> None:
    status, out, _ = run("solve", board, "--all", "--check-wins", "--method", "vcf")
    assert status == 0
    assert out.startswith("Black wins with 1 first move\n    d3  wins with stone  5: d3 ")
    assert "\n 3   O   X   X   5   X" in out and "\nd3: checked: it wins" in out
    status, out, _ = run("solve", board, "--all", "--json", "--method", "vcf")
    [record] = json.loads(out)["wins"]
    assert record["move"] == [3, 4] and record["proof"]["plies"] == 5
    assert run("solve", "2,2 3,3", "--size", "6", "--all")[0] == 1


def test_defending(asked: Asked, board: str, run: Run) -> None:
    words = ("--side", "white", "--defend", "--method", "vcf")
    status, out, _ = run("solve", board, *words)
    assert status == 0
    assert out.startswith("Black threatens to win with stone 5: d3 f3 ")
    assert "\n  White can play " in out and "d3" in out.splitlines()[1]
    assert "\n 3   O   X   X   !   X" in out
    record = json.loads(run("solve", board, *words, "--json")[1])
    assert [3, 4] in record["moves"] and record["threat"]["mate_plies"] == 5
    status, out, _ = run("solve", "2,2 3,3", "--size", "6", "--defend")
    assert status == 1
    assert out.startswith("nothing to defend: Black's opponent threatens no win")


@pytest.mark.parametrize("most", [12, 1])
def test_what_refutes_a_defence(most: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # The text leaves out the moves that lose to the line of the threat.
    monkeypatch.setattr("tengen.study.show._REFUTED_POINTS", most)
    words = ("solve", "g10j10g9f10f9h11e9h9g8", "--defend", "--nodes", "200000")
    status, out, _ = run(*words)
    assert status == 1 and "\n  White has no defence but to win first\n" in out
    record = json.loads(run(*words, "--json")[1])
    assert record["moves"] == record["unknown"] == []
    assert len(record["refuted"]) > 12
    own = {}
    for each in record["refuted"]:
        assert each["line"] and each["mate_plies"] > 0
        if each["line"] != record["threat"]["line"]:
            own[point_name(each["defence"], 15)] = point_name(each["line"][0], 15)
    shown = dict(re.findall(r"^  ([a-o]\d+): loses to (\S+) ", out, re.MULTILINE))
    assert len(shown) == min(most, len(own)) and shown.items() <= own.items()
    assert ("... " in out.partition("any other")[0].splitlines()[-2]) == (len(own) > most)
    assert "\n  any other move loses to the threat itself\n" in out


def test_the_full_search(asked: Asked, board: str, run: Run) -> None:
    status, out, _ = run("solve", board, "--method", "full", "--check-wins")
    assert status == 0
    assert "\nvalue  +M5\n" in out and "\nchecked: it wins against every defence" in out
    asked.plies = 3
    status, out, _ = run("solve", board, "--method", "full", "--check-wins")
    assert status == 1 and "\nWRONG: " in out
    asked.plies = 0
    words = ("2,2 3,3", "--size", "6", "--method", "full", "--nodes", "100")
    status, out, _ = run("solve", *words)
    assert status == 1
    assert out.startswith("unknown: the search found no forced win for Black\n")
    _, out, _ = run("solve", "h8i9", "--moves", "1", "--nodes", "200")
    assert re.match("unknown: .*; the search found no forced win for Black either\n", out)


# ---- batches


def test_a_batch(asked: Asked, batch: str, run: Run) -> None:
    status, out, err = run("solve", batch, "--check-wins", *VCF)
    assert (status, err) == (1, "")
    assert out.splitlines()[:4] == [
        "solved           1 of 2 (50.0%)",
        "same first move  1 of 1 (100.0%)",
        "length           0 shorter than given, 0 the same, 1 longer",
        "checked          1 wins, 0 wrong",
    ]
    out = run("solve", batch, "--json", "--check-wins", *VCF)[1]
    first, second, last = map(json.loads, out.splitlines())
    assert (first["puzzle"], first["status"]) == (f"{batch}, line 1", "win")
    assert first["move"] == first["best"] == [3, 4] and first["check"]["ok"] is True
    assert (first["mate_plies"], first["best_mate_plies"]) == (5, 3)
    assert (second["status"], second["move"], second["check"]) == ("no win", None, None)
    assert last["summary"]["solved"] == 1
    Path(batch).write_text(json.dumps(EASY))
    assert run("solve", batch)[0] == 0
    asked.spoils = True
    status, out, _ = run("solve", batch, "--check-wins")
    assert status == 1
    assert f"{batch}, line 1: WRONG: " in out and "1 wins, 1 wrong" in out
    assert "solved           0 of 1 (0.0%)" in out


def test_jobs_change_nothing(batch: str, run: Run) -> None:
    # With the engine itself: other processes know no other brain.
    outs = []
    for jobs in ("1", "2"):
        status, out, err = run(
            "solve", batch, "--json", "--nodes", "3000", "--jobs", jobs, "--check-wins"
        )
        assert err == ""
        records: list[dict[str, Any]] = [json.loads(line) for line in out.splitlines()]
        for record in records:
            record.pop("time_ms", None)
            record.get("summary", {}).update(median_time_ms=0, p95_time_ms=0)
        outs.append((status, records))
    assert outs[0] == outs[1]


def test_the_puzzles_of_the_house(run: Run, tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "tengen" / "lab" / "bench" / "puzzles"
    files = sorted(folder.glob("*.jsonl"))
    assert len(files) == 4
    few = tmp_path / "few.jsonl"
    lines = [line for file in files for line in file.read_text().splitlines()[:8]]
    few.write_text("\n".join(lines))
    status, out, _ = run("solve", str(few), "--nodes", "2000", "--check-wins")
    assert "of 32 (" in out and " 0 wrong\n" in out


def test_which_game_of_a_file_is_said(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "two.sgf"
    path.write_text("(;SZ[15];B[hh];W[aa];B[hi])(;SZ[15];B[hh];W[ii])")
    words = (str(path), "--nodes", "50", "--method", "vcf", "--json")
    assert run("solve", *words)[2] == f"{path}, game 1 of 2; --game 2 for the next\n"
    assert run("solve", *words, "--game", "2")[2] == f"{path}, game 2 of 2\n"


# ---- bad input: one line, status 2


GOOD_PROOF: dict[str, Any] = {
    "format": 1,
    "rule": 0,
    "width": 5,
    "height": 5,
    "stones": [[0, 0, 1], [1, 0, 1], [2, 0, 1], [3, 0, 1], [0, 1, 2], [4, 4, 3]],
    "attacker": 1,
    "plies": 1,
    "proof": {"move": [4, 0], "replies": [], "otherwise": None},
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format 2 is not known, only 1 is"),
        ({"format": "1"}, "format: expected a whole number"),
        ({"attacker": 3}, "attacker: expected 1 (black) or 2 (white)"),
        ({"plies": 0}, "plies: expected a number above zero"),
        ({"stones": [[0, 0]]}, "stones: expected a list such as"),
        ({"stones": [[0, 0, 1], [0, 0, 2]]}, "0,0 is not empty"),
        ({"stones": [[7, 0, 1]]}, "7,0 is outside the 5x5 board"),
        ({"width": 4}, "board 4x5: sides must be 5 to 22"),
        ({"rule": 7}, "rule 7 does not exist"),
        ({"proof": 5}, "proof: 5 is not a node"),
        ({"extra": 5}, "is not a proof: expected an object with format, rule"),
    ],
)
def test_bad_proof_files(change: dict[str, Any], message: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "proof.json"
    path.write_text(json.dumps(GOOD_PROOF))
    assert run("solve", "--check", str(path))[0] == 0
    path.write_text(json.dumps(GOOD_PROOF | change))
    status, out, err = run("solve", "--check", str(path))
    assert (status, out) == (2, "")
    assert err.startswith(f"tengen solve: {path}: {message}") and err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wins-r0-s15", "wins-r0-s20", "wins-r1-s15", "wins-r4-s15"])
def test_all_puzzles_of_the_house(name: str, run: Run) -> None:
    path = Path(__file__).parents[2] / "tengen" / "lab" / "bench" / "puzzles" / f"{name}.jsonl"
    _, out, _ = run("solve", str(path), "--nodes", "100000", "--check-wins")
    assert " 0 wrong\n" in out, out


SIX = [(2, 2), (0, 0), (3, 2), (0, 1), (4, 2), (6, 6)]
FOUR_STONES = Position.begin((7, 7), 0, in_turns(SIX), BLACK)


def test_a_proof_is_checked() -> None:
    brain = Engine()
    answer = solve(brain, FOUR_STONES, Effort())
    assert (answer.status, answer.plies) == (WIN, 3)
    assert check_answer(FOUR_STONES, answer).ok is True
    elsewhere = replace(answer, line=(Point(6, 0, 7), *answer.line[1:]))
    verdict = check_answer(FOUR_STONES, elsewhere)
    assert (verdict.ok, verdict.reason) == (False, "the proof begins with another move")
    assert check_answer(FOUR_STONES, replace(answer, proof=None)).ok is False


def test_giving_up_is_no_verdict() -> None:
    brain = Engine()
    answer = solve(brain, FOUR_STONES, Effort("full"))
    assert play_out(FOUR_STONES, answer, Effort("full"), brain).ok is True
    verdict = play_out(FOUR_STONES, answer, Effort("full"), brain, max_stones=0)
    assert verdict.ok is None
    assert check_text(verdict, 7) == "not decided: given up after 0 stones"


def test_a_full_search_that_needs_too_long_has_found_nothing() -> None:
    brain = Engine()
    assert solve(brain, FOUR_STONES, Effort("full", moves=2)).is_win
    assert not solve(brain, FOUR_STONES, Effort("full", moves=1)).is_win


def _outcome(plies: int | None, mate: int | None, check: Check | None = None) -> Outcome:
    status = NO_WIN if plies is None else WIN
    line = () if plies is None else (Point(1, 1, 15),)
    puzzle = StoredPosition(Position(), "a", best=(1, 1), mate=mate)
    return Outcome(puzzle, Solution(status, line, plies, 5, 0.007), check)


def test_a_summary() -> None:
    assert [quantile([*range(n, 0, -1)], 95) for n in (0, 1, 3, 20, 21)] == [0, 1, 3, 19, 20]
    assert [quantile([*range(n, 0, -1)], 50) for n in (0, 1, 3, 20, 21)] == [0, 1, 2, 10, 11]
    outcomes = [
        _outcome(3, 5, Check(True, 9)),
        _outcome(5, 5, Check(None, 9, "given up")),
        _outcome(7, 5, Check(False, 9, "the defence b14 wins", ((0, 0), (1, 1)))),
        _outcome(7, None),
        _outcome(None, 5),
    ]
    figures = summary_record(outcomes)
    assert (figures["solved"], figures["same_move"], figures["puzzles"]) == (3, 3, 5)
    assert [figures[key] for key in ("shorter", "equal", "longer")] == [1, 1, 0]
    assert summary_text(outcomes)[:6] == [
        "a: not decided: given up",
        "a: WRONG: the defence b14 wins, after a15 b14",
        "solved           3 of 5 (60.0%)",
        "same first move  3 of 3 (100.0%)",
        "length           1 shorter than given, 1 the same, 0 longer",
        "checked          3 wins, 1 wrong, 1 not decided",
    ]
    assert [outcome.is_good for outcome in outcomes] == [True, False, False, True, False]
