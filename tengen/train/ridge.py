"""The optimiser that both fits share: a smooth loss plus a penalty on the size of the numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from tengen.train.shapes import Floats

# Of the optimiser: more change the loss of games not learned from by less than a thousandth.
STEPS = 150
# What was met in less than one sample of 10,000 is treated as if it were met in one.
_LEAST_USUAL = 0.01


def fit(
    loss: Callable[[Floats], tuple[float, Floats]],
    usual: Floats,
    penalty: Floats,
    steps: int = STEPS,
) -> Floats:
    """The numbers that make `loss(numbers)` + sum(penalty * numbers**2) smallest.

    loss     returns its value and its gradient.
    usual    how large what a number is multiplied with usually is (root mean square). Numbers of
             rare things and of frequent ones differ by thousands in what a step of one does; the
             optimiser sees them multiplied by this, or it would not come to rest.
    penalty  of each number.
    steps    of the optimiser, at most.
    """
    scale = 1 / np.maximum(usual, _LEAST_USUAL)

    def whole(scaled: Floats) -> tuple[float, Floats]:
        numbers = scaled * scale
        value, gradient = loss(numbers)
        penalties = penalty * numbers
        return value + float(numbers @ penalties), (gradient + 2 * penalties) * scale

    found = minimize(
        whole,
        np.zeros(len(usual)),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": steps, "maxfun": 2 * steps},
    )
    return np.asarray(found.x * scale, dtype=np.float64)
