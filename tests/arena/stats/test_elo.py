"""Pairs of games and their likelihood; Elo and its intervals: conversions, the ends of the scale,
and how often the truth is inside."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

from tengen.arena.stats.elo import (
    Estimate,
    elo_estimate,
    elo_of_score,
    los,
    pairs_needed,
    score_of_elo,
    student_probability,
    student_quantile,
)
from tengen.arena.stats.pentanomial import (
    MAX_T,
    Pairing,
    Pentanomial,
    moments,
    support_of_mean,
    support_of_t,
)
from tests.arena.stats.test_sprt import TYPICAL, with_score

# Pairs LL, LD, split, WD, WW at equal strength: fewer split, more drawn.
DECISIVE = (0.22, 0.04, 0.48, 0.04, 0.22)
DRAWISH = (0.05, 0.22, 0.46, 0.22, 0.05)
# Six pairs of a hundred are not split.
HARDLY = (0.025, 0.005, 0.94, 0.005, 0.025)

SOME_PAIRS = st.builds(Pentanomial, *[st.integers(0, 60)] * 5)


# -- pairs


def test_pairs_are_counted_by_their_points() -> None:
    pairs = Pentanomial()
    for points in (2, 1, 1, 0.5, 1.5, 0):
        pairs = pairs.add(points)
    assert pairs == Pentanomial(1, 1, 2, 1, 1) and str(pairs) == "1 1 2 1 1"
    assert (pairs.pairs, pairs.games, pairs.points, pairs.score) == (6, 12, 6.0, 0.5)
    assert (pairs + Pentanomial(ww=3)).score == pytest.approx(12 / 18)
    with pytest.raises(ValueError, match="must not be negative"):
        Pentanomial(1, -1)


def test_games_are_paired_in_any_order() -> None:
    pairing = Pairing()
    results = [(7, 1.0), (2, 0.0), (2, 0.5), (5, 1.0), (7, 1.0), (9, 0.5)]
    assert [pairing.add_game(*each) for each in results] == [False, False, True, False, True, False]
    assert (pairing.pentanomial, pairing.single_games) == (Pentanomial(ld=1, ww=1), 2)
    assert (pairing.wins, pairing.losses, pairing.draws) == (3, 1, 2)


@given(SOME_PAIRS.filter(lambda pairs: pairs.pairs > 0))
def test_the_counts_agree_best_with_their_own_mean(pairs: Pentanomial) -> None:
    weights = [n or 1e-3 for n in pairs.counts]
    mean, variance = moments(weights)
    assert support_of_mean(pairs.counts, mean) == pytest.approx(0, abs=1e-9)
    t = (mean - 0.5) / math.sqrt(variance)
    if abs(t) <= MAX_T:
        assert support_of_t(pairs.counts, t) == pytest.approx(0, abs=1e-6)


@given(SOME_PAIRS, st.floats(0.01, 0.99), st.floats(-MAX_T, MAX_T))
def test_support_is_at_most_zero_and_symmetric(pairs: Pentanomial, mean: float, t: float) -> None:
    of_mean = support_of_mean(pairs.counts, mean)
    of_t = support_of_t(pairs.counts, t)
    assert of_mean <= 1e-9 and of_t <= 1e-6
    swapped = pairs.swapped.counts
    assert support_of_mean(swapped, 1 - mean) == pytest.approx(of_mean, abs=1e-6, rel=1e-6)
    assert support_of_t(swapped, -t) == pytest.approx(of_t, abs=1e-6, rel=1e-6)


def test_one_kind_of_pair_in_closed_form() -> None:
    """Ten pairs won: a mean of 0.8 needs a fifth of the pairs lost, so 0.8 to the tenth."""
    support = support_of_mean((0, 0, 0, 0, 10), 0.8)
    assert support == pytest.approx(10 * math.log(0.8), abs=0.05)


# -- Elo


@given(st.floats(-1500, 1500))
def test_scores_and_elo_are_inverse(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)
    assert score_of_elo(elo) == pytest.approx(1 / (1 + 10 ** (-elo / 400)))


def test_ends_of_the_scale() -> None:
    assert elo_of_score(0) == -math.inf and elo_of_score(1) == math.inf
    assert score_of_elo(1e9) == 1.0 and score_of_elo(-1e9) == 0.0
    assert elo_estimate(Pentanomial()) == Estimate(0.0, -math.inf, math.inf)
    for pairs, low in ((1, -math.inf), (3, -1e9), (10, 0.0)):
        won, lost = elo_estimate(Pentanomial(ww=pairs)), elo_estimate(Pentanomial(ll=pairs))
        assert won.elo == won.high == math.inf and won.low >= low
        assert (lost.elo, lost.low, lost.high) == (-math.inf, -math.inf, -won.low)
    # All split: finite, narrower with pairs, and never of width zero.
    highs = [elo_estimate(Pentanomial(split=n)).high for n in (3, 10, 30, 100)]
    assert highs == sorted(highs, reverse=True)
    assert math.isfinite(highs[0]) and highs[-1] > 3


def test_many_pairs_give_the_usual_interval() -> None:
    """With thousands of pairs it is the mean and 1.96 standard errors, turned into Elo."""
    pairs = Pentanomial(365, 16618, 36229, 16974, 390)
    error = 1.959964 * math.sqrt(moments(pairs.counts)[1] / pairs.pairs)
    estimate = elo_estimate(pairs)
    assert estimate.elo == pytest.approx(elo_of_score(pairs.score))
    assert estimate.low == pytest.approx(elo_of_score(pairs.score - error), abs=0.01)
    assert estimate.high == pytest.approx(elo_of_score(pairs.score + error), abs=0.01)


@given(SOME_PAIRS)
def test_los_and_intervals_agree(pairs: Pentanomial) -> None:
    estimate = elo_estimate(pairs)
    if abs(estimate.low) > 0.01:
        assert (los(pairs) > 0.975) == (estimate.low > 0)
    if abs(estimate.high) > 0.01:
        assert (los(pairs) < 0.025) == (estimate.high < 0)


# -- coverage


def _coverage(elo: float, kind: tuple[float, ...], pairs: int, matches: int) -> float:
    """The share of matches whose interval contains the true strength."""
    rng = np.random.default_rng(7)
    inside = 0
    for counts in rng.multinomial(pairs, with_score(score_of_elo(elo), kind), matches).tolist():
        estimate = elo_estimate(Pentanomial(*counts))
        inside += estimate.low <= elo <= estimate.high
    return inside / matches


@pytest.mark.parametrize("elo", [0, 200])
def test_coverage_of_a_few_matches(elo: float) -> None:
    assert 0.9 <= _coverage(elo, TYPICAL, 150, 300) <= 0.99


@pytest.mark.verify
@pytest.mark.parametrize(
    ("elo", "kind"),
    [*((elo, kind) for elo in (0, 50, 200) for kind in (TYPICAL, DECISIVE, DRAWISH)), (0, HARDLY)],
)
def test_coverage_of_two_thousand_matches(elo: float, kind: tuple[float, ...]) -> None:
    """HARDLY is the worst case of a match; the docstring of `tengen.arena.stats.elo` quotes it."""
    shares = {pairs: _coverage(elo, kind, pairs, 2000) for pairs in (100, 200, 400)}
    figures = ", ".join(f"{pairs} pairs {share:.2%}" for pairs, share in shares.items())
    print(f"95 % intervals of Elo, truth {elo}, pairs {kind}: {figures}")
    assert (0.9 if kind is HARDLY else 0.93) <= shares.pop(100) <= 0.97
    assert all(0.93 <= share <= 0.97 for share in shares.values())


@pytest.mark.parametrize(
    "counts", [(0, 0, 0, 0, 0), (0, 0, 1, 0, 0), (1, 0, 0, 0, 1), (0, 0, 0, 0, 2)]
)
def test_the_pairs_needed_are_enough_and_not_too_many(counts: tuple[int, ...]) -> None:
    pairs = Pentanomial(*counts)
    needed = pairs_needed(pairs)
    times = needed // max(1, pairs.pairs)
    like = counts if pairs.pairs else (0, 0, 1, 0, 0)
    assert needed > pairs.pairs
    for k in range(1, times + 1):
        assert elo_estimate(Pentanomial(*(k * c for c in like))).is_known == (k == times)


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 33, 100, 999, 5000, 20_001])
def test_probabilities_and_quantiles_are_those_of_scipy(degrees: int) -> None:
    for t in (-math.inf, -40, -5, -2, -0.1, 0, 0.3, 1, 1.96, 9, 50, math.inf):
        assert student_probability(t, degrees) == pytest.approx(stdtr(degrees, t), abs=1e-11)
    for share in (0.5, 0.6, 0.9, 0.975, 0.9995):
        assert student_quantile(share, degrees) == pytest.approx(stdtrit(degrees, share), rel=1e-9)
