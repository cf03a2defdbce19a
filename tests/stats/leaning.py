"""Kinds of pairs for simulations, leant to one side until they have a given strength."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tengen.stats.pentanomial import SCORES

Chances = np.ndarray


def leant(pairs: tuple[float, ...], is_too_weak: Callable[[Chances], bool]) -> Chances:
    """The chances of each kind of pair, leant until they are just not too weak any more."""
    low, high = -40.0, 40.0
    while high - low > 1e-12:
        lean = (low + high) / 2
        chances = np.array(pairs) * np.exp(lean * np.array(SCORES))
        chances /= chances.sum()
        low, high = (lean, high) if is_too_weak(chances) else (low, lean)
    return chances


def with_score(score: float, pairs: tuple[float, ...]) -> Chances:
    """The chances, leant until their mean is `score`."""
    return leant(pairs, lambda chances: bool(chances @ SCORES < score))
