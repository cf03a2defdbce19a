"""Features that codes share, so that rare codes get sensible values.

A code says what a stone would make in four directions (engine/patterns.pxd). There are 3,060 codes,
and most are rare. A fitted table is therefore the sum of two parts: weights of a few shared
*shapes* (each line pattern, each pair of patterns that cross, and the threat that they make
together), and a correction for each code, which stays near zero until many games support it.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.hand_values import CELL, NAMES, all_codes, cell_class
from engine.values import CODES, THREAT_MASKS

Floats = NDArray[np.float64]

MASK_BITS = 8


def shapes_of_codes(is_black_in_renju: bool = False) -> Floats:
    """The shapes of every code, (CODES, shapes): the count of each pattern, the count of each pair
    of patterns, and the threat that they make together, one-hot."""
    patterns = len(NAMES)
    pairs = [(a, b) for a in range(patterns) for b in range(a + 1)]
    pair_column = {pair: patterns + i for i, pair in enumerate(pairs)}
    threats = list(CELL)
    first_threat = patterns + len(pairs)
    shapes = np.zeros((CODES, first_threat + len(threats)))
    for row, members in enumerate(all_codes()):
        for member in members:
            shapes[row, member] += 1
        for pair in combinations(members, 2):
            shapes[row, pair_column[pair]] += 1
        shapes[row, first_threat + threats.index(cell_class(members, is_black_in_renju))] = 1
    return shapes


class CodeTables:
    """Tables with a number for each code: shared weights plus a correction for each code.

    tables     1 for both colours, or 2, Black's and White's (renju). Two tables also share weights
               and corrections; what one colour adds to them is penalised DIFFERENCE times as much,
               because each colour has only half of the data.
    size       the number of parameters.
    penalty    of each parameter, for ridge.fit().
    """

    DIFFERENCE = 4.0

    def __init__(self, is_renju: bool, shape_penalty: float, code_penalty: float) -> None:
        self.tables = 2 if is_renju else 1
        self._shapes = [shapes_of_codes(is_renju and table == 0) for table in range(self.tables)]
        self._width = self._shapes[0].shape[1]
        one = np.repeat([shape_penalty, code_penalty], [self._width, CODES])
        parts = [one] if self.tables == 1 else [one, *[one * self.DIFFERENCE] * self.tables]
        self.penalty = np.concatenate(parts)
        self.size = len(self.penalty)

    def numbers(self, parameters: Floats) -> Floats:
        """The tables, (tables, CODES)."""
        common, *own = parameters.reshape(-1, self._width + CODES)
        rows = []
        for table, shapes in enumerate(self._shapes):
            part = common + own[table] if own else common
            rows.append(shapes @ part[: self._width] + part[self._width :])
        return np.stack(rows)

    def gradient(self, by_code: Floats) -> Floats:
        """The gradient by parameter, from the gradient by code, (tables, CODES)."""
        own = [
            np.concatenate([shapes.T @ slopes, slopes])
            for shapes, slopes in zip(self._shapes, by_code, strict=True)
        ]
        return own[0] if self.tables == 1 else np.concatenate([np.sum(own, axis=0), *own])

    def usual(self, shares: Floats) -> Floats:
        """The root mean square of each parameter's feature, from the mean square of each code's,
        (tables, CODES)."""
        own = [
            np.sqrt(np.concatenate([share @ shapes**2, share]))
            for shapes, share in zip(self._shapes, shares, strict=True)
        ]
        common = np.sqrt(np.sum(np.square(own), axis=0))
        return own[0] if self.tables == 1 else np.concatenate([common, *own])


def threats_of_codes(is_black_in_renju: bool = False) -> list[str]:
    """The threat of every code, by its name in engine.hand_values.CELL."""
    return [cell_class(members, is_black_in_renju) for members in all_codes()]


def bits_of_masks() -> Floats:
    """The bits of every threat mask, (THREAT_MASKS, MASK_BITS), 0 or 1."""
    masks = np.arange(THREAT_MASKS)[:, None]
    return (masks >> np.arange(MASK_BITS) & 1).astype(np.float64)
