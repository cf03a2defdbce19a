"""Programs that were given no name say it themselves."""

from __future__ import annotations

import sys

import pytest

from tengen.arena.match.jobs import Setting
from tengen.arena.match.plan import Plan, introduce, with_names
from tengen.arena.programs.spec import ProgramSpec


def _program(name: str, about: str) -> ProgramSpec:
    code = f"import sys\nfor line in sys.stdin:\n  if 'ABOUT' in line: print({about!r}, flush=True)"
    return ProgramSpec(name, (sys.executable, "-SEc", code))


@pytest.mark.parametrize(
    ("about", "name"),
    [
        ('name="Yixin 2018", version="1.0"', "Yixin 2018"),
        ('version="1", NAME = "x"', "x"),
        ('name="a\tb"', "a b"),
        ('name="  a  \x1b b "', "a b"),
        ('name="' + 49 * "y" + ' z"', 49 * "y"),
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
    command = (sys.executable, "-SEc", "pass", "/opt/pbrain-other.exe", "--fast")
    assert with_names([ProgramSpec("", command)])[0].name == "other"


def test_a_program_that_cannot_be_started_has_no_name() -> None:
    with pytest.raises(ValueError, match="--engine: cannot be started: there is no program '/no/"):
        with_names([ProgramSpec("", ("/no/such/program",))])


def test_names_that_are_taken_get_a_number() -> None:
    programs = [_program("", 'name="A"'), _program("A", "x"), _program("", 'name="A"')]
    assert [program.name for program in with_names(programs)] == ["A 2", "A", "A 3"]


def test_a_program_without_an_answer_to_about_may_play() -> None:
    programs = [
        _program("Plain", 'name="x"'),
        _program("Chatty", 'MESSAGE one moment\nname="x"'),
        _program("Unwilling", "UNKNOWN"),
        ProgramSpec("Brittle", (sys.executable, "-SEc", "pass")),
    ]
    plan = introduce(Plan(tuple(programs), Setting(15, 15, 0), (), 1))
    assert [answer for _, answer in plan.versions] == ['name="x"', 'name="x"', None, None]
