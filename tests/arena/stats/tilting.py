"""Kinds of pairs for simulations, tilted to one side until they have a given strength."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tengen.arena.stats.pentanomial import SCORES

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
