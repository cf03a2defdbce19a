"""`tengen check FILE.zip`: the faults of zips and of the programs in them, each by its name."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tengen.arena.check import conversation, entry
from tengen.arena.check.cli import check_command
from tengen.arena.check.conversation import RecordedProcess, Settings
from tengen.arena.check.entry import choose_program, read_program_name
from tengen.arena.check.positions import (
    LEAGUES,
    POSITIONS,
    judge_move,
    set_up,
)
from tests.acting import ACTOR
from tests.paths import ROOT
from tests.processes import PATIENCE_S, processes_of
from tests.stopwatch import Stopwatch

GOOD = f"import sys\nsys.path.insert(0, {str(ROOT)!r})\nfrom tengen.pbrain import main\nmain()\n"

# Answers like a program, and does wrong all that can be seen while it plays.
_WRONG = (
    "on ABOUT skip = True; say('UNKNOWN command')",
    "on END skip = True",
    "on INFO if words[1] == 'folder':|"
    "    open(os.path.join(line[12:].strip(), 'learnt'), 'wb').write(bytes(2 << 20))|"
    "    open('beside.txt', 'w').write('x')|"
    "elif words[1:] == ['timeout_turn', '60000']: child('0')",
    # The clock of the last league stalls: it shows less.
    "on TURN time.sleep(16 * (info['rule'] == '9'))",
    "on move cells = [(6, 8)] * (info['rule'] == '4') + [(x, 0) for x in range(15)]|"
    "cell = next(each for each in cells if each in free())",
)
BAD = ACTOR.read_text(encoding="utf-8").replace("sys.argv[1:]", repr(["", "", *_WRONG]))


def exe(source: str = GOOD, machine: int = 0x8664) -> bytes:
    """A file that has the head of a Windows program, and that Python runs, as an archive."""
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("__main__.py", source)
    head = b"MZ".ljust(0x3C, b"\0") + struct.pack("<I", 0x40) + b"PE\0\0"
    return head + struct.pack("<H", machine) + body.getvalue()


def make_zip(
    path: Path, files: Mapping[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_STORED
) -> Path:
    """A zip with these files."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def check(path: Path, *options: str) -> Result:
    return CliRunner().invoke(check_command, [str(path), *options])


def run(path: Path, turn_s: str = "0.5") -> Result:
    return check(path, "--runner", f'"{sys.executable}"', "--turn", turn_s)


def said_of(result: Result, title: str) -> str:
    """What is said of a check, in one line."""
    (said,) = re.findall(rf"^\w+  {re.escape(title)}.*\n(?: .*\n)*", result.output, re.MULTILINE)
    return " ".join(said.split())


# ---- the zip

PROGRAM = "pbrain-good64.exe"
NAMES, ROOT_FILES, KIND = "names in the zip", "one program for 64 bit in the root", "the program is"
ARCHIVE = "the zip can be unpacked"
LINK = zipfile.ZipInfo("data")
LINK.external_attr = (stat.S_IFLNK | 0o777) << 16


def with_program(name: str | zipfile.ZipInfo) -> dict[str | zipfile.ZipInfo, bytes]:
    return {PROGRAM: exe(), name: b"x"}


FAULTS: list[tuple[str, str, dict[str | zipfile.ZipInfo, bytes]]] = [
    (NAMES, "leaves the folder", with_program("data/../../evil")),
    (NAMES, "is absolute", with_program("/etc/evil")),
    (NAMES, "holds ':'", with_program("C:/evil")),
    # On Windows zipfile writes a slash there.
    (NAMES, r"holds '\\'" if os.sep == "/" else "is absolute", with_program(r"\evil")),
    (NAMES, "has an empty part", with_program("a//b")),
    (NAMES, "nul.txt is a device of Windows", with_program("data/nul.txt")),
    (NAMES, "ends with a full stop or a blank", with_program("data./a")),
    (NAMES, "holds '?'", with_program("what?")),
    (NAMES, "'pbrain-good64.exe' and 'PBRAIN-GOOD64.EXE'", with_program(PROGRAM.upper())),
    (NAMES, "'data': is not a plain file", with_program(LINK)),
    (ROOT_FILES, "received no program", {}),
    (ROOT_FILES, "received A/pbrain-a64.exe", {"A/pbrain-a64.exe": exe()}),
    (ROOT_FILES, "received pbrain-a.exe", {"pbrain-a.exe": exe()}),
    (ROOT_FILES, "received a64.exe", {"a64.exe": exe()}),
    (ROOT_FILES, "good64.exe and pbrain-b64.exe", {PROGRAM: exe(), "pbrain-b64.exe": exe()}),
    (ROOT_FILES, "received 'pbrain-a b64.exe'", {"pbrain-a b64.exe": exe()}),
    (KIND, "which is no Windows program", {PROGRAM: b"#!/bin/sh\n"}),
    (KIND, "which is for another processor (0x014c)", {PROGRAM: exe(machine=0x14C)}),
]


@pytest.mark.parametrize(("title", "received", "files"), FAULTS, ids=[each[1] for each in FAULTS])
def test_a_fault_of_a_zip_is_named(
    tmp_path: Path, title: str, received: str, files: dict[str | zipfile.ZipInfo, bytes]
) -> None:
    result = check(make_zip(tmp_path / "E.zip", files), "--static")
    assert result.exit_code == 1
    line = said_of(result, title)
    assert line.startswith("FAIL") and received in line


def test_a_zip_with_a_bad_name_is_not_unpacked(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", with_program("../pbrain-evil64.exe"))
    assert "skip  the program  (not started: see what has failed above)" in run(path).output
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "size", "said"),
    [
        ("E.zip", 8_000_001, "at most 8,000,000 bytes received 8,000,001 bytes"),
        ("pbrain-TENGEN.zip", 8_000_000, "FAIL name of the zip expected a name without"),
        ("Ten gen.zip", 8_000_000, "FAIL name of the zip expected letters"),
    ],
)
def test_a_zip_that_is_too_large_or_has_a_bad_name(
    tmp_path: Path, name: str, size: int, said: str
) -> None:
    missing = size
    for _ in range(2):  # the second one has the size, because nothing is packed
        path = make_zip(tmp_path / name, {PROGRAM: exe(), "net": bytes(missing - 1000)})
        missing += size - path.stat().st_size
    done = check(path, "--static")
    assert done.exit_code == 1
    assert said in " ".join(done.output.split())
    assert ("pass  size of the zip  (8,000,000 bytes" in done.output) == (size == 8_000_000)


def _flip(data: bytearray, mark: bytes, offset: int) -> None:
    data[data.index(mark) + offset] ^= 0xFF


def _add_password(data: bytearray) -> None:
    # The flags of the file, in its own head and in the list at the end.
    data[data.index(b"PK\3\4") + 6] |= 1
    data[data.rindex(b"PK\1\2") + 8] |= 1


STORED = zipfile.ZIP_STORED


@pytest.mark.parametrize(
    ("method", "damage", "received"),
    [
        (STORED, lambda data: data.clear(), "expected a zip file"),
        (STORED, lambda data: _flip(data, b"net", 4), "'net', which is damaged"),
        (STORED, lambda data: _flip(data, b"MZ", 2), f"'{PROGRAM}', which is damaged"),
        (STORED, _add_password, f"files without a password received {PROGRAM}"),
        *(
            (method, lambda data, at=at: _flip(data, b"net", at), "that can be unpacked received")
            for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
            for at in (5, 7, 12)
        ),
    ],
)
def test_a_damaged_zip(
    tmp_path: Path, method: int, damage: Callable[[bytearray], None], received: str
) -> None:
    path = make_zip(tmp_path / "E.zip", {"net": bytes(range(256)) * 20, PROGRAM: exe()}, method)
    data = bytearray(path.read_bytes())
    damage(data)
    path.write_bytes(data)
    result = check(path, "--static")
    assert result.exit_code == 1, result.exception
    assert received in said_of(result, ARCHIVE)


@pytest.mark.parametrize(
    ("name", "options", "complaint"),
    [
        ("missing.zip", (), "missing.zip: No such file or directory"),
        ("E.zip", ("--runner", "nosuchprogram"), "there is no program 'nosuchprogram'"),
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
    make_zip(Path("E.zip"), {PROGRAM: exe()})
    result = check(Path(name), *options)
    assert result.exit_code == 2
    assert complaint in result.output


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs no wine")
def test_without_wine_only_the_zip_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = make_zip(tmp_path / "E.zip", {PROGRAM: exe()})
    monkeypatch.setenv("PATH", str(tmp_path))
    result = check(path)
    assert result.exit_code == 2
    assert "wine is missing" in result.stderr
    assert ": 6 passed, 0 skipped, 0 failed; not started: wine is missing" in result.stdout
    result = check(path, "--static", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["summary"] == {
        "pass": 6, "skip": 0, "fail": 0, "flaky": 0, "mandatory_failed": 0,
        "not_started": "--static was given", "ok": False,
    }  # fmt: skip


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs no wine")
def test_a_wine_that_does_not_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_zip(tmp_path / "E.zip", {PROGRAM: exe()})
    fake = tmp_path / "wine"
    fake.write_text("#!/bin/sh\nexec sleep 600\n", encoding="ascii")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(entry, "_FIRST_START_S", 0.5)
    result = check(path)
    assert result.exit_code == 2, result.exception
    assert result.stderr.splitlines()[-1] == "Error: wine has not started within 0.5 s"
    assert "6 checks" not in result.stdout


# ---- which program a league runs


@pytest.mark.parametrize(
    ("names", "rule", "size", "chosen"),
    [
        ("_", "renju", 15, "_"),
        ("_ _renju", "renju", 15, "_renju"),
        ("_ _renju", "caro", 15, "_"),
        ("_20_ _freestyle-", "freestyle", 20, "_freestyle-"),
        ("_freestyle-15_ _15-", "freestyle", 15, "_freestyle-15_"),
        ("_20_", "standard", 15, None),
    ],
)
def test_the_program_of_a_league(names: str, rule: str, size: int, chosen: str | None) -> None:
    programs = [read_program_name(f"pbrain-a{name}64.exe") for name in names.split()]
    program = choose_program(programs, rule, size)
    assert (program and program.name) == (chosen and f"pbrain-a{chosen}64.exe")


# ---- the positions


def test_positions_have_good_and_bad_answers() -> None:
    for league in LEAGUES:
        for position in POSITIONS:
            if league.rule not in position.rules:
                continue
            board, colour = set_up(position, league.size, league.rule)
            assert not board.winner_anywhere()
            good = [
                cell
                for cell in board.empties()
                if not judge_move(board, cell, colour) and not position.judge(board, cell, colour)
            ]
            assert 0 < len(good) < len(board.empties())
            if "block" in position.title or "make (the judge's)" in position.title:
                assert len(good) <= 2 or "foul" in position.title


# ---- the program


@pytest.mark.usefixtures("patient")
def test_a_good_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "für 五子棋"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setattr(entry, "LEAGUES", [LEAGUES[0], LEAGUES[4]])
    path = make_zip(tmp_path / "E.zip", {PROGRAM: exe(), "README.txt": b"x"})
    result = run(path, "0.1")
    assert result.exit_code == 0, result.output
    assert "FAIL" not in result.output
    assert said_of(result, "answers ABOUT").startswith('pass answers ABOUT (name="Tengen",')
    assert "renju: a foul not to make" in result.output
    assert result.output.splitlines()[-1].partition(" s: ")[2] == "22 passed, 0 skipped, 0 failed"
    assert not list(folder.iterdir())


def test_every_fault_of_a_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A program that is not late must not seem so on a busy machine.
    monkeypatch.setattr(conversation, "TOLERANCE_S", 10.0)
    monkeypatch.setattr(entry, "Settings", partial(Settings, timeout_s=60.0))
    monkeypatch.setattr(entry, "MEMORY_MIB", 1)
    monkeypatch.setattr(entry, "MEMORY_S", 0.5)
    monkeypatch.setattr(entry, "LEAGUES", [LEAGUES[i] for i in (0, 3, 4, 6)])
    monkeypatch.setattr(entry, "FOLDER_LIMIT_BYTES", 1 << 20)
    has_ended = RecordedProcess.wait

    def wait(process: RecordedProcess, patience_s: float) -> bool:
        if patience_s == 1:  # before the kill: it must have started its child
            Stopwatch().ms_until(lambda: has_ended(process, 0) or process.children())
        return has_ended(process, patience_s)

    monkeypatch.setattr(RecordedProcess, "wait", wait)
    result = run(make_zip(tmp_path / "E.zip", {"pbrain-bad64.exe": exe(BAD)}))
    assert result.exit_code == 1
    for title, received in (
        ("answers ABOUT", "'UNKNOWN command'"),
        ("freestyle 20: a five to make", "a20, which does not win"),
        ("standard: a five to block instead", "a15, which lets the opponent make five"),
        ("standard: an open three to stop", "a15, which is another point"),
        ("renju: a foul not to make", "g7, a foul (double three)"),
        ("caro (rule 9): an empty board", "expected a move within 0.5 s, or 10 s later"),
        ("memory", "expected at most 1 MiB"),
        ("END ends it in mid-search", "expected the end of the process within 0.5 s"),
        ("killed in mid-search, nothing runs on", "expected no process of the program"),
        ("size of its folder", "expected at most 1 MB in the folder of INFO folder"),
        ("nothing written outside its folder", "beside.txt"),
    ):
        line = said_of(result, title)
        assert line.startswith("FAIL") and received in line
    assert said_of(result, "freestyle 20: an empty board").startswith("pass")
    deadline = time.monotonic() + PATIENCE_S  # a killed process needs a processor to end on
    while processes_of("pbrain-bad64.exe") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_of("pbrain-bad64.exe") == []


def test_a_silent_program_and_leagues_that_no_program_is_named_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "Settings", partial(Settings, timeout_s=1.0))
    silent = exe("import sys\nsys.stdin.read()\n")
    result = run(make_zip(tmp_path / "E.zip", {"pbrain-x_renju-15_64.exe": silent}))
    assert result.exit_code == 1
    line = said_of(result, "starts and answers OK")
    assert line.startswith("FAIL") and "expected OK received nothing in " in line
    assert said_of(result, "standard") == "skip standard (no program is named for this league)"
    assert "renju" not in result.output.replace("renju-15", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "E.zip", {PROGRAM: exe()})
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
    assert processes_of(str(temporary)) == []
