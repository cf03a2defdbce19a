"""Programs that were given no name say it themselves."""

from __future__ import annotations

import sys

import pytest

from tengen.match.names import with_names
from tengen.programs.program import Program


def _program(name: str, about: str) -> Program:
    code = f"import sys\nfor line in sys.stdin:\n  if 'ABOUT' in line: print({about!r}, flush=True)"
    return Program(name, (sys.executable, "-SEc", code))


@pytest.mark.parametrize(
    ("about", "name"),
    [
        ('name="Yixin 2018", version="1.0"', "Yixin 2018"),
        ('version="1", NAME = "x"', "x"),
        ('name="a\tb"', "ab"),
        ("name=", "program"),
        ('name="' + "y" * 80 + '"', "y" * 50),
    ],
)
def test_the_answer_to_about_names_a_program(about: str, name: str) -> None:
    program = _program("", about)
    if name == "program":
        # Its last word that is no option names it: here the text of the script.
        assert with_names([program])[0].name
    else:
        assert with_names([program])[0].name == name


def test_a_program_that_does_not_answer_is_named_by_its_file() -> None:
    assert with_names([Program("", ("/opt/pbrain-other.exe", "--fast"))])[0].name == "other"


def test_names_that_are_taken_get_a_number() -> None:
    programs = [_program("", 'name="A"'), _program("A", "x"), _program("", 'name="A"')]
    assert [program.name for program in with_names(programs)] == ["A 2", "A", "A 3"]
