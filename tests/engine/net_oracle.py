"""The net's arithmetic a second time, plain and slow (docs/NET.md), and boards to compare it on."""

from __future__ import annotations

import random
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from engine.model import Position
from engine.network import PARTS, Network
from engine.patterns import numbering
from tests.engine.positions import probe_of
from tests.engine.probe import ProbeBoard

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
SWAPPED = (0, 2, 1, 3)
KINDS = (0, 1, 0, 1, 2, 1, 0, 1, 0)  # of regions: corners, edges, the centre
Numbers = Any  # arrays of numpy of any whole type


class Judged(NamedTuple):
    """What the net says of a position: its value, the policy of every empty point, and the integer
    of the last layer, 8128 to a logit."""

    value: int
    policy: dict[tuple[int, int], int]
    sums: Numbers  # 9 regions of 64, Black's view first, then 32 of the policy; they have 16 bits
    output: int


known = cache(numbering)


def third(x: int, size: int) -> int:
    """Which third of a side of the board."""
    outer = (size + 1) // 3
    return 0 if x < outer else 2 if x >= size - outer else 1


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
        walls = {point: stone for point, stone in stones.items() if stone == 3}
        features = self.features(stones, size, b)
        changes = features - self.features(walls, size, None)
        for (x, y), _ in stones.items():
            changes[:, y, x] = 0
        sums = np.zeros((9, 2, 48), dtype=np.int64)
        for y, x in np.ndindex(height, width):
            sums[third(x, width) + 3 * third(y, height)] += changes[:, y, x]
        sums = sums.astype(np.int16).astype(np.int64)
        whole = sums.sum(axis=0).astype(np.int16).astype(np.int64)
        head, own, other = self.sets[side - 1], side - 1, 2 - side
        shift = self.net.shift

        def inputs(part: Numbers, by: int) -> Numbers:
            return np.clip(np.concatenate([part[own], part[other]]) >> by, -127, 127)

        def threats(name: str) -> Numbers:
            return sum(
                head[name][i][threat - 1][min(3, b.count(colour, threat))]
                for i, colour in enumerate((side, 3 - side))
                for threat in range(1, 9)
            )

        a = [inputs(whole[:, :32], shift)]
        seen: list[list[Numbers]] = [[], [], []]
        for region in range(9):
            kind = KINDS[region]
            x = head["wr"][kind] @ inputs(sums[region, :, :32], shift - 1)
            seen[kind].append(np.clip((head["br"][kind] + x) >> 6, 0, 127))
        a += [sum(each) // len(each) for each in seen]
        h1 = (head["b1"] + threats("threat_rows") + head["w1"] @ np.concatenate(a)) >> 6
        h2 = np.clip((head["b2"] + head["w2"] @ np.clip(h1, 0, 127)) >> 6, 0, 127)
        out = int(head["b3"][0]) + int(head["w3"] @ h2)
        am = inputs(whole[:, 32:], shift)
        hm = (head["bm"] + threats("move_threat_rows") + head["wm"] @ am) >> 6
        p = np.clip((head["bp"] + head["wp"] @ np.clip(hm, 0, 127)) >> 6, -127, 127)
        policy = {}
        for x, y in b.empties():
            dot = features[own, y, x, 32:] @ p[:16] + features[other, y, x, 32:] @ p[16:]
            pair = 9 * b.threat(x, y, side) + b.threat(x, y, 3 - side)
            policy[x, y] = int(dot) + 64 * int(head["entry"][pair])
        of_value = sums[:, :, :32].ravel()
        all_sums = np.concatenate([of_value, whole[:, 32:].ravel()]).astype(np.int16)
        return Judged(out * 220 // 8128, policy, all_sums, out)

    def features(
        self, stones: dict[tuple[int, int], int], size: tuple[int, int], b: ProbeBoard | None
    ) -> Numbers:
        """The clipped features, [view][y][x][channel]. b: the board, for the threats of its empty
        cells; None: there are none."""
        width, height = size
        grid = np.full((height + 10, width + 10), 3)
        grid[5:-5, 5:-5] = 0
        for (x, y), stone in stones.items():
            grid[y + 5, x + 5] = stone
        threats = np.zeros((2, height, width), dtype=np.int64)
        if b is not None:
            for x, y in b.empties():
                threats[:, y, x] = b.threat(x, y, 1), b.threat(x, y, 2)
        views = []
        for view, part in enumerate(self.sets):
            seen = np.array(SWAPPED)[grid] if view == 1 and not self.is_renju else grid
            rows = sum(part["rows"][self.rows(seen, step)] for step in DIRECTIONS)
            pairs = part["pairs"][9 * threats[view] + threats[1 - view]]
            views.append(np.clip(part["bias"] + rows + pairs, 0, 127))
        return np.array(views)

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


SIZES = ((5, 5), (6, 9), (9, 6), (15, 15), (20, 20), (22, 22), (22, 5))


class Table:
    """A board with stones played at random: mostly near others, now and then the wrong colour."""

    def __init__(self, width: int, height: int, rule: int, rng: random.Random) -> None:
        cells = [(x, y) for x in range(width) for y in range(height)]
        self.walls = rng.sample(cells, rng.choice((0, 0, 3)))
        self.size = (width, height)
        self.rng = rng
        self.board = ProbeBoard(width, height, rule, self.walls)
        self.stones: list[tuple[int, int, int]] = []
        self.side = 1

    def all(self) -> dict[tuple[int, int], int]:
        return {**dict.fromkeys(self.walls, 3), **{(x, y): c for x, y, c in self.stones}}

    def make(self) -> None:
        empty = self.board.empties()
        near = []
        if self.stones:
            x, y, _ = self.rng.choice(self.stones[-8:])
            near = [p for p in empty if max(abs(p[0] - x), abs(p[1] - y)) <= 2]
        x, y = self.rng.choice(near if near and self.rng.random() < 0.9 else empty)
        colour = self.side if self.rng.random() < 0.9 else 3 - self.side
        self.board.make(x, y, colour)
        self.stones.append((x, y, colour))
        self.side = 3 - colour

    def undo(self) -> None:
        self.board.undo()
        self.side = self.stones.pop()[2]
        self.board.set_side(self.side)

    def wander(self, steps: int) -> None:
        """Makes and takes back stones."""
        for _ in range(steps):
            back = self.stones and (self.rng.random() < 0.4 or not self.board.empties())
            self.undo() if back else self.make()
