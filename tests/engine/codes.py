"""The codes of a cell and the threats that they make, by their definition, and the values file as
tables, written apart from the engine's own readers."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np

from engine.values import CODES, RULE_COUNT, SCALARS, THREAT_MASKS, load_body

Numbers = Any  # an array of numpy

# The line patterns, weakest to strongest, as numbered in patterns.pxd.
NAMES = (
    "dead overline blocked_one one blocked_two two_tight two two_wide "
    "blocked_three three three_wide four double_four open_four five"
).split()


def all_codes() -> list[tuple[int, ...]]:
    """The members of every code, in the order patterns.pyx numbers them."""
    found = combinations_with_replacement(range(len(NAMES)), 4)
    return sorted(members[::-1] for members in found)


def cell_class(members: tuple[int, ...], renju_black: bool) -> str:
    """The threat of a code, by the definition in patterns.pyx."""
    names = [NAMES[member] for member in members]
    fours = names.count("four") + names.count("open_four") + 2 * names.count("double_four")
    threes = names.count("three") + names.count("three_wide")
    if "five" in names:
        return "five"
    if renju_black and ("overline" in names or fours > 1 or threes > 1):
        return "forbidden"
    if "open_four" in names:
        return "open_four"
    if names.count("four") + 2 * names.count("double_four") > 1:
        return "double_four"
    if fours:
        return "four_three" if threes else "four"
    if threes:
        return "double_three" if threes > 1 else "three"
    return "none"


class RuleValues(NamedTuple):
    """Everything of one rule. tables: of Black and of White the value, attack and defence of every
    code."""

    tables: Numbers
    threat_value: Numbers
    scalars: dict[str, int]


def shipped_values() -> list[RuleValues]:
    """The values file of the engine, rule by rule."""
    rows = np.array(load_body()[1], dtype=int).reshape(RULE_COUNT, -1)
    end = 6 * CODES + THREAT_MASKS
    return [
        RuleValues(
            row[: 6 * CODES].reshape(2, 3, CODES),
            row[6 * CODES : end],
            dict(zip(SCALARS, row[end:].tolist(), strict=True)),
        )
        for row in rows
    ]
