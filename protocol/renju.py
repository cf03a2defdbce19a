"""The openings of renju in which Black offers several fifth moves: what the program does in them.

The first stones stand in squares around the middle of the board, the stone after `count` others in
that of `count` columns and rows to each side. In Soosyrv-8 White names with the fourth move how
many fifth moves Black has to offer, in Taraguchi-10 Black may offer ten; White takes one of them.

The program values positions by search. Of fifth moves offered White takes the worst for Black, so
an offer is worth as much as that one. What the opponent may take over is made as balanced as the
searches find; a side that may be changed is changed where it is the worse one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.model import Info, Limits, Point, Rule
from protocol.brain import Brain
from protocol.openings import Judge, budget_nodes, draw, find_balanced
from protocol.swap2 import UNCLEAR, Answer, choose

# The most fifth moves in Soosyrv-8, and all of them in Taraguchi-10.
MOST_FIFTHS = 8
TEN = 10

# Rotations and reflections of the plane, as rows of a matrix.
_SYMMETRIES = [
    (a * s, b * s, b * t, a * t) for a, b in ((1, 0), (0, 1)) for s in (1, -1) for t in (1, -1)
]
# A fourth move is chosen in about so many searches, some ten for each move that is tried.
_FOURTH_SEARCHES = 24
# The part of the nodes in which the best fifth moves are found where one can also be balanced.
_TEN_PART = 3


def central(width: int, height: int, reach: int) -> list[Point]:
    """The points at most `reach` columns and rows from the middle of the board."""
    near = range(-reach, reach + 1)
    points = [Point(width // 2 + x, height // 2 + y) for y in near for x in near]
    return [point for point in points if 0 <= point.x < width and 0 <= point.y < height]


def twins(stones: tuple[Point, ...], point: Point) -> frozenset[Point]:
    """The points that are the same for these stones, Black's first, as `point` is: what turns,
    mirrors or moves the stones onto stones of the same colours brings `point` there. Some may be
    off the board; `point` is one of them."""
    found = {point}
    for a, b, c, d in _SYMMETRIES:
        turned = [Point(a * x + b * y, c * x + d * y) for x, y in (*stones, point)]
        right = min(x for x, _ in stones) - min(x for x, _ in turned[:-1])
        down = min(y for _, y in stones) - min(y for _, y in turned[:-1])
        *moved, twin = (Point(x + right, y + down) for x, y in turned)
        if all(set(moved[i::2]) == set(stones[i::2]) for i in (0, 1)):
            found.add(twin)
    return frozenset(found)


class Fourth(NamedTuple):
    """White's fourth move, with the number of fifth moves that Black has to offer after it, and
    what they are worth to Black; None where there was no time to search."""

    point: Point
    fifths: int
    value: int | None


class Chooser(Judge):
    """Searches openings whose stones are near the middle."""

    _undrawn: list[tuple[Point, ...]] | None = None

    def draw(self, given: tuple[Point, ...], count: int) -> tuple[Point, ...]:
        """The given stones and others in their squares, at random; none that were drawn before."""
        if self._undrawn is None:
            self._undrawn = list(self._ways(given, count))
            self._rng.shuffle(self._undrawn)
        return self._undrawn.pop() if self._undrawn else ()

    def _ways(self, stones: tuple[Point, ...], count: int) -> Iterator[tuple[Point, ...]]:
        if len(stones) == count:
            yield stones
            return
        for point in central(self.width, self.height, len(stones)):
            if point not in stones:
                yield from self._ways((*stones, point), count)

    def fifths(
        self, stones: tuple[Point, ...], count: int, nodes: int, least: int | None = None
    ) -> list[tuple[Point, int]]:
        """Black's best fifth moves, none of them the same as another, with their values for Black,
        each found in a search of so many nodes; the best first. No others are searched after one
        that is worth less than `least`."""
        found: list[tuple[Point, int]] = []
        free = {Point(x, y) for y in range(self.height) for x in range(self.width)} - {*stones}
        excluded: tuple[Point, ...] = ()
        while len(found) < count and not free.issubset(excluded):
            judged = self.judge(stones, nodes, excluded=excluded)
            found.append((judged.move, judged.value))
            if least is not None and judged.value < least:
                break
            excluded += tuple(twins(stones, judged.move))
        return found

    def offer(self, stones: tuple[Point, ...], count: int) -> list[tuple[Point, int]]:
        """The fifth moves that Black offers."""
        return self.fifths(stones, count, self.part(stones, count + 1))

    def fourth(self, stones: tuple[Point, ...]) -> Fourth:
        """White's move and number of fifth moves that leave Black no better and no worse: White's
        best move, or another one if no number balances that."""
        nodes = self.part(stones, _FOURTH_SEARCHES)
        point = self.judge(stones, nodes).move
        best = Fourth(point, MOST_FIFTHS // 2, None)
        while self._goes_on(nodes):
            found = self.fifths((*stones, point), MOST_FIFTHS, nodes, least=0)
            for fifths, (_, value) in enumerate(found, start=1):
                if best.value is None or abs(value) < abs(best.value):
                    best = Fourth(point, fifths, value)
            if best.value is not None and abs(best.value) <= UNCLEAR // 2:
                break
            point = draw(self._rng, self.width, self.height, stones, 4)[-1]
        return best

    def pick(self, stones: tuple[Point, ...], offered: tuple[Point, ...]) -> tuple[Point, int]:
        """The fifth move that White takes, with its value for White."""
        nodes = self.part(stones, len(offered) + 1)
        values = {point: self.judge((*stones, point), nodes).value for point in offered}
        return max(values.items(), key=lambda item: item[1])

    def part(self, stones: tuple[Point, ...], parts: int) -> int:
        """The nodes of a search that is one of so many."""
        return max(1, budget_nodes(self, stones) // parts)

    def _goes_on(self, nodes: int) -> bool:
        """There is enough left for another search of so many nodes."""
        if self.left_ms is not None and self.left_ms <= self.reserved_ms:
            return False
        return self.nodes is None or self.nodes >= nodes


class Choice(NamedTuple):
    """What is asked of the side to move in an opening; it thinks in the place of a brain.

    word          of the command; for errors.
    stones        on the board, in order.
    may_swap      it may change sides instead.
    fifths        how many fifth moves Black has to offer, in Taraguchi-10 may offer.
    offered       those that were offered; White has to take one of them.
    is_taraguchi  the opening is Taraguchi-10, not Soosyrv-8.
    seed          decides what is drawn where nodes limit the answer.
    """

    word: str
    brain: Brain
    width: int
    height: int
    rule: Rule
    stones: tuple[Point, ...]
    may_swap: bool = False
    fifths: int = 0
    offered: tuple[Point, ...] = ()
    is_taraguchi: bool = False
    seed: int = 0

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Answer:
        """Answer within the limits, as Question of protocol.swap2 does. All fifth moves that are
        offered are the stones of one answer."""
        chooser = Chooser(self.brain, self.width, self.height, self.rule, limits, self.seed)
        if self.offered:
            point, value = chooser.pick(self.stones, self.offered)
            return Answer((point,), _told("White", value))
        return self._taraguchi(chooser) if self.is_taraguchi else self._soosyrv(chooser)

    def _soosyrv(self, chooser: Chooser) -> Answer:
        stones = self.stones
        if not stones:
            found = find_balanced(chooser, (), 3)
            return Answer(found.stones, _told("White", found.value))
        if len(stones) == 3:
            point, fifths, value = chooser.fourth(stones)
            if self.may_swap and (value is None or abs(value) > UNCLEAR):
                # Who is Black chooses a side after the fourth move.
                return Answer((), _told("Black", value))
            return Answer((point,), _told("Black", value), fifths)
        found_fifths = chooser.offer(stones, self.fifths)
        value = min(value for _, value in found_fifths)
        if self.may_swap and value < 0:
            return Answer((), _told("Black", value))
        return Answer(tuple(point for point, _ in found_fifths), _told("Black", value))

    def _taraguchi(self, chooser: Chooser) -> Answer:
        stones = self.stones
        if not stones:
            return Answer(tuple(central(self.width, self.height, 0)), "the middle")
        if len(stones) == 5:
            return choose(chooser, stones)
        if len(stones) < 4 and self.may_swap:
            value = chooser.judge(stones, chooser.part(stones, _TEN_PART)).value
            if value < -UNCLEAR:
                return Answer((), _told("the side to move", value))
        if self.fifths:
            nodes = chooser.part(stones, _TEN_PART * self.fifths)
            offers = chooser.fifths(stones, self.fifths, nodes, least=UNCLEAR)
            if (value := min(value for _, value in offers)) >= UNCLEAR:
                return Answer(tuple(point for point, _ in offers), _told("Black", value))
        found = find_balanced(chooser, stones, len(stones) + 1)
        if len(stones) == 4 and self.may_swap and abs(found.value or 0) > UNCLEAR:
            # White chooses a side after the fifth move.
            return Answer((), _told("White", found.value))
        return Answer(found.stones[len(stones) :], _told("the other side", found.value))


def _told(side: str, value: int | None) -> str:
    return f"the value for {side} is {'not searched' if value is None else value}"
