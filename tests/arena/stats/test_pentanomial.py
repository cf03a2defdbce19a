"""Pairs of games: counting, putting together, and the likelihood that statistics rest on."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tengen.arena.stats.pentanomial import (
    MAX_T,
    SCORES,
    Pentanomial,
    moments,
    pair_up,
    support_of_mean,
    support_of_t,
)

PAIRS = st.builds(Pentanomial, *[st.integers(0, 500)] * 5)


def test_counts_points_and_moments() -> None:
    pairs = Pentanomial(1, 2, 3, 4, 5)
    assert (pairs.pairs, pairs.games, pairs.points) == (15, 30, 20.0)
    assert pairs.score == pytest.approx(20 / 30)
    each = [0.0] + [0.25] * 2 + [0.5] * 3 + [0.75] * 4 + [1.0] * 5
    mean = sum(each) / 15
    assert pairs.variance == pytest.approx(sum((x - mean) ** 2 for x in each) / 15)


def test_nothing_known() -> None:
    assert (Pentanomial().pairs, Pentanomial().score, Pentanomial().variance) == (0, 0.5, 0.0)


def test_adding_pairs() -> None:
    pairs = Pentanomial()
    for points in (2, 1, 1, 0.5, 1.5, 0):
        pairs = pairs.add(points)
    assert pairs == Pentanomial(1, 1, 2, 1, 1) == Pentanomial.of_points([0, 0.5, 1, 1, 1.5, 2])
    assert pairs + Pentanomial(ww=3) == Pentanomial(1, 1, 2, 1, 4)


@pytest.mark.parametrize("points", [-0.5, 0.25, 1.9, 2.5, math.nan, math.inf])
def test_points_that_no_pair_gives(points: float) -> None:
    with pytest.raises(ValueError, match="a pair gives"):
        Pentanomial().add(points)


def test_negative_counts() -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        Pentanomial(1, -1)


def test_text_form() -> None:
    assert str(Pentanomial(40, 30, 630, 40, 70)) == "40 30 630 40 70"


@given(PAIRS)
def test_swapping_sides(pairs: Pentanomial) -> None:
    assert pairs.swapped.swapped == pairs
    assert pairs.swapped.points == pairs.games - pairs.points
    assert pairs.swapped.variance == pytest.approx(pairs.variance)


def test_pairing_games_in_any_order() -> None:
    results = [(7, 1.0), (2, 0.0), (2, 0.5), (5, 1.0), (7, 1.0), (9, 0.5)]
    assert pair_up(results) == (Pentanomial(ld=1, ww=1), 2)
    assert pair_up([]) == (Pentanomial(), 0)


def test_games_that_cannot_be_paired() -> None:
    with pytest.raises(ValueError, match="more than two games"):
        pair_up([(1, 1.0), (1, 0.0), (1, 0.0)])
    with pytest.raises(ValueError, match="0, 0.5 or 1"):
        pair_up([(1, 2.0)])


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


def test_a_t_out_of_reach() -> None:
    with pytest.raises(ValueError, match="at most"):
        support_of_t((1, 1, 1, 1, 1), MAX_T + 0.1)
