"""Commands of programs as people write them, and the one line that says why one cannot start."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest

from tengen.arena.programs.process import EngineProcess
from tengen.arena.programs.spec import (
    CannotStart,
    program_of,
    read_command,
    read_program,
    split_command,
    words_of,
)
from tests.acting import command_of
from tests.commands import Run
from tests.processes import POSIX_ONLY

_GOOD = f"cmd={shlex.join(command_of())}"


@pytest.mark.parametrize(
    ("text", "is_windows", "words"),
    [
        ("python3 b.py  7", False, ["python3", "b.py", "7"]),
        ("'my brain' \"b c\"#1", False, ["my brain", "b c#1"]),
        (r"my\ brain C:\\x", False, ["my brain", r"C:\x"]),
        (r"C:\brains\b.exe -x", True, [r"C:\brains\b.exe", "-x"]),
        (r'"C:\My Files\b.exe" "a word" it', True, [r"C:\My Files\b.exe", "a word", "it"]),
    ],
)
def test_a_command_is_split_into_words(text: str, is_windows: bool, words: list[str]) -> None:
    assert split_command(text, is_windows) == words


def test_files_of_a_command_are_those_of_this_folder_but_modules_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "brain").mkdir()
    (tmp_path / "brain.py").write_text("")
    script = read_program(["name=A", f"cmd={sys.executable} brain.py"])
    assert script.command[1:] == (str(tmp_path / "brain.py"),)
    module = read_program(["name=A", f"cmd={sys.executable} -m brain --fast"])
    assert module.command[1:] == ("-m", "brain", "--fast")


@POSIX_ONLY
def test_a_command_of_an_environment_that_is_not_activated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook: it is beside the interpreter. What a shell would find comes first."""
    beside, on_path = tmp_path / "environment", tmp_path / "path"
    for folder in (beside, on_path):
        folder.mkdir()
        for name in ("brain", "python")[: 1 if folder == on_path else 2]:
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(beside / "python"))
    monkeypatch.setenv("PATH", os.defpath)
    assert read_command("brain --fast") == (str(beside / "brain"), "--fast")
    assert program_of("brain").command == (str(beside / "brain"),)
    monkeypatch.setenv("PATH", str(on_path))
    assert read_command("brain") == (str(on_path / "brain"),)
    with pytest.raises(ValueError, match="there is no program './brain'"):
        read_command("./brain")


@pytest.mark.parametrize(
    "words",
    [
        *("", "turn=0.1", "turn=0 match=60", "match=90.25+0.5", "turn=0.000001 nodes=2000000"),
        *("depth=7 memory=0 threads=2", "memory=350 tolerance=0 start=2.5", "board=on restart=on"),
        *("dir=. option.a=b=c option.N=off", "restart=off"),
    ],
)
def test_a_program_is_written_in_the_words_that_are_read(words: str) -> None:
    program = read_program([_GOOD, *words.split()])
    assert read_program([_GOOD, *words_of(program)]) == program


# ---- what is no program

# A command in a folder with the files below, and why it starts nothing. The first part is found
# when the command is read, the second when the system refuses to start it.
_UNREADABLE = {
    **dict.fromkeys(("", "  ", "''"), "the command is empty"),
    "'text": "a quote is not closed",
    "no-such-program": "there is no program 'no-such-program'",
    "bots/none": "there is no program 'bots/none' in {cwd}",
    "{cwd}/none": "there is no program '{cwd}/none'",
    "{cwd}/my bots/run": "there is no program '{cwd}/my'; put quotes around the path",
    "bots": "'bots' is a folder, not a program",
    "{cwd}/bots": "'{cwd}/bots' is a folder, not a program",
    "run": "there is no program 'run'; for the file in this folder write ./run",
    "./closed": "'./closed' is not executable; name what runs it, such as python ./closed",
    "./closed.exe": "'./closed.exe' is not executable; it is a program for Windows",
    "./closed.elf": "'./closed.elf' is not executable; it is a program for Linux",
    "./pipe": "'./pipe' is no plain file",
    "./run/": "there is no program './run/'",
    "x" * 5000: "there is no program 'xxx",
}
_REFUSED = {
    "./text": "'{cwd}/text' has no first line such as #!/bin/sh; name what runs it",
    "./empty": "'{cwd}/empty' is an empty file",
    "./lost": "'{cwd}/lost' is to be run by '/no/such/interpreter -x', which is missing",
    "./crlf": "'{cwd}/crlf' is to be run by '/bin/sh\\\\r', which is missing: its lines end",
    "./foreign": "'{cwd}/foreign' is a program for another system or processor (Linux)",
    "./mac": "'{cwd}/mac' is a program for another system or processor (macOS)",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    elf = Path("/bin/sh").read_bytes()[:256]
    executable = {
        "run": b"#!/bin/sh\n",
        "my bots/run": b"#!/bin/sh\n",
        "text": b"import sys\n",
        "empty": b"",
        "lost": b"#! /no/such/interpreter -x\n",
        "crlf": b"#!/bin/sh\r\nexit\r\n",
        "foreign": elf[:18] + b"\x15\x00" + elf[20:],
        "mac": b"\xcf\xfa\xed\xfe" + bytes(60),
    }
    closed = {"closed": b"#!/bin/sh\n", "closed.exe": b"MZ" + bytes(60), "closed.elf": elf}
    for folder in ("bots", "my bots"):
        Path(folder).mkdir()
    for files, mode in ((executable, 0o755), (closed, 0o644)):
        for name, data in files.items():
            Path(name).write_bytes(data)
            Path(name).chmod(mode)
    os.mkfifo("pipe")
    return tmp_path


@POSIX_ONLY
@pytest.mark.parametrize("command", _UNREADABLE)
def test_a_command_that_names_no_program(folder: Path, command: str) -> None:
    why = _UNREADABLE[command].format(cwd=folder)
    with pytest.raises(ValueError, match=re.escape(why)) as caught:
        read_command(command.format(cwd=folder))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="what a system starts differs")
@pytest.mark.parametrize("command", _REFUSED)
def test_a_program_that_the_system_does_not_start(folder: Path, command: str) -> None:
    with pytest.raises(CannotStart) as caught:
        EngineProcess(read_command(command))
    assert str(caught.value).startswith(_REFUSED[command].format(cwd=folder).replace("\\\\", "\\"))


@pytest.mark.skipif(sys.platform != "linux", reason="what a system starts differs")
@pytest.mark.parametrize("program", ["./closed", "./text"])
@pytest.mark.parametrize(
    "words",
    [
        "match --engine cmd={} --engine name=B GOOD",
        "match --engine name=A cmd={} --engine name=B GOOD",
        *("check {}", "lab tune --params razor_* --cmd {} --out out"),
        *("openings --engine cmd={} --count 1", "play --opponent cmd={} --first it"),
    ],
)
def test_every_command_says_the_same(folder: Path, words: str, program: str, run: Run) -> None:
    said = run(*(_GOOD if word == "GOOD" else word.format(program) for word in words.split()))
    why = (_UNREADABLE | _REFUSED)[program].format(cwd=folder)
    assert why in said.out + said.err
