"""What a net says of a position, by the definitions: slow, from the stones, in whole numbers.

The trainer's kernels are compared with it, and so is tests/engine/net_oracle.py, with which the
engine's inference is compared. It takes from the engine how windows are numbered, which patterns a
window has and which threat four patterns are (`numbering`, `patterns_of_rows`, `cell_class`); these
have tests of their own. Reading windows and adding up are its own code. docs/NET.md has the same
definitions in words.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.features import patterns_of_rows
from engine.model import Position, Rule, Stone
from engine.network import COUNTS, HIDDEN, THREATS, WIDTH, Network, sets_of
from engine.rows import Numbering, numbering
from tests.engine.codes import cell_class

Integers = NDArray[np.int64]

# Centi-stones of 1.0 (in logits) of the output, whose integer is then 127 * 64.
_CENTI_STONES, _LOGIT = 220, 8128
_THREATS = (
    "none",
    "forbidden",
    "three",
    "double_three",
    "four",
    "four_three",
    "double_four",
    "open_four",
    "five",
)
_STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
_HALF_WINDOW = 5


class Answer(NamedTuple):
    """What a net says.

    output  the integer of the last layer; 8128 is one logit.
    value   centi-stones that the net adds to the table's value, for the side to move.
    sums    the sums over the board, (2, WIDTH), for the side to move and the opponent.
    policy  the integer logit (8128 is one) of a move on each empty cell.
    """

    output: int
    value: int
    sums: Integers
    policy: dict[tuple[int, int], int]


def ask(net: Network, position: Position) -> Answer:
    """The net's answer for any position, walls included."""
    stones = {(x, y): int(stone) for x, y, stone in position.stones}
    empty = [
        (x, y)
        for y in range(position.height)
        for x in range(position.width)
        if (x, y) not in stones
    ]
    rows = np.array([_rows_of(position, stones, cell) for cell in empty], np.int64).reshape(-1, 4)
    mover = int(position.side_to_move)
    colours = (mover, 3 - mover)
    sets = sets_of(net.rule)
    head = mover - 1 if sets == 2 else 0
    features = [_features(net, rows, colour) for colour in colours]
    sums = np.stack([each.sum(axis=0) for each in features])
    inputs = np.minimum(127, sums >> net.shift).ravel()
    threats = [_threats(net.rule, rows, colour) for colour in colours]

    def part(name: str, *shape: int) -> Integers:
        numbers = np.array(getattr(net, name), np.int64)
        return np.asarray(numbers.reshape(sets, *shape)[head])

    hidden = part("b1", HIDDEN).copy()
    rows_of_threats = part("threat_rows", 2, THREATS, COUNTS, HIDDEN)
    for side in range(2):
        for threat in range(1, THREATS + 1):
            count = min(3, threats[side].count(threat))
            hidden += rows_of_threats[side, threat - 1, count]
    h1 = np.clip((hidden + part("w1", HIDDEN, 2 * WIDTH) @ inputs) >> 6, 0, 127)
    h2 = np.clip((part("b2", HIDDEN) + part("w2", HIDDEN, HIDDEN) @ h1) >> 6, 0, 127)
    output = int(part("b3", 1)[0] + part("w3", HIDDEN) @ h2)
    weights = np.clip((part("bp", WIDTH) + part("wp", WIDTH, HIDDEN) @ h2) >> 6, -127, 127)
    half = WIDTH // 2
    entry = part("entry", THREATS + 1, THREATS + 1)
    logits = features[0][:, :half] @ weights[:half] + features[1][:, :half] @ weights[half:]
    policy = {
        cell: int(logits[i] + 64 * entry[threats[0][i], threats[1][i]])
        for i, cell in enumerate(empty)
    }
    return Answer(output, output * _CENTI_STONES // _LOGIT, sums, policy)


@cache
def _windows(rule: int) -> Numbering:
    """How windows are numbered."""
    return numbering(rule)


def _features(net: Network, rows: Integers, colour: int) -> Integers:
    """The clipped features of all empty cells as one colour sees them, (cells, WIDTH)."""
    count, sets = _windows(net.rule), sets_of(net.rule)
    if colour == Stone.WHITE and sets == 1:
        rows = np.array(count.swapped, np.int64)[rows]
    view = colour - 1 if sets == 2 else 0
    table = np.array(net.rows, np.int64).reshape(sets, count.rows, WIDTH)[view]
    bias = np.array(net.bias, np.int64).reshape(sets, WIDTH)[view]
    return np.asarray(np.clip(bias + table[rows].sum(axis=1), 0, 127))


def _rows_of(
    position: Position, stones: dict[tuple[int, int], int], cell: tuple[int, int]
) -> list[int]:
    """The rows of a cell's four windows as they are on the board, Black's view."""
    count = _windows(position.rule)
    rows = []
    for dx, dy in _STEPS:
        classes = [
            count.class_of_half[_half(position, stones, cell, (sign * dx, sign * dy))]
            for sign in (-1, 1)
        ]
        rows.append(count.row_of_pair[classes[0] * count.classes + classes[1]])
    return rows


def _half(
    position: Position,
    stones: dict[tuple[int, int], int],
    cell: tuple[int, int],
    step: tuple[int, int],
) -> int:
    """The half window from a cell in one direction: two bits a cell, the nearest one lowest."""
    half = 0
    for i in range(_HALF_WINDOW):
        x, y = cell[0] + (i + 1) * step[0], cell[1] + (i + 1) * step[1]
        on_board = 0 <= x < position.width and 0 <= y < position.height
        half |= (stones.get((x, y), 0) if on_board else int(Stone.WALL)) << (2 * i)
    return half


def _threats(rule: int, rows: Integers, colour: int) -> list[int]:
    """What a stone of the colour would threaten on each empty cell."""
    patterns = patterns_of_rows(rule)
    shift = 0 if colour == Stone.BLACK else 4
    is_judged_as_black = rule == Rule.RENJU and colour == Stone.BLACK
    found = []
    for four in rows.tolist():
        members = tuple(patterns[row] >> shift & 15 for row in four)
        found.append(_THREATS.index(cell_class(members, is_judged_as_black)))
    return found
