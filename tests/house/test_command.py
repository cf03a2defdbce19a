"""The command `tengen` itself: help, mistyped commands, errors, output that cannot be shown."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tengen import __main__, cli
from tests.commands import Run
from tests.no_files import make_no_file

GROUPS = {"": cli.tengen, "lab ": cli.lab}
COMMANDS = [
    prefix + name
    for prefix, group in GROUPS.items()
    for name in group.list_commands(click.Context(group))
]


def found(words: str) -> click.Command:
    prefix, _, name = words.rpartition(" ")
    group = cli.lab if prefix else cli.tengen
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


def test_a_build_older_than_its_sources_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "main", lambda: exec("from engine.board import no_such_name"))
    with pytest.raises(SystemExit, match=r"^tengen: /.*engine.board.*; run make build$"):
        __main__.main()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_of_a_screen_and_errors_that_name_it(
    command: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Made at the first call and kept; other tests call the command without `tengen` before it.
    monkeypatch.setattr(found(command), "_help_option", None)
    words = command.split()
    short, long = run(*words, "-h"), run(*words, "--help")
    assert short == long
    assert short[0] == 0 and short[1].startswith(f"Usage: tengen {command} ")
    assert run(*command.upper().split(), "-h")[0] == 0
    assert len(short[1].splitlines()) <= 40
    assert run(*words, "--no-such-option").refusal.startswith(f"tengen {command}: ")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("mach --whatever", r"tengen: 'mach' is not a command; did you mean match\?"),
        ("Opening", r"tengen: 'Opening' is not a command; did you mean openings\?"),
        ("xyzzy", "tengen: 'xyzzy' is not a command; tengen --help lists them"),
        ("play --oponent simple", "tengen play: .*--opponent.*"),
    ],
)
def test_what_is_mistyped_gets_a_suggestion(typed: str, message: str, run: Run) -> None:
    assert re.fullmatch(message + "\n", run(*typed.split()).refusal)


def test_an_error_that_is_not_about_usage_names_the_command_too(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command("bench")
    def failing() -> None:
        raise click.ClickException("the program has ended")

    monkeypatch.setattr("tengen.lab.bench.cli.bench_command", failing)
    monkeypatch.setattr("tengen.lab.tune.cli.tune_command", failing)
    for words in ("bench", "lab tune"):
        result = run(*words.split())
        assert result == (1, "", f"tengen {words}: the program has ended\n")


# FILE stands for the name.
NAMING_A_FILE = [
    "match --config FILE",
    "match --engine cmd=no-program --engine cmd=no-program --openings FILE",
    "bench FILE",
    "analyze --explain --net FILE h8",
    "report FILE",
    "lab data FILE",
    "lab selfplay --games 1 --net FILE --out OUT",
    "lab train --rule 0 --out OUT FILE",
]


@pytest.mark.parametrize("command", NAMING_A_FILE)
def test_a_name_of_no_file_is_one_line(
    tmp_path: Path, command: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever opened the pipe would wait for ever, and whatever read the huge one to its end."""
    huge, pipe = tmp_path / "huge", Path(os.devnull)
    with huge.open("wb") as file:
        file.truncate(5 << 30)
    if os.name != "nt":
        pipe = make_no_file(tmp_path, "pipe")
    for path in (tmp_path / "missing", huge, pipe):
        words = {"FILE": str(path), "OUT": str(tmp_path / "out")}
        assert cli.run([words.get(word, word) for word in command.split()]) == 2
        err = capfd.readouterr().err
        error = [line for line in err.splitlines() if line.startswith("tengen")]
        assert "Traceback" not in err and len(error) == 1 and path.name in error[0]


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe is closed as on POSIX")
def test_a_reader_that_has_ended_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "tengen", "check", "--list"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert (done.returncode, done.stderr) == (1, "")


def test_names_that_the_output_cannot_show_end_nothing(tmp_path: Path) -> None:
    # As on Windows, where redirected output has the code page of the system.
    folder = tmp_path / "天元"
    command = shlex.join([sys.executable, "-m", "tengen.pbrain"])
    engines = [word for name in "AB" for word in ("--engine", f"name={name}", f"cmd={command}")]
    words = [*engines, "--each", "nodes=20", "--games", "2", "--out", str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "tengen", "match", *words],
        env=os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        capture_output=True,
        encoding="ascii",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "games in" in done.stdout and r"\u5929\u5143" in done.stdout.replace("\n", "")
    assert (folder / "games.jsonl").is_file()
