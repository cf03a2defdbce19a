"""The net's arithmetic a second time, plain and slow, from the stones of a board (docs/NET.md)."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine._probe import ProbeBoard
from engine.model import Position
from engine.network import PARTS, Network
from engine.rows import Numbering, numbering
from tests.engine.positions import probe_of

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
SWAPPED = (0, 2, 1, 3)
Numbers = Any  # arrays of numpy of any whole type


class Judged(NamedTuple):
    """What the net says of a position: its value, the policy of every empty point, and the integer
    of the last layer, 8128 to a logit."""

    value: int
    policy: dict[tuple[int, int], int]
    sums: Numbers  # (2, 32): Black's view, White's view
    output: int


@cache
def known(rule: int) -> Numbering:
    return numbering(rule)


def parts_of(net: Network, index: int) -> dict[str, Numbers]:
    """The parts of one set, in their shapes."""
    rows = known(net.rule).rows
    found = {}
    for part in PARTS:
        shape = tuple(rows if size == -1 else size for size in part.shape)
        whole = np.array(getattr(net, part.name), dtype=np.int64)
        found[part.name] = whole.reshape((-1, *shape))[index]
    return found


class Oracle:
    """Judges boards by one net."""

    def __init__(self, net: Network) -> None:
        self.net = net
        self.is_renju = net.rule == 4
        first = parts_of(net, 0)
        self.sets = (first, parts_of(net, 1) if self.is_renju else first)

    def judge(
        self, stones: dict[tuple[int, int], int], size: tuple[int, int], side: int, b: ProbeBoard
    ) -> Judged:
        """`stones`: 1 Black, 2 White, 3 wall; of the board only threats are asked."""
        width, height = size
        grid = np.full((height + 10, width + 10), 3)
        grid[5:-5, 5:-5] = 0
        for (x, y), stone in stones.items():
            grid[y + 5, x + 5] = stone
        is_empty = grid[5:-5, 5:-5] == 0
        views = []
        for view, part in enumerate(self.sets):
            seen = np.array(SWAPPED)[grid] if view == 1 and not self.is_renju else grid
            rows = sum(part["rows"][self.rows(seen, step)] for step in DIRECTIONS)
            views.append(np.clip(part["bias"] + rows, 0, 127)[is_empty])
        features = np.array(views)
        points = [(int(x), int(y)) for y, x in np.argwhere(is_empty)]
        sums = features.sum(axis=1)
        head, own, other = self.sets[side - 1], side - 1, 2 - side
        a = np.minimum(127, np.concatenate([sums[own], sums[other]]) >> self.net.shift)
        t = sum(
            head["threat_rows"][i][threat - 1][min(3, b.count(colour, threat))]
            for i, colour in enumerate((side, 3 - side))
            for threat in range(1, 9)
        )
        h1 = np.clip((head["b1"] + t + head["w1"] @ a) >> 6, 0, 127)
        h2 = np.clip((head["b2"] + head["w2"] @ h1) >> 6, 0, 127)
        out = int(head["b3"][0]) + int(head["w3"] @ h2)
        p = np.clip((head["bp"] + head["wp"] @ h2) >> 6, -127, 127)
        dots = features[own][:, :16] @ p[:16] + features[other][:, :16] @ p[16:]
        policy = {}
        for (x, y), dot in zip(points, dots, strict=True):
            pair = 9 * b.threat(x, y, side) + b.threat(x, y, 3 - side)
            policy[x, y] = int(dot) + 64 * int(head["entry"][pair])
        return Judged(out * 220 // 8128, policy, sums, out)

    def rows(self, grid: Numbers, step: tuple[int, int]) -> Numbers:
        """The row of every cell's window along a direction."""
        count = known(self.net.rule)
        height, width = grid.shape[0] - 10, grid.shape[1] - 10

        def classes(way: int) -> Numbers:
            half = 0
            for i in range(1, 6):
                y, x = 5 + way * i * step[1], 5 + way * i * step[0]
                half = half + (grid[y : y + height, x : x + width] << 2 * i - 2)
            return np.array(count.class_of_half)[half]

        return np.array(count.row_of_pair)[classes(-1) * count.classes + classes(1)]


def ask(net: Network, position: Position) -> Judged:
    """What a net says of a position without walls."""
    board = probe_of(position)
    stones = {(x, y): int(colour) for x, y, colour in position.stones}
    size = (position.width, position.height)
    return Oracle(net).judge(stones, size, int(position.side_to_move), board)
