"""Ridge regression for any smooth loss: the optimiser that both fits use."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import minimize

from tengen.lab.train.shapes import Floats

# Steps of the optimiser; more change the loss on held-out games by less than a thousandth.
STEPS = 150
# A feature in fewer than one of 10,000 samples is scaled as if it were in one of them.
_LEAST_USUAL = 0.01


def fit(
    loss: Callable[[Floats], tuple[float, Floats]],
    usual: Floats,
    penalty: Floats,
    steps: int = STEPS,
) -> Floats:
    """The parameters that minimise `loss(parameters)` + sum(penalty * parameters**2).

    loss     returns its value and its gradient.
    usual    root mean square of each parameter's feature. Features differ in frequency by factors
             of thousands; the optimiser works on parameters multiplied by these sizes, because it
             would not converge otherwise.
    penalty  for each parameter.
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
