"""Strength levels: the one table of what each level sees. `engine.model` has the functions too, and
callers take them from there.

Levels go from 1, a beginner, to MAX_LEVEL, the whole engine; a strength, as managers send it, from
0 to MAX_STRENGTH. A weak level is not made to play bad moves: it sees less, and plays the best move
of what it sees. Its search is small, values are blurred, and it overlooks some moves.
The numbers were set by matches of neighbouring levels (docs/MEASUREMENTS.md).
"""

from __future__ import annotations

from operator import index
from typing import NamedTuple

MAX_LEVEL = 10
MAX_STRENGTH = 100
MAX_SEED = 2**31 - 1


class Sight(NamedTuple):
    """What a level below MAX_LEVEL sees.

    nodes             most nodes of a search.
    depth_plies       last iteration of it.
    noise             centi-stones: the largest error of a static value; most are half as large.
    unseen_quiet      permille of the quiet moves that are not considered, drawn at every move.
    unseen_threats    the same for moves that make or stop a three or more.
    unseen_fives      permille: how often a five, to make or to stop, is overlooked.
    vcf_leaf_nodes    budget of the search for wins by fours at a leaf.
    vcf_root_nodes    the same at the root.
    """

    nodes: int
    depth_plies: int
    noise: int
    unseen_quiet: int
    unseen_threats: int
    unseen_fives: int
    vcf_leaf_nodes: int
    vcf_root_nodes: int


# By level, from 1. A level sees at least as much as the one before it, in every column.
_SIGHTS = (
    Sight(20, 1, 700, 925, 905, 560, 0, 0),
    Sight(30, 1, 650, 893, 850, 350, 0, 0),
    Sight(40, 1, 540, 830, 760, 0, 0, 0),
    Sight(60, 1, 430, 690, 560, 0, 0, 0),
    Sight(100, 2, 305, 490, 350, 0, 0, 0),
    Sight(150, 3, 222, 330, 200, 0, 0, 0),
    Sight(350, 4, 158, 215, 72, 0, 0, 50),
    Sight(1_050, 7, 93, 136, 15, 0, 6, 400),
    Sight(2_600, 12, 62, 93, 5, 0, 12, 1_500),
)


def check_seed(seed: int) -> int:
    """The seed; ValueError for anything but a whole number from 0 to MAX_SEED."""
    return _checked("seed", seed, 0, MAX_SEED)


def level_of(strength: int) -> int:
    """The level of a strength: ten of them for every 100, only MAX_STRENGTH is the last one.
    ValueError for anything but a whole number from 0 to MAX_STRENGTH."""
    strength = _checked("strength", strength, 0, MAX_STRENGTH)
    return 1 + strength * (MAX_LEVEL - 1) // MAX_STRENGTH


def strength_of(level: int) -> int:
    """The least strength of a level; ValueError for anything but a whole number from 1 to
    MAX_LEVEL."""
    return -((_checked("level", level, 1, MAX_LEVEL) - 1) * -MAX_STRENGTH // (MAX_LEVEL - 1))


def sight_of(strength: int) -> Sight | None:
    """What is seen at a strength; None = all, the whole engine."""
    level = level_of(strength)
    return None if level == MAX_LEVEL else _SIGHTS[level - 1]


def _checked(name: str, value: int, low: int, high: int) -> int:
    try:
        number = -1 if isinstance(value, bool) else index(value)
    except TypeError:
        number = -1
    if not low <= number <= high:
        raise ValueError(
            f"{name} {value!r} does not exist; expected a whole number from {low} to {high}"
        )
    return number
