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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tengen.arena.stats.elo import CONFIDENCE, WIDEST_ELO
from tengen.arena.stats.pentanomial import SCORES, Pentanomial

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

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
    widths = fit.deviations() * _quantile(fit.pairs - fit.unknowns)
    ratings = []
    for name, elo, width in zip(names, fit.elos.tolist(), widths.tolist(), strict=True):
        own = sum((p for (a, _), p in played.items() if a == name), Pentanomial())
        own += sum((p.swapped for (_, b), p in played.items() if b == name), Pentanomial())
        ratings.append(Rating(name, elo, elo - width, elo + width, own.games, own.points))
    return sorted(ratings, key=lambda rating: (-round(rating.elo, 6), rating.name))


def counted_from(name: str, ratings: Sequence[Rating]) -> list[Rating]:
    """The same ratings with that entrant at 0. The intervals keep their width: they are those of
    the distance to the mean of all, not to that entrant. ValueError if there is no such entrant."""
    zero = next((rating.elo for rating in ratings if rating.name == name), None)
    if zero is None:
        raise ValueError(f"{name} has no rating to count from")
    return [replace(r, elo=r.elo - zero, low=r.low - zero, high=r.high - zero) for r in ratings]


class _Fit:
    """The most likely ratings (computed in logits) and the parts of their covariance."""

    def __init__(
        self,
        names: list[str],
        played: dict[tuple[str, str], Pentanomial],
        anchors: Mapping[str, float],
    ) -> None:
        import numpy as np

        self.entrants = len(names)
        place = {name: i for i, name in enumerate(names)}
        # One row for each pairing: both entrants, pairs of each kind, and pairs of the prior.
        self.first = np.array([place[a] for a, _ in played])
        self.second = np.array([place[b] for _, b in played])
        self.kinds = np.array([pairs.counts for pairs in played.values()], dtype=np.float64)
        counts = self.kinds.sum(axis=1)
        met = np.bincount(self.first, counts, self.entrants)
        met += np.bincount(self.second, counts, self.entrants)
        self.prior = PRIOR_PAIRS * counts * (1 / met[self.first] + 1 / met[self.second])
        self.pairs = int(counts.sum())
        self.is_free = np.array([name not in anchors for name in names])
        self.is_anchored = bool(anchors)
        self.unknowns = int(self.is_free.sum()) - (not self.is_anchored)
        start = np.array([anchors.get(name, 0.0) for name in names])
        if self.is_anchored:
            start[self.is_free] = np.mean(list(anchors.values()))
        self.elos = self._most_likely(start / ELO_PER_LOGIT) * ELO_PER_LOGIT

    def deviations(self) -> Floats:
        """The standard error of every rating, in Elo."""
        import numpy as np

        expected = self._expected(self.elos / ELO_PER_LOGIT)
        # The squared error of each kind of pair, in points of the pair.
        off = (2 * (np.array(SCORES)[None, :] - expected[:, None])) ** 2
        square = (self.kinds * off).sum(axis=1)
        if self.pairs > self.unknowns:
            # Fitted ratings are nearer to the results than the true ones are.
            square *= self.pairs / (self.pairs - self.unknowns)
        square += self.prior * PRIOR_VARIANCE
        inverse = self._inverse(self._information(expected))
        covariance = inverse @ self._laplacian(square) @ inverse
        return np.asarray(np.sqrt(np.diag(covariance)) * ELO_PER_LOGIT)

    def _most_likely(self, ratings: Floats) -> Floats:
        """Newton's method from a start; the likelihood is concave, and a longer step is halved."""
        import numpy as np

        weights = 2 * (self.kinds.sum(axis=1) + self.prior)
        points = 2 * (self.kinds @ np.array(SCORES)) + self.prior

        def likelihood(at: Floats) -> float:
            distance = at[self.first] - at[self.second]
            return float((points * distance - weights * np.logaddexp(0, distance)).sum())

        best = likelihood(ratings)
        for _ in range(MAX_STEPS):
            expected = self._expected(ratings)
            missing = points - weights * expected
            slope = np.bincount(self.first, missing, self.entrants)
            slope -= np.bincount(self.second, missing, self.entrants)
            step = self._inverse(self._information(expected)) @ slope
            while (now := likelihood(ratings + step)) < best and np.abs(step).max() > 1e-9:
                step /= 2
            ratings, best = ratings + step, now
            if np.abs(step).max() < 1e-9:
                break
        return ratings

    def _expected(self, ratings: Floats) -> Floats:
        """The expected score of every pairing."""
        import numpy as np

        return np.asarray(0.5 + 0.5 * np.tanh((ratings[self.first] - ratings[self.second]) / 2))

    def _information(self, expected: Floats) -> Floats:
        """Minus the second derivative of the likelihood."""
        games = 2 * (self.kinds.sum(axis=1) + self.prior)
        return self._laplacian(games * expected * (1 - expected))

    def _laplacian(self, weights: Floats) -> Floats:
        """The sum over pairings of weight * (e_a - e_b) (e_a - e_b)^T."""
        import numpy as np

        matrix = np.zeros((self.entrants, self.entrants))
        for a, b, weight in zip(self.first, self.second, weights, strict=True):
            matrix[a, a] += weight
            matrix[b, b] += weight
            matrix[a, b] -= weight
            matrix[b, a] -= weight
        return matrix

    def _inverse(self, information: Floats) -> Floats:
        """The inverse where ratings are free, zero at anchors.

        Without anchors all ratings can be shifted together without changing any expected score.
        Adding the matrix of ones / n fixes their mean; subtracting it again gives the inverse on
        the remaining space.
        """
        import numpy as np

        if not self.is_anchored:
            even = np.full_like(information, 1 / self.entrants)
            return np.asarray(np.linalg.inv(information + even) - even)
        inverse = np.zeros_like(information)
        free = np.flatnonzero(self.is_free)
        inverse[np.ix_(free, free)] = np.linalg.inv(information[np.ix_(free, free)])
        return inverse


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


def _quantile(degrees: int) -> float:
    """Student's quantile for a two-sided interval."""
    from scipy.special import stdtrit

    return float(stdtrit(max(degrees, 1), (1 + CONFIDENCE) / 2))
