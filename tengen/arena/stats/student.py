"""Student's t distribution for whole degrees of freedom.

The sums are exact: formulas 26.7.3 and 26.7.4 of M. Abramowitz and I. A. Stegun, "Handbook of
Mathematical Functions" (1964). scipy has them too, but takes 140 MB and 0.1 s to load.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist


def probability(t: float, degrees: int) -> float:
    """The probability of a value below t; `degrees` is at least 1."""
    if math.isinf(t):
        return float(t > 0)
    angle = math.atan2(t, math.sqrt(degrees))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    is_odd = degrees % 2
    # 1 + 2/3 c^2 + 2*4/(3*5) c^4 + ..., or 1 + 1/2 c^2 + 1*3/(2*4) c^4 + ...
    term = total = float(degrees > 1)
    for k in range(2 + is_odd, degrees, 2):
        term *= square * (k - 1) / k
        total += term
    if is_odd:
        between = 2 / math.pi * (angle + sine * math.cos(angle) * total)
    else:
        between = sine * total
    return 0.5 + between / 2


@lru_cache(maxsize=1024)
def quantile(share: float, degrees: int) -> float:
    """The value that a share of all values, 0.5 to below 1, lies below."""
    # Above zero the probability is concave, so Newton's steps from below never go too far.
    t = NormalDist().inv_cdf(share)
    log_scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)
    log_scale -= math.log(degrees * math.pi) / 2
    while True:
        log_density = log_scale - (degrees + 1) / 2 * math.log1p(t * t / degrees)
        step = (share - probability(t, degrees)) / math.exp(log_density)
        t += step
        if step <= 1e-12 * t:
            return t
