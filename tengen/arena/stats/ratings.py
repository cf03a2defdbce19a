"""Ratings of many entrants from the pairs they played against each other.

The Bradley-Terry model: an entrant that is stronger by d Elo has the expected score
1 / (1 + 10^(-d / 400)), and the ratings are those that make the results most likely (R. A. Bradley
and M. E. Terry, "Rank Analysis of Incomplete Block Designs", 1952). A draw counts as half a win and
half a loss: the equations then say that every entrant's points equal those expected from the
ratings, which is right on average however many games are drawn. (A parameter for draws, as in R. R.
Davidson 1970, would have to be estimated from games, and a count of pairs does not distinguish two
draws from a win and a loss.)

The two games of a pair depend on each other, so the intervals do not follow from the likelihood.
They come from how far the points of whole pairs were from those expected: the sandwich
covariance, clustered by pairs (P. J. Huber 1967; K.-Y. Liang and S. L. Zeger, "Longitudinal Data
Analysis Using Generalized Linear Models", 1986). Pairs that are won or lost together widen the
intervals; split pairs make them narrower than independent games would.

The prior is weak: each entrant gets half a pair more, spread over its opponents in proportion to
its pairs; half of that counts as won twice, half as lost twice. With it an entrant that won every
game gets a finite rating, one that split every pair gets an interval, and equal entrants stay
equal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tengen.arena.stats.elo import CONFIDENCE, WIDEST_ELO, student_quantile
from tengen.arena.stats.pentanomial import SCORES, Pentanomial

Matrix = list[list[float]]

# Elo of one unit of the logistic function.
ELO_PER_LOGIT = 400 / math.log(10)
# Pairs that the prior gives to each entrant, and the variance of such a pair's points about 1.
PRIOR_PAIRS = 0.5
PRIOR_VARIANCE = 1.0
# Newton's method needs about ten; only rounding could ask for more than this.
MAX_STEPS = 100

# The pairs of two entrants, by their names and seen from the first.
Results = Mapping[tuple[str, str], Pentanomial]


@dataclass(frozen=True)
class Rating:
    """The rating of an entrant.

    elo        its rating.
    low, high  the interval of the rating; both equal elo for an anchor.
    games      games that counted.
    points     points in them: one for a win, half for a draw.
    """

    name: str
    elo: float
    low: float
    high: float
    games: int
    points: float

    @property
    def is_known(self) -> bool:
        """False when there were too few games: the interval is wider than any strength."""
        return self.high - self.low <= WIDEST_ELO


def rate(results: Results, anchors: Mapping[str, float] | None = None) -> list[Rating]:
    """The ratings of all entrants, the strongest first, by name where equal.

    results  pairs by the names of two entrants; (a, b) and (b, a) may both occur and are added.
    anchors  ratings that are given, by name. Without any, the mean of all ratings is zero, and an
             interval is that of the distance to this mean.

    The share of intervals that contain the true rating is CONFIDENCE when there are many more pairs
    than entrants; Student's quantile corrects in part for fewer. ValueError if an entrant met
    itself, if an anchor has not played, or if the games do not connect the entrants: every group
    that is connected by games needs an anchor, and without anchors there must be only one group.
    """
    anchors = anchors or {}
    played = _merged(results)
    names = sorted({name for names in played for name in names})
    _check_connected(names, played, anchors)
    if not names:
        return []
    fit = _Fit(names, played, anchors)
    times = student_quantile((1 + CONFIDENCE) / 2, max(fit.pairs - fit.unknowns, 1))
    ratings = []
    for name, elo, deviation in zip(names, fit.elos, fit.deviations(), strict=True):
        width = times * deviation
        own = sum((p for (a, _), p in played.items() if a == name), Pentanomial())
        own += sum((p.swapped for (_, b), p in played.items() if b == name), Pentanomial())
        ratings.append(Rating(name, elo, elo - width, elo + width, own.games, own.points))
    return sorted(ratings, key=lambda rating: (-round(rating.elo, 6), rating.name))


class _Fit:
    """The most likely ratings (computed in logits) and the parts of their covariance. Plain lists:
    entrants are few, and numpy takes longer to load than this takes."""

    def __init__(
        self,
        names: list[str],
        played: dict[tuple[str, str], Pentanomial],
        anchors: Mapping[str, float],
    ) -> None:
        self.entrants = len(names)
        place = {name: i for i, name in enumerate(names)}
        # One entry for each pairing: both entrants, pairs of each kind, and pairs of the prior.
        self.both = [(place[a], place[b]) for a, b in played]
        self.kinds = [pairs.counts for pairs in played.values()]
        met = [0.0] * self.entrants
        for (a, b), kinds in zip(self.both, self.kinds, strict=True):
            met[a] += sum(kinds)
            met[b] += sum(kinds)
        self.prior = [
            PRIOR_PAIRS * sum(kinds) * (1 / met[a] + 1 / met[b])
            for (a, b), kinds in zip(self.both, self.kinds, strict=True)
        ]
        self.games = [
            2 * (sum(kinds) + prior) for kinds, prior in zip(self.kinds, self.prior, strict=True)
        ]
        self.pairs = sum(map(sum, self.kinds))
        self.free = [i for i, name in enumerate(names) if name not in anchors]
        self.is_anchored = bool(anchors)
        self.unknowns = len(self.free) - (not self.is_anchored)
        middle = sum(anchors.values()) / len(anchors) if anchors else 0.0
        start = [anchors.get(name, middle) / ELO_PER_LOGIT for name in names]
        self.elos = [rating * ELO_PER_LOGIT for rating in self._most_likely(start)]

    def deviations(self) -> list[float]:
        """The standard error of every rating, in Elo."""
        expected = self._expected([elo / ELO_PER_LOGIT for elo in self.elos])
        squares = []
        for kinds, share, prior in zip(self.kinds, expected, self.prior, strict=True):
            # The squared error of each kind of pair, in points of the pair.
            off = [(2 * (score - share)) ** 2 for score in SCORES]
            square = sum(count * error for count, error in zip(kinds, off, strict=True))
            if self.pairs > self.unknowns:
                # Fitted ratings are nearer to the results than the true ones are.
                square *= self.pairs / (self.pairs - self.unknowns)
            squares.append(square + prior * PRIOR_VARIANCE)
        inverse, middle = self._inverse(self._information(expected)), self._laplacian(squares)
        # The diagonal of inverse * middle * inverse, which are symmetric.
        variances = [_dot(row, [_dot(other, row) for other in middle]) for row in inverse]
        return [math.sqrt(max(0.0, variance)) * ELO_PER_LOGIT for variance in variances]

    def _most_likely(self, ratings: list[float]) -> list[float]:
        """Newton's method from a start; the likelihood is concave, and a longer step is halved."""
        points = [
            2 * _dot(kinds, SCORES) + prior
            for kinds, prior in zip(self.kinds, self.prior, strict=True)
        ]

        def likelihood(at: list[float]) -> float:
            total = 0.0
            for (a, b), won, games in zip(self.both, points, self.games, strict=True):
                distance = at[a] - at[b]
                # log(1 + e^distance), which must not overflow.
                total -= games * (max(distance, 0.0) + math.log1p(math.exp(-abs(distance))))
                total += won * distance
            return total

        best = likelihood(ratings)
        for _ in range(MAX_STEPS):
            expected = self._expected(ratings)
            slope = [0.0] * self.entrants
            for (a, b), won, games, share in zip(
                self.both, points, self.games, expected, strict=True
            ):
                slope[a] += won - games * share
                slope[b] -= won - games * share
            step = [_dot(row, slope) for row in self._inverse(self._information(expected))]
            while True:
                there = [rating + change for rating, change in zip(ratings, step, strict=True)]
                now, longest = likelihood(there), max(map(abs, step))
                if now >= best or longest <= 1e-9:
                    break
                step = [change / 2 for change in step]
            ratings, best = there, now
            if longest < 1e-9:
                break
        return ratings

    def _expected(self, ratings: list[float]) -> list[float]:
        """The expected score of every pairing."""
        return [0.5 + 0.5 * math.tanh((ratings[a] - ratings[b]) / 2) for a, b in self.both]

    def _information(self, expected: list[float]) -> Matrix:
        """Minus the second derivative of the likelihood."""
        both = zip(self.games, expected, strict=True)
        return self._laplacian([games * share * (1 - share) for games, share in both])

    def _laplacian(self, weights: list[float]) -> Matrix:
        """The sum over pairings of weight * (e_a - e_b) (e_a - e_b)^T."""
        matrix = [[0.0] * self.entrants for _ in range(self.entrants)]
        for (a, b), weight in zip(self.both, weights, strict=True):
            matrix[a][a] += weight
            matrix[b][b] += weight
            matrix[a][b] -= weight
            matrix[b][a] -= weight
        return matrix

    def _inverse(self, information: Matrix) -> Matrix:
        """The inverse where ratings are free, zero at anchors.

        Without anchors all ratings can be shifted together without changing any expected score.
        Adding the matrix of ones / n fixes their mean; subtracting it again gives the inverse on
        the remaining space.
        """
        if not self.is_anchored:
            even = 1 / self.entrants
            found = _inverted([[value + even for value in row] for row in information])
            return [[value - even for value in row] for row in found]
        inverse = [[0.0] * self.entrants for _ in range(self.entrants)]
        found = _inverted([[information[i][j] for j in self.free] for i in self.free])
        for i, row in zip(self.free, found, strict=True):
            for j, value in zip(self.free, row, strict=True):
                inverse[i][j] = value
        return inverse


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _inverted(matrix: Matrix) -> Matrix:
    """The inverse of a positive definite matrix, by Gauss and Jordan: no pivots are needed."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [value / pivot for value in rows[i]]
        for j in range(size):
            if j != i and (factor := rows[j][i]):
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]


def _merged(results: Results) -> dict[tuple[str, str], Pentanomial]:
    """The results with one row for two entrants, and none without pairs."""
    merged: dict[tuple[str, str], Pentanomial] = {}
    for (a, b), pairs in results.items():
        if a == b:
            raise ValueError(f"{a} cannot be rated by games against itself")
        key, seen = ((a, b), pairs) if a < b else ((b, a), pairs.swapped)
        if seen.pairs:
            merged[key] = merged.get(key, Pentanomial()) + seen
    return merged


def _check_connected(
    names: list[str],
    played: Mapping[tuple[str, str], Pentanomial],
    anchors: Mapping[str, float],
) -> None:
    """ValueError unless every rating follows from the others or from an anchor."""
    for name, elo in anchors.items():
        if name not in names:
            raise ValueError(f"{name} is an anchor but has no pair of games")
        if not math.isfinite(elo):
            raise ValueError(f"the anchor {name} needs a finite rating, not {elo}")
    groups = {name: {name} for name in names}
    for a, b in played:
        if groups[a] is not groups[b]:
            groups[a] |= groups[b]
            for name in groups[b]:
                groups[name] = groups[a]
    separate = {id(group): sorted(group) for group in groups.values()}.values()
    loose = [group for group in separate if not any(name in anchors for name in group)]
    if loose and len(separate) > 1:
        shown = "; ".join(", ".join(group) for group in separate)
        raise ValueError(f"no games connect these groups, so each needs an anchor: {shown}")
