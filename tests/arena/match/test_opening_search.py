"""The search for balanced openings: what is drawn, what is kept, and the file that is written."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tengen.arena.match.openings import (
    EvaluationFailed,
    OpeningRequest,
    openings_command,
    search_openings,
)
from tengen.arena.programs.spec import ProgramSpec
from tengen.game.openings import Drawing, check_openings, load_openings
from tengen.game.referee import RENJU
from tests.acting import command_of, noted
from tests.paths import ROOT
from tests.processes import processes_of

REQUEST = OpeningRequest(Drawing(15, 15, 0, (3, 6), "centre"), count=8, balance=30, candidates=200)

# At every move of an actor: its value is a sum over the stones, the sides in turn, and is off by
# some amount with few nodes; KIND changes it.
_VALUE = """
nodes = int(info["max_node"])
own, other = (sum((3 * x + 5 * y) % 17 for x, y, who in stones if who == side) for side in (1, 2))
value = 5 * (own - other) + (40 if nodes < 10000 else 0)
KIND
note(asked=[nodes, len(stones), value])
say(f"MESSAGE Depth 3-5 \\x7c Eval {value}")
cell = min(free())
"""
_KINDS = {
    "honest": "",
    "doubter": "value += 500 * ((0, 0) not in free())",  # after its own move
    "mate": "value = '+M5'",
    "silent": "value = ''",
    "crash": "if len(stones) > 4: os._exit(9)",
}


def _program(kind: str = "honest", log: Path | str = "") -> ProgramSpec:
    code = f"on move {_VALUE.replace('KIND', _KINDS[kind])}"
    return ProgramSpec("B", command_of(code, log=log), nodes=20_000)


# ---- asking


def test_kept_is_what_both_sides_take_for_balanced(tmp_path: Path) -> None:
    log = tmp_path / "log"
    found = search_openings(REQUEST, _program(log=log))
    assert len(found.openings) == 8
    asked = noted("asked", log=log)
    short = [value for nodes, _, value in asked if nodes == 2000]
    long = [value for nodes, _, value in asked if nodes == 20000]
    # A hopeless candidate gets the short search only, an unbalanced one the long search only once.
    assert sum(abs(value) <= 75 for value in short) < len(short)
    assert len(long) < 2 * len(short)
    assert sum(abs(value) <= 30 for value in long) >= 16


def test_the_result_is_the_same_however_many_are_asked_at_a_time() -> None:
    one = search_openings(REQUEST, _program())
    assert len(one.openings) == 8
    assert search_openings(REQUEST, _program(), concurrency=3) == one
    more = search_openings(replace(REQUEST, count=10), _program())
    assert more.openings[:8] == one.openings


@pytest.mark.parametrize("kind", ["doubter", "mate"])
def test_wins_in_sight_are_not_balanced_and_the_other_side_must_agree(kind: str) -> None:
    """The search ends with the candidates."""
    heard: list[tuple[int, int]] = []
    found = search_openings(
        replace(REQUEST, candidates=30),
        _program(kind),
        on_progress=lambda judged, kept: heard.append((judged, kept)),
    )
    assert (found.openings, found.tried) == ([], 30)
    assert heard == [(judged, 0) for judged in range(1, 31)]


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        ("silent", "engine B: reports no value; expected a line such as MESSAGE"),
        ("crash", "engine B: crash: ended with status 9"),
    ],
)
def test_a_brain_that_fails_ends_the_search(kind: str, complaint: str) -> None:
    with pytest.raises(EvaluationFailed, match=complaint):
        search_openings(REQUEST, _program(kind), concurrency=2)


# ---- fair openings

# At every move of an actor: who is to win makes a five in the first row, the other one plays in the
# last.
_PLAY = """
wins = WINS
cells = [(x, y) for y in (range(15) if wins else range(14, -1, -1)) for x in range(15)]
if not wins and len(stones) % 3 == 0:
    cells = cells[:29:-1]
cell = next(each for each in cells if each in free())
say("MESSAGE Depth 3-5 \\x7c Eval 0")
"""


@pytest.mark.parametrize(
    ("who_wins", "count"), [("info['max_node'] == '9000'", 2), ("len(stones) % 2 == 0", 0)]
)
def test_fair_is_where_the_stronger_side_wins_with_both_colours(who_wins: str, count: int) -> None:
    code = f"on move {_PLAY.replace('WINS', who_wins)}"
    program = ProgramSpec("P", command_of(code), nodes=9000)
    request = replace(REQUEST, count=2, is_fair=True, candidates=3)
    assert len(search_openings(request, program).openings) == count


# ---- the command


def _openings(*arguments: str) -> Result:
    return CliRunner().invoke(openings_command, arguments)


def test_the_command_writes_a_file_that_a_match_reads(tmp_path: Path) -> None:
    # A small real run.
    options = ("--rule", "4", "--count", "2", "--balance", "150", "--engine", "nodes=2000")
    file, points = tmp_path / "offsets.txt", tmp_path / "points.txt"
    assert _openings(*options, "--out", str(file)).exit_code == 0
    assert _openings("--notation", "pos", "--out", str(points), *options).exit_code == 0
    openings = load_openings(file)
    check_openings(openings, 15, 15, RENJU)
    assert [opening.offsets for opening in load_openings(points, size=(15, 15))] == [
        opening.offsets for opening in openings
    ]
    result = _openings(*options, "--jobs", "2")
    assert result.stdout == file.read_text()
    assert result.stderr.startswith("2 of 2 openings, ")


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for others")
def test_an_interrupt_leaves_nothing_running_and_writes_the_file(tmp_path: Path) -> None:
    code = "from tengen.arena.match.openings import openings_command; openings_command()"
    out = tmp_path / "found.txt"
    log = tmp_path / "log"
    engine = f"cmd={shlex.join(command_of('on move time.sleep(60)', log=log))}"
    command = [sys.executable, "-c", code, "--jobs", "2", "--engine", engine, "--out", str(out)]
    search = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        # The command itself names it as well, and so does a child that is just being started.
        while (count := len(processes_of(str(log)))) != 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert count == 3
        search.send_signal(signal.SIGINT)
        _, said = search.communicate(timeout=60)
    finally:
        search.kill()
    assert search.returncode == 128 + signal.SIGINT
    assert b"0 of 20 openings, 0 candidates tried" in said and b"Traceback" not in said
    assert out.read_text() == ""
    assert not processes_of(str(log))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--rule", "3"), "there is no rule '3'; there are 0 or freestyle"),
        (("--size", "x"), "expected 5 to 22, such as 15"),
        (("--stones", "3..5"), "expected a number of stones such as 4 or 3-6"),
        (("--stones", "0-5"), "0-5 stones in an opening: expected 1 to 24"),
        (("--stones", "5-4"), "5-4 stones in an opening: expected 1 to 24"),
        (("--place", "middle"), "'middle' is not one of 'anywhere', 'centre', 'edge'"),
        (
            ("--fair", "--engine", f"cmd={sys.executable}", "depth=5"),
            "--fair: the program needs a node",
        ),
        (("--engine", "cmd=no-such-program"), "engine for openings: there is no program"),
        (("--engine", "speed=3"), "speed= is not a key"),
        (("--out", "no/such/folder/file"), "No such file or directory"),
    ],
)
def test_bad_usage_is_told(arguments: tuple[str, ...], complaint: str) -> None:
    result = _openings(*arguments)
    assert result.exit_code == 2
    assert complaint in " ".join(result.stderr.split())
