"""Commands and groups of commands: help and errors; the types of their options."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import click
import pytest

from tengen import cli
from tengen.common.commands import Count, Name, Number, Rule, Seconds, Size
from tests.commands import Run


@pytest.mark.parametrize(
    ("words", "same"),
    [("help", "--help"), ("help match", "match --help"), ("help lab sprt", "lab sprt -h")],
)
def test_help_of_a_command(words: str, same: str, run: Run) -> None:
    assert run(*words.split()).good == run(*same.split()).good != ""


@pytest.mark.parametrize(
    ("words", "word", "found"),
    [("", "ma", "match"), ("match", "--sche", "--schedule"), ("lab", "sp", "sprt")],
)
def test_the_shell_completes_commands_and_options(words: str, word: str, found: str) -> None:
    line = f"tengen {words} ".replace("  ", " ")
    asked = {
        "_TENGEN_COMPLETE": "bash_complete",
        "COMP_WORDS": line + word,
        "COMP_CWORD": str(len(line.split())),
    }
    done = subprocess.run(
        [sys.executable, "-m", "tengen"], env=os.environ | asked, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [f"plain,{found}"]


NAMES = ("random", "simple", "minimax-basic", "Tengen")


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Rule(), "renju", 4),
        (Rule(), 4, 4),
        (Size(), "15", (15, 15)),
        (Count(1), "20000", 20000),
        (Count(1), "1E+6", 1_000_000),
        (Count(1), "2.5e5", 250_000),
        (Count(0), "3.0", 3),
        # Beyond the exact floating point numbers.
        (Count(1), "999999999999999999", 999_999_999_999_999_999),
        (Count(1), "+7", 7),
        (Number(0, 1), "0.25", 0.25),
        (Seconds(0), "1e6", 1e6),
        (Name("opponent", lambda: NAMES), "Minimax-BASIC", "minimax-basic"),
        (Name("opponent", lambda: NAMES), "tengen", "Tengen"),
    ],
)
def test_what_is_read(kind: click.ParamType[Any], text: object, value: object) -> None:
    assert kind.convert(text, None, None) == value
    assert kind.convert(value, None, None) == value, "a default is taken as it is"


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (Rule(), "gomoko", "there is no rule 'gomoko'; there are 0 or freestyle, 1 or standard"),
        (Size(), "23", "'23' is not a board size; expected 5 to 22, such as 15 or 20x15"),
        (Size(), "15x", "'15x' is not a board size; expected 5 to 22"),
        (Size(), "x15", "'x15' is not a board size; expected 5 to 22"),
        (Size(), "9x9x9", "'9x9x9' is not a board size; expected 5 to 22"),
        (Size(), "1" * 5000, f"'{'1' * 27}...' is not a board size"),
        (Count(1, 10**7), "many", "'many': expected a whole number such as 20000 or 1e6"),
        *(
            (Count(), text, f"{text!r}: expected a whole number such as 20000 or 1e6")
            for text in ("", " 5", "1.5", "1e-3", "1.55e1", "1e19", "20k", "1_000", "e6")
        ),
        (Count(1, 10**7), "0", "0: expected a whole number from 1 to 10,000,000"),
        (Count(1, 10**7), "-3", "-3: expected a whole number from 1"),
        (Count(1, 10**7), "1e8", "100000000: expected a whole number from 1"),
        (Number(0, 1), "nan", "nan: expected a number from 0 to 1"),
        (Number(0), "inf", "inf: expected a number from 0"),
        (Number(0, 1), "2", "2: expected a number from 0 to 1"),
        (Seconds(0.1, 600), "-nan", "-nan: expected seconds from 0.1 to 600"),
        (Seconds(0.01, 10**6), "soon", "soon: expected seconds from 0.01 to 1,000,000"),
        (Number(0, 10, min_open=True), "0", "0: expected a number above 0 to 10"),
        (Count(1), "+-7", "'+-7': expected a whole number such as 20000 or 1e6"),
        (Name("opponent", lambda: NAMES), "smple", "did you mean simple? There are random, simple"),
        (
            Name("opponent", lambda: NAMES),
            "9",
            "there is no opponent '9'; there are random, simple",
        ),
    ],
)
def test_what_is_refused(kind: click.ParamType[Any], text: str, message: str) -> None:
    with pytest.raises(click.BadParameter) as error:
        kind.convert(text, None, None)
    assert message in error.value.message


def test_every_number_is_refused_in_the_same_words() -> None:
    own = (click.IntRange, click.FloatRange, click.types.IntParamType, click.types.FloatParamType)
    context = click.Context(cli.tengen)
    for group in (cli.tengen, cli.lab):
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command is not None
            for param in command.params:
                assert type(param.type) not in own, f"{name} {param.opts}"
