"""The command `tengen check`: what it shows, and what it finds of programs as a whole."""

from __future__ import annotations

import html
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tengen.arena.check import conversation
from tengen.arena.check.checks import Outcome, Run, choose_checks
from tengen.arena.check.cli import check_command
from tengen.arena.check.conversation import RecordedProcess, Settings
from tengen.arena.check.positions import full_stones, opening_stones, quiet_stones
from tengen.arena.check.report import list_text
from tengen.arena.check.script import Group, load_scripts
from tengen.game.referee import BLACK, WHITE, Referee
from tests.arena.check.simulated import simulate
from tests.paths import ROOT

SCRIPTS = load_scripts()
TENGEN = (sys.executable, "-m", "tengen.pbrain")
SIMPLE = (sys.executable, "-m", "tengen", "brain", "simple")

# A program for `simulate`: `answers` says what it prints for a word, and other words are UNKNOWN;
# `begin` is done first. `starts` is one list for all starts.
_SAYS = """
answers = {answers}
{begin}
pending = b""

def feed(chunk):
    global pending
    *lines, pending = (pending + chunk).split(b"\\n")
    for line in lines:
        word = line.decode().split()[0] if line.strip() else ""
        if word == "BEGIN":
            os.write(2, b"hm\\n")
        if word != "INFO":
            os.write(1, answers.get(word, "UNKNOWN").encode() + b"\\n")
"""
_ODD = {"START": "OK", "BEGIN": "7,7 <b>&"}


def _check(*args: str) -> Result:
    return CliRunner().invoke(check_command, args)


def _simulate(monkeypatch: pytest.MonkeyPatch, answers: dict[str, str], begin: str = "") -> None:
    simulate(monkeypatch, _SAYS.format(answers=answers, begin=begin))


def _run(command: Sequence[str]) -> list[str]:
    """Runs several checks at a time, since most of a check is waiting. Returns what failed."""
    settings = Settings(tuple(command), timeout_s=60, turn_ms=60, quiet_s=0.08)
    checks = choose_checks(SCRIPTS, extensions=[Group.YIXIN])
    with ThreadPoolExecutor(4) as pool:
        parts = pool.map(lambda i: [*Run(settings, SCRIPTS).play(checks[i::4])], range(4))
        results = [result for part in parts for result in part]
    assert len(results) == len(checks)
    return [
        f"{result.check.number}: expected {result.expected}, received {result.received}"
        for result in results
        if result.outcome is Outcome.FAIL
    ]


# -- good programs


@pytest.mark.parametrize("command", [TENGEN, pytest.param(SIMPLE, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("patient")
def test_a_good_program_passes_every_check(command: Sequence[str]) -> None:
    assert _run(command) == []


# -- the command


def test_a_failure_is_shown_with_its_conversation(monkeypatch: pytest.MonkeyPatch) -> None:
    _simulate(monkeypatch, _ODD)
    done = _check("odd", "--only", "2,31,102")
    assert done.exit_code == 1
    lines = [" ".join(line.split()) for line in done.output.splitlines()]
    assert lines[lines.index("") + 1] == "Piskvork: fails 1 of 2 checks (31)"
    assert "the judge of Gomocup: fails 1 of 1 check (31)" in lines
    assert lines[: lines.index("")] == [
        "2 mandatory pass START is answered by exactly OK",
        "31 mandatory FAIL a move is x,y and nothing else",
        *("sent BEGIN", "expected a line x,y and nothing else on it", "received '7,7 <b>&'"),
        *("0.000 > START 15", "0.010 < OK", "0.010 > INFO timeout_turn 100", "0.010 > BEGIN"),
        *("0.010 ! hm", "0.010 < 7,7 <b>&"),
        "102 optional skip RECTSTART makes a board that is not square (RECTSTART 15,12: UNKNOWN)",
    ]
    assert lines[-1].endswith("1 passed, 1 skipped, 1 failed, 1 of them mandatory")
    # Conversations that went well are shown on request.
    quiet, loud = (_check("odd", "--only", "2", *more).output for more in ([], ["-v"]))
    assert "> START 15" not in quiet and "> START 15" in loud


def test_the_json_document(monkeypatch: pytest.MonkeyPatch) -> None:
    _simulate(monkeypatch, _ODD)
    done = _check("odd 'a b'", "--only", "2,31,102,111", "--json", "--rules", "Freestyle,0")
    assert done.exit_code == 1
    document = json.loads(done.output)
    assert document["format"] == 4
    piskvork = {"manager": "Piskvork", "checks": 2, "failed": [31], "flaky": []}
    assert document["managers"][0] == piskvork
    assert document["command"] == ["odd", "a b"]
    settings = {"timeout_s": 5.0, "turn_s": 0.1, "rules": [0], "sizes": [15, 20]}
    assert document["settings"] == settings
    # A failure of an optional check is none of the program.
    assert document["summary"] == {
        "pass": 1, "skip": 1, "fail": 2, "flaky": 0, "mandatory_failed": 1, "not_started": "",
        "ok": False,
    }  # fmt: skip
    good, bad, skipped, _ = document["results"]
    assert (good["number"], good["outcome"], good["failure"]) == (2, "pass", None)
    assert (skipped["outcome"], skipped["group"]) == ("skip", "optional")
    assert skipped["note"].startswith("RECTSTART 15,12: UNKNOWN")
    assert bad["failure"]["sent"] == ["BEGIN"] and bad["failure"]["received"] == "'7,7 <b>&'"
    page = (ROOT / "docs" / "CHECK.md").read_text(encoding="utf-8")
    named = {*document, *document["settings"], *document["summary"], *bad, *bad["failure"]}
    named |= {*document["managers"][0], *bad["failure"]["conversation"][0]}
    assert [key for key in named if f"`{key}`" not in page] == []


def test_the_page_for_the_author_has_every_failure_with_its_conversation(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What programs print is text in it, whatever it is."""
    _simulate(monkeypatch, _ODD)
    page = tmp_path / "check.html"
    said = _check("odd", "--only", "2,31", "--out", str(page), "--json")
    _, failed = json.loads(said.output)["results"]
    text = page.read_text(encoding="utf-8")
    assert html.escape(failed["failure"]["expected"]) in text
    assert "7,7 &lt;b&gt;&amp;" in text and "7,7 <b>" not in text
    assert all(html.escape(each["text"]) in text for each in failed["failure"]["conversation"])
    why = SCRIPTS.checks[31].why.split(". ")[0][:60]
    assert text.index(SCRIPTS.checks[31].title) < text.index(why) < text.index("exactly OK")
    assert "src=" not in text and "href=" not in text


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ([], "Missing argument 'PROGRAM'"),
        (["brain 'x"], "PROGRAM: brain 'x: a quote is not closed"),
        (["true", "--only", "0"], "there is no check 0"),
        (["true", "--only", "1" * 5000], "expected a whole number"),
        (["true", "--rules", "0,3"], "there is no rule '3'; there are 0 or freestyle"),
        (["true", "--sizes", "15,23"], "'23': expected sizes from 5 to 22, such as 15,20"),
        (["true", "--scripts", "/nowhere"], "/nowhere: there are no scripts *.txt"),
    ],
)
def test_bad_input_is_one_line(args: list[str], complaint: str) -> None:
    done = _check(*args)
    assert done.exit_code == 2
    assert complaint in done.output


def test_a_program_that_does_not_exist_is_one_line() -> None:
    done = _check("nowhere/to/be/found")
    told, counts = done.output.splitlines()
    assert done.exit_code == 1 and told.startswith("the program cannot be started: ")
    assert counts.endswith("1 failed, 1 of them mandatory")


def test_the_list_has_every_check_with_its_reason() -> None:
    done = _check("--list")
    assert done.output == list_text(SCRIPTS.checks.values()) + "\n"
    assert all(check.why and len(check.title) <= 70 for check in SCRIPTS.checks.values())


# -- programs as a whole


@pytest.mark.parametrize(
    ("begin", "words", "said"),
    [
        # It says what nobody has asked for: at its third start only, or never.
        ("if len(starts) == 3: os.write(1, b'ready\\n')", "--only 1", "c-gomoku-cli: 1 flaky (1)"),
        ("", "--only 1", "1 passed, 0 skipped, 0 failed"),
        # An odd answer to RECTSTART, and none at its next start.
        (
            "if len(starts) == 3: answers['RECTSTART'] = '7,7'",
            "--only 102",
            "FAIL  RECTSTART makes a board that is not square"
            "  (failed once, and skipped when repeated: RECTSTART 15,12: UNKNOWN)",
        ),
        # A slow start, each time or once, fails one check.
        ("time.sleep(2.5)", "--timeout 2 --only 2,3,21", "OK after 2.51 s"),
        ("if len(starts) == 1: time.sleep(2.5)", "--timeout 2 --only 2,3,21", "OK after 2.51 s"),
        ("time.sleep(2.5)", "--timeout 2 --only 2,3,21", "1 failed, 1 of them mandatory"),
    ],
)
def test_starts_that_differ(
    begin: str, words: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    _simulate(monkeypatch, {"START": "OK", "BEGIN": "7,7"}, f"starts.append(0)\n{begin}")
    assert said in _check("brain", *words.split()).output


def test_a_silent_program_is_not_waited_for_in_every_check(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(monkeypatch, "def feed(chunk): pass")
    numbers = ",".join(str(number) for number in [2, 3, 6, 11, 12, *range(21, 36), 101, 105])
    done = _check("brain", "--timeout", "1", "--only", numbers)
    assert done.exit_code == 1
    # Those that need a game are skipped: that none can be started is one finding.
    assert "5 failed, 5 of them mandatory" in done.output
    assert done.output.count("no game can be started") == 17
    assert "(does the program flush its output after every line?)" in done.output


def test_checks_of_a_program_that_floods_its_output_end_in_time() -> None:
    code = "while True: print('MESSAGE ' + 'x' * 100)"
    settings = Settings((sys.executable, "-SEc", code), timeout_s=0.3)
    results = Run(settings, SCRIPTS).play(choose_checks(SCRIPTS, [2, 21]))
    assert [result.outcome for result in results] == [Outcome.FAIL, Outcome.SKIP]


# -- what the checks are built from


def test_what_passes_through_the_pipes_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no variable of the environment flushes for a program under test."""
    for name in (*conversation._UNBUFFERED, "KEPT"):
        monkeypatch.setenv(name, "1")
    code = (
        "import os, sys\n"
        f"sys.stdin.readline(); os.write(2, b'oh\\n'); os.write(1, b'one\\r\\n\\n')\n"
        f"print([name for name in {(*conversation._UNBUFFERED, 'KEPT')} if name in os.environ])\n"
        "sys.stdout.flush(); os.write(1, b'\\xe9')\n"
        "sys.stdin.read()\n"
    )
    process = RecordedProcess([sys.executable, "-SEc", code])
    try:
        process.write(b"go\n")
        assert process.next_line(time.perf_counter() + 60) is not None
        process.close_input()
        assert process.wait(60)
        assert process.finish() == (0, "oh")
    finally:
        process.kill()
    assert [line.end for line in process.lines] == [b"\r\n", b"\n", b"\n", b""]
    assert process.error_output == b"oh\n"
    said = {(entry.direction, entry.text) for entry in process.entries}
    assert said == {(">", "go"), ("<", "one"), ("<", ""), ("<", "['KEPT']"), ("!", "oh"),
                    ("#", "end of the input"), ("<", "\\xe9")}  # fmt: skip


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
