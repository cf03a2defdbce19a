"""SPSA: simultaneous perturbation stochastic approximation, for paired games.

Every iteration perturbs all parameters at once, each up or down at random, lets the two resulting
settings play each other, and moves every parameter towards the setting that scored better:

    plus, minus = centre + c_k * sign, centre - c_k * sign
    state      += R_k * c_k * sign * (wins - losses of plus)

with c_k = step * (N / k)^0.101 and R_k = a_k / c_k^2 for a_k = a / (A + k)^0.602, where A is a
tenth of the N iterations and `a` makes R_N the rate. The exponents and A are those that J. C. Spall
recommends ("Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization",
IEEE Transactions on Aerospace and Electronic Systems 34, 1998, pages 817-823). The gains are given
by their values at the end, as in Fishtest: step is its c_end, rate its r_end.

Parameters are whole numbers for a program: a perturbed value is rounded up or down at random so
that its mean is exact, with the same random number for plus and minus, which therefore always
differ. The state keeps its fractions.

Parameters are given by name or in a TOML file, one table for each. Keys that are left out come from
the engine's table (`PARAMS` in engine/parameters.py), so a parameter of another program needs all
four:

    [razor_margin]
    start = 120
    low = 0
    high = 400
    step = 20
"""

from __future__ import annotations

import math
import random
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
_ALPHA, _GAMMA = 0.602, 0.101
_STABILITY = 0.1  # A, as a share of the iterations

# A value for each parameter, with fractions.
State = tuple[float, ...]


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
    names = dict.fromkeys(name for part in text.split(",") for name in _names_of(part.strip()))
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
    step = given.get("step", default_step(start, low, high))
    return Tunable(name, start, low, high, step)


@dataclass(frozen=True)
class Perturbation:
    """The two settings of an iteration.

    iteration    its number, from one.
    signs        1 where plus has the higher value, -1 where minus has.
    plus, minus  the values that the programs get.
    """

    iteration: int
    signs: tuple[int, ...]
    plus: tuple[int, ...]
    minus: tuple[int, ...]


@dataclass(frozen=True)
class Spsa:
    """What a tuning run does: how the parameters move, and by how many games.

    iterations  how many there are in all; the gains depend on it.
    rate        R_k of the last iteration: how far one won game moves a parameter, in steps.
    seed        with the number of an iteration it decides the perturbation.
    pairs       pairs of games of each iteration.
    ahead       an iteration perturbs the state that so many iterations before it have led to, so
                that as many iterations can be played at the same time.

    The board, the limits and the openings are in the plan of its games.
    """

    parameters: tuple[Tunable, ...]
    iterations: int
    rate: float
    seed: int
    pairs: int
    ahead: int

    @property
    def games(self) -> int:
        """The games of an iteration."""
        return 2 * self.pairs

    @property
    def start(self) -> State:
        """The state before the first iteration."""
        return tuple(float(tunable.start) for tunable in self.parameters)

    def perturbed(self, iteration: int, centre: State) -> Perturbation:
        """The two settings of an iteration around `centre`. The same arguments give the same."""
        generator = random.Random(f"{self.seed} {iteration}")
        signs = tuple(1 if generator.random() < 0.5 else -1 for _ in self.parameters)
        pairs = [
            _around(tunable, value, self.step_of(iteration, tunable), generator.random())
            for tunable, value in zip(self.parameters, centre, strict=True)
        ]
        plus = (pair[sign > 0] for pair, sign in zip(pairs, signs, strict=True))
        minus = (pair[sign < 0] for pair, sign in zip(pairs, signs, strict=True))
        return Perturbation(iteration, signs, tuple(plus), tuple(minus))

    def moved(self, state: State, perturbation: Perturbation, score: int) -> State:
        """The state after an iteration whose `score` is the wins minus the losses of plus."""
        k = perturbation.iteration
        gain = self.gain(k) * score
        return tuple(
            min(
                max(value + gain * self.step_of(k, tunable) * sign, float(tunable.low)),
                float(tunable.high),
            )
            for tunable, value, sign in zip(self.parameters, state, perturbation.signs, strict=True)
        )

    def step_of(self, iteration: int, tunable: Tunable) -> float:
        """c_k: how far an iteration perturbs a parameter; at most half its range."""
        wanted: float = tunable.step * (self.iterations / iteration) ** _GAMMA
        return min(wanted, (tunable.high - tunable.low) / 2)

    def gain(self, iteration: int) -> float:
        """R_k: how far a game that plus wins moves a parameter, in units of its c_k."""
        stability = _STABILITY * self.iterations
        done = iteration / self.iterations
        a_ratio = ((stability + self.iterations) / (stability + iteration)) ** _ALPHA
        return float(self.rate * a_ratio * done ** (2 * _GAMMA))


def default_rate(pairs: int) -> float:
    """The rate for a run of so many pairs of games in all; docs/TUNING.md derives it."""
    return min(max(40 / pairs, 0.002), 0.1)


def _around(tunable: Tunable, value: float, width: float, draw: float) -> tuple[int, int]:
    """The lower and the higher perturbed value. At an end of the range the middle is moved, so
    that both are in the range and `width` from it on the average."""
    middle = min(max(value, tunable.low + width), tunable.high - width)
    lower = min(max(math.floor(middle - width + draw), tunable.low), tunable.high - 1)
    higher = min(max(math.floor(middle + width + draw), lower + 1), tunable.high)
    return lower, higher
