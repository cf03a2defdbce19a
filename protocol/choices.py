"""What the program does where the players agree on the first stones and on who is Black.

swap2 has three stages. No stone: put down three, black, white, black. Three stones: take Black,
stay White and move, or put down a white and a black stone and let the opponent choose. Five stones:
take Black, or stay White and move. A side is chosen by the value of the opening. Where that is too
near 0 to tell the sides apart, two stones are added: the opponent prepared the three, and then has
to judge five.

In the openings of renju Black offers several fifth moves, of which White takes one; so an offer is
worth as much as the worst of them for Black. The first stones stand in squares around the middle of
the board, the stone after `count` others in that of `count` columns and rows to each side. In
Soosyrv-8 White names with the fourth move how many fifth moves Black has to offer, in Taraguchi-10
Black may offer ten. What the opponent may take over is made as balanced as the searches find; a
side that may be changed is changed where it is the worse one.

YXBALANCEONE and YXBALANCETWO ask for one or two moves after which neither side is better. They are
found as the openings are: many are searched, those that look balanced longer and longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.model import Info, Limits, Placed, Point, Position, Rule, Stone
from protocol.book import known_openings
from protocol.brain import Brain, KnowsForbidden
from protocol.messages import Refusal, format_point, parse_integer, quote
from protocol.openings import (
    HASTY_NODES,
    MOST_VALUE,
    REACH,
    Balanced,
    Judge,
    Judged,
    budget_nodes,
    draw,
    drift,
    find_balanced,
)
from protocol.stones import Stones, finished_lines

# Openings, as people name them.
SWAP1, SWAP2, SOOSYRV, TARAGUCHI = "swap1", "swap2", "soosyrv8", "taraguchi10"
# The most fifth moves in Soosyrv-8, and all of them in Taraguchi-10.
MOST_FIFTHS = 8
TEN = 10
MOVE_COUNTS = {"YXBALANCEONE": 1, "YXBALANCETWO": 2}

# Values nearer to 0 do not tell which side is better, in hundredths of a stone.
UNCLEAR = 20
# The part of the time and nodes that the three stones of the opponent are judged in.
_JUDGING = 0.6
# A fourth move is chosen in about so many searches, some ten for each move that is tried.
_FOURTH_SEARCHES = 24
# The part of the nodes in which the best fifth moves are found where one can also be balanced.
_TEN_PART = 3
# So many draws in a row that are known, forbidden or end the game mean that no other is left.
_MOST_DRAWS = 200
# Rotations and reflections of the plane, as rows of a matrix.
_SYMMETRIES = [
    (a * s, b * s, b * t, a * t) for a, b in ((1, 0), (0, 1)) for s in (1, -1) for t in (1, -1)
]


class Answer(NamedTuple):
    """What the program does.

    stones  to put down, in order; empty when sides are changed. All fifth moves that are offered
            are the stones of one answer.
    remark  why, for people.
    fifths  how many fifth moves Black has to offer after this fourth move; 0 in other openings.
    """

    stones: tuple[Point, ...]
    remark: str
    fifths: int = 0

    @property
    def is_swap(self) -> bool:
        """True when sides are changed."""
        return not self.stones

    def __str__(self) -> str:
        return " ".join(map(format_point, self.stones)) or "SWAP"


class Question(NamedTuple):
    """What is asked of the side to move in an opening; it thinks in the place of a brain.

    stones    on the board, in order.
    seed      decides what is drawn where nodes limit the answer.
    word      of the command.
    opening   SWAP1, SWAP2, SOOSYRV or TARAGUCHI.
    may_swap  sides may be changed instead; in SWAP1 and SWAP2, with stones, that is asked.
    puts      how many stones are put down there otherwise.
    fifths    how many fifth moves Black has to offer, in Taraguchi-10 may offer.
    offered   those that were offered; White has to take one of them.
    """

    brain: Brain
    width: int
    height: int
    rule: Rule
    stones: tuple[Point, ...]
    seed: int = 0
    word: str = "SWAP2BOARD"
    opening: str = SWAP2
    may_swap: bool = True
    puts: int = 3
    fifths: int = 0
    offered: tuple[Point, ...] = ()

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Answer:
        """Answer within the limits. With a limit of nodes alone the same question gets the same
        answer; without one the stones put down differ from game to game. `on_info` is not called.
        """
        is_renju = self.opening in (SOOSYRV, TARAGUCHI)
        board = (self.brain, self.width, self.height, self.rule, limits, self.seed)
        if is_renju:
            chooser = Chooser(*board)
            if self.offered:
                point, value = chooser.pick(self.stones, self.offered)
                return Answer((point,), _told("White", value))
            return self._soosyrv(chooser) if self.opening == SOOSYRV else self._taraguchi(chooser)
        judge = Judge(*board)
        if not (self.stones and self.may_swap):
            count = len(self.stones) + self.puts
            return _placed(find_balanced(judge, self.stones, count), self.puts)
        if self.opening == SWAP2 and len(self.stones) == 3:
            return self._add_or_choose(judge)
        return _choose(judge, self.stones)

    def _add_or_choose(self, judge: Judge) -> Answer:
        turn_ms, nodes = judge.turn_ms, judge.nodes
        until_ms = None if turn_ms is None else round(_JUDGING * turn_ms)
        nodes = None if nodes is None else round(_JUDGING * nodes)
        judged = judge.judge(self.stones, nodes, until_ms)
        if abs(judged.value) <= UNCLEAR:
            found = find_balanced(judge, self.stones, 5)
            if found.value is not None and abs(found.value) <= UNCLEAR:
                return _placed(found, 2)
        return _chosen(judged)

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
        nodes = chooser.part(stones, self.fifths + 1)
        found_fifths = chooser.fifths(stones, self.fifths, nodes)
        value = min(value for _, value in found_fifths)
        if self.may_swap and value < 0:
            return Answer((), _told("Black", value))
        return Answer(tuple(point for point, _ in found_fifths), _told("Black", value))

    def _taraguchi(self, chooser: Chooser) -> Answer:
        stones = self.stones
        if not stones:
            return Answer(tuple(central(self.width, self.height, 0)), "the middle")
        if len(stones) == 5:
            return _choose(chooser, stones)
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


class Balancing(NamedTuple):
    """What is asked; it thinks in the place of a brain.

    word      of the command.
    position  to add the moves to, with the points as the brain knows them.
    bias      wanted value of the position with the moves, from the view of the side that plays the
              first of them, in hundredths of a stone.
    excluded  points that are not played.
    seed      decides which moves are searched first where nodes limit the answer.
    """

    word: str
    brain: Brain
    position: Position
    bias: int
    excluded: tuple[Point, ...] = ()
    seed: int = 0

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Answer:
        """Answer within the limits, as Question does. ValueError where all moves
        are forbidden or end the game."""
        around = _Around(self, limits)
        count = MOVE_COUNTS[self.word]
        found = find_balanced(around, (), count)
        if len(found.stones) < count:
            raise ValueError("every move is forbidden or ends the game")
        if found.value is None:
            return Answer(found.stones, "the value is not known, nothing was searched")
        # Seen from the side that moves first again.
        value = self.bias + (found.value if count == 2 else -found.value)
        return Answer(found.stones, f"the value for the side that played first is {value}")


class _Around(Judge):
    """Searches the position with moves added; values are distances from the value that is wanted,
    from the view of the side to move then."""

    def __init__(self, asked: Balancing, limits: Limits) -> None:
        position = asked.position
        super().__init__(
            asked.brain, position.width, position.height, position.rule, limits, asked.seed
        )
        self._given = position
        self._excluded = frozenset(asked.excluded)
        self._wanted = asked.bias if MOVE_COUNTS[asked.word] == 2 else -asked.bias
        self._seen: set[tuple[Point, ...]] = set()

    def judge(
        self,
        stones: tuple[Point, ...],
        nodes: int | None = None,
        until_ms: int | None = None,
        excluded: tuple[Point, ...] = (),
    ) -> Judged:
        """See Judge."""
        judged = super().judge(stones, nodes, until_ms, excluded)
        return judged._replace(value=judged.value - self._wanted)

    def draw(self, given: tuple[Point, ...], count: int) -> tuple[Point, ...]:
        """Moves that were not drawn before; fewer than `count` when there are no others."""
        for _ in range(_MOST_DRAWS):
            moves: tuple[Point, ...] = ()
            while len(moves) < count:
                choice = self._playable(moves)
                if choice is None:
                    break
                moves = (*moves, choice)
            if len(moves) == count and moves not in self._seen:
                self._seen.add(moves)
                return moves
        return ()

    def known(self, count: int) -> Balanced | None:
        """See Judge; only the empty board is in the book."""
        found = None if self._given.stones or self._wanted else super().known(count)
        return None if found is None or self._excluded.intersection(found.stones) else found

    def _playable(self, before: tuple[Point, ...]) -> Point | None:
        """A point near the stones, at random, that may be played after these moves; None if there
        is none, or if that which was drawn ends the game."""
        position = self._position(before)
        stones = Stones(position.width, position.height)
        for x, y, stone in position.stones:
            stones.put(Point(x, y), stone)
        free = [point for point in stones.free() if point not in self._excluded]
        near = [point for point in free if _is_near(point, position)] or free
        self._brain.set_position(position)
        if isinstance(self._brain, KnowsForbidden):
            near = [point for point in near if not self._brain.is_forbidden(*point)]
        if not near:
            return None
        point = self._rng.choice(near)
        stones.put(point, position.side_to_move)
        return None if finished_lines(stones, point, position.rule) else point

    def _position(self, stones: tuple[Point, ...]) -> Position:
        placed, side = list(self._given.stones), self._given.side_to_move
        for point in stones:
            placed.append(Placed(point.x, point.y, side))
            side = side.opponent
        return self._given._replace(stones=tuple(placed), side_to_move=side)

    def _drift(self, stones: tuple[Point, ...], nodes: int) -> int:
        # What is known of it holds for openings.
        return 0


class Chooser(Judge):
    """Searches openings whose stones are near the middle."""

    _undrawn: list[tuple[Point, ...]] | None = None

    def draw(self, given: tuple[Point, ...], count: int) -> tuple[Point, ...]:
        """The given stones and others in their squares, at random; none that were drawn before."""
        if self._undrawn is None:
            self._undrawn = list(self._ways(given, count))
            self._rng.shuffle(self._undrawn)
        return self._undrawn.pop() if self._undrawn else ()

    def known(self, count: int) -> Balanced | None:
        """See Judge."""
        return self._one_of(known_openings(self._rule, self.width, count, is_central=True))

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

    def fourth(self, stones: tuple[Point, ...]) -> tuple[Point, int, int | None]:
        """White's move and number of fifth moves that leave Black no better and no worse: White's
        best move, or another one if no number balances that. And what they are worth to Black; None
        where there was no time to search."""
        nodes = self.part(stones, _FOURTH_SEARCHES)
        point = self.judge(stones, nodes).move
        best, best_value = (point, MOST_FIFTHS // 2), None
        while (self.left_ms is None or self.left_ms > self.reserved_ms) and (
            self.nodes is None or self.nodes >= nodes
        ):
            found = self.fifths((*stones, point), MOST_FIFTHS, nodes, least=0)
            for fifths, (_, value) in enumerate(found, start=1):
                if best_value is None or abs(value) < abs(best_value):
                    best, best_value = (point, fifths), value
            if best_value is not None and abs(best_value) <= UNCLEAR // 2:
                break
            point = draw(self._rng, self.width, self.height, stones, 4)[-1]
        return *best, best_value

    def pick(self, stones: tuple[Point, ...], offered: tuple[Point, ...]) -> tuple[Point, int]:
        """The fifth move that White takes, with its value for White."""
        nodes = self.part(stones, len(offered) + 1)
        values = {point: self.judge((*stones, point), nodes).value for point in offered}
        return max(values.items(), key=lambda item: item[1])

    def part(self, stones: tuple[Point, ...], parts: int) -> int:
        """The nodes of a search that is one of so many."""
        least = HASTY_NODES if self.nodes is None else 1
        return max(least, budget_nodes(self, stones) // parts)


def is_black_better(info: Info) -> bool:
    """By what White's search after Black's first stone has seen, where White may swap."""
    if info.score.mate_plies is not None:
        return info.score.mate_plies < 0
    return info.score.value < drift(1, info.nodes)


def bias_of(word: str, argument: str) -> int:
    """The number after a word; 0 where there is none. Refusal where it is no value."""
    if not argument:
        return 0
    bias = parse_integer(argument)
    if bias is None or abs(bias) > MOST_VALUE:
        raise Refusal(
            f"{quote(argument)} is not a value; send {word} 0, or another whole number from"
            f" -{MOST_VALUE} to {MOST_VALUE}"
        )
    return bias


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


def _is_near(point: Point, position: Position) -> bool:
    """At most REACH columns and rows from a stone."""
    return any(
        max(abs(point.x - x), abs(point.y - y)) <= REACH
        for x, y, stone in position.stones
        if stone is not Stone.WALL
    )


def _choose(judge: Judge, stones: tuple[Point, ...]) -> Answer:
    """Swap, or White's best move, by the value of an opening with White to move."""
    return _chosen(judge.judge(stones))


def _chosen(judged: Judged) -> Answer:
    better = "Black" if judged.value < 0 else "White"
    remark = f"White's value is {judged.value}, so {better} is better"
    return Answer(() if judged.value < 0 else (judged.move,), remark)


def _placed(found: Balanced, added: int) -> Answer:
    value = "not searched" if found.value is None else found.value
    return Answer(found.stones[-added:], f"White's value with these stones is {value}")


def _told(side: str, value: int | None) -> str:
    return f"the value for {side} is {'not searched' if value is None else value}"
