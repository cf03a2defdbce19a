"""The search for balanced openings: what is drawn, what is kept, and the file that is written."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tengen.arena.match.opening_candidates import Wish, canonical_form, draw_candidates, is_quiet
from tengen.arena.match.opening_search import BrainFailed, search_openings
from tengen.arena.match.openings_cli import openings_command
from tengen.arena.programs.program import Program
from tengen.game.record.openings import Opening, check_openings, image, load_openings
from tengen.game.rules.referee import RENJU, RULES
from tests.paths import ROOT
from tests.processes import POSIX_ONLY, processes_of

WISH = Wish(15, 15, 0, count=8, balance=30, candidates=120)

# Its value is a sum over the stones, the sides in turn, and is off by some amount with few nodes.
# "doubter" reports another value after its own move, which is always 0,0; "mate" reports wins,
# "silent" reports nothing, "crash" exits, "slow" never answers.
_BRAIN = """
import os, sys, time
kind = sys.argv[1]
nodes, stones, log = 0, [], open(sys.argv[2], "a") if len(sys.argv) > 2 else None
for line in sys.stdin:
    words = line.split()
    if words[0] == "START":
        stones = []
        print("OK", flush=True)
    elif words[:2] == ["INFO", "max_node"]:
        nodes = int(words[2])
    elif "," in words[0]:
        x, y, field = map(int, words[0].split(","))
        stones.append((x, y, field))
    elif words[0] == "DONE":
        if kind == "slow":
            time.sleep(60)
        if kind == "crash" and len(stones) > 4:
            os._exit(9)
        own = sum((3 * x + 5 * y) % 17 for x, y, field in stones if field == 1)
        other = sum((3 * x + 5 * y) % 17 for x, y, field in stones if field == 2)
        value = 5 * (own - other) + (40 if nodes < 10000 else 0)
        if kind == "doubter" and (0, 0) in [stone[:2] for stone in stones]:
            value += 500
        if log:
            log.write(f"{nodes} {len(stones)} {value}\\n")
            log.flush()
        if kind != "silent":
            print("MESSAGE Depth 3-5 | Eval", "+M5" if kind == "mate" else value, flush=True)
        free = [(x, y) for x in range(15) for y in range(15)
                if (x, y) not in [stone[:2] for stone in stones]]
        print("%d,%d" % free[0], flush=True)
    elif words[0] == "END":
        break
"""


@pytest.fixture
def brain(tmp_path: Path) -> Path:
    path = tmp_path / "brain.py"
    path.write_text(_BRAIN, encoding="ascii")
    return path


def _program(brain: Path, kind: str = "honest", *more: str, nodes: int = 20_000) -> Program:
    return Program("B", (sys.executable, "-SE", str(brain), kind, *more), nodes=nodes)


# ---- drawing


def test_what_is_drawn_depends_on_the_wish_alone() -> None:
    first = list(draw_candidates(WISH))
    assert len(first) == 120
    assert list(draw_candidates(WISH)) == first
    assert list(draw_candidates(replace(WISH, balance=500, count=1))) == first
    assert list(draw_candidates(replace(WISH, seed=2)))[:20] != first[:20]
    for opening in first:
        assert 3 <= len(opening.offsets) <= 6
        assert all(max(abs(dx), abs(dy)) <= 3 for dx, dy in opening.offsets)


def test_no_candidate_is_another_one() -> None:
    wish = Wish(9, 9, 0, count=1, balance=0, stones=(2, 3), spread=1, candidates=1000)
    drawn = list(draw_candidates(wish))
    assert len({canonical_form(opening) for opening in drawn}) == len(drawn)
    # Two stones within three columns and rows: five distances. With three it is more, but the
    # cells run out long before the candidates do.
    assert sum(len(opening.offsets) == 2 for opening in drawn) == 5
    assert len(drawn) < 100


def test_the_form_of_an_opening_knows_no_side_place_or_order() -> None:
    opening = Opening(((0, 0), (1, 2), (-3, 0), (2, 2)))
    same = [Opening(image(opening.offsets, way, 1, 1)) for way in range(8)]
    same.append(Opening(tuple((dx + 1, dy - 2) for dx, dy in opening.offsets)))
    same.append(Opening(((-3, 0), (2, 2), (0, 0), (1, 2))))
    assert {canonical_form(each) for each in same} == {canonical_form(opening)}
    colours = Opening(((1, 2), (0, 0), (2, 2), (-3, 0)))
    assert canonical_form(colours) != canonical_form(opening)


@pytest.mark.parametrize(
    ("text", "rule", "quiet"),
    [
        ("0,0 3,3 1,0 3,-3 2,1 -3,3", 0, True),
        ("0,0 3,3 1,0 3,-3 2,0 -3,3", 0, False),  # an open three
        ("0,0 3,3 1,0 3,-3 3,0 -3,3", 0, False),  # an open three with a gap
        ("0,0 -1,0 1,0 3,-3 2,0 3,3", 0, True),  # a three shut at one end
        ("3,3 0,0 3,-3 0,1 -3,3 0,2", 0, False),  # White's
        ("0,0 3,3 1,0 3,-3 2,0 -3,3 3,0 -1,0", 0, False),  # a four
        ("0,0 3,3 1,0 3,-3 0,1 -3,3 1,1 -3,-3", RENJU, True),
        ("1,0 3,3 -1,0 3,-3 0,1 -3,3 0,-1 -3,-3 0,0", RENJU, False),  # a foul
    ],
)
def test_quiet_is_who_threatens_nothing(text: str, rule: int, quiet: bool) -> None:
    offsets = tuple((int(x), int(y)) for x, y in (cell.split(",") for cell in text.split()))
    assert is_quiet(Opening(offsets), replace(WISH, rule=rule)) is quiet


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("width", "height", "spread"), [(15, 15, 5), (20, 15, 7), (8, 8, 3)])
def test_candidates_are_openings_everywhere(
    rule: int, width: int, height: int, spread: int
) -> None:
    wish = Wish(width, height, rule, 1, 0, (3, 8), spread)
    check_openings(islice(draw_candidates(wish), 40), width, height, rule)


# ---- asking


def test_kept_is_what_both_sides_take_for_balanced(brain: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    found = search_openings(WISH, _program(brain, "honest", str(log)))
    assert len(found) == 8
    asked = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
    short = [value for nodes, _, value in asked if nodes == 2000]
    long = [value for nodes, _, value in asked if nodes == 20000]
    # A hopeless candidate gets the short search only, an unbalanced one the long search only once.
    assert sum(abs(value) <= 75 for value in short) < len(short)
    assert len(long) < 2 * len(short)
    assert sum(abs(value) <= 30 for value in long) >= 16


def test_the_result_is_the_same_however_many_are_asked_at_a_time(brain: Path) -> None:
    one = search_openings(WISH, _program(brain))
    assert len(one) == 8
    assert search_openings(WISH, _program(brain), concurrency=3) == one
    more = search_openings(replace(WISH, count=10), _program(brain))
    assert more[:8] == one


def test_the_search_ends_with_the_candidates(brain: Path) -> None:
    heard: list[tuple[int, int]] = []
    found = search_openings(
        replace(WISH, count=1000, candidates=40),
        _program(brain),
        on_progress=lambda judged, kept: heard.append((judged, kept)),
    )
    assert [judged for judged, _ in heard] == list(range(1, 41))
    assert heard[-1][1] == len(found) < 40


@pytest.mark.parametrize("kind", ["doubter", "mate"])
def test_wins_in_sight_are_not_balanced_and_the_other_side_must_agree(
    brain: Path, kind: str
) -> None:
    assert search_openings(replace(WISH, candidates=30), _program(brain, kind)) == []


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        ("silent", "engine B: reports no value; expected a line such as MESSAGE"),
        ("crash", "engine B: crash: ended with status 9"),
    ],
)
def test_a_brain_that_fails_ends_the_search(brain: Path, kind: str, complaint: str) -> None:
    with pytest.raises(BrainFailed, match=complaint):
        search_openings(WISH, _program(brain, kind), concurrency=2)


# ---- the command


def _openings(*arguments: str) -> Result:
    return CliRunner().invoke(openings_command, arguments)


def test_the_command_writes_a_file_that_a_match_reads(tmp_path: Path) -> None:
    # A small real run.
    options = ("--rule", "4", "--count", "3", "--balance", "150", "--engine", "nodes=3000")
    files = [tmp_path / name for name in ("one.txt", "two.txt", "pos.txt")]
    assert _openings(*options, "--out", str(files[0])).exit_code == 0
    assert _openings(*options, "--jobs", "2", "--out", str(files[1])).exit_code == 0
    assert _openings("--notation", "pos", "--out", str(files[2]), *options).exit_code == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    openings = load_openings(files[0])
    check_openings(openings, 15, 15, RENJU)
    assert [opening.offsets for opening in load_openings(files[2], size=(15, 15))] == [
        opening.offsets for opening in openings
    ]
    result = _openings(*options)
    assert result.stdout == files[0].read_text()
    assert result.stderr.startswith("3 of 3 openings, ")


@POSIX_ONLY
def test_what_cannot_be_written_is_printed(brain: Path, tmp_path: Path) -> None:
    import resource

    out = tmp_path / "out.txt"
    words = ("--engine", f"cmd={sys.executable} -SE {brain} honest", "--count", "3")
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8, most[1]))
    try:
        result = _openings(*words, "--out", str(out))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert (result.exit_code, out.exists()) == (2, False)
    assert result.stderr.endswith(f"{out}: File too large\n")
    assert result.stdout == _openings(*words).stdout != ""


def test_too_few_are_told_in_one_line(brain: Path) -> None:
    result = _openings(
        "--engine", f"cmd={sys.executable} -SE {brain} honest", "--count", "30",
        "--candidates", "20", "--balance", "20",
    )  # fmt: skip
    assert result.exit_code == 1
    assert "of 30 openings, 20 candidates tried: try a larger --balance" in result.stderr
    assert len(result.stdout.splitlines()) == int(result.stderr.split()[0])


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for others")
def test_an_interrupt_leaves_nothing_running(brain: Path) -> None:
    code = "from tengen.arena.match.openings_cli import openings_command; openings_command()"
    engine = f"cmd={sys.executable} -SE {brain} slow"
    command = [sys.executable, "-c", code, "--jobs", "2", "--engine", engine]
    search = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 60
        while len(processes_of(str(brain))) < 3 and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(processes_of(str(brain))) == 3  # the command itself names it as well
        search.send_signal(signal.SIGINT)
        _, said = search.communicate(timeout=60)
    finally:
        search.kill()
    assert search.returncode != 0
    assert b"Traceback" not in said
    assert not processes_of(str(brain))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--rule", "3"), "there is no rule '3'; there are 0 or freestyle"),
        (("--size", "x"), "expected 5 to 22, such as 15"),
        (("--balance", "1e3x"), "expected a whole number such as 20000 or 1e6"),
        (("--stones", "3..5"), "expected a number of stones such as 4 or 3-6"),
        (("--stones", "0-5"), "expected 1 to 48 stones on the 49 cells within --spread 3"),
        (("--stones", "5-4"), "--stones 5-4: expected 1 to 48"),
        (("--spread", "9"), "a spread of 9 does not fit on a 15x15 board; expected 1 to 7"),
        (("--engine", "cmd=no-such-program"), "engine for openings: there is no program"),
        (("--engine", "speed=3"), "speed= is not a key"),
        (("--out", "no/such/folder/file"), "No such file or directory"),
    ],
)
def test_bad_usage_is_told(arguments: tuple[str, ...], complaint: str) -> None:
    result = _openings(*arguments)
    assert result.exit_code == 2
    assert complaint in " ".join(result.stderr.split())
