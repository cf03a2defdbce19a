"""What the trainer reads of positions, compared with the board."""

from __future__ import annotations

import random

import numpy as np
import pytest

from engine.features import GameReader, features_of, patterns_of_rows
from engine.model import Rule
from engine.rows import numbering
from tests.engine.probe import ProbeBoard

ROW = 32
FIVE, OPEN_FOUR = 8, 7  # threats as patterns.pxd numbers them
RULES = [0, 4, 8]


def stones_of(seed: int, width: int, height: int, count: int) -> list[tuple[int, int]]:
    """Random points in the order in which they are played."""
    rng = random.Random(seed)
    return rng.sample([(x, y) for y in range(height) for x in range(width)], count)


def as_array(points: list[tuple[int, int]]) -> np.ndarray[tuple[int], np.dtype[np.uint16]]:
    return np.array([y * ROW + x for x, y in points], np.uint16)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("count", [0, 1, 12, 33])
def test_features_are_those_of_the_board(rule: int, count: int) -> None:
    width, height = 11, 9
    points = stones_of(count, width, height, count + 1)
    board = ProbeBoard(width, height, rule)
    for i, (x, y) in enumerate(points[:-1]):
        board.make(x, y, 1 + i % 2)
    mover = 1 + count % 2
    played = as_array(points)[-1]
    rows, cells, candidates, chosen = features_of(
        rule, width, height, as_array(points[:-1]), int(played)
    )
    empty = features_of(rule, width, height, as_array([]))
    assert empty == ([], [], [], -1)
    near = sorted(board.moves("all"), key=lambda point: point[::-1]) if count else []
    assert len(candidates) == len(near)
    patterns = patterns_of_rows(rule)
    numbers = numbering(rule)
    assert [divmod(cells[entry][0], width)[::-1] for entry in candidates] == near
    reached = {
        (x + way * i * dx, y + way * i * dy)
        for x, y in points[:-1]
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
        for i in range(1, 6)
        for way in (-1, 1)
    }
    assert {divmod(at, width)[::-1] for at, *_ in cells} <= reached | set(near)
    for entry, (at, region, own, other) in enumerate(cells):
        y, x = divmod(at, width)
        assert (x, y) in board.empties()
        assert region == (x > 3) + (x > 6) + 3 * ((y > 2) + (y > 5))
        assert (own, other) == (board.threat(x, y, mover), board.threat(x, y, 3 - mover))
        for view, colour in enumerate((mover, 3 - mover)):
            of_set = [
                row - (numbers.rows if rule == Rule.RENJU and colour == 2 else 0)
                for row in rows[entry][view]
            ]
            # The colour's own pattern is the first one in its view; renju's rows are not turned.
            shift = 4 if rule == Rule.RENJU and colour == 2 else 0
            assert [patterns[row] >> shift & 15 for row in of_set] == [
                board.line(x, y, d, colour) for d in range(4)
            ]
    assert chosen == (near.index(points[-1]) if points[-1] in near else -1)


@pytest.mark.parametrize("rule", RULES)
def test_games_are_described_as_the_board_sees_them(rule: int) -> None:
    reader = GameReader(rule, 9, 9)
    for seed in range(3):  # the reader is used again
        points = stones_of(seed, 9, 9, 30)
        size = len(points)
        threats, decided = np.zeros(size, np.uint32), np.zeros(size, np.uint8)
        reader.describe(as_array(points), threats, decided)
        board = ProbeBoard(9, 9, rule)
        for i, (x, y) in enumerate(points):
            mover = 1 + i % 2
            assert decided[i] == bool(
                board.count(1, FIVE) or board.count(2, FIVE) or board.count(mover, OPEN_FOUR)
            )
            packed = [
                min(3, board.count(colour, threat))
                for colour in (mover, 3 - mover)
                for threat in range(1, 9)
            ]
            assert [int(threats[i]) >> 2 * at & 3 for at in range(16)] == packed
            board.make(x, y, mover)


@pytest.mark.parametrize("stones", [[5, 5], [9], [9 * ROW]])
def test_a_stone_that_cannot_be_there_is_refused(stones: list[int]) -> None:
    reader = GameReader(0, 9, 9)
    empty = [np.zeros(2, kind) for kind in (np.uint32, np.uint8)]
    with pytest.raises(ValueError, match="is not on an empty point"):
        reader.describe(np.array(stones, np.uint16), *empty)
    reader.describe(np.array([5, 6], np.uint16), *empty)  # and can be used further
