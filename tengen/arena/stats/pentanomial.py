"""Pairs of games, counted by the points of a pair, and how likely such counts are.

An opening is played twice with colours exchanged, and the pair is counted: in Gomoku one colour
often wins both games of an opening, so the two results depend on each other. A pair gives 0, 0.5,
1, 1.5 or 2 points, hence five counts. The statistics assume only that pairs are independent of each
other. Everything is seen from the first program.

The second half of the file is the mathematics that the sequential test (`sprt.py`) and the
intervals (`elo.py`) share: how much less likely the counts become when the mean, or the mean in
units of the deviation, must have a given value.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

# The score of a pair, points per game, for each count in order: LL, LD, split, WD, WW.
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)

# A count of zero stands for this many pairs, so that every score stays possible.
TINY_COUNT = 1e-3
# `support_of_t` knows values up to this one; see there.
MAX_T = 2.8


@dataclass(frozen=True)
class Pentanomial:
    """How many pairs gave the first program how many points.

    ll     0 points: both games lost.
    ld     half a point: one lost, one drawn.
    split  1 point: one won and one lost, or both drawn.
    wd     1.5 points: one won, one drawn.
    ww     2 points: both games won.

    ValueError for a negative count.
    """

    ll: int = 0
    ld: int = 0
    split: int = 0
    wd: int = 0
    ww: int = 0

    def __post_init__(self) -> None:
        if min(self.counts) < 0:
            raise ValueError(f"counts of pairs must not be negative: {self}")

    def add(self, points: float) -> Pentanomial:
        """These pairs and one more, which gave this many points; ValueError if no pair can."""
        counts = list(self.counts)
        counts[SCORES.index(points / 2)] += 1
        return Pentanomial(*counts)

    def __add__(self, other: Pentanomial) -> Pentanomial:
        """The pairs of both."""
        return Pentanomial(*(a + b for a, b in zip(self.counts, other.counts, strict=True)))

    def __str__(self) -> str:
        """The counts in order, LL LD split WD WW, separated by spaces."""
        return " ".join(map(str, self.counts))

    @property
    def counts(self) -> tuple[int, int, int, int, int]:
        """The counts in order: LL, LD, split, WD, WW."""
        return (self.ll, self.ld, self.split, self.wd, self.ww)

    @property
    def swapped(self) -> Pentanomial:
        """The same pairs seen from the second program."""
        return Pentanomial(*reversed(self.counts))

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """The number of games, two in each pair."""
        return 2 * self.pairs

    @property
    def points(self) -> float:
        """Points won: one for a won game, half for a drawn one."""
        return 2 * sum(n * score for n, score in zip(self.counts, SCORES, strict=True))

    @property
    def score(self) -> float:
        """Points per game, from 0 to 1; 0.5 when there are no pairs."""
        return self.points / self.games if self.pairs else 0.5


# -- how likely counts are under a constraint


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and variance (mean square about the mean) of a pair's score, given these counts."""
    total = sum(counts)
    mean = sum(n * v for n, v in zip(counts, SCORES, strict=True)) / total
    square = sum(n * (v - mean) ** 2 for n, v in zip(counts, SCORES, strict=True)) / total
    return mean, square


def support_of_mean(counts: Sequence[float], mean: float) -> float:
    """How well counts of pairs agree with a given mean of their scores, above 0 and below 1: at
    most 0, which is perfect.

    The logarithm of a ratio of likelihoods: of the best multinomial distribution with this mean
    to the best of all. Source: M. Van den Bergh's note support_MLE_multinomial.pdf
    (hardy.uhasselt.be/Fishtest), Proposition 1.1; it is the empirical likelihood of a mean of A. B.
    Owen, "Empirical Likelihood" (2001), chapter 2, with values known beforehand.
    """
    return _support(_regular(counts), [score - mean for score in SCORES])[0]


def support_of_t(counts: Sequence[float], t: float) -> float:
    """How well counts of pairs agree with a given t = (mean - 1/2) / deviation of a pair's score.

    As `support_of_mean`, with the other constraint, found by iteration: M. Van den Bergh, "Comments
    on Normalized Elo" (normalized_elo_practical.pdf, same place), section 4.1. |t| is at most
    MAX_T (ValueError), which no match comes near.

    Why the iteration below is right: at the best distribution the constraint mean - 1/2 = t *
    deviation may be replaced by its linear part there, E[g] = 0 with g as in `_support_near`,
    and Lagrange's condition stays the same. So a guess of the deviation gives a distribution, as
    for a mean, and the guess is right when that distribution has this deviation.
    """
    if abs(t) > MAX_T:
        raise ValueError(f"|t| may be at most {MAX_T}, not {t}")
    if t < 0:
        return support_of_t(counts[::-1], -t)
    if t == 0:
        return support_of_mean(counts, 0.5)
    weights = _regular(counts)
    deviation, widest = math.sqrt(moments(weights)[1]), 0.5 / math.sqrt(1 + t * t)
    support = _support_near(weights, t, deviation)
    if t > 0.1:
        # Far from the counts there may be a second, wider distribution, and the better one counts.
        # For smaller t the two differ by less than TINY_COUNT matters.
        support = max(support, _support_near(weights, t, widest))
    return support


def _support_near(weights: Sequence[float], t: float, deviation: float) -> float:
    """`support_of_t` for t > 0, from a first guess of the deviation."""
    # Of all distributions with this t on the five scores, the narrowest stands on 1/2 and 3/4 and
    # the widest on 0 and 1. Between them g is negative at 1/2 and positive at 3/4 or 1 (this
    # needs MAX_T), so that a tilt exists.
    low, high = 0.25 * t / (1 + t * t), 0.5 / math.sqrt(1 + t * t)
    deviation = min(max(deviation, low), high)
    tilt = slope = last = last_error = 0.0
    for step in count():
        mean, half = 0.5 + t * deviation, t * deviation / 2
        g = [v - 0.5 - half * (1 + ((v - mean) / deviation) ** 2) for v in SCORES]
        support, tilt = _support(weights, g, tilt)
        tilted = [w / (1 + tilt * x) for w, x in zip(weights, g, strict=True)]
        error = math.sqrt(moments(tilted)[1]) - deviation
        # An error of the deviation enters the support squared, so this is exact enough.
        if abs(error) <= 1e-7 * deviation or high - low <= 1e-9 * high:
            break
        if error > 0:
            low = deviation
        else:
            high = deviation
        # The next guess is the resulting deviation or, better, the secant's zero; if neither
        # converges, halving does.
        if step:
            slope = (error - last_error) / (deviation - last)
        last, last_error = deviation, error
        guess = deviation - error / slope if slope < 0 else deviation + error
        deviation = guess if low < guess < high and step < 20 else (low + high) / 2
    return support


def _regular(counts: Sequence[float]) -> list[float]:
    """Counts as weights, none of them zero."""
    return [n or TINY_COUNT for n in counts]


def _support(
    weights: Sequence[float], g: Sequence[float], tilt: float = 0.0
) -> tuple[float, float]:
    """The support of E[g] = 0 and the tilt that reaches it, searched from a guess.

    The best distribution has probabilities proportional to weight / (1 + tilt * g). The tilt is
    the zero of a falling function between two poles; g must have both signs.
    """
    low, high = -1 / max(g), -1 / min(g)
    smallest_step = 1e-15 * (high - low)
    if not low < tilt < high:
        tilt = 0.0
    while True:
        slope = value = 0.0
        for w, x in zip(weights, g, strict=True):
            ratio = x / (1 + tilt * x)
            value += w * ratio
            slope += w * ratio * ratio
        if value > 0:
            low = tilt
        else:
            high = tilt
        newton = tilt + value / slope
        following = newton if low < newton < high else (low + high) / 2
        step, tilt = abs(following - tilt), following
        if step <= max(1e-10 * abs(tilt), smallest_step) or high - low <= smallest_step:
            break
    # An error of the tilt enters squared: the support is stationary in it.
    return -sum(w * math.log1p(tilt * x) for w, x in zip(weights, g, strict=True)), tilt


@dataclass
class Score:
    """Wins, losses and draws of one side."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """How many games have been counted."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """1 for each win and 0.5 for each draw."""
        return self.wins + self.draws / 2

    def add(self, points: float) -> None:
        """Counts a game that gave 1, 0.5 or 0 points."""
        self.wins += points == 1
        self.losses += points == 0
        self.draws += points == 0.5


@dataclass
class Pairing(Score):
    """All games of two programs, seen from the first: single ones, and pairs of two that began
    with the same opening."""

    pentanomial: Pentanomial = field(default_factory=Pentanomial)
    # Of pairs with one game so far: the first program's points.
    _open_pairs: dict[Hashable, float] = field(default_factory=dict)

    @property
    def single_games(self) -> int:
        """The games that have no second one of their pair."""
        return len(self._open_pairs)

    def add_game(self, pair: Hashable | None, points: float) -> bool:
        """Counts a game (1, 1/2 or 0 points), of no pair if that is None; True when it completes
        its pair."""
        self.add(points)
        if pair is None:
            return False
        before = self._open_pairs.pop(pair, None)
        if before is None:
            self._open_pairs[pair] = points
            return False
        self.pentanomial = self.pentanomial.add(before + points)
        return True


class Repeats:
    """Counts the games that are equal to an earlier one: programs, colours and moves. They say
    nothing new, so that intervals computed from all games are too narrow."""

    def __init__(self) -> None:
        self.count = self.games = 0
        self._seen: set[int] = set()

    def add(self, names: tuple[str, str], moves: Iterable[tuple[int, int]]) -> None:
        """Counts a game, Black's program first."""
        key = hash((names, *moves))
        self.games += 1
        self.count += key in self._seen
        self._seen.add(key)

    def __str__(self) -> str:
        """One line about them; empty if there are none."""
        if not self.count:
            return ""
        are = "are" if self.count > 1 else "is"
        return (
            f"{self.count:,} of {self.games:,} games {are} equal to an earlier one: intervals are"
            " too narrow, use more openings"
        )
