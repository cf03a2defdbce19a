"""Writes the values file from a few numbers set by hand: `python -m engine.hand_values`.

The numbers below are first guesses of the right order of magnitude. The shipped file is fitted to
games instead (docs/TRAINING.md). This program overwrites it, as the start of a new fit.
"""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from engine.rulebook import RULES
from engine.values import DEFAULT_FILE, VALUE_FRACTION, ColourValues, RuleValues, encode

VERSION = 1

# The line patterns, weakest to strongest, as numbered in patterns.pxd.
NAMES = (
    "dead overline blocked_one one blocked_two two_tight two two_wide "
    "blocked_three three three_wide four double_four open_four five"
).split()
PATTERN = {name: number for number, name in enumerate(NAMES)}

# Worth of an empty cell for making this pattern there, one direction, centi-stones.
VALUE = dict(zip(NAMES, (0, 0, 0, 1, 1, 2, 3, 4, 5, 13, 16, 16, 16, 60, 100), strict=True))
# Ordering score of making it.
ORDER = dict(zip(NAMES, (0, 0, 2, 5, 9, 14, 22, 28, 30, 80, 100, 90, 90, 300, 400), strict=True))
# Strength of a direction when it crosses another one, eighths.
CROSS = dict(zip(NAMES, (0, 0, 0, 2, 3, 6, 8, 10, 12, 24, 28, 30, 30, 30, 30), strict=True))

# By the threat of the whole cell: worth, ordering score of making it and of preventing it.
# Cells that are forbidden to Black in renju count against Black.
CELL = {
    "forbidden": (-10, -200, 0),
    "none": (0, 0, 0),
    "three": (2, 240, 160),
    "double_three": (35, 1400, 900),
    "four": (2, 260, 150),
    "four_three": (70, 4000, 2400),
    "double_four": (90, 5000, 2700),
    "open_four": (60, 6000, 3000),
    "five": (100, 10000, 9000),
}

# What each bit of the mask of threats (evaluate.pyx) adds to the static value.
THREAT_BITS = (12, 10, 110, -4, -4, -35, -100, -70)
SCALARS = {"tempo": 120, "killer_bonus": 120, "counter_bonus": 80, "near_bonus": 40}


def all_codes() -> list[tuple[int, int, int, int]]:
    """The members of every code, in the order patterns.pyx numbers them."""
    count = len(NAMES)
    return [
        (a, b, c, d)
        for a in range(count)
        for b in range(a + 1)
        for c in range(b + 1)
        for d in range(c + 1)
    ]


def cell_class(members: tuple[int, ...], renju_black: bool) -> str:
    """The threat of a code, by the definition in patterns.pyx (a test compares the two)."""
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


def colour_values(renju_black: bool) -> ColourValues:
    """The three tables of one colour."""
    tables = ColourValues([], [], [])
    for members in all_codes():
        names = [NAMES[member] for member in members]
        kind = cell_class(members, renju_black)
        worth, attack, defend = CELL[kind]
        if kind == "forbidden":
            tables.value.append(worth * VALUE_FRACTION)
            tables.attack.append(attack)
            tables.defend.append(defend)
            continue
        crossing = sum(CROSS[one] * CROSS[other] for one, other in combinations(names, 2))
        order = sum(ORDER[name] for name in names)
        centi_stones = worth + sum(VALUE[name] for name in names) + crossing // 64
        tables.value.append(centi_stones * VALUE_FRACTION)
        tables.attack.append(attack + order + crossing // 16)
        tables.defend.append(defend + (order + crossing // 16) * 3 // 4)
    return tables


def threat_values() -> list[int]:
    """One number for each mask of threats: the sum of what its bits add."""
    return [
        sum(worth for bit, worth in enumerate(THREAT_BITS) if mask >> bit & 1)
        for mask in range(256)
    ]


def hand_values() -> bytes:
    """The whole values file."""
    plain, black = colour_values(False), colour_values(True)
    rules = [
        RuleValues((black if row.black_has_fouls else plain, plain), threat_values(), SCALARS)
        for row in RULES
    ]
    return encode(rules, VERSION)


if __name__ == "__main__":
    Path(DEFAULT_FILE).write_bytes(hand_values())
