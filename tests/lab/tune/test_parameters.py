"""The parameters of a run: by name, by pattern, from a file, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.parameters import PARAMS
from tengen.lab.tune.parameters import Tunable, default_of, read_tunables

ROWS = {row.name: row for row in PARAMS}


def test_names_are_those_of_the_engine_with_its_values() -> None:
    row = ROWS["razor_margin"]
    [margin, depth] = read_tunables("razor_margin, Futility_Depth")
    assert margin == Tunable("razor_margin", row.default, row.low, row.high, margin.step)
    assert margin.step == pytest.approx(0.15 * row.default, abs=0.051)  # one decimal is kept
    assert depth.name == "futility_depth" and default_of(depth.name) == depth.start


def test_patterns_stand_for_all_names_that_fit() -> None:
    expected = [name for name in ROWS if name.startswith("razor_")]
    assert [each.name for each in read_tunables("razor_*")] == expected != []
    # No name comes twice.
    assert [each.name for each in read_tunables("razor_margin,razor_*")][0] == "razor_margin"
    assert len(read_tunables("razor_margin,razor_*")) == len(expected)


def test_every_parameter_of_the_engine_has_a_step_that_can_be_used() -> None:
    tunables = read_tunables("*")
    assert [each.name for each in tunables] == [*ROWS]
    for each in tunables:
        assert 1 <= each.step <= (each.high - each.low) / 2 or each.high - each.low == 1


def test_a_file_may_leave_out_what_the_engine_knows(tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text(
        "[razor_margin]\nstart = 100.5\nlow = 50\nhigh = 300\nstep = 20\n[futility_margin]\n"
        "[other_program]\nstart = 0\nlow = -10\nhigh = 10\nstep = 2.5\n",
        encoding="utf-8-sig",  # with a byte order mark, as some editors write
    )
    margin, futility, other = read_tunables(str(path))
    assert margin == Tunable("razor_margin", 100.5, 50, 300, 20)
    assert futility == read_tunables("futility_margin")[0]
    assert other == Tunable("other_program", 0, -10, 10, 2.5)
    assert default_of("other_program") is None


@pytest.mark.parametrize(("value", "whole"), [(3.49, 3), (3.5, 4), (-1.0, 0), (11.0, 10)])
def test_a_value_is_rounded_into_the_range(value: float, whole: int) -> None:
    assert Tunable("depth", 2, 0, 10, 1).rounded(value) == whole


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "--params: expected names separated by commas, or a file NAME.toml"),
        ("razor_margin,,x", "--params: expected names separated"),
        ("razer_margin", "there is no parameter 'razer_margin'; did you mean razor_margin?"),
        ("xyzzy", "there is no parameter 'xyzzy'; there are aspiration_window, "),
        ("xyzzy_*", "--params: no parameter is named like xyzzy_*"),
        ("none.toml", "none.toml: No such file"),
    ],
)
def test_names_that_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError) as error:
        read_tunables(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no parameter; expected tables such as [razor_margin]"),
        ("razor_margin = 3", "razor_margin: expected a table [razor_margin] with start, low"),
        ("[razor_margin", "some.toml: "),
        ("[razor_margin]\nmax = 3", "razor_margin: max is not a key; expected start, low, high"),
        ("[razor_margin]\nlow = 0.5", "razor_margin: low = 0.5: expected a whole number"),
        ("[razor_margin]\nstart = true", "razor_margin: start = True: expected a number"),
        ("[razor_margin]\nstep = nan", "razor_margin: step = nan: expected a finite number"),
        ("[razor_margin]\nhigh = 99999", "high = 99999 is out of the engine's range, 0 to 2000"),
        ("[razor_margin]\nstart = 2001", "start = 2001 is out of range, 0 to 2000"),
        ("[razor_margin]\nlow = 130\nhigh = 130", "low = 130 is not below high = 130"),
        ("[razor_margin]\nstep = 0.4", "step = 0.4: expected 0.5 to half of the range, 1000"),
        ("[razor_margin]\nstep = 1001", "step = 1001: expected 0.5 to half of the range, 1000"),
        (
            "[razer_margin]\nstep = 2",
            "start, low, high missing, and there is no parameter 'razer_margin';"
            " did you mean razor_margin?",
        ),
        ('["a b"]\nstart = 1\nlow = 0\nhigh = 9\nstep = 1', "expected a name without blanks"),
    ],
)
def test_files_that_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError) as error:
        read_tunables(str(path))
    assert message in str(error.value) and "\n" not in str(error.value)
