"""Pairs of games: counting, putting together, and the likelihood that statistics rest on."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.stats.pentanomial import (
    MAX_T,
    SCORES,
    Pairing,
    Pentanomial,
    moments,
    support_of_mean,
    support_of_t,
)

PAIRS = st.builds(Pentanomial, *[st.integers(0, 500)] * 5)


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


# -- how likely counts are


@given(PAIRS.filter(lambda pairs: pairs.pairs > 0))
def test_the_counts_agree_best_with_their_own_mean(pairs: Pentanomial) -> None:
    weights = [n or 1e-3 for n in pairs.counts]
    mean, variance = moments(weights, SCORES)
    assert support_of_mean(pairs.counts, SCORES, mean) == pytest.approx(0, abs=1e-9)
    t = (mean - 0.5) / math.sqrt(variance)
    if abs(t) <= MAX_T:
        assert support_of_t(pairs.counts, t) == pytest.approx(0, abs=1e-6)


@given(PAIRS, st.floats(0.01, 0.99), st.floats(-MAX_T, MAX_T))
def test_support_is_at_most_zero_and_symmetric(pairs: Pentanomial, mean: float, t: float) -> None:
    of_mean = support_of_mean(pairs.counts, SCORES, mean)
    of_t = support_of_t(pairs.counts, t)
    assert of_mean <= 1e-9 and of_t <= 1e-6
    swapped = pairs.swapped.counts
    assert support_of_mean(swapped, SCORES, 1 - mean) == pytest.approx(of_mean, abs=1e-6, rel=1e-6)
    assert support_of_t(swapped, -t) == pytest.approx(of_t, abs=1e-6, rel=1e-6)


def test_one_kind_of_pair_in_closed_form() -> None:
    """Ten pairs won: a mean of 0.8 needs a fifth of the pairs lost, so 0.8 to the tenth."""
    support = support_of_mean((0, 0, 0, 0, 10), SCORES, 0.8)
    assert support == pytest.approx(10 * math.log(0.8), abs=0.05)
