"""Elo and its intervals: conversions, the ends of the scale, and how often the truth is inside."""

from __future__ import annotations

import math
import subprocess
import sys

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
from tengen.arena.stats.pentanomial import SCORES, Pentanomial, moments
from tests.arena.stats.test_sprt import with_score

# Pairs LL, LD, split, WD, WW at equal strength: as Gomoku gives them, fewer split, more drawn.
TYPICAL = (0.06, 0.03, 0.82, 0.03, 0.06)
DECISIVE = (0.22, 0.04, 0.48, 0.04, 0.22)
DRAWISH = (0.05, 0.22, 0.46, 0.22, 0.05)
# Six pairs of a hundred are not split.
HARDLY = (0.025, 0.005, 0.94, 0.005, 0.025)

SOME_PAIRS = st.builds(Pentanomial, *[st.integers(0, 60)] * 5)


@given(st.floats(-1500, 1500))
def test_scores_and_elo_are_inverse(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)
    assert score_of_elo(elo) == pytest.approx(1 / (1 + 10 ** (-elo / 400)))


def test_ends_of_the_scale() -> None:
    assert elo_of_score(0) == -math.inf and elo_of_score(1) == math.inf
    assert score_of_elo(1e9) == 1.0 and score_of_elo(-1e9) == 0.0
    with pytest.raises(ValueError, match="between 0 and 1"):
        elo_of_score(1.01)
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
    error = 1.959964 * math.sqrt(moments(pairs.counts, SCORES)[1] / pairs.pairs)
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


def test_importing_is_cheap() -> None:
    """The command line must not wait for scipy when it only prints help."""
    code = "import sys\nfrom tengen.arena.stats import elo, ratings, sprt\n"
    code += "print('numpy' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert answer.stdout == "False\n"


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
@pytest.mark.parametrize("kind", [TYPICAL, DECISIVE, DRAWISH], ids=["typical", "decisive", "draws"])
@pytest.mark.parametrize("elo", [0, 50, 200])
def test_coverage_of_two_thousand_matches(elo: float, kind: tuple[float, ...]) -> None:
    shares = {pairs: _coverage(elo, kind, pairs, 2000) for pairs in (100, 200, 400)}
    figures = ", ".join(f"{pairs} pairs {share:.2%}" for pairs, share in shares.items())
    print(f"95 % intervals of Elo, truth {elo}, pairs {kind}: {figures}")
    assert all(0.93 <= share <= 0.97 for share in shares.values())


@pytest.mark.verify
def test_coverage_where_hardly_a_pair_is_decided() -> None:
    """The worst case of a match; the docstring of `tengen.arena.stats.elo` quotes it."""
    shares = {pairs: _coverage(0, HARDLY, pairs, 2000) for pairs in (100, 200, 400)}
    figures = ", ".join(f"{pairs} pairs {share:.2%}" for pairs, share in shares.items())
    print(f"95 % intervals of Elo, truth 0, pairs {HARDLY}: {figures}")
    assert shares[100] >= 0.9
    assert 0.93 <= shares[200] <= 0.97 and 0.93 <= shares[400] <= 0.97


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
    for t in (-40, -5, -2, -0.1, 0, 0.3, 1, 1.96, 9, 50):
        assert student_probability(t, degrees) == pytest.approx(stdtr(degrees, t), abs=1e-11)
    for share in (0.5, 0.6, 0.9, 0.975, 0.9995):
        assert student_quantile(share, degrees) == pytest.approx(stdtrit(degrees, share), rel=1e-9)


def test_infinity_has_all_or_nothing_below_it() -> None:
    assert student_probability(float("inf"), 3) == 1 and student_probability(float("-inf"), 4) == 0
