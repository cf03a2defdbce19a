"""The command `tengen check`, and its checks on programs that keep to the protocol."""

from __future__ import annotations

import html
import json
import re
import shlex
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from click.testing import Result as Ran

from tengen.arena.check import conversation
from tengen.arena.check.checks import Outcome, Run, choose_checks
from tengen.arena.check.cli import check_command
from tengen.arena.check.conversation import RecordedProcess, Settings
from tengen.arena.check.positions import full_stones, opening_stones, quiet_stones
from tengen.arena.check.report import as_document, list_text
from tengen.arena.check.script import Check, Group, Step, load_scripts
from tengen.game.referee import BLACK, WHITE, Referee
from tests.arena.check.simulated import simulate
from tests.paths import ROOT

SCRIPTS = load_scripts()
TENGEN = (sys.executable, "-m", "tengen.pbrain")
SIMPLE = (sys.executable, "-m", "tengen", "brain", "simple")

# Knows two commands, and answers the second one in an odd way.
_ODD = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word == "BEGIN":
        print("hm", file=sys.stderr, flush=True)
    if word != "INFO":
        print({"START": "OK", "BEGIN": "7,7 best"}.get(word, "UNKNOWN"), flush=True)
"""

# Knows the moves, and neither the aim of the game nor its rules.
_FREESTYLE = """
import re
pending = b""
while chunk := os.read(0, 65536):
    *lines, pending = (pending + chunk).split(b"\\n")
    for line in lines:
        if line.startswith(b"START"):
            taken = set()
            os.write(1, b"OK\\n")
        elif re.match(rb"\\d", line):
            taken.add(tuple(map(int, line.split(b",")[:2])))
        elif line == b"DONE":
            cell = next((x, y) for x in range(15) for y in range(15) if (x, y) not in taken)
            os.write(1, b"%d,%d\\n" % cell)
"""


def _check(*args: str) -> Ran:
    return CliRunner().invoke(check_command, args)


def _odd(tmp_path: Path) -> str:
    path = tmp_path / "odd.py"
    path.write_text(_ODD, encoding="ascii")
    return shlex.join([sys.executable, "-SE", str(path)])


def _run(command: Sequence[str], checks: Sequence[Check], turn_ms: int = 60) -> list[str]:
    """Runs several checks at a time, since most of a check is waiting. Returns what failed."""
    settings = Settings(tuple(command), timeout_s=60, turn_ms=turn_ms, quiet_s=0.08)
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda i: Run(settings, SCRIPTS).play(checks[i::4]), range(4))
        results = [result for part in parts for result in part]
    assert len(results) == len(checks)
    return [
        f"{result.check.number}: expected {result.expected}, received {result.received}"
        for result in results
        if result.outcome is Outcome.FAIL
    ]


# -- good programs


@pytest.mark.usefixtures("patient")
def test_tengen_passes_every_check() -> None:
    assert _run(TENGEN, choose_checks(SCRIPTS, extensions=[Group.YIXIN])) == []


@pytest.mark.slow
def test_tengen_passes_with_the_settings_of_a_user() -> None:
    command = [sys.executable, "-m", "tengen.pbrain"]
    done = _check(shlex.join(command), "--extensions", "yixin", "--sizes", "5,9,15,19,20,22")
    assert done.exit_code == 0, done.output
    assert " 0 failed" in done.output


@pytest.mark.slow
@pytest.mark.usefixtures("patient")
def test_the_simple_opponent_passes_every_check() -> None:
    assert _run(SIMPLE, choose_checks(SCRIPTS, extensions=[Group.YIXIN])) == []


# -- the command


def test_a_failure_is_shown_with_its_conversation(tmp_path: Path) -> None:
    done = _check(_odd(tmp_path), "--only", "2,31,102", "--timeout", "1")
    assert done.exit_code == 1
    lines = [" ".join(line.split()) for line in done.output.splitlines()]
    assert lines[0] == "Piskvork: fails 1 of 2 checks (31)"
    assert "the judge of Gomocup: fails 1 of 1 check (31)" in lines
    lines = lines[lines.index("") + 1 :]
    assert lines[0] == "2 mandatory pass START is answered by exactly OK"
    assert lines[1:5] == [
        "31 mandatory FAIL a move is x,y and nothing else",
        "sent BEGIN",
        "expected a line x,y and nothing else on it",
        "received '7,7 best'",
    ]
    said = [line.split(" ", 1)[1] for line in lines[5:-2]]
    assert said[:4] == ["> START 15", "< OK", "> INFO timeout_turn 100", "> BEGIN"]
    # The error output is read beside, and may come late on a busy machine.
    assert "< 7,7 best" in said[4:] and set(said[4:]) <= {"! hm", "< 7,7 best"}
    assert lines[-2] == (
        "102 optional skip RECTSTART makes a board that is not square (RECTSTART 15,12: UNKNOWN)"
    )
    assert lines[-1].endswith("1 passed, 1 skipped, 1 failed, 1 of them mandatory")
    # Conversations that went well are shown on request.
    quiet, loud = (_check(_odd(tmp_path), "--only", "2", *more).output for more in ([], ["-v"]))
    assert "> START 15" not in quiet and "> START 15" in loud


def test_the_json_document(tmp_path: Path) -> None:
    command = _odd(tmp_path)
    only = ["--only", "2,31,102,111", "--timeout", "1"]
    done = _check(command, *only, "--json", "--rules", "Freestyle,0")
    assert done.exit_code == 1
    document = json.loads(done.output)
    assert document["format"] == 3
    assert document["managers"][0] == {
        "manager": "Piskvork", "checks": 2, "failed": [31], "flaky": [],
    }  # fmt: skip
    assert document["command"] == shlex.split(command)
    settings = {"timeout_s": 1.0, "turn_s": 0.1, "rules": [0], "sizes": [15, 20]}
    assert document["settings"] == settings
    # A failure of an optional check is none of the program.
    assert document["summary"] == {
        "pass": 1, "skip": 1, "fail": 2, "flaky": 0, "mandatory_failed": 1, "ok": False,
    }  # fmt: skip
    good, bad, skipped, _ = document["results"]
    assert (good["number"], good["outcome"], good["failure"]) == (2, "pass", None)
    assert (skipped["outcome"], skipped["group"]) == ("skip", "optional")
    assert skipped["note"].startswith("RECTSTART 15,12: UNKNOWN")
    assert bad["failure"]["sent"] == ["BEGIN"] and bad["failure"]["received"] == "'7,7 best'"
    page = (ROOT / "docs" / "CHECK.md").read_text(encoding="utf-8")
    named = {*document, *document["settings"], *document["summary"], *bad, *bad["failure"]}
    named |= {*document["managers"][0], *bad["failure"]["conversation"][0]}
    assert [key for key in named if f"`{key}`" not in page] == []


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "Missing argument 'PROGRAM'"),
        ([""], "PROGRAM: the command is empty"),
        (["brain 'x"], "PROGRAM: brain 'x: a quote is not closed"),
        (["true", "--only", "0"], "there is no check 0"),
        (["true", "--only", "x"], "expected a whole number"),
        (["true", "--only", ""], "expected a whole number"),
        (["true", "--only", "1" * 5000], "expected a whole number"),
        (["true", "--rules", "0,3"], "there is no rule '3'; there are 0 or freestyle"),
        (["true", "--sizes", "15,23"], "'23': expected sizes from 5 to 22, such as 15,20"),
        (["true", "--sizes", "15x15"], "'15x15': expected sizes from 5 to 22"),
        (["true", "--sizes", "1" * 5000], f"'{'1' * 40}': expected sizes from 5 to 22"),
        (["true", "--timeout", "0"], "--timeout"),
        (["true", "--turn", "0"], "--turn"),
        (["true", "--extensions", "latin"], "'latin' is not 'yixin'"),
        (["true", "stray"], "unexpected extra argument"),
    ],
)
def test_bad_input_is_one_line(args: list[str], complaint: str) -> None:
    done = _check(*args)
    assert done.exit_code == 2
    assert complaint in done.output


def test_a_program_that_does_not_exist_is_one_line() -> None:
    done = _check("nowhere/to/be/found")
    assert done.exit_code == 1
    told, counts = done.output.splitlines()
    assert told.startswith("the program cannot be started: ")
    assert counts.endswith("1 failed, 1 of them mandatory")


def test_a_program_that_never_flushes_fails_where_the_environment_would_flush(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", "1")  # as in the images of Python for containers
    code = "for line in __import__('sys').stdin: print('OK')"
    done = _check(
        shlex.join([sys.executable, "-Sc", code]), "--only", "2", "--timeout", "1", "--json"
    )
    [result] = json.loads(done.output)["results"]
    assert done.exit_code == 1
    assert "(does the program flush its output after every line?)" in result["failure"]["received"]


@pytest.mark.parametrize("name", conversation._UNBUFFERED)
def test_no_variable_flushes_for_a_program_under_test(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "1")
    monkeypatch.setenv("KEPT", "1")
    code = f"import os; print({name!r} in os.environ, 'KEPT' in os.environ)"
    process = RecordedProcess((sys.executable, "-SEc", code))
    assert process.wait(60)
    line = process.next_line(time.perf_counter() + 60)
    assert line is not None and line.escaped == "False True"
    process.kill()


def test_a_rule_that_is_not_played_is_answered_by_the_option(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    simulate(monkeypatch, _FREESTYLE)
    settings = Settings(("freestyle",), timeout_s=1.5, turn_ms=30, rules=(0, 4), quiet_s=0.06)
    freestyle, renju = Run(settings, SCRIPTS).play(choose_checks(SCRIPTS, [93, 95]))
    assert freestyle.outcome is renju.outcome is Outcome.FAIL  # this one plays nothing well
    assert "--rules leaves out rules" in renju.expected
    assert "--rules" not in freestyle.expected


def test_a_check_that_passes_when_repeated_is_flaky(tmp_path: Path) -> None:
    """The program says what nobody has asked for, at its second start only."""
    starts = tmp_path / "starts"
    code = (
        f"open({str(starts)!r}, 'a').write('x')\n"
        f"if len(open({str(starts)!r}).read()) == {{}}: print('ready', flush=True)\n"
        "for line in __import__('sys').stdin:\n"
        "    if line.startswith('START'): print('OK', flush=True)\n"
        "    if line.startswith('BEGIN'): print('7,7', flush=True)\n"
    )
    for first_noisy in (3, 99):
        starts.unlink(missing_ok=True)
        command = shlex.join([sys.executable, "-SEc", code.format(first_noisy)])
        done = _check(command, "--timeout", "10", "--only", "1")
        assert done.exit_code == 0
        is_flaky = first_noisy == 3
        assert ("FLAKY" in done.output) == ("1 flaky" in done.output) == is_flaky, done.output
        assert ("c-gomoku-cli: 1 flaky (1)" in done.output) == is_flaky


def test_a_failure_stands_where_the_repetition_is_skipped(tmp_path: Path) -> None:
    """The program has no name at first, and then knows no ABOUT."""
    mark = tmp_path / "asked"
    code = (
        "import os\n"
        "for line in __import__('sys').stdin:\n"
        f"    if line.startswith('ABOUT') and os.path.exists({str(mark)!r}): print('UNKNOWN')\n"
        f"    elif line.startswith('ABOUT'): open({str(mark)!r}, 'w'); print('OK')\n"
        "    elif line.startswith('START'): print('OK')\n"
        "    elif line.startswith('BEGIN'): print('7,7')\n"
        "    __import__('sys').stdout.flush()\n"
    )
    steps = [Step(1, ">? ABOUT"), Step(2, "expect a name"), Step(3, "< Brain")]
    check = Check(900, Group.MANDATORY, "a check", "why", steps)
    settings = Settings((sys.executable, "-SEc", code), timeout_s=60, turn_ms=10)
    (result,) = Run(settings, SCRIPTS).play([check])
    assert (result.outcome, result.expected, result.received) == (Outcome.FAIL, "a name", "'OK'")
    assert result.note == "failed once, and skipped when repeated: ABOUT: UNKNOWN"
    assert as_document(settings, [result], 1.0)["summary"]["mandatory_failed"] == 1


@pytest.mark.parametrize("slow", ["", "first"], ids=["every start", "the first start"])
def test_a_slow_start_fails_one_check(tmp_path: Path, slow: str) -> None:
    mark = tmp_path / "started"
    code = (
        "import os, sys, time\n"
        f"if not ({slow!r} and os.path.exists({str(mark)!r})): time.sleep(2.5)\n"
        f"open({str(mark)!r}, 'w')\n"
        f"sys.argv = ['brain']; sys.path.insert(0, {str(ROOT)!r})\n"
        "from tests import misbehaving\n"
        "misbehaving.main()\n"
    )
    program = tmp_path / "brain.py"
    program.write_text(code, encoding="utf-8")
    command = shlex.join([sys.executable, str(program)])
    done = _check(command, "--timeout", "2", "--only", "2,3,21,31", "--sizes", "15")
    assert "1 failed, 1 of them mandatory" in done.output, done.output
    assert "the line OK within 2 s" in done.output
    assert re.search(r"OK after [2-9]\.\d\d s", done.output)


def test_a_silent_program_is_not_waited_for_in_every_check() -> None:
    command = shlex.join([sys.executable, "-SEc", "import sys; sys.stdin.read()"])
    numbers = ",".join(str(number) for number in [2, 3, 6, 11, 12, *range(21, 36), 101, 105])
    done = _check(command, "--timeout", "1", "--only", numbers)
    assert done.exit_code == 1
    # Those that need a game are skipped: that none can be started is one finding.
    assert "5 failed, 5 of them mandatory" in done.output
    assert done.output.count("no game can be started") == 17


def test_the_list_names_every_check_with_its_reason() -> None:
    done = _check("--list")
    assert done.exit_code == 0
    assert done.output == list_text(SCRIPTS.checks.values()) + "\n"
    assert all(check.why and len(check.title) <= 70 for check in SCRIPTS.checks.values())


def test_the_documentation_has_the_numbers_of_all_checks() -> None:
    """A dropped number is not used again, so its table only grows."""
    page = (ROOT / "docs" / "CHECK.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([0-9]+)-([0-9]+) \| (\w+) \|", page, re.MULTILINE)
    listed = {n: group for first, last, group in rows for n in range(int(first), int(last) + 1)}
    assert listed == {check.number: check.group.value for check in SCRIPTS.checks.values()}


# -- what the checks are built from


def test_what_passes_through_the_pipes_is_recorded() -> None:
    code = (
        "import os, sys\n"
        "sys.stdin.readline(); os.write(2, b'oh\\n'); os.write(1, b'one\\r\\n\\n\\xe9')\n"
        "sys.stdin.read()\n"
    )
    process = RecordedProcess([sys.executable, "-SEc", code])
    try:
        process.write(b"go\n")
        assert process.next_line(time.perf_counter() + 60) is not None
        process.close_input()
        assert process.finish() == (0, "oh")
    finally:
        process.kill()
    assert [line.end for line in process.lines] == [b"\r\n", b"\n", b""]
    assert process.error_output == b"oh\n"
    said = {(entry.direction, entry.text) for entry in process.entries}
    assert said == {(">", "go"), ("<", "one"), ("<", ""), ("!", "oh"), ("#", "end of the input"),
                    ("<", "\\xe9")}  # fmt: skip


def test_checks_of_a_program_that_floods_its_output_end_in_time() -> None:
    code = "while True: print('MESSAGE ' + 'x' * 100)"
    settings = Settings((sys.executable, "-SEc", code), timeout_s=0.3)
    results = Run(settings, SCRIPTS).play(choose_checks(SCRIPTS, [2, 21]))
    assert [result.outcome for result in results] == [Outcome.FAIL, Outcome.SKIP]


@pytest.mark.parametrize("size", [5, 9, 15, 19, 20, 22])
def test_positions_of_the_checks_hold_no_five(size: int) -> None:
    almost_full = full_stones(size, empty=6)
    small = [opening_stones(), quiet_stones(16), quiet_stones(17)] if size >= 15 else []
    for stones in [almost_full, *small]:
        board = Referee(size, size, 0)
        for x, y, field in stones:
            board.play(x, y, field)
        own = sum(field == 1 for _, _, field in stones)
        assert len(stones) - own - own in (0, 1)
        assert not board.winner_anywhere()
        wins = [c for c in board.empties() for who in (BLACK, WHITE) if board.makes_win(*c, who)]
        assert wins == []
    assert len(almost_full) == size * size - 6


def test_the_page_for_the_author_has_every_failure_with_its_conversation(tmp_path: Path) -> None:
    """What programs print is text in it, whatever it is."""
    page = tmp_path / "check.html"
    program = tmp_path / "odd.py"
    program.write_text(
        "for line in iter(input, 'END'):\n"
        "    if line.startswith('START'): print('OK', flush=True)\n"
        "    if line.startswith(('BEGIN', 'TURN', 'DONE')): print('7,7 <b>&', flush=True)\n",
        encoding="ascii",
    )
    command = f"{sys.executable} -SE {program}".replace("\\", "/")
    said = _check(command, "--only", "1,31", "--out", str(page), "--json")
    results = {each["number"]: each for each in json.loads(said.output)["results"]}
    assert {number: each["outcome"] for number, each in results.items()} == {1: "pass", 31: "fail"}
    text = page.read_text(encoding="utf-8")
    assert html.escape(results[31]["failure"]["expected"]) in text
    assert "7,7 &lt;b&gt;&amp;" in text and "7,7 <b>" not in text
    for entry in results[31]["failure"]["conversation"]:
        assert html.escape(entry["text"]) in text
    titles = [results[number]["title"] for number in (31, 1)]
    assert [text.index(html.escape(title)) for title in titles] == sorted(
        text.index(html.escape(title)) for title in titles
    )
    assert "src=" not in text and "href=" not in text
