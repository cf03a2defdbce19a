"""Student's distribution, compared with scipy's."""

from __future__ import annotations

import pytest
from scipy.special import stdtr, stdtrit

from tengen.arena.stats.elo import probability, quantile


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 33, 100, 999, 5000, 20_001])
def test_probabilities_and_quantiles_are_those_of_scipy(degrees: int) -> None:
    for t in (-40, -5, -2, -0.1, 0, 0.3, 1, 1.96, 9, 50):
        assert probability(t, degrees) == pytest.approx(stdtr(degrees, t), abs=1e-11)
    for share in (0.5, 0.6, 0.9, 0.975, 0.9995):
        assert quantile(share, degrees) == pytest.approx(stdtrit(degrees, share), rel=1e-9)


def test_infinity_has_all_or_nothing_below_it() -> None:
    assert probability(float("inf"), 3) == 1 and probability(float("-inf"), 4) == 0
