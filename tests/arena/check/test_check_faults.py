"""`tengen check` on a small program with one fault at a time: exactly the checks that are about the
fault must fail."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tengen.arena.check.checks import Outcome, Run, choose_checks
from tengen.arena.check.conversation import Settings
from tengen.arena.check.script import Check, Group, load_scripts
from tests.arena.check.simulated import MAIN, simulate

SCRIPTS = load_scripts()

# Speaks the protocol and plays the first cell that wins, stops a five, or lies beside a stone;
# `fault` is the one thing it does wrong.
_BRAIN = r"""
import re

fault = sys.argv[1]
END = "\n"
width = height = 0
stones = {}
turn_ms = 30000
rule_error = ""
block = kind = None
said_moves = 0

def say(text):
    global END
    if fault == "mixed_ends":
        END = "\r\n" if END == "\n" else "\n"
    if fault == "unfinished" and re.match(r"\d", text):
        os.write(1, text.encode())
        return
    os.write(1, (text + END).encode("utf-8"))
    if fault == "noise":
        os.write(2, b"thinking hard\n")

def run(x, y, dx, dy, who):
    n = 0
    while stones.get((x + dx, y + dy)) == who:
        x, y, n = x + dx, y + dy, n + 1
    return n

def wins(x, y, who):
    lines = ((1, 0), (0, 1), (1, 1), (1, -1))
    return any(run(x, y, a, b, who) + run(x, y, -a, -b, who) >= 4 for a, b in lines)

def choose():
    cells = [(x, y) for y in range(height) for x in range(width)]
    if fault == "forgets_walls":
        cells = [cell for cell in cells if stones.get(cell, 3) == 3]
        walls = [cell for cell in cells if cell in stones]
        if walls:
            return walls[0]
    if fault == "off_the_board" and len(stones) == 6:
        return width, 0
    cells = [cell for cell in cells if cell not in stones]
    steps = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
    beside = {(x + a, y + b) for x, y in stones for a, b in steps}
    near = [cell for cell in cells if cell in beside]
    if fault != "never_blocks":
        for who in (1, 2):
            for cell in near:
                if wins(*cell, who):
                    return cell
    else:
        near.reverse()
    middle = (width // 2, height // 2)
    return middle if middle in cells else (near or cells)[0]

def move():
    global said_moves, rule_error
    if not width:
        if fault == "needs_start":
            sys.exit(1)
        return say("ERROR no board")
    if rule_error:
        rule_error, text = "", rule_error
        return say("ERROR " + text)
    if fault == "turn_needs_begin" and len(stones) == 1 and block is None:
        return say("ERROR BEGIN first")
    if fault == "needs_room" and len(stones) > width * height - 8:
        return say("ERROR no room")
    if fault == "late":
        time.sleep(turn_ms / 1000 + 1.3)
    if fault == "slow_to_end" and turn_ms > 5000:
        time.sleep(3)
    if fault == "no_clock" and turn_ms > 5000:
        time.sleep(1.6)
    if fault == "zero_is_no_limit" and turn_ms == 0:
        time.sleep(1.3)
    cell = choose()
    stones[cell] = 1
    said_moves += 1
    text = "%d,%d" % cell
    said = {
        "marks_another_cell": "MESSAGE REALTIME BEST 0,0" + END + text,
        "trailing": text + " best",
        "two_lines": text + END + text,
        "long_lines": "MESSAGE " + "x" * 2000 + END + text,
        "not_ascii": "MESSAGE \u00e9tude" + END + text,
    }
    if fault == "dies_late" and said_moves == 5:
        sys.exit(3)
    say(said.get(fault, text))

def turn(text):
    found = re.fullmatch(r"\s*(-?\d+)\s*,\s*(-?\d+)\s*", text)
    cell = (int(found[1]), int(found[2])) if found else None
    good = cell and 0 <= cell[0] < width and 0 <= cell[1] < height and cell not in stones
    if not good and fault != "any_turn":
        return say("ERROR no such cell")
    if good:
        stones[cell] = 2
    move()

def board():
    before = dict(stones)
    if fault != "board_adds":
        stones.clear()
    wrong = ""
    for line in block:
        found = re.fullmatch(r"(\d+)\s*,\s*(\d+)\s*,\s*([123])", line)
        if not found:
            wrong = wrong or line
            if fault == "complains_and_moves":
                say("ERROR " + line)
        else:
            stones[int(found[1]), int(found[2])] = int(found[3])
    if wrong and fault != "complains_and_moves":
        stones.clear()
        stones.update(before)
        return say("ERROR " + wrong)
    if fault == "no_empty_board" and not stones:
        return say("ERROR nothing to do")
    own = sum(stone == 1 for stone in stones.values())
    if fault == "refuses_own_first" and 0 < len(stones) == 2 * own:
        return say("ERROR not mine")
    if fault == "refuses_other_first" and len(stones) == 2 * own + 1:
        return say("ERROR not yours")
    move()

def info(rest):
    global turn_ms, rule_error
    key, _, value = rest.partition(" ")
    key, value = key.lower(), value.strip()
    if key == "timeout_turn" and value.lstrip("-").isdigit():
        turn_ms = int(value)
    if key == "rule":
        rule_error = "" if value == "0" or fault == "any_rule" else "only rule 0"
    if key == "evaluate" and fault == "answers_evaluate":
        say("OK")
    if key == "max_memory" and fault == "hog":
        globals()["hog"] = b"x" * (360 << 20)
    known = ("timeout_turn timeout_match time_left max_memory rule game_type folder evaluate"
             " max_depth max_node thread_num hash_size")
    if fault == "answers_info" and key not in known.split():
        say("ERROR what is " + key)
    if fault == "ok_to_info":
        say("OK")

def start(text, separator=None):
    global width, height, turn_ms
    words = text.split(separator)
    if not words or not all(word.strip().isdigit() for word in words) or len(words) > 2:
        return say("OK" if fault == "any_size" else "ERROR no size")
    sides = [int(word) for word in words]
    if not all(5 <= side <= 20 for side in sides) and fault != "any_size":
        return say("ERROR 5 to 20")
    if fault == "only_19" and sides != [19]:
        return say("ERROR only 19")
    width, height = sides[0], sides[-1]
    if fault == "rectangle_turned":
        width, height = height, width
    if fault == "always_15":
        width = height = 15
    if fault == "fixed_size" and (sides[0] != 15):
        return say("ERROR only 15")
    if fault == "start_keeps_board" and stones:
        return say("OK")
    stones.clear()
    say("OK - ready" if fault == "ok_with_text" else "OK")

def command(line):
    global block, kind
    if fault == "only_lf" and line.endswith("\r"):
        line += "?"
    if fault == "no_tabs" and (line.startswith(" ") or "\t" in line):
        return say("UNKNOWN white space")
    line = line.strip()
    if not line:
        if fault == "answers_empty_lines":
            say("UNKNOWN nothing")
        return
    word, _, rest = line.replace("\t", " ").partition(" ")
    rest = rest.strip()
    if block is not None and word.upper() != "END":
        if line.upper() == "DONE":
            {"BOARD": board, "SWAP2BOARD": swap2, "YXBOARD": set_up}[kind]()
            block = None
        else:
            block.append(line)
        return
    if fault != "upper_case_only":
        word = word.upper()
    if word == "START":
        start(rest)
    elif word == "RECTSTART":
        start(rest, ",")
    elif word == "RESTART":
        if fault != "restart_keeps_board":
            stones.clear()
        say("OK")
    elif word == "BEGIN":
        move()
    elif word == "TURN":
        turn(rest)
    elif word in ("BOARD", "SWAP2BOARD", "YXBOARD"):
        block, kind = [], word
        for part in rest.split():
            command(part)
    elif word == "YXSTOP":
        if fault == "answers_yxstop":
            say("0,0")
    elif word.startswith("YX"):
        if fault == "plain_yx":
            if not width:
                # Like a slow start: longer than check 201 waits before START.
                time.sleep(0.5)
            say("nothing known of that")
    elif word == "TAKEBACK":
        cell = tuple(map(int, rest.split(",")))
        if fault != "takeback_keeps":
            del stones[cell]
        say("OK")
    elif word == "INFO":
        info(rest)
    elif word == "ABOUT":
        if fault == "no_about":
            return say("UNKNOWN command")
        if fault == "free_about":
            return say("Brain 1.0 by nobody, name unknown, all = nothing")
        say('name="Brain", version="1.0", author="nobody", country="none"')
    elif word == "END":
        if fault == "talks_at_end":
            say("MESSAGE good bye")
        if fault == "deaf":
            return
        if fault != "child":
            os._exit(0)
        subprocess.Popen([sys.executable, "-SEc", "import time; time.sleep(60)"],
                         stdin=-3, stdout=-3, stderr=-3, start_new_session=True)
        os._exit(0)
    elif fault == "falls_over":
        raise ValueError(line)
    elif fault != "silent":
        say("UNKNOWN " + word)

def swap2():
    try:
        cells = [tuple(map(int, line.split(","))) for line in block]
    except ValueError:
        cells = [None]
    if fault == "swap2_slow":
        time.sleep(1.2)
    if fault == "swap2_line_by_line":
        for cell in cells:
            cell or say("ERROR")
        return say("3,3 4,4 5,6" if not cells else "SWAP")
    if len(set(cells)) not in (0, 3, 5):
        return say("ERROR")
    if fault == "swap2_twice":
        return say("3,3 3,3 4,4" if not cells else "7,7")
    say("3,3 4,4 5,6" if not cells else "SWAP")

def set_up():
    if fault == "moves_after_yxboard":
        say("0,0")

if fault == "banner":
    say("Brain 1.0")
pending = b""
heard_at = time.perf_counter()

def feed(chunk):
    global pending, heard_at
    if not chunk:
        if fault == "outlives_input":
            time.sleep(60)
        sys.exit(0)
    if fault == "watches_the_clock" and time.perf_counter() - heard_at > 1:
        sys.exit(1)
    heard_at = time.perf_counter()
    if fault == "loses_input" and chunk.count(b"\n") > 5:
        chunk = chunk.splitlines(True)[0]
    *lines, pending = (pending + chunk).split(b"\n")
    if fault == "races":
        lines.reverse()
    for line in lines:
        command(line.decode())
    if fault == "whole_lines_only" and pending:
        say("UNKNOWN piece")
"""


@dataclass(frozen=True)
class Case:
    """A fault and the numbers of the checks that must fail by it. `among`: only these are run,
    where the fault would make all the others fail as well."""

    fault: str
    fails: tuple[int, ...]
    among: tuple[int, ...] = ()


CASES = (
    Case("none", ()),
    Case("always_15", (4,)),
    Case("answers_empty_lines", (76,)),
    Case("answers_evaluate", (46,), among=(41, 43, 46)),
    Case("answers_info", (44, 84, 115, 223)),
    Case("answers_yxstop", (206, 207)),
    Case("any_rule", (94,), among=(93, 94)),
    Case("any_size", (109,)),
    Case("any_turn", (110,)),
    Case("banner", (1, 2, 7, 12, 33, 42, 112, 201)),
    Case("board_adds", (29, 71, 72, 73)),
    Case("child", (67,), among=(2, 67)),
    Case("complains_and_moves", (111,)),
    Case("deaf", (61, 62, 63, 67, 82, 84)),
    Case("dies_late", (5, 22, 55, 71, 72, 84, 91, 92)),
    Case("falls_over", (36, 104, 211, 221, 222)),
    Case("fixed_size", ()),
    Case("forgets_walls", (28,)),
    Case("free_about", (12,)),
    Case("hog", (86,), among=(2, 86)),
    Case("late", (51, 52), among=(2, 51, 52)),
    Case("long_lines", (34,)),
    Case("loses_input", (77,), among=(2, 77)),
    Case("marks_another_cell", (214, 215, 217)),
    Case("mixed_ends", (34,)),
    Case("moves_after_yxboard", (205, 208, 209, 210, 214, 215, 216, 219, 220)),
    Case("needs_room", (30, 214, 215)),
    Case("needs_start", (112,)),
    Case("never_blocks", (93,)),
    Case("no_about", (6, 11, 12, 13, 83, 84)),
    Case("no_clock", (53, 54, 63, 108, 207)),
    Case("no_empty_board", (24, 71, 72, 212)),
    Case("no_tabs", (75,)),
    Case("noise", (35,)),
    Case("not_ascii", (34,)),
    Case("off_the_board", (22, 43, 55, 81, 91)),
    Case("ok_to_info", (41, 44), among=(2, 41, 44)),
    Case("ok_with_text", (2,)),
    Case("only_19", (3,), among=(1, 3, 21, 101, 201)),
    Case("only_lf", (71, 73, 81, 82, 83)),
    Case("outlives_input", (65, 66, 113)),
    Case("plain_yx", (201, 204, 208, 209, 210, 211, 214, 215, 216, 218, 219, 220, 221, 222)),
    Case("races", (7,)),
    Case("rectangle_turned", (102,)),
    Case("refuses_other_first", (25, 27), among=(24, 25, 26, 27)),
    Case("refuses_own_first", (26,), among=(24, 25, 26, 27)),
    Case("restart_keeps_board", (101,)),
    Case("silent", (36, 104)),
    Case("slow_to_end", (47, 53, 54, 63, 108, 207)),
    Case("start_keeps_board", (5,)),
    Case("swap2_line_by_line", (116,)),
    Case("swap2_slow", (117,)),
    Case("swap2_twice", (105, 106, 107, 116, 117, 118)),
    Case("takeback_keeps", (103,)),
    Case("talks_at_end", (61, 62, 64)),
    Case("trailing", (31,)),
    Case("turn_needs_begin", (5, 23, 75, 78, 92, 101)),
    Case("two_lines", (32, 33, 45, 108, 204, 207)),
    Case("unfinished", (11, 21, 31), among=(1, 2, 11, 21, 31)),
    Case("upper_case_only", (74, 201, 203, 204, 207)),
    Case("watches_the_clock", (85,)),
    Case("whole_lines_only", (78,)),
    Case("zero_is_no_limit", (52, 56)),
)
# The brain has one rule only, and no limits that it could miss.
UNBROKEN = {95, 96, 97, 114, 202, 213}
# What these do is seen from outside of the process.
WITH_A_PROCESS = ("child", "hog")


def _failed(case: Case, checks: Sequence[Check], folder: Path) -> tuple[int, ...]:
    """The checks that fail."""
    command: tuple[str, ...] = (case.fault,)
    if case.fault in WITH_A_PROCESS:
        path = folder / "brain.py"
        path.write_text(f"import os, subprocess, sys, time\n{_BRAIN}{MAIN}", encoding="utf-8")
        command = (sys.executable, "-SE", str(path), case.fault)
    settings = Settings(command, timeout_s=10, turn_ms=30, rules=(0, 1), quiet_s=0.06)
    results = Run(settings, SCRIPTS).play(checks)
    return tuple(result.check.number for result in results if result.outcome is Outcome.FAIL)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.fault)
def test_exactly_the_checks_that_are_about_a_fault_fail(
    case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if case.fault not in WITH_A_PROCESS:
        simulate(monkeypatch, _BRAIN)
    failed = _failed(case, choose_checks(SCRIPTS, case.among, [Group.YIXIN]), tmp_path)
    assert failed == case.fails


def test_every_check_is_failed_by_some_fault() -> None:
    failed = {number for case in CASES for number in case.fails}
    assert SCRIPTS.checks.keys() - failed == UNBROKEN
