"""The codes of a cell and the threats that they make, by their definition, and the values file as
tables, written apart from the engine's own readers."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import NamedTuple

from engine.values import CODES, RULE_COUNT, SCALARS, THREAT_MASKS, load_body

# The line patterns, weakest to strongest, as numbered in patterns.pxd.
NAMES = (
    "dead overline blocked_one one blocked_two two_tight two two_wide "
    "blocked_three three three_wide four double_four open_four five"
).split()
PATTERN = {name: number for number, name in enumerate(NAMES)}


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


class ColourValues(NamedTuple):
    """The three tables of one colour, each CODES long."""

    value: list[int]
    attack: list[int]
    defend: list[int]


class RuleValues(NamedTuple):
    """Everything of one rule: Black's and White's tables, threat values and scalars."""

    colours: tuple[ColourValues, ColourValues]
    threat_value: list[int]
    scalars: dict[str, int]


def shipped_values() -> list[RuleValues]:
    """The values file of the engine, rule by rule."""
    numbers = iter(load_body()[1].tolist())

    def some(count: int) -> list[int]:
        return [next(numbers) for _ in range(count)]

    def colour() -> ColourValues:
        return ColourValues(some(CODES), some(CODES), some(CODES))

    def rule() -> RuleValues:
        colours = colour(), colour()
        masks = some(THREAT_MASKS)
        return RuleValues(colours, masks, dict(zip(SCALARS, some(len(SCALARS)), strict=True)))

    return [rule() for _ in range(RULE_COUNT)]
