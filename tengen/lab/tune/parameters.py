"""What is tuned: parameters with a start, a range and a step, given by name or in a file.

A file is TOML, one table for each parameter. Keys that are left out come from the engine's table
(`PARAMS` in engine/parameters.py), so a parameter of another program needs all four:

    [razor_margin]
    start = 120
    low = 0
    high = 400
    step = 20
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from engine.files import read_file
from engine.parameters import PARAMS
from tengen.common.commands import find_name

# The step of a parameter for which none is given, as a share of its value; of its range if it is 0.
_STEP_OF_VALUE = 0.15
_STEP_OF_RANGE = 0.05
# With a smaller one, a perturbation upwards and one downwards could round to the same number.
_LEAST_STEP = 0.5
_ROWS = {row.name: row for row in PARAMS}
_KEYS = ("start", "low", "high", "step")


@dataclass(frozen=True)
class Tunable:
    """A parameter that is tuned. Programs get whole numbers; the tuning itself has fractions.

    start      its value at the beginning.
    low, high  the range, both ends included.
    step       how far it is perturbed at the end of the run (`c_end`).

    ValueError for a range without two values, a start out of it, or a step below half a unit or
    above half the range.
    """

    name: str
    start: float
    low: int
    high: int
    step: float

    def __post_init__(self) -> None:
        if not (self.name and self.name.isascii() and self.name.isprintable()) or " " in self.name:
            raise ValueError(f"parameter {self.name[:40]!r}: expected a name without blanks")
        if not self.low < self.high:
            raise ValueError(f"{self.name}: low = {self.low} is not below high = {self.high}")
        if not self.low <= self.start <= self.high:
            raise ValueError(
                f"{self.name}: start = {self.start:g} is out of range, {self.low} to {self.high}"
            )
        most = (self.high - self.low) / 2
        if not _LEAST_STEP <= self.step <= most:
            raise ValueError(
                f"{self.name}: step = {self.step:g}: expected {_LEAST_STEP} to half of the range,"
                f" {most:g}"
            )

    def rounded(self, value: float) -> int:
        """The whole number in the range that is nearest to a value."""
        return min(max(math.floor(value + 0.5), self.low), self.high)


def read_tunables(text: str) -> tuple[Tunable, ...]:
    """The parameters that `--params` names.

    text  a TOML file, or names of the engine's parameters separated by commas; `*` in a name stands
          for any characters, so that `razor_*` are all that begin with `razor_`.

    ValueError, in one line, for anything else.
    """
    if text.lower().endswith(".toml"):
        return _read_file(Path(text))
    names: list[str] = []
    for part in text.split(","):
        for name in _names_of(part.strip()):
            if name not in names:
                names.append(name)
    return tuple(_tunable(name, {}) for name in names)


def default_step(value: float, low: int, high: int) -> float:
    """The step of a parameter for which none is given."""
    step = _STEP_OF_VALUE * abs(value) or _STEP_OF_RANGE * (high - low)
    return min(max(1.0, round(step, 1)), (high - low) / 2)


def default_of(name: str) -> int | None:
    """The value that the engine gives a parameter; None for one that it does not have."""
    return _ROWS[name].default if name in _ROWS else None


def options_of(tunables: Sequence[Tunable], values: Sequence[float]) -> tuple[tuple[str, str], ...]:
    """Values of parameters as a program gets them: keys and values of INFO."""
    return tuple(
        (f"param.{tunable.name}", str(tunable.rounded(value)))
        for tunable, value in zip(tunables, values, strict=True)
    )


def _names_of(part: str) -> Sequence[str]:
    """The engine's parameters that a name or a pattern means."""
    if not part:
        raise ValueError("--params: expected names separated by commas, or a file NAME.toml")
    if "*" in part:
        found = [name for name in _ROWS if fnmatchcase(name, part.lower())]
        if not found:
            raise ValueError(f"--params: no parameter is named like {part[:40]}")
        return found
    try:
        return [find_name("parameter", part, [*_ROWS])]
    except ValueError as error:
        raise ValueError(f"--params: {error}") from None


def _read_file(path: Path) -> tuple[Tunable, ...]:
    where = f"--params {path}"
    try:
        tables = tomllib.loads(read_file(path, 1 << 20).decode("utf-8-sig"))
    except OSError as error:
        raise ValueError(f"{where}: {error.strerror}") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise ValueError(f"{where}: {error}") from None
    if not tables:
        raise ValueError(f"{where}: has no parameter; expected tables such as [razor_margin]")
    tunables = []
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise ValueError(f"{where}: {name}: expected a table [{name}] with {', '.join(_KEYS)}")
        try:
            tunables.append(_tunable(name, table))
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
    return tuple(tunables)


def _tunable(name: str, given: Mapping[str, Any]) -> Tunable:
    """A parameter by its name and the keys of its table; what is missing is the engine's."""
    for key, value in given.items():
        if key not in _KEYS:
            raise ValueError(f"{name}: {key} is not a key; expected {', '.join(_KEYS)}")
        is_whole = key in ("low", "high")
        if isinstance(value, bool) or not isinstance(value, int if is_whole else int | float):
            kind = "a whole number" if is_whole else "a number"
            raise ValueError(f"{name}: {key} = {value!r}: expected {kind}")
        if not math.isfinite(value):
            raise ValueError(f"{name}: {key} = {value!r}: expected a finite number")
    if name not in _ROWS:
        if missing := [key for key in _KEYS if key not in given]:
            # A mistyped name of the engine's is more likely than a parameter of another program.
            try:
                find_name("parameter", name, [*_ROWS])
            except ValueError as error:
                raise ValueError(
                    f"{', '.join(missing)} missing, and {str(error).partition(' There are')[0]}"
                ) from None
        return Tunable(name, **given)
    row = _ROWS[name]
    for key in ("low", "high"):
        if not row.low <= given.get(key, row.low) <= row.high:
            raise ValueError(
                f"{name}: {key} = {given[key]} is out of the engine's range,"
                f" {row.low} to {row.high}"
            )
    low, high = given.get("low", row.low), given.get("high", row.high)
    start = given.get("start", row.default)
    step = given.get("step")
    if step is None:
        step = default_step(start, low, high)
    return Tunable(name, start, low, high, step)
