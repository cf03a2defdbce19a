"""Ratings: what they must satisfy, a second way to get them, and how wide their intervals are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from tengen.arena.stats.elo import elo_estimate, score_of_elo
from tengen.arena.stats.pentanomial import Pentanomial
from tengen.arena.stats.ratings import PRIOR_PAIRS, Rating, Results, rate
from tests.arena.stats.test_sprt import TYPICAL, with_score

THREE: Results = {
    ("a", "b"): Pentanomial(4, 1, 30, 2, 9),
    ("c", "b"): Pentanomial(9, 2, 25, 1, 3),
    ("c", "a"): Pentanomial(12, 1, 20, 0, 2),
}


def _by_name(ratings: list[Rating]) -> dict[str, Rating]:
    return {rating.name: rating for rating in ratings}


def test_agrees_with_a_direct_optimiser() -> None:
    """The likelihood with its prior, written out and given to scipy."""
    pairs = {name: sum(p.pairs for key, p in THREE.items() if name in key) for name in "abc"}

    def loss(free: np.ndarray) -> float:
        elo = dict(zip("abc", (*free, -sum(free)), strict=True))
        total = 0.0
        for (a, b), played in THREE.items():
            extra = PRIOR_PAIRS * played.pairs * (1 / pairs[a] + 1 / pairs[b])
            won, lost = played.points + extra, played.games - played.points + extra
            total -= won * math.log(score_of_elo(elo[a] - elo[b]))
            total -= lost * math.log(score_of_elo(elo[b] - elo[a]))
        return total

    found = minimize(loss, [0.0, 0.0], method="Nelder-Mead", options={"xatol": 1e-4, "fatol": 1e-9})
    a, b, c = rate(THREE)
    assert (a.name, b.name, c.name, a.games, b.games) == ("a", "b", "c", 162, 172)
    assert sum(rating.points for rating in (a, b, c)) == sum(p.games for p in THREE.values())
    assert a.elo + b.elo + c.elo == pytest.approx(0, abs=1e-6)
    assert [a.elo, b.elo] == pytest.approx(found.x, abs=0.01)


def test_two_entrants_are_like_a_match() -> None:
    """The distance and its interval are nearly those that the match itself gives."""
    pairs = Pentanomial(40, 30, 630, 40, 70)
    first, second = rate({("x", "y"): pairs})
    estimate = elo_estimate(pairs)
    assert first.elo - second.elo == pytest.approx(estimate.elo, abs=0.1)
    assert 2 * first.low == pytest.approx(estimate.low, abs=0.3)
    assert 2 * first.high == pytest.approx(estimate.high, abs=0.3)


def test_pairs_decided_together_widen_the_interval() -> None:
    """The same points, once as split pairs and once as pairs won or lost together."""
    split = rate({("x", "y"): Pentanomial(split=100)})[0]
    independent = rate({("x", "y"): Pentanomial(25, 0, 50, 0, 25)})[0]
    together = rate({("x", "y"): Pentanomial(50, 0, 0, 0, 50)})[0]
    widths = [rating.high - rating.low for rating in (split, independent, together)]
    assert 0 < widths[0] < widths[1] / 5
    assert widths[2] == pytest.approx(widths[1] * math.sqrt(2), rel=0.02)


def test_who_won_everything_is_finite_and_clearly_ahead() -> None:
    ratings = rate({("x", "y"): Pentanomial(ww=20), ("y", "z"): Pentanomial(5, 0, 10, 0, 5)})
    assert [rating.name for rating in ratings][0] == "x"
    best, others = ratings[0], ratings[1:]
    assert math.isfinite(best.high)
    assert best.low > max(rating.elo for rating in others)
    ratings = rate({("x", "y"): Pentanomial(ww=10**7), ("y", "z"): Pentanomial(ww=1)})
    assert all(math.isfinite(rating.low) and math.isfinite(rating.high) for rating in ratings)


def test_anchors() -> None:
    free = _by_name(rate(THREE))
    one = _by_name(rate(THREE, {"b": 1800.0}))
    assert one["b"] == Rating("b", 1800.0, 1800.0, 1800.0, 172, free["b"].points)
    for name in "ac":
        distance = free[name].elo - free["b"].elo
        assert one[name].elo == pytest.approx(1800 + distance, abs=1e-6)
    two = _by_name(rate(THREE, {"a": 2000.0, "c": 1500.0}))
    assert (two["a"].elo, two["c"].elo) == (2000.0, 1500.0)
    assert 1500 < two["b"].low < two["b"].high < 2000
    everybody = rate(THREE, {"a": 3.0, "b": 2.0, "c": 1.0})
    assert [(rating.elo, rating.low) for rating in everybody] == [(3, 3), (2, 2), (1, 1)]


def test_groups_that_never_met() -> None:
    apart: Results = {("a", "b"): Pentanomial(1, 0, 5, 0, 2), ("c", "d"): Pentanomial(2, 0, 5)}
    with pytest.raises(ValueError, match="each needs an anchor: a, b; c, d"):
        rate(apart)
    with pytest.raises(ValueError, match="each needs an anchor"):
        rate(apart, {"a": 0.0})
    assert len(rate(apart, {"a": 0.0, "d": 100.0})) == 4
    joined = {**apart, ("d", "a"): Pentanomial(split=1)}
    assert len(rate(joined)) == 4


def test_what_cannot_be_rated() -> None:
    assert rate({}) == rate({("a", "b"): Pentanomial()}) == []
    with pytest.raises(ValueError, match="against itself"):
        rate({("a", "a"): Pentanomial(split=1)})
    with pytest.raises(ValueError, match="has no pair"):
        rate(THREE, {"nobody": 0.0})
    with pytest.raises(ValueError, match="finite"):
        rate(THREE, {"a": math.inf})


# -- coverage


def _coverage(truth: list[float], pairs: int, tables: int) -> float:
    """The share of ratings whose interval contains the true one, in a round robin."""
    rng = np.random.default_rng(11)
    names = [f"entrant {i}" for i in range(len(truth))]
    chances = {
        (i, j): with_score(score_of_elo(truth[i] - truth[j]), TYPICAL)
        for i in range(len(truth))
        for j in range(i)
    }
    inside = 0
    for _ in range(tables):
        results = {
            (names[i], names[j]): Pentanomial(*rng.multinomial(pairs, each).tolist())
            for (i, j), each in chances.items()
        }
        ratings = _by_name(rate(results))
        for name, elo in zip(names, truth, strict=True):
            inside += ratings[name].low <= elo <= ratings[name].high
    return inside / tables / len(truth)


def test_coverage_of_a_few_tables() -> None:
    assert 0.91 <= _coverage([-200, -60, 0, 60, 200], 40, 200) <= 0.99


@pytest.mark.verify
@pytest.mark.parametrize("pairs", [20, 40, 100])
def test_coverage_of_two_thousand_tables(pairs: int) -> None:
    share = _coverage([-200, -60, 0, 60, 200], pairs, 2000)
    print(f"95 % intervals of ratings, 5 entrants, {pairs} pairs each with each: {share:.2%}")
    assert 0.93 <= share <= 0.97
