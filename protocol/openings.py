"""Openings that give neither side an advantage, and which side of an opening is better.

Both are decided by searches of a brain. An opening here is stones of Black and White in turn. Its
value is that of the side to move, of White where the number of stones is odd: `Judged.value`.
"""

from __future__ import annotations

import random
import time
from math import log10
from typing import NamedTuple

from engine.model import Limits, Placed, Point, Position, Rule, Stone
from protocol.book import Opening, known_openings, turned
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


class Judge:
    """Searches openings on one board until a time.

    limits  of the whole answer. A limit of nodes holds for all searches together, one of depth for
            each of them.
    seed    decides which openings are drawn where nodes limit the answer; otherwise others are
            drawn each time.
    """

    def __init__(
        self, brain: Brain, width: int, height: int, rule: Rule, limits: Limits, seed: int = 0
    ) -> None:
        self.width = width
        self.height = height
        self.nodes = limits.nodes
        self.turn_ms = _turn_ms(limits)
        # What is left for other work when an opening has been found.
        self.reserved_ms = 0
        # Some managers always send a limit of depth, and opponents must not know what is drawn.
        self._rng = random.Random(None if limits.nodes is None else seed)
        self._brain = brain
        self._rule = rule
        self._depth_plies = limits.depth_plies
        self._started_ns = limits.started_ns or time.perf_counter_ns()

    def draw(self, given: tuple[Point, ...], count: int) -> tuple[Point, ...]:
        """The given stones and others drawn at random, `count` in all; fewer where all have been
        drawn."""
        return draw(self._rng, self.width, self.height, given, count)

    def known(self, count: int) -> Balanced | None:
        """An opening of the book with so many stones, without any given; None if there is none."""
        return self._one_of(known_openings(self._rule, self.width, count))

    def _one_of(self, openings: list[Opening]) -> Balanced | None:
        if not openings or self.width != self.height:
            return None
        stones, value = self._rng.choice(openings)
        return Balanced(turned(stones, self.width, self._rng), value)

    @property
    def left_ms(self) -> int | None:
        """What is left of the time for the answer; None without a limit of time."""
        if self.turn_ms is None:
            return None
        return self.turn_ms - (time.perf_counter_ns() - self._started_ns) // MILLISECOND_NS

    def judge(
        self,
        stones: tuple[Point, ...],
        nodes: int | None = None,
        until_ms: int | None = None,
        excluded: tuple[Point, ...] = (),
    ) -> Judged:
        """Search an opening.

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
        self._brain.set_position(self._position(stones))
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
            value = info.score.value - self._drift(stones, info.nodes)
        value = max(-MOST_VALUE, min(MOST_VALUE, value))
        return Judged(value, Point(*move), is_whole, info.nodes)

    def _drift(self, stones: tuple[Point, ...], nodes: int) -> int:
        """By how much a search of an opening overrates the side to move where it is balanced."""
        overrates_white = drift(len(stones), nodes)
        return overrates_white if len(stones) % 2 else -overrates_white

    def _position(self, stones: tuple[Point, ...]) -> Position:
        colours = (Stone.BLACK, Stone.WHITE)
        placed = tuple(Placed(x, y, colours[i % 2]) for i, (x, y) in enumerate(stones))
        return Position(self.width, self.height, self._rule, placed, colours[len(stones) % 2])


def drift(stones: int, nodes: int) -> int:
    """By how much a search of so many nodes overrates White in a balanced opening of so many
    stones."""
    factor = max(1.0, HORIZON_NODES / max(1, nodes))
    return round(DRIFT.get(stones, _LATER_DRIFT) * min(3.0, log10(factor)))


class Balanced(NamedTuple):
    """An opening that was found; `value` as in Judged, None where there was no time to search."""

    stones: tuple[Point, ...]
    value: int | None


def find_balanced(judge: Judge, given: tuple[Point, ...], count: int) -> Balanced:
    """The most balanced of many openings that add stones to those given, up to `count` in all.
    Uses the judge's nodes and time; an opening of the book where these are too short for a better
    one, or nothing balanced is found."""
    stones = judge.draw(given, count)
    known = None if given else judge.known(count)
    left_ms = judge.left_ms
    is_hasty = left_ms is not None and left_ms < _LEAST_MS
    if len(stones) < count or judge.nodes == 0 or (is_hasty and known):
        return known or Balanced(stones, None)
    searches = [HASTY_NODES] if is_hasty else _plan(budget_nodes(judge, stones))
    if known and searches[-1] < _BOOK_NODES:
        return known
    found = _search(judge, given, count, stones, searches)
    return known if known and (found.value is None or abs(found.value) > PROMISING) else found


def _search(
    judge: Judge,
    given: tuple[Point, ...],
    count: int,
    stones: tuple[Point, ...],
    searches: list[int],
) -> Balanced:
    """The same by search alone: of `stones` first, then of others that are drawn. `searches` are
    the nodes of each search of one opening."""
    best, best_level = Balanced(stones, None), -1
    is_hasty = searches == [HASTY_NODES]
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
        stones = judge.draw(given, count)
        if len(stones) < count:
            return best
    return best


def budget_nodes(judge: Judge, stones: tuple[Point, ...]) -> int:
    """How many nodes all searches can have together."""
    left_ms = judge.left_ms
    if left_ms is None:
        assert judge.nodes is not None
        return judge.nodes
    if judge.nodes is None:
        # The first search of a process is slow.
        judge.judge(stones, _WARM_UP_NODES)
    began_ns = time.perf_counter_ns()
    most = _SPEED_NODES if judge.nodes is None else judge.nodes // _DEEP_PART
    searched = judge.judge(stones, max(1, min(_SPEED_NODES, most))).nodes
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


def draw(
    rng: random.Random, width: int, height: int, given: tuple[Point, ...], count: int
) -> tuple[Point, ...]:
    """The given stones and others drawn at random, each near another one; `count` in all."""
    stones = given
    columns, rows = _inner(width, count), _inner(height, count)
    near = range(-REACH, REACH + 1)
    for _ in range(_MOST_TRIES):
        if len(stones) == count:
            return stones
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
    return (*stones, *rng.sample(free, count - len(stones)))


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
