"""Rows of a learned evaluation: the numbering of windows against its definition."""

from __future__ import annotations

import random

import pytest

from engine.rows import Numbering, numbering
from engine.rulebook import RULES

BLACK, WHITE, WALL = 1, 2, 3

# Rows, and the CRC of the numbering. Nets are bound to it: another CRC refuses every net there is.
PINNED = {
    0: (1653, 0x0B95940C),
    1: (7260, 0x590E75DB),
    4: (4005, 0xE21DE560),
    8: (14878, 0x79B07613),
    9: (14878, 0x79B07613),
}


def cells_of(half: int) -> list[int]:
    return [half >> 2 * i & 3 for i in range(5)]


def swapped(half: int) -> int:
    return sum(
        {0: 0, BLACK: WHITE, WHITE: BLACK, WALL: WALL}[cell] << 2 * i
        for i, cell in enumerate(cells_of(half))
    )


def seen_by(colour: int, cells: list[int], reach: int, ends_block: bool) -> str:
    """What matters of a half window to a colour: its cells up to the first foreign stone."""
    text = ""
    for cell in cells[:reach]:
        if cell not in (0, colour):
            return text + ("o" if ends_block and cell != WALL else "#")
        text += "x" if cell else "_"
    return text


def half_seen_by_both(rule: int, half: int) -> tuple[str, str]:
    row = next(row for row in RULES if row.number == rule)
    seen = []
    for index, colour in enumerate((BLACK, WHITE)):
        plain = row.overline_wins[index] and not row.ends_block
        seen.append(seen_by(colour, cells_of(half), 4 if plain else 5, row.ends_block))
    return seen[0], seen[1]


@pytest.mark.parametrize("rule", PINNED)
def test_the_numbering_is_the_one_that_nets_are_made_for(rule: int) -> None:
    count = numbering(rule)
    assert (count.rows, count.crc) == PINNED[rule]
    assert count.rows == count.classes * (count.classes + 1) // 2


@pytest.mark.parametrize("rule", PINNED)
def test_two_halves_share_a_class_where_no_colour_sees_a_difference(rule: int) -> None:
    count = numbering(rule)
    classes: dict[tuple[str, str], int] = {}
    for half in range(1024):
        number = classes.setdefault(half_seen_by_both(rule, half), len(classes))
        assert count.class_of_half[half] == number
    assert len(classes) == count.classes


@pytest.mark.parametrize("rule", PINNED)
def test_rows_are_numbered_in_the_order_of_their_classes(rule: int) -> None:
    count = numbering(rule)
    n = count.classes
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    assert [count.row_of_pair[i * n + j] for i, j in pairs] == list(range(count.rows))
    assert [count.row_of_pair[j * n + i] for i, j in pairs] == list(range(count.rows))


def row_of(count: Numbering, before: int, after: int) -> int:
    first, second = count.class_of_half[before], count.class_of_half[after]
    return count.row_of_pair[first * count.classes + second]


@pytest.mark.parametrize("rule", PINNED)
def test_swapped_is_the_row_of_the_window_with_its_colours_exchanged(rule: int) -> None:
    count = numbering(rule)
    rng = random.Random(rule)
    for _ in range(5000):
        before, after = rng.randrange(1024), rng.randrange(1024)
        here = row_of(count, before, after)
        if rule == 4:  # the colours are judged differently, and each has rows of its own
            assert count.swapped[here] == here
        else:
            assert count.swapped[here] == row_of(count, swapped(before), swapped(after))


def test_a_number_that_is_no_rule_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no rule 3; expected one of"):
        numbering(3)
