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
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from tengen.lab.tune.parameters import Tunable

_ALPHA, _GAMMA = 0.602, 0.101
_STABILITY = 0.1  # A, as a share of the iterations

# A value for each parameter, with fractions.
State = tuple[float, ...]


@dataclass(frozen=True)
class Perturbation:
    """The two settings of an iteration.

    iteration    its number, from one.
    centre       the state that was perturbed.
    signs        1 where plus has the higher value, -1 where minus has.
    plus, minus  the values that the programs get.
    """

    iteration: int
    centre: State
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
        return Perturbation(iteration, centre, signs, tuple(plus), tuple(minus))

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
