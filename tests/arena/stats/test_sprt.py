"""The sequential test: published values, a slow second way to get them, and its error rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.optimize import minimize

from tengen.arena.stats.pentanomial import SCORES, Pentanomial
from tengen.arena.stats.sprt import Model, Sprt, Verdict

LOGISTIC, NORMALIZED = Model.LOGISTIC, Model.NORMALIZED

# Pairs LL, LD, split, WD, WW; the bounds; the log-likelihood ratio: those that chess programs'
# testers publish with their tests.
VECTORS = [
    (NORMALIZED, (365, 16618, 36229, 16974, 390), (0, 2), 2.250),
    (NORMALIZED, (134, 5897, 13530, 6129, 118), (-1.75, 0.25), 2.932),
    (NORMALIZED, (178, 43099, 113790, 42954, 169), (-1.75, 0.25), 2.967),
    (NORMALIZED, (1721, 77704, 208246, 77189, 1732), (-1.75, 0.25), 3.194),
    (LOGISTIC, (223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.074),
]
# Pairs as Gomoku gives them: mostly split.
TYPICAL = (0.06, 0.03, 0.82, 0.03, 0.06)


@pytest.mark.parametrize(("model", "counts", "bounds", "llr"), VECTORS)
def test_published_values(
    model: Model, counts: Sequence[int], bounds: tuple[float, float], llr: float
) -> None:
    # They were cut or rounded after the third digit.
    assert Sprt(*bounds, model=model).llr(Pentanomial(*counts)) == pytest.approx(llr, abs=1e-3)


# -- a second way, slow and direct


def _oracle_log_likelihood(counts: Sequence[int], elo: float, model: Model) -> float:
    """The greatest log-likelihood of the counts by scipy, straight from the definitions."""
    weights = np.array([n or 1e-3 for n in counts], dtype=float)
    scores = np.array(SCORES)

    def violation(chances: np.ndarray) -> float:
        mean = chances @ scores
        if model is Model.LOGISTIC:
            return float(mean - 1 / (1 + 10 ** (-elo / 400)))
        deviation_of_pair = math.sqrt(chances @ (scores - mean) ** 2)
        deviation_of_game = deviation_of_pair * math.sqrt(2)
        return float(mean - 0.5 - elo * math.log(10) / 800 * deviation_of_game)

    found = minimize(  # type: ignore[call-overload]  # it wants dicts of a class of its own
        lambda chances: -(weights @ np.log(chances)) / weights.sum(),
        weights / weights.sum(),
        jac=lambda chances: -weights / chances / weights.sum(),
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda chances: chances.sum() - 1},
            {"type": "eq", "fun": violation},
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    assert abs(violation(found.x)) < 1e-7 and abs(found.x.sum() - 1) < 1e-7
    return float(-found.fun * weights.sum())


@pytest.mark.parametrize("model", Model)
@pytest.mark.parametrize("bounds", [(0, 10), (-20, 5), (30, 90)])
@pytest.mark.parametrize(
    "counts",
    [
        (40, 30, 630, 40, 70),
        (3, 1, 20, 2, 9),
        (20, 5, 40, 2, 6),
        (1, 10, 30, 12, 2),
        (30, 1, 5, 1, 50),
        (100, 200, 300, 250, 120),
        (1, 1, 1, 1, 1),
    ],
)
def test_agrees_with_a_direct_optimiser(
    counts: Sequence[int], bounds: tuple[float, float], model: Model
) -> None:
    low, high = (_oracle_log_likelihood(counts, elo, model) for elo in bounds)
    llr = Sprt(*bounds, model=model).llr(Pentanomial(*counts))
    assert llr == pytest.approx(high - low, abs=2e-4)


# -- properties


def test_bounds_and_verdicts() -> None:
    test = Sprt(0, 10, alpha=0.05, beta=0.1)
    assert test.lower == pytest.approx(math.log(0.1 / 0.95))
    assert test.upper == pytest.approx(math.log(0.9 / 0.05))
    assert test.verdict(Pentanomial()) is Verdict.UNDECIDED
    assert test.verdict(Pentanomial(40, 30, 630, 40, 70)) is Verdict.H1
    assert test.verdict(Pentanomial(70, 40, 630, 30, 40)) is Verdict.H0
    assert [verdict.value for verdict in Verdict] == ["H0 accepted", "H1 accepted", "undecided"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 5), "elo0 < elo1"),
        ((0, 1000), "between -600 and 600"),
        ((math.nan, 10), "elo0 < elo1"),
        ((0, 10, 0.0), "alpha must lie"),
        ((0, 10, 0.05, 0.7), "beta must lie"),
    ],
)
def test_tests_that_make_no_sense(arguments: tuple[float, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        Sprt(*arguments)  # type: ignore[arg-type]  # the fifth would be a Model
    assert "\n" not in str(error.value)


# -- error rates


def _chances(elo: float, model: Model) -> list[float]:
    """Typical pairs, tilted to one side until their strength is `elo`."""
    scores = np.array(SCORES)

    def is_too_weak(chances: Chances) -> bool:
        mean = chances @ scores
        if model is Model.LOGISTIC:
            return 400 * math.log10(mean / (1 - mean)) < elo
        deviation = math.sqrt(2 * (chances @ (scores - mean) ** 2))
        return bool(800 / math.log(10) * (mean - 0.5) / deviation < elo)

    return [float(x) for x in tilted(TYPICAL, is_too_weak)]


def _simulate(test: Sprt, elo: float, runs: int, seed: int) -> tuple[float, float]:
    """The share of runs that accept H1 when the strength is `elo`, and the mean pairs of a run."""
    rng = np.random.default_rng(seed)
    chances = _chances(elo, test.model)
    accepted = total = 0
    for _ in range(runs):
        counts = [0] * 5
        verdict = Verdict.UNDECIDED
        while verdict is Verdict.UNDECIDED:
            for kind in rng.choice(5, 100, p=chances).tolist():
                counts[kind] += 1
                verdict = test.verdict(Pentanomial(*counts))
                if verdict is not Verdict.UNDECIDED:
                    break
        accepted += verdict is Verdict.H1
        total += sum(counts)
    return accepted / runs, total / runs


@pytest.mark.parametrize(
    ("test", "runs", "most"),
    [
        *((Sprt(0, 90, model=model), 100, 0.12) for model in Model),
        pytest.param(Sprt(0, 10), 2000, 0.06, marks=pytest.mark.verify),
        pytest.param(Sprt(0, 30, model=NORMALIZED), 2000, 0.06, marks=pytest.mark.verify),
    ],
    ids=str,
)
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_errors(test: Sprt, runs: int, most: float, truth: str) -> None:
    elo = test.elo0 if truth == "H0" else test.elo1
    accepted, pairs = _simulate(test, elo, runs, seed=3)
    wrong = accepted if truth == "H0" else 1 - accepted
    print(f"{test}, truth {elo}: {wrong:.2%} of {runs} runs wrong, {pairs:.0f} pairs a run")
    assert wrong <= most


Chances = np.ndarray


def tilted(pairs: tuple[float, ...], is_too_weak: Callable[[Chances], bool]) -> Chances:
    """The chances of each kind of pair, tilted until they are just strong enough."""
    low, high = -40.0, 40.0
    while high - low > 1e-12:
        tilt = (low + high) / 2
        chances = np.array(pairs) * np.exp(tilt * np.array(SCORES))
        chances /= chances.sum()
        low, high = (tilt, high) if is_too_weak(chances) else (low, tilt)
    return chances


def with_score(score: float, pairs: tuple[float, ...]) -> Chances:
    """The chances, tilted until their mean is `score`."""
    return tilted(pairs, lambda chances: bool(chances @ SCORES < score))
