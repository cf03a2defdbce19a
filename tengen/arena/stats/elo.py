"""Strength in Elo with its interval, from a match of fixed length.

All intervals and the likelihood of superiority come from one statistic, the ratio of likelihoods
of `pentanomial.py` (A. B. Owen, "Empirical Likelihood", 2001, chapter 2), so they agree: the
interval of confidence 0.95 lies above zero exactly when the likelihood of superiority exceeds
0.975. Twice its logarithm is compared with the square of Student's quantile, for one degree of
freedom less than there are pairs. It is larger than the normal quantile, which corrects for few
pairs (Owen's "Fisher calibration", chapter 3).

Intervals have their nominal coverage from about twenty pairs on, if some ten of them are not split.
With 100 pairs of which only six are not split, 92 to 93 % of the 95 % intervals contain the true
value (the tests simulate it). The usual mean +- quantile * error has width zero when all pairs gave
the same, and covers less where few pairs differ.

A test that stopped early overstates the difference: do not estimate Elo from its pairs
(docs/TESTING.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist

from tengen.arena.stats.pentanomial import Pentanomial, moments, support_of_mean


def student_probability(t: float, degrees: int) -> float:
    """The probability of a value below t; `degrees` is at least 1."""
    if math.isinf(t):
        return float(t > 0)
    angle = math.atan2(t, math.sqrt(degrees))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    is_odd = degrees % 2
    # 1 + 2/3 c^2 + 2*4/(3*5) c^4 + ..., or 1 + 1/2 c^2 + 1*3/(2*4) c^4 + ...
    term = total = float(degrees > 1)
    for k in range(2 + is_odd, degrees, 2):
        term *= square * (k - 1) / k
        total += term
    if is_odd:
        between = 2 / math.pi * (angle + sine * math.cos(angle) * total)
    else:
        between = sine * total
    return 0.5 + between / 2


@lru_cache(maxsize=1024)
def student_quantile(share: float, degrees: int) -> float:
    """The value that a share of all values, 0.5 to below 1, lies below."""
    # Above zero the probability is concave, so Newton's steps from below never go too far.
    t = NormalDist().inv_cdf(share)
    log_scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    log_scale -= math.log(degrees * math.pi) / 2
    while True:
        log_density = log_scale - (degrees + 1) / 2 * math.log1p(t * t / degrees)
        step = (share - student_probability(t, degrees)) / math.exp(log_density)
        t += step
        if step <= 1e-12 * t:
            return t


# The share of intervals that contain the true strength.
CONFIDENCE = 0.95
# Normalized Elo of one deviation per game. The slope of logistic Elo at an even score is half of it
# per unit of a game's score with deviation 1/2: without draws both kinds agree near 0.
NORMALIZED_PER_T = 800 / math.log(10)
# Bounds of logistic Elo beyond this are given as infinite.
FARTHEST_ELO = 2400.0
# An interval that is wider says nothing.
WIDEST_ELO = 2400.0


@dataclass(frozen=True)
class Estimate:
    """A strength in Elo and the interval it lies in; each may be infinite, -inf <= low <= high."""

    elo: float
    low: float
    high: float

    @property
    def is_known(self) -> bool:
        """False when there were too few games: the interval then has zero in it and is wider than
        anything that one would play to find out."""
        return self.high - self.low <= WIDEST_ELO or self.low > 0 or self.high < 0

    def __str__(self) -> str:
        """Elo and the interval, signed, with one decimal: `+12.3 [-4.5, +29.1]`; or the end that
        the interval has, as `above +50.1`; or `too few games`."""
        if not self.is_known:
            return "too few games"
        if math.isfinite(self.low) and math.isfinite(self.high):
            return f"{self.elo:+z.1f} [{self.low:+z.1f}, {self.high:+z.1f}]"
        end = f"above {self.low:+z.1f}" if math.isfinite(self.low) else f"below {self.high:+z.1f}"
        return f"{self.elo:+z.1f} [{end}]" if math.isfinite(self.elo) else end


def score_of_elo(elo: float) -> float:
    """The expected score of a player that is stronger by `elo`: 1 / (1 + 10^(-elo / 400)).

    A. E. Elo, "The Rating of Chessplayers, Past and Present" (1978), in the logistic form.
    """
    # tanh does not overflow for any elo.
    return 0.5 + 0.5 * math.tanh(elo * math.log(10) / 800)


def elo_of_score(score: float) -> float:
    """The Elo difference of an expected score, from 0 to 1, where it is infinite."""
    if score in (0.0, 1.0):
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def t_of_normalized(elo: float) -> float:
    """(mean - 1/2) / deviation of a *pair's* score that corresponds to this normalized Elo.

    Normalized Elo is defined by the deviation of a single game (M. Van den Bergh, "Normalized
    Elo"); that of the mean of two is less by the square root of two.
    """
    return math.sqrt(2) * elo / NORMALIZED_PER_T


def elo_estimate(pentanomial: Pentanomial) -> Estimate:
    """The strength of the first program, in logistic Elo, from pairs.

    When every game was won the strength is infinite, with a finite lower bound that rises with the
    number of pairs (with one or two it is still -inf); all lost likewise. When every pair was
    split the interval is finite, and narrows with their number. No pairs give 0 from -inf to inf.
    Bounds beyond +-2400 are given as infinite.
    """
    if not pentanomial.pairs:
        return Estimate(0.0, -math.inf, math.inf)
    t = student_quantile((1 + CONFIDENCE) / 2, _degrees(pentanomial.pairs))

    def is_inside(elo: float) -> bool:
        return support_of_mean(pentanomial.counts, score_of_elo(elo)) >= -t * t / 2

    # The mean of equal scores may be rounded past the last of them.
    elo = elo_of_score(min(moments(pentanomial.counts)[0], 1.0))
    return Estimate(elo, *_bounds(is_inside, elo))


def pairs_needed(pentanomial: Pentanomial) -> int:
    """The number of pairs with which `elo_estimate` is known, if they end like these; at least
    three, also without any to go by."""
    counts = pentanomial.counts if pentanomial.pairs else (0, 0, 1, 0, 0)
    times = 1
    while not elo_estimate(Pentanomial(*(times * count for count in counts))).is_known:
        times += 1
    return times * sum(counts)


def los(pentanomial: Pentanomial) -> float:
    """Likelihood of superiority of the first program, 0 to 1; 0.5 without pairs.

    One minus the one-sided p-value of the hypothesis that it is not stronger; 0.975 is where the
    interval of `elo_estimate` leaves zero. It is not the probability of being stronger, because it
    does not use how likely that was before the match.
    """
    if not pentanomial.pairs or pentanomial.score == 0.5:
        return 0.5
    root = math.sqrt(-2 * min(0.0, support_of_mean(pentanomial.counts, 0.5)))
    t = math.copysign(root, pentanomial.score - 0.5)
    return student_probability(t, _degrees(pentanomial.pairs))


def _bounds(is_inside: Callable[[float], bool], middle: float) -> tuple[float, float]:
    """Both ends of the interval around `middle`, infinite where they are beyond FARTHEST_ELO.

    If `middle` itself is beyond, both ends may be; the nearer one is then put there.
    """

    def end(outer: float) -> float:
        inner = min(max(middle, -FARTHEST_ELO), FARTHEST_ELO)
        if is_inside(outer) or (outer == inner and abs(middle) > FARTHEST_ELO):
            return math.copysign(math.inf, outer)
        while abs(outer - inner) > 1e-7 * FARTHEST_ELO:
            half = (outer + inner) / 2
            inner, outer = (half, outer) if is_inside(half) else (inner, half)
        return inner

    return end(-FARTHEST_ELO), end(FARTHEST_ELO)


def _degrees(observations: int) -> int:
    """Degrees of freedom of Student's t; one observation is treated as two."""
    return max(observations - 1, 1)
