"""Openings that give neither side an advantage, and which side of an opening is better.

Both are decided by searches of a brain. An opening here is stones of Black and White in turn. Its
value is that of the side to move, of White where the number of stones is odd: `Judged.value`.

Where there is no time to search, balanced openings come from a book. A line of it is of a rule, by
its number, and of a square board. An opening is two letters for each stone, column and row from the
top left, Black's first, and then the value for White in hundredths of a stone, found by a search of
200,000 nodes. No search of 20,000, 60,000 or 200,000 nodes gave either side more than MOST_UNEVEN,
neither then nor after White's best move. `central` are two of the 26 openings of renju, none of
which is so balanced. tests/protocol/test_openings.py searches them again.
"""

from __future__ import annotations

import random
import re
import time
from functools import cache
from math import log10
from typing import NamedTuple

from engine.model import Limits, Placed, Point, Position, Rule
from protocol.brain import Brain

# A stone of an opening is at most so many columns and rows from another one.
REACH = 3
# Greater values, for either side, count as this one.
MOST_VALUE = 1000

# An opening that a long search finds balanced looks better for White in shorter ones, which see
# less of Black's advantage of having moved first: in an opening of so many stones by this much for
# each factor of ten in nodes, in hundredths of a stone. Values are corrected by that, up to so many
# nodes.
DRIFT = {1: 20, 3: 20}
_LATER_DRIFT = 10
HORIZON_NODES = 1_000_000

# Openings are drawn and searched one after the other: each so long as it looks balanced in searches
# that are three times as long each time. The longest takes this part of all nodes.
_DEEP_PART = 8
_FACTOR = 3
_LEVELS = 4
# Shorter searches say little.
_LEAST_NODES = 500
# Where the longest search is shorter, an opening of the book is more balanced than what it finds.
_BOOK_NODES = 20_000
# An opening whose value is greater, for either side, is not searched further; one whose value is
# not greater in the longest search is taken at once.
PROMISING = 60
_ENOUGH = 5
# On a board where nothing is balanced, or where nothing can be searched, drawing ends.
_MOST_DRAWS = 2000
_MOST_TRIES = 100
# A search that only brings the program up to speed, and one that measures its speed.
_WARM_UP_NODES = 200
_SPEED_NODES = 2000

# What one answer may take of the time that is left for the game, and without any limit.
_SHARE_OF_LEFT = 20
_DEFAULT_MS = 5000
# Where less is left, so many openings are searched so long: no stone is put down unsearched.
_LEAST_MS = 40
_HASTY_DRAWS = 4
HASTY_NODES = 200
# More time makes an opening hardly more balanced.
_MOST_FINDING_MS = 30_000
MILLISECOND_NS = 1_000_000

# Of the openings of the book, in hundredths of a stone, with the correction by DRIFT.
MOST_UNEVEN = 90
_BOOK = """
0 15: hn+29 ng-20 eceedh-40 jfifmd-27 mmjmmj+20
0 16: ib+45 lglemc+14
0 17: bl+26 cnfnen-5
0 19: fr-10 cqcndn-45 noolqq-5
0 20: sf-15 gb+23 jclcnc-6 ccedfg+24 cqdpdr+19
1 15: bf+21 bg-33 jfifmd+13 cefccc+11 hmjjkm-23 lljlhm+8
1 16: ho+37
1 19: fr-8 noolqq+42 fqfnin-55
1 20: sf-42 gb+5 fqgncq-35 rcqcrd-29
4 12: ejdigj+36 gegheg-12
4 13: hcjcic-5 hkfjjj+45
4 14: icjefe+47 ceehfe+9
4 15: dl-22 fhhehd+9 hlkmlm+7 dcddef-39 kmhmik-30
4 15 central: hhigff-72 hhhgfj-48
4 16: gegheg+37 emdkfm+17 ihjhgj+8 lkjkhl+32
4 17: ldodoc-7 mikhoh+16
4 18: cnckfk+16 fcheee+15
4 19: cf+74 ggehdg+38 qgojpg+23 ndmgng-9 dffegd+51
4 20: cg+65 nlojql-46 lkokpk-27 riqing+3
8 15: kn-6 cicgcd-32 mejfmc-4 imjjlg-7 dlelcl+27
8 16: bi-30 cicgcd-25 igffec-17
8 19: cc+8 bj-8 qmoolq-43 cpephq+6 cddecc+11 pmnopq+43
8 20: cc+8 gddgcj-7 ccdegd+21 fcfdcc+4 rcqcrd-30
9 15: cc+30 bf-25 gchedc-38 mlkjji-28 cgeddc-16 hmkllm-12
9 16: bk-26 cicgcd-5 ehdfcc-8
9 19: pr+38 bl-26 qoppqq+16 cicgcd-2 ehhgid-17 pmnopq+26
9 20: sf-34 bi-15 dieffc-24 gddgcj+14 fcfdcc+25 eodmcr+40
"""


class Judged(NamedTuple):
    """An opening after a search.

    value     of the side to move, in hundredths of a stone, corrected by DRIFT; a forced win counts
              as MOST_VALUE.
    move      its best move.
    is_whole  False when the search was ended before its limit of nodes or depth.
    nodes     stones made in the search.
    """

    value: int
    move: Point
    is_whole: bool
    nodes: int


class Balanced(NamedTuple):
    """Stones to put down; `value` as in Judged, None where there was no time to search."""

    stones: tuple[Point, ...]
    value: int | None


class Judge:
    """Searches openings that begin with a position, until a time.

    limits  of the whole answer. A limit of nodes holds for all searches together, one of depth for
            each of them.
    seed    decides which openings are drawn where nodes limit the answer; otherwise others are
            drawn each time.
    wanted  value, from which those of `judge` are distances; None for openings, whose values are
            corrected by DRIFT.
    """

    _is_central = False  # the openings of the book

    def __init__(
        self,
        brain: Brain,
        position: Position,
        limits: Limits,
        seed: int = 0,
        wanted: int | None = None,
    ) -> None:
        self.position = position
        self.given = tuple([Point(x, y) for x, y, _ in position.stones])
        self.nodes = limits.nodes
        self.turn_ms = _turn_ms(limits)
        # What is left for other work when an opening has been found.
        self.reserved_ms = 0
        # Some managers always send a limit of depth, and opponents must not know what is drawn.
        self._rng = random.Random(None if limits.nodes is None else seed)
        self._brain = brain
        self._wanted = wanted
        self._depth_plies = limits.depth_plies
        self._started_ns = limits.started_ns or time.perf_counter_ns()

    def draw(self, count: int) -> tuple[Point, ...]:
        """So many stones to add, at random; fewer where all have been drawn."""
        return draw(self._rng, self.position, count)

    def known(self, count: int) -> Balanced | None:
        """An opening of the book with so many stones, for an empty board; None without one."""
        width, height, rule, stones, _ = self.position
        openings = known_openings(rule, width, count, is_central=self._is_central)
        if stones or not openings or width != height:
            return None
        found = self._rng.choice(openings)
        return found._replace(stones=turned(found.stones, width, self._rng))

    @property
    def left_ms(self) -> int | None:
        """What is left of the time for the answer; None without a limit of time."""
        if self.turn_ms is None:
            return None
        return self.turn_ms - (time.perf_counter_ns() - self._started_ns) // MILLISECOND_NS

    def judge(
        self,
        added: tuple[Point, ...] = (),
        nodes: int | None = None,
        until_ms: int | None = None,
        excluded: tuple[Point, ...] = (),
    ) -> Judged:
        """Search the position with stones added.

        nodes     limit of this search; None = all that are left.
        until_ms  when it has to end, counted from the beginning of the answer; None = at the end
                  of the answer's time.
        excluded  points that are not the next move.
        """
        nodes = min((n for n in (nodes, self.nodes) if n is not None), default=None)
        limits = Limits(
            turn_ms=self.turn_ms if until_ms is None else until_ms,
            nodes=nodes,
            depth_plies=self._depth_plies,
            started_ns=self._started_ns,
            is_analysis=True,
            excluded=excluded,
        )
        self._brain.set_position(self.with_stones(added))
        move, info = self._brain.think(limits)
        if self.nodes is not None:
            self.nodes = max(0, self.nodes - info.nodes)
        is_whole = (
            (nodes is not None and info.nodes >= nodes)
            or info.depth_plies == self._depth_plies
            or info.score.mate_plies is not None
        )
        if info.score.mate_plies is not None:
            value = MOST_VALUE if info.score.mate_plies > 0 else -MOST_VALUE
        else:
            value = info.score.value - self._overrated(len(added), info.nodes)
        value = max(-MOST_VALUE, min(MOST_VALUE, value)) - (self._wanted or 0)
        return Judged(value, Point(*move), is_whole, info.nodes)

    def with_stones(self, added: tuple[Point, ...]) -> Position:
        """The position with these stones too, of the two sides in turn."""
        placed, side = list(self.position.stones), self.position.side_to_move
        for x, y in added:
            placed.append(Placed(x, y, side))
            side = side.opponent
        return self.position._replace(stones=tuple(placed), side_to_move=side)

    def _overrated(self, added: int, nodes: int) -> int:
        """By how much a search of so many nodes overrates the side to move in a balanced opening
        with so many stones added."""
        if self._wanted is not None:
            return 0  # what is known of it holds for openings
        stones = len(self.given) + added
        overrates_white = drift(stones, nodes)
        return overrates_white if stones % 2 else -overrates_white


def drift(stones: int, nodes: int) -> int:
    """By how much a search of so many nodes overrates White in a balanced opening of so many
    stones."""
    factor = max(1.0, HORIZON_NODES / max(1, nodes))
    return round(DRIFT.get(stones, _LATER_DRIFT) * min(3.0, log10(factor)))


def find_balanced(judge: Judge, count: int) -> Balanced:
    """The most balanced of many ways to add so many stones. Uses the judge's nodes and time; an
    opening of the book where these are too short for a better one, or nothing balanced is found."""
    stones = judge.draw(count)
    known = judge.known(count)
    left_ms = judge.left_ms
    is_hasty = left_ms is not None and left_ms < _LEAST_MS
    if len(stones) < count or judge.nodes == 0 or (is_hasty and known):
        return known or Balanced(stones, None)
    searches = [HASTY_NODES] if is_hasty else _plan(budget_nodes(judge, stones))
    if known and searches[-1] < _BOOK_NODES:
        return known
    found = _search(judge, stones, searches)
    return known if known and (found.value is None or abs(found.value) > PROMISING) else found


def _search(judge: Judge, stones: tuple[Point, ...], searches: list[int]) -> Balanced:
    """The same by search alone: of `stones` first, then of others that are drawn. `searches` are
    the nodes of each search of one opening."""
    best, best_level = Balanced(stones, None), -1
    count, is_hasty = len(stones), searches == [HASTY_NODES]
    for _ in range(_HASTY_DRAWS if is_hasty else _MOST_DRAWS):
        for level, nodes in enumerate(searches):
            if judge.nodes is not None and judge.nodes < nodes:
                return best
            judged = judge.judge(stones, nodes)
            if not judged.is_whole:
                # Stopped or out of time: the value of a shorter search cannot be compared.
                return Balanced(stones, judged.value) if best.value is None else best
            size = abs(judged.value)
            is_better = best.value is None or size < abs(best.value)
            if level > best_level or (level == best_level and is_better):
                best, best_level = Balanced(stones, judged.value), level
            if size > PROMISING:
                break
        if best_level == len(searches) - 1 and abs(best.value or 0) <= _ENOUGH:
            return best
        if not is_hasty and judge.left_ms is not None and judge.left_ms <= judge.reserved_ms:
            return best
        stones = judge.draw(count)
        if len(stones) < count:
            return best
    return best


def budget_nodes(judge: Judge, added: tuple[Point, ...] = ()) -> int:
    """How many nodes all searches can have together; the speed is that of an opening with these
    stones added."""
    left_ms = judge.left_ms
    if left_ms is None:
        assert judge.nodes is not None
        return judge.nodes
    if judge.nodes is None:
        # The first search of a process is slow.
        judge.judge(added, _WARM_UP_NODES)
    began_ns = time.perf_counter_ns()
    most = _SPEED_NODES if judge.nodes is None else judge.nodes // _DEEP_PART
    searched = judge.judge(added, max(1, min(_SPEED_NODES, most))).nodes
    took_ns = time.perf_counter_ns() - began_ns
    judge.reserved_ms = max(0, (judge.left_ms or 0) - _MOST_FINDING_MS)
    left_ns = MILLISECOND_NS * max(0, (judge.left_ms or 0) - judge.reserved_ms)
    nodes = searched * left_ns // max(1, took_ns)
    return nodes if judge.nodes is None else min(nodes, judge.nodes)


def _plan(nodes: int) -> list[int]:
    """The nodes of each search of an opening, the shortest first."""
    deep = min(HORIZON_NODES, nodes // _DEEP_PART)
    searches = [deep // _FACTOR**i for i in reversed(range(_LEVELS))]
    return [nodes for nodes in searches if nodes >= _LEAST_NODES] or [max(1, deep)]


def draw(rng: random.Random, position: Position, count: int) -> tuple[Point, ...]:
    """So many stones to add, drawn at random, each near another one."""
    width, height = position.width, position.height
    given = tuple([Point(x, y) for x, y, _ in position.stones])
    stones, total = given, len(given) + count
    columns, rows = _inner(width, total), _inner(height, total)
    near = range(-REACH, REACH + 1)
    for _ in range(_MOST_TRIES):
        if len(stones) == total:
            return stones[len(given) :]
        if stones:
            x, y = rng.choice(stones)
            point = Point(x + rng.choice(near), y + rng.choice(near))
        else:
            point = Point(rng.choice(columns), rng.choice(rows))
        if point.x in columns and point.y in rows and point not in stones:
            stones = (*stones, point)
    # The given stones are at the edge, or leave no room.
    free = [Point(x, y) for y in range(height) for x in range(width)]
    free = [point for point in free if point not in stones]
    return (*stones[len(given) :], *rng.sample(free, total - len(stones)))


def _inner(side: int, count: int) -> range:
    """The columns or rows in which stones are drawn: a single stone can be balanced only near the
    edge, several also in the middle."""
    margin = 0 if count == 1 else min(2, (side - 3) // 2)
    return range(margin, side - margin)


def _turn_ms(limits: Limits) -> int | None:
    """The time for one answer; None where only nodes limit it."""
    times_ms = [] if limits.turn_ms is None else [limits.turn_ms]
    left_ms = limits.match_ms if limits.left_ms is None else limits.left_ms
    if left_ms is not None:
        times_ms.append(max(0, left_ms) // _SHARE_OF_LEFT)
    if not times_ms and limits.nodes is None:
        return _DEFAULT_MS
    return min(times_ms, default=None)


# -- the book


def known_openings(
    rule: Rule, size: int, count: int, *, is_central: bool = False
) -> list[Balanced]:
    """The stones and values of all that have so many stones, on a square board of that size."""
    found = _read().get(f"{rule.value} {size}{' central' * is_central}", [])
    return [opening for opening in found if len(opening.stones) == count]


def turned(stones: tuple[Point, ...], size: int, rng: random.Random) -> tuple[Point, ...]:
    """The same opening, rotated or reflected at random."""
    is_left, is_up, is_flat = (rng.random() < 0.5 for _ in range(3))
    last = size - 1
    stones = tuple([Point(y, x) for x, y in stones]) if is_flat else stones
    return tuple([Point(last - x if is_left else x, last - y if is_up else y) for x, y in stones])


@cache
def _read() -> dict[str, list[Balanced]]:
    table = {}
    for line in _BOOK.strip().splitlines():
        key, _, openings = line.partition(": ")
        found = re.findall("([a-v]+)([+-][0-9]+)", openings)
        table[key] = [Balanced(_points(text), int(value)) for text, value in found]
    return table


def _points(text: str) -> tuple[Point, ...]:
    numbers = [ord(letter) - ord("a") for letter in text]
    return tuple(map(Point, numbers[::2], numbers[1::2]))
