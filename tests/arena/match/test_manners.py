"""How a match handles programs during a game: suspends them, measures time, keeps transcripts, asks
a judge; and what it reports."""

from __future__ import annotations

import csv
import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from tengen import cli as tengen
from tengen.arena.report.data import COLUMNS
from tengen.game.files.jsonl import read_records
from tests.acting import actor, noted, settings
from tests.commands import Run
from tests.paths import ROOT
from tests.processes import POSIX_ONLY, has_gone

LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


def _run(*words: str, status: int = 0, order: str = "random", file: str = "") -> None:
    command = ["match", *words, "--openings", "book.txt", f"order={order}", "--out", "out"]
    assert tengen.run([*command, *settings(f"{file}timeouts.exit = 60")]) == status


def _games() -> list[dict[str, Any]]:
    return [*read_records(Path("out/games.jsonl"))][1:]


def _timings() -> list[dict[str, Any]]:
    return [*read_records(Path("out/timing.jsonl"))]


# -- a waiting program is stopped


# Looks a while at every process of the other side, and notes each state seen.
_WATCH = """\
others = [pid for e in entries() if e.get("row") == "5" for pid in e.get("pids", [])]|\
{}note(seen=[[state(pid) for pid in others] for _ in range(10) if not time.sleep(0.02)])\
"""
# Before that it waits: a process that waits for a processor is stopped when it gets one.
_UNTIL_STOPPED = """\
[0 for _ in range(500) if any(state(pid) != "T" for pid in others) and time.sleep(0.02)]|\
"""
# Children of the program, one in its group and one that has left it.
_WITH_CHILDREN = 'note(row=row, pids=[child("0"), child("0", start_new_session=True)])'


@LINUX_ONLY
@pytest.mark.parametrize("is_suspending", [True, False])
def test_who_is_not_to_move_is_stopped_with_all_its_children(
    is_suspending: bool, stage: Path
) -> None:
    watch = _WATCH.format(_UNTIL_STOPPED if is_suspending else "")
    watcher = actor("Watcher", 0, "pass", *[watch] * 8)
    watched = actor("Watched", 5, _WITH_CHILDREN)
    file = f"suspend = {str(is_suspending).lower()}\n"
    _run(*watcher, *watched, "--games", "2", "--turn", "20", file=file)
    seen = [states for look in noted("seen") for states in look]
    # Its own process, and two children from the second look on.
    assert {len(states) for states in seen} >= {3}
    if is_suspending:
        assert {state for states in seen for state in states} == {"T"}
    else:
        assert "T" not in {state for states in seen for state in states}
    # It has lost nothing but the game: no time, not its END, and no child is left.
    assert [game["termination"] for game in _games()] == ["FIVE"] * 2
    for row in (0, 5):
        assert noted("told", row)[-1] == "END"
    assert all(has_gone(pid) for pids in noted("pids", 5) for pid in pids)


@pytest.mark.skipif(sys.platform == "win32", reason="counts on stopping by signals")
def test_a_stopped_program_loses_no_time(stage: Path) -> None:
    slow, quick = actor("Slow", 0, *["time.sleep(0.4)"] * 4), actor("Quick", 5)
    words = ["--games", "1", "--each", "match=60", "--transcripts"]
    _run(*slow, *quick, *words, file="suspend = true\n")
    # Moves of the opening come first; Black is the slow one.
    elapsed_s = _timings()[0]["elapsed_s"][2:]
    assert min(elapsed_s[0:8:2]) > 0.35
    left_ms = [int(told.split()[-1]) for told in noted("told", 5) if "time_left" in told]
    assert left_ms[0] == 60_000 and left_ms[-1] > 60_000 - 1000 * sum(elapsed_s[1::2]) - 2


# -- clocks


def test_increments_are_told_and_kept(stage: Path) -> None:
    slow = actor("A", 0, *["time.sleep(0.1)"] * 5)
    engines = [*slow, "match=60+2", "turn=30", *actor("B", 5), "turn=9"]
    _run(*engines, "--games", "1")
    told = noted("told", 0)
    start = told.index("INFO timeout_turn 30000")
    assert told[start + 1 : start + 3] == ["INFO timeout_match 60000", "INFO time_increment 2000"]
    left_ms = [int(line.split()[-1]) for line in told if line.startswith("INFO time_left")]
    assert len(left_ms) == 5
    elapsed_s = _timings()[0]["elapsed_s"][2::2]
    for number, left in enumerate(left_ms):
        assert abs(60_000 + 2_000 * number - 1000 * sum(elapsed_s[:number]) - left) < 2
    told = noted("told", 5)
    assert "INFO timeout_turn 9000" in told and "INFO timeout_match 0" in told
    assert {line for line in told if re.search("left|incr", line)} == {"INFO time_left 2147483647"}


# -- transcripts


def test_transcripts_hold_every_line(stage: Path) -> None:
    shout = "os.write(2, b'thinking hard\\n'); say('MESSAGE hm')"
    engines = [*actor("A B", 0, shout), *actor("C", 5, "pass", "say('not a move')")]
    _run(
        *engines, "--games", "3", "--turn", "20", "--transcripts", "--jobs", "2",
        order="sequential",
    )  # fmt: skip
    paths = sorted(Path("out/transcripts").iterdir())
    assert [path.name for path in paths] == ["00001.txt", "00002.txt", "00003.txt"]
    texts = [path.read_text(encoding="ascii") for path in paths]
    first = texts[0].splitlines()
    times = [float(line[:9]) for line in first]
    assert 0 <= times[0] and times == sorted(times)
    said = [line[10:] for line in first]
    assert said[:2] == ["A B > START 15", "A B < OK"]
    assert "A B > INFO rule 0" in said and any("A B > INFO folder " in line for line in said)
    start = said.index("A B > BOARD")
    assert said[start - 1].startswith("A B > INFO time_left")
    assert said[start : start + 6] == [
        "A B > BOARD", "A B > 7,7,1", "A B > 8,8,2", "A B > DONE", "A B < MESSAGE hm", "A B < 0,0"
    ]  # fmt: skip
    # The first move is sent by BOARD, the others by TURN; other lines are kept as well.
    assert "A B > TURN 0,5" in said and "C < not a move" in said
    assert said[-1] == "A B ! thinking hard"
    for text in texts:
        assert text.count("> START 15\n") == text.count("< OK\n") == 2
        assert "ABOUT" not in text and "END" not in text
        assert {line[10:].partition(" ")[0] for line in text.splitlines()} == {"A", "C"}


# -- what a run prints


def test_the_first_failure_ends_a_run_that_is_to(
    stage: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engines = [*actor("Good", 0), *actor("Bad", 5, *["pass"] * 5, "os._exit(3)")]
    _run(*engines, "--games", "8", "--turn", "20", status=1, file="fatal = true\n")
    said = capsys.readouterr().out
    # A game takes Bad four moves as White; it breaks in its second.
    assert said.count("game 2/8") == 1 and "game 3/8" not in said
    assert "2 games, ended by: 1 five, 1 crash" in said
    assert said.endswith("games in out\nended at the first failure\n")
    assert [game["termination"] for game in _games()] == ["FIVE", "CRASH"]
    # When it is resumed it ends there again, and continues if failures are not fatal any more.
    assert tengen.run(["match", "--resume", "out", *settings("fatal = true")]) == 1
    assert len(_games()) == 2
    assert tengen.run(["match", "--resume", "out"]) == 0
    assert len(_games()) == 8
    assert "2 of 8 games were played before" in capsys.readouterr().out


@POSIX_ONLY
def test_where_no_more_games_can_be_written_the_result_so_far_is_printed(
    stage: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import resource

    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    # No file grows beyond this: the plan and some of the games.
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, most[1]))
    try:
        _run(*actor("A", 0), *actor("B", 5), "--games", "40", status=2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    (said, errors), written = capsys.readouterr(), len(_games())
    assert 0 < written < 40
    assert errors == "tengen match: out: File too large\n"
    assert "stopped; the result so far:\n" in said and f"{written} games, ended by: " in said
    assert said.endswith("games in out\nto continue: tengen match --resume out\n")
    assert tengen.run(["match", "--resume", "out"]) == 0
    assert len(_games()) == len(list(Path("out/psq").iterdir())) == 40


def _described(heading: str, first: str) -> set[str]:
    """The keys of the table under that heading whose first column has that name."""
    text = (ROOT / "docs" / "FORMATS.md").read_text(encoding="utf-8")
    section = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    table = section.split(f"| {first} | Value |\n|---|---|\n")[1].split("\n\n")[0]
    return set(re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines())))


def test_every_key_that_is_written_is_described(stage: Path, run: Run) -> None:
    """In the result, in the files of the run, and in the table of its positions."""
    words = [*actor("A", 0), *actor("B", 5), "--openings", "book.txt", "--each", "nodes=5"]
    words += ["--json", "--out", "out", "--sprt", "elo1=300", "--games", "2"]
    said = run("match", *words)
    document = json.loads(said.good)
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
    again: dict[str, Any] = json.loads(run("report", "out", "--json").good)
    # The times that were kept are rounded to millionths, so their mean may differ by one.
    for one, other in zip(again["programs"], document["programs"], strict=True):
        assert abs(one.pop("mean_move_s") - other.pop("mean_move_s")) < 2e-6
    assert again == document

    plan, *games = read_records(Path("out/games.jsonl"))
    assert plan.keys() == _described("games.jsonl", "Key of the plan")
    for program in plan["programs"]:
        assert program.keys() == _described("games.jsonl", "Key of a program")
    for game in games:
        assert game.keys() == _described("games.jsonl", "Key of a game")
    for timing in _timings():
        assert timing.keys() == _described("timing.jsonl", "Key")

    assert tengen.run(["report", "out", "--out", "positions.csv"]) == 0
    with open("positions.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert _described("The table of positions", "Column") == set(COLUMNS) == rows[0].keys()
    assert len(rows) == sum(len(game["moves"]) - game["opening_moves"] for game in games)
    for before, after in zip(rows, rows[1:], strict=False):
        if before["game"] == after["game"]:
            assert after["position"] == before["position"] + before["move"]
    assert (rows[-1]["program"], rows[-1]["points"]) == ("B", "1.0")


# -- games that a judge ends by a proof, which the referee replays


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


def _judged(judge: str, *more: str) -> int:
    Path("judge.py").write_text(judge, encoding="ascii")
    words = [*actor("A", 0), *actor("B", 5), "--openings", "book.txt", "--games", "2"]
    command = shlex.join([sys.executable, "-SE", "judge.py"])
    options = ["--each", "nodes=5", "--out", "out", "--display", "result"]
    return tengen.run(["match", *words, *options, "--judge", command, *more])


def test_a_proven_win_ends_a_game(stage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _judged(JUDGE.replace("MOVE", "[4, y]"), "--jobs", "2") == 0
    plan, *games = read_records(Path("out/games.jsonl"))
    assert shlex.split(plan["judge"])[-1] == str(Path("judge.py").absolute())
    # Without the judge each game is won by the fifth stone of Black, the eleventh on the board.
    assert [(len(game["moves"]), game["winner"]) for game in games] == [(10, "black")] * 2
    details = [record["detail"] for record in _timings()]
    assert details == ["Black wins within 1 stone, by proof"] * 2
    assert "2 games, ended by: 2 adjudicated" in capsys.readouterr().out
    assert not [child for child in psutil.Process().children() if "judge.py" in child.cmdline()]


def test_a_proof_that_the_referee_does_not_confirm_is_none(stage: Path) -> None:
    assert _judged(JUDGE.replace("MOVE", "[9, 9]")) == 0
    assert [(len(game["moves"]), game["termination"]) for game in _games()] == [(11, "FIVE")] * 2


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
    assert _judged(judge) == 2
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
    assert "by proof" in _timings()[0]["detail"]
