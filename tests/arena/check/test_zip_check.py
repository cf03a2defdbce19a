"""`tengen check FILE.zip`: the faults of zips and of the programs in them, each by its name."""

from __future__ import annotations

import io
import json
import os
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from functools import partial
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner, Result

from tengen.arena.check import conversation, entry_run
from tengen.arena.check.cli import check_command
from tengen.arena.check.conversation import Settings
from tengen.arena.check.entry import choose_program, read_program_name
from tengen.arena.check.leagues import (
    LEAGUES,
    POSITIONS,
    League,
    SanityPosition,
    judge_move,
    set_up,
)
from tengen.arena.programs import wine
from tests.paths import ROOT
from tests.processes import PATIENCE_S

GOOD = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom tengen.pbrain import main\nmain()\n"

# Answers like a program, and does wrong all that can be seen while it plays.
BAD = """
import pathlib, subprocess, sys, time
taken, size, rule = set(), 0, 0
def move():
    cells = [(6, 8)] * (rule == 4) + [(x, y) for y in range(size) for x in range(size)]
    cell = next(cell for cell in cells if cell not in taken)
    taken.add(cell)
    print("%d,%d" % cell, flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "START":
        size = int(words[1])
        print("OK", flush=True)
    elif words[0] == "ABOUT":
        print("UNKNOWN command", flush=True)
    elif words[:2] == ["INFO", "rule"]:
        rule = int(words[2])
    elif words[:2] == ["INFO", "folder"]:
        pathlib.Path(line[12:].strip(), "learnt").write_bytes(bytes(2 << 20))
        pathlib.Path("beside.txt").write_text("x")
    elif words[:3] == ["INFO", "timeout_turn", "60000"]:
        pause = [sys.executable, "-c", "import time; time.sleep(60)"]
        subprocess.Popen(pause, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    elif words[0] == "TURN":
        taken.add(tuple(map(int, words[1].split(","))))
        time.sleep(4 * (rule == 9))
        move()
    elif words[0] == "DONE":
        move()
    elif words[0][0].isdigit():
        x, y, _ = words[0].split(",")
        taken.add((int(x), int(y)))
"""

# A program that says this can be started, and does nothing else.
SILENT = "import sys\nsys.stdin.read()\n"


def exe(source: str = GOOD, machine: int = 0x8664) -> bytes:
    """A file that has the head of a Windows program, and that Python runs, as an archive."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("__main__.py", source)
    head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40) + b"PE\0\0"
    return head + struct.pack("<H", machine) + body.getvalue()


def make_zip(path: Path, **files: bytes) -> Path:
    """A zip with these files."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def check(path: Path, *options: str) -> Result:
    return CliRunner().invoke(check_command, [str(path), *options])


def run(path: Path) -> Result:
    return check(path, "--runner", f'"{sys.executable}"', "--turn", "0.5", "--memory-search", "0.5")


def line_of(result: Result, title: str) -> str:
    """The one line about a check."""
    lines = [line for line in result.output.splitlines() if line[6:].startswith(title)]
    assert len(lines) == 1, result.output
    return lines[0]


# ---- the zip


@pytest.mark.parametrize(
    ("name", "received"),
    [
        ("../pbrain-evil64.exe", "leaves the folder"),
        ("data/../../evil", "leaves the folder"),
        ("/etc/evil", "is absolute"),
        ("C:/evil", "holds ':'"),
        pytest.param(
            "data\\evil",
            r"holds '\\'",
            marks=pytest.mark.skipif(os.sep == "\\", reason="zipfile writes a slash there"),
        ),
        ("a//b", "has an empty part"),
        ("data/nul.txt", "nul.txt is a device of Windows"),
        ("data./a", "has a part that ends with a full stop or a blank"),
        ("what?", "holds '?'"),
        ("PBRAIN-GOOD64.EXE", "'pbrain-good64.exe' and 'PBRAIN-GOOD64.EXE'"),
    ],
)
def test_a_name_that_windows_cannot_unpack(tmp_path: Path, name: str, received: str) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-good64.exe": exe(), name: b"x"})
    before = sorted(tmp_path.rglob("*"))
    result = run(path)
    assert result.exit_code == 1
    line = line_of(result, "names in the zip")
    assert line.startswith("FAIL") and received in line
    assert "skip  the program: not started: see what has failed above" in result.output
    assert sorted(tmp_path.rglob("*")) == before


def test_a_name_that_comes_twice(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-good64.exe": exe(), "a": b"1"})
    with zipfile.ZipFile(path, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("a", b"2")
    assert "received 'a' and 'a'" in line_of(check(path, "--static"), "names in the zip")


def test_a_link_in_the_zip(tmp_path: Path) -> None:
    path = tmp_path / "E.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("pbrain-good64.exe", exe())
        link = zipfile.ZipInfo("data")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc")
    assert "'data': is not a plain file" in line_of(run(path), "names in the zip")


@pytest.mark.parametrize(
    ("files", "received"),
    [
        ({}, "received no program"),
        ({"TENGEN/pbrain-a64.exe": exe()}, "TENGEN/pbrain-a64.exe, which is not in the root"),
        ({"pbrain-a.exe": exe()}, "received pbrain-a.exe, without 64"),
        ({"a64.exe": exe()}, "received a64.exe, whose name does not begin with pbrain-"),
        ({"pbrain-a64.exe": exe(), "pbrain-b64.exe": exe()}, "pbrain-a64.exe and pbrain-b64.exe"),
        ({"pbrain-a b64.exe": exe()}, "received 'pbrain-a b64.exe'"),
    ],
)
def test_not_one_program(tmp_path: Path, files: dict[str, bytes], received: str) -> None:
    result = check(make_zip(tmp_path / "E.zip", **files), "--static")
    assert result.exit_code == 1
    line = line_of(result, "one program for 64 bit in the root")
    assert line.startswith("FAIL") and received in line


@pytest.mark.parametrize(
    ("data", "received"),
    [
        (b"#!/bin/sh\n", "which is no Windows program"),
        (exe(machine=0x14C), "which is for another processor (0x014c)"),
    ],
)
def test_a_program_for_another_system(tmp_path: Path, data: bytes, received: str) -> None:
    result = check(make_zip(tmp_path / "E.zip", **{"pbrain-a64.exe": data}), "--static")
    assert result.exit_code == 1
    assert received in line_of(result, "the program is a 64-bit Windows program")


def test_a_zip_that_is_too_large(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-a64.exe": exe(), "net": bytes(2 << 20)})
    result = check(path, "--static", "--limit", "1")
    assert result.exit_code == 1
    line = line_of(result, "size of the zip")
    assert "expected at most 1 MB (1048576 bytes)" in line
    assert f"received {path.stat().st_size} bytes" in line
    assert check(path, "--static").exit_code == 0


@pytest.mark.parametrize("name", ["pbrain-TENGEN.zip", "Ten gen.zip"])
def test_a_bad_name_of_the_zip(tmp_path: Path, name: str) -> None:
    result = check(make_zip(tmp_path / name, **{"pbrain-a64.exe": exe()}), "--static")
    assert result.exit_code == 1
    assert line_of(result, "name of the zip").startswith("FAIL")


def test_what_is_no_zip_or_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "E.zip"
    path.write_bytes(b"no zip")
    result = check(path)
    assert result.exit_code != 0
    assert "expected a zip file" in line_of(result, "the zip can be unpacked")
    data = bytearray(make_zip(path, **{"pbrain-a64.exe": exe(), "net": b"weights"}).read_bytes())
    data[data.index(b"weights")] += 1
    path.write_bytes(data)
    result = check(path, "--static")
    assert result.exit_code == 1
    assert "'net', which is damaged" in line_of(result, "the zip can be unpacked")


def test_a_program_that_is_damaged(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-a64.exe": exe()})
    data = bytearray(path.read_bytes())
    data[data.index(b"MZ") + 2] += 1
    path.write_bytes(data)
    result = check(path, "--static")
    assert result.exit_code == 1
    assert "'pbrain-a64.exe', which is damaged" in line_of(result, "the zip can be unpacked")
    line = line_of(result, "the program is a 64-bit Windows program")
    assert line.endswith(": pbrain-a64.exe cannot be unpacked")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("at", [2, 4, 9, 20])
def test_packed_data_that_are_damaged(tmp_path: Path, method: int, at: int) -> None:
    path = tmp_path / "E.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("pbrain-a64.exe", exe(), zipfile.ZIP_STORED)
        archive.writestr("net", bytes(range(256)) * 20)
    data = bytearray(path.read_bytes())
    data[data.index(b"net") + 3 + at] ^= 0xFF
    path.write_bytes(data)
    result = check(path, "--static")
    assert result.exit_code == 1, result.exception
    line = line_of(result, "the zip can be unpacked")
    assert "expected files that can be unpacked, received" in line


def test_a_zip_with_a_password(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-a64.exe": exe()})
    data = bytearray(path.read_bytes())
    # The flags of the file, in its own head and in the list at the end.
    data[data.index(b"PK\3\4") + 6] |= 1
    data[data.rindex(b"PK\1\2") + 8] |= 1
    path.write_bytes(data)
    result = run(path)
    assert result.exit_code == 1, result.exception
    line = line_of(result, "the zip can be unpacked")
    assert line.endswith("expected files without a password, received pbrain-a64.exe")
    assert line_of(result, "the program is a 64-bit").startswith("skip")
    assert "skip  the program: not started" in result.output


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("missing.zip", (), "missing.zip: No such file or directory"),
        ("folder.zip", (), "folder.zip: this is a folder, not a file"),
        ("E.zip", ("--runner", "nosuchprogram"), "--runner: there is no program 'nosuchprogram'"),
        ("E.zip", ("--turn", "1", "--league-times"), "--turn and --league-times exclude"),
        ("E.zip", ("--only", "3"), "--only needs a command"),
        ("python E.zip", ("--static",), "--static needs a zip"),
    ],
)
def test_bad_usage_is_status_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    options: tuple[str, ...],
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.zip").mkdir()
    make_zip(Path("E.zip"), **{"pbrain-a64.exe": exe()})
    result = check(Path(name), *options)
    assert result.exit_code == 2
    assert complaint in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs no wine")
def test_without_wine_only_the_zip_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-a64.exe": exe()})
    monkeypatch.setenv("PATH", str(tmp_path))
    result = check(path)
    assert result.exit_code == 2
    assert "wine is missing" in result.stderr
    assert "6 checks: 6 passed, 0 skipped, 0 failed; the program was not started" in result.stdout
    result = check(path, "--static", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["summary"] == {
        "pass": 6,
        "skip": 0,
        "fail": 0,
        "flaky": 0,
        "not_started": "--static was given",
        "ok": False,
    }


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs no wine")
def test_a_wine_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-a64.exe": exe()})
    fake = tmp_path / "wine"
    fake.write_text("#!/bin/sh\nexec sleep 600\n", encoding="ascii")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(wine, "_FIRST_START_S", 0.5)
    result = check(path)
    assert result.exit_code == 2, result.exception
    assert result.stderr.splitlines()[-1] == "Error: wine has not started within 0.5 s"
    assert "6 checks" not in result.stdout


# ---- which program a league runs


@pytest.mark.parametrize(
    ("names", "rule", "size", "chosen"),
    [
        (["pbrain-a64.exe"], "renju", 15, "pbrain-a64.exe"),
        (["pbrain-a64.exe", "pbrain-a_renju64.exe"], "renju", 15, "pbrain-a_renju64.exe"),
        (["pbrain-a64.exe", "pbrain-a_renju64.exe"], "caro", 15, "pbrain-a64.exe"),
        (["pbrain-a_20_64.exe", "pbrain-a_freestyle-64.exe"], "freestyle", 20, None),
        (["pbrain-a_freestyle-15_64.exe", "pbrain-a_15-64.exe"], "freestyle", 15, None),
        (["pbrain-a_20_64.exe"], "standard", 15, ""),
    ],
)
def test_the_program_of_a_league(
    names: list[str], rule: str, size: int, chosen: str | None
) -> None:
    # None: the most special name, which is the second for a rule, and the first for both.
    special = names[0] if "freestyle-15" in names[0] else names[-1]
    program = choose_program([read_program_name(name) for name in names], rule, size)
    assert (program.name if program else "") == (special if chosen is None else chosen)


# ---- the positions


ASKED = [
    (league, position)
    for league in LEAGUES
    for position in POSITIONS
    if league.rule in position.rules
]


@pytest.mark.parametrize(
    ("league", "position"), ASKED, ids=lambda value: getattr(value, "name", "")
)
def test_a_position_has_good_and_bad_answers(league: League, position: SanityPosition) -> None:
    board, colour = set_up(position, league.size, league.rule)
    assert not board.winner_anywhere()
    good = [
        cell
        for cell in board.empties()
        if not judge_move(board, cell, colour) and not position.judge(board, cell, colour)
    ]
    assert good
    assert len(good) < len(board.empties())
    if "block" in position.title or "make (the judge's)" in position.title:
        assert len(good) <= 2 or "foul" in position.title


# ---- the program


@pytest.mark.usefixtures("patient")
def test_a_good_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "für 五子棋"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    path = make_zip(tmp_path / "E.zip", **{"pbrain-good64.exe": exe(), "README.txt": b"x"})
    result = run(path)
    assert result.exit_code == 0, result.output
    assert "FAIL" not in result.output
    assert line_of(result, "answers ABOUT").startswith("pass  answers ABOUT: name Tengen,")
    assert "renju: a foul not to make" in result.output
    assert result.output.splitlines()[-1] == "42 checks: 42 passed, 0 skipped, 0 failed"
    assert not list(folder.iterdir())


def test_every_fault_of_a_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A program that is not late must not seem so on a busy machine.
    monkeypatch.setattr(conversation, "TOLERANCE_S", 3.0)
    monkeypatch.setattr(entry_run, "Settings", partial(Settings, timeout_s=60.0))
    monkeypatch.setattr(entry_run, "MEMORY_LIMIT_BYTES", 1 << 20)
    monkeypatch.setattr(entry_run, "FOLDER_LIMIT_BYTES", 1 << 20)
    result = run(make_zip(tmp_path / "E.zip", **{"pbrain-bad64.exe": exe(BAD)}))
    assert result.exit_code == 1
    for title, received in (
        ("answers ABOUT", "'UNKNOWN command'"),
        ("freestyle 20: a five to make", "a20, which does not win"),
        ("standard: a five to block:", "a15, which lets the opponent make five"),
        ("standard: an open three to stop", "a15, which is another point"),
        ("renju: a foul not to make", "g7, a foul (double three)"),
        ("caro (rule 9): an empty board", "expected a move within 0.5 s, or 3 s later"),
        ("memory", "expected at most 1 MB"),
        ("END ends it in mid-search", "expected the end of the process within 0.5 s"),
        ("killed in mid-search, nothing runs on", "expected no process of the program"),
        ("size of its folder", "expected at most 1 MB in the folder of INFO folder"),
        ("nothing written outside its folder", "beside.txt"),
    ):
        line = line_of(result, title)
        assert line.startswith("FAIL") and received in line
    assert line_of(result, "freestyle 20: an empty board").startswith("pass")
    deadline = time.monotonic() + PATIENCE_S  # a killed process needs a processor to end on
    while _running("pbrain-bad64.exe") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _running("pbrain-bad64.exe") == []


def _running(name: str) -> list[psutil.Process]:
    """The processes that have this in their command line."""
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if name in " ".join(process.info["cmdline"] or ())
    ]


def test_a_program_that_does_not_answer(tmp_path: Path) -> None:
    result = run(make_zip(tmp_path / "E.zip", **{"pbrain-x64.exe": exe(SILENT)}))
    assert result.exit_code == 1
    line = line_of(result, "starts and answers OK")
    assert line.startswith("FAIL") and "expected OK, received nothing in 5" in line
    assert "freestyle 20" not in result.output


@pytest.mark.usefixtures("patient")
def test_leagues_that_no_program_is_named_for_are_skipped(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-x_renju-15_64.exe": exe()})
    result = run(path)
    assert result.exit_code == 0, result.output
    assert line_of(result, "standard") == ("skip  standard: no program is named for this league")
    assert line_of(result, "renju: an empty board").startswith("pass")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", **{"pbrain-good64.exe": exe()})
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "tengen", "check", str(path), "--runner", sys.executable],
        stdout=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout
    for line in process.stdout:
        if b"answers ABOUT" in line:
            break
    process.terminate()
    assert process.wait(60) == 128 + signal.SIGTERM
    process.stdout.close()
    assert not list(temporary.iterdir())
    assert not [
        other
        for other in psutil.process_iter(["cmdline"])
        if str(temporary) in " ".join(other.info["cmdline"] or ())
    ]
