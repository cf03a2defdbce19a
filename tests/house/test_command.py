"""The command `tengen` itself: help, mistyped commands, and error lines that name the command."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tengen import cli
from tengen.common import commands

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


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = cli.run([*words])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_short_and_long_help(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Made at the first call and kept; other tests call the command without `tengen` before it.
    monkeypatch.setattr(found(command), "_help_option", None)
    words = command.split()
    short, long = said(capsys, *words, "-h"), said(capsys, *words, "--help")
    assert short == long
    assert short[0] == 0 and short[1].startswith(f"Usage: tengen {command} ")
    assert said(capsys, *command.upper().split(), "-h")[0] == 0
    assert len(short[1].splitlines()) <= 40  # a screen


@pytest.mark.parametrize("command", COMMANDS)
def test_errors_begin_with_the_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys, *command.split(), "--no-such-option")
    assert (status, out) == (2, "")
    assert err.startswith(f"tengen {command}: ") and err.count("\n") == 1


def test_every_rule_option_is_the_same() -> None:
    having = set()
    for name in COMMANDS:
        for param in found(name).params:
            if isinstance(param, click.Option) and "--rule" in param.opts:
                having.add(name)
                assert param.type.name == "rule"
                assert "freestyle, standard, renju, caro or caro-exact" in (param.help or "")
    lab = {f"lab {name}" for name in "selfplay sprt train tune".split()}
    assert having == {*"analyze board match openings play solve".split(), *lab}


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("mach", "'mach' is not a command; did you mean match?"),
        ("Opening", "'Opening' is not a command; did you mean openings?"),
        ("xyzzy", "'xyzzy' is not a command; tengen --help lists them"),
    ],
)
def test_a_mistyped_command(typed: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, typed, "--whatever") == (2, "", f"tengen: {message}\n")


def test_a_mistyped_option_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = said(capsys, "play", "--oponent", "simple")
    assert status == 2 and re.fullmatch(r"tengen play: .*--opponent.*\n", err)


def test_an_error_that_is_not_about_usage_names_the_command_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @click.command("bench")
    def failing() -> None:
        raise click.ClickException("the program has ended")

    monkeypatch.setattr("tengen.lab.bench.cli.bench_command", failing)
    monkeypatch.setattr("tengen.lab.tune.cli.tune_command", failing)
    for words in ("bench", "lab tune"):
        status, out, err = said(capsys, *words.split())
        assert (status, out, err) == (1, "", f"tengen {words}: the program has ended\n")


def test_options_under_headings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @commands.command("bench")
    @commands.option("--rare", type=int, heading="Rarely needed", help="A rare one.")
    @commands.option("--new", type=click.IntRange(1, 9), default=3, show_default=True, help="New.")
    def some(rare: int, new: int) -> None:
        print(rare, new)

    monkeypatch.setattr("tengen.lab.bench.cli.bench_command", some)
    status, out, _ = said(capsys, "bench", "--help")
    options, _, rare = out.partition("Rarely needed:\n")
    assert status == 0 and "--rare" in rare and "--help" not in rare and "--rare" not in options
    assert "New.  [default: 3]" in options
    assert said(capsys, "bench", "--new", "2", "--rare", "1")[:2] == (0, "1 2\n")
    assert "range 1<=x<=9" in said(capsys, "bench", "--new", "0")[2]


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe is closed as on POSIX")
@pytest.mark.parametrize("words", ["solve h8 --nodes 1", "analyze h8 --nodes 10", "check --list"])
def test_a_reader_that_has_ended_is_no_error(words: str) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "tengen", *words.split()]
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
