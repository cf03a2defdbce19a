"""What the program does where the players agree on the first stones and on who is Black.

protocol.opening_rules says what is asked. A side is chosen by the value of the opening. Where that
of the three stones of swap2 is too near 0 to tell the sides apart, two stones are added: the
opponent prepared the three, and then has to judge five.

Of the fifth moves that Black offers in the openings of renju White takes one; so an offer is worth
as much as the worst of them for Black. What the opponent may take over is made as balanced as the
searches find; a side that may be changed is changed where it is the worse one.

YXBALANCEONE and YXBALANCETWO ask for one or two moves after which neither side is better. They are
found as the openings are: many are searched, those that look balanced longer and longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.model import Info, Limits, Point, Position, Stone
from protocol.brain import Brain
from protocol.messages import Refusal, format_point, parse_integer, quote
from protocol.opening_rules import MOST_FIFTHS, Ask, Opening, central, twins
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
    """What an opening asks of the side to move; it thinks in the place of a brain.

    position  with the stones that are down, in their order.
    seed      decides what is drawn where nodes limit the answer.
    word      of the command.
    bias      where balanced moves are asked for: the wanted value of the position with them, from
              the view of the side that plays the first of them, in hundredths of a stone.
    excluded  then: points that are not played.
    """

    brain: Brain
    position: Position
    opening: Opening
    ask: Ask
    seed: int = 0
    word: str = "SWAP2BOARD"
    bias: int = 0
    excluded: tuple[Point, ...] = ()

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Answer:
        """Answer within the limits. With a limit of nodes alone the same question gets the same
        answer; without one the stones put down differ from game to game. `on_info` is not called.
        ValueError where all moves that could balance are forbidden or end the game.
        """
        if self.opening is Opening.BALANCE:
            return self._balance(limits)
        chooser = (Chooser if self.opening.is_of_renju else Judge)(
            self.brain, self.position, limits, self.seed
        )
        ask = self.ask
        if isinstance(chooser, Chooser):
            if ask.offered and not ask.offers:
                point, value = chooser.pick(ask.offered)
                return Answer((point,), _remark("White", value))
            is_soosyrv = self.opening is Opening.SOOSYRV
            return self._soosyrv(chooser) if is_soosyrv else self._taraguchi(chooser)
        if not ask.may_swap:
            return _placed(find_balanced(chooser, ask.puts))
        return self._add_or_choose(chooser) if ask.may_add else _chosen(chooser.judge())

    def _balance(self, limits: Limits) -> Answer:
        count = self.ask.puts
        found = find_balanced(_Around(self, limits), count)
        if len(found.stones) < count:
            raise ValueError("every move is forbidden or ends the game")
        if found.value is None:
            return Answer(found.stones, "the value is not known, nothing was searched")
        # Seen from the side that moves first again.
        value = self.bias + (found.value if count == 2 else -found.value)
        return Answer(found.stones, f"the value for the side that played first is {value}")

    def _add_or_choose(self, judge: Judge) -> Answer:
        turn_ms, nodes = judge.turn_ms, judge.nodes
        until_ms = None if turn_ms is None else round(_JUDGING * turn_ms)
        nodes = None if nodes is None else round(_JUDGING * nodes)
        judged = judge.judge((), nodes, until_ms)
        if abs(judged.value) <= UNCLEAR:
            found = find_balanced(judge, 2)
            if found.value is not None and abs(found.value) <= UNCLEAR:
                return _placed(found)
        return _chosen(judged)

    def _soosyrv(self, chooser: Chooser) -> Answer:
        ask = self.ask
        if ask.puts > 1:
            found = find_balanced(chooser, ask.puts)
            return Answer(found.stones, _remark("White", found.value))
        if ask.fifths:
            point, fifths, worth = chooser.fourth()
            if ask.may_swap and (worth is None or abs(worth) > UNCLEAR):
                # Who is Black chooses a side after the fourth move.
                return Answer((), _remark("Black", worth))
            return Answer((point,), _remark("Black", worth), fifths)
        many = max(1, ask.offers)
        offers = chooser.fifths(many, chooser.part(many + 1))
        value = min(value for _, value in offers)
        if ask.may_swap and value < 0:
            return Answer((), _remark("Black", value))
        return Answer(tuple(point for point, _ in offers), _remark("Black", value))

    def _taraguchi(self, chooser: Chooser) -> Answer:
        ask, count = self.ask, len(chooser.given)
        if not count:
            return Answer(tuple(central(*self.position[:2], 0)), "the middle")
        if count == 5:
            return _chosen(chooser.judge())
        if count < 4 and ask.may_swap:
            value = chooser.judge((), chooser.part(_TEN_PART)).value
            if value < -UNCLEAR:
                return Answer((), _remark("the side to move", value))
        if many := max((*ask.fifths, ask.offers)):
            offers = chooser.fifths(many, chooser.part(_TEN_PART * many), least=UNCLEAR)
            if (value := min(value for _, value in offers)) >= UNCLEAR:
                return Answer(tuple(point for point, _ in offers), _remark("Black", value))
        found = find_balanced(chooser, 1)
        if count == 4 and ask.may_swap and abs(found.value or 0) > UNCLEAR:
            # White chooses a side after the fifth move.
            return Answer((), _remark("White", found.value))
        return Answer(found.stones, _remark("the other side", found.value))


def balancing(
    brain: Brain,
    position: Position,
    count: int,
    bias: int = 0,
    excluded: tuple[Point, ...] = (),
    seed: int = 0,
) -> Question:
    """Asks for one move or two (`count`) after which neither side is better; bias and excluded as
    of Question."""
    word = next(word for word, moves in MOVE_COUNTS.items() if moves == count)
    ask = Ask(0, count)
    return Question(brain, position, Opening.BALANCE, ask, seed, word, bias, excluded)


class _Around(Judge):
    """Searches the position with moves added that may be played."""

    def __init__(self, asked: Question, limits: Limits) -> None:
        # From the view of the side to move after the moves.
        wanted = asked.bias if asked.ask.puts == 2 else -asked.bias
        super().__init__(asked.brain, asked.position, limits, asked.seed, wanted)
        self._excluded = frozenset(asked.excluded)
        self._seen: set[tuple[Point, ...]] = set()

    def draw(self, count: int) -> tuple[Point, ...]:
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
        """See Judge."""
        found = None if self._wanted else super().known(count)
        return None if found is None or self._excluded.intersection(found.stones) else found

    def _playable(self, before: tuple[Point, ...]) -> Point | None:
        """A point near the stones, at random, that may be played after these moves; None if there
        is none, or if that which was drawn ends the game."""
        position = self.with_stones(before)
        stones = Stones(position.width, position.height)
        for x, y, stone in position.stones:
            stones.put(Point(x, y), stone)
        free = [point for point in stones.free() if point not in self._excluded]
        near = [point for point in free if _is_near(point, position)] or free
        self._brain.set_position(position)
        near = [point for point in near if not self._brain.is_forbidden(*point)]
        if not near:
            return None
        point = self._rng.choice(near)
        stones.put(point, position.side_to_move)
        return None if finished_lines(stones, point, position.rule) else point


class Chooser(Judge):
    """Searches openings whose stones are near the middle."""

    _is_central = True
    _undrawn: list[tuple[Point, ...]] | None = None

    def draw(self, count: int) -> tuple[Point, ...]:
        """Stones in their squares, at random; none that were drawn before."""
        if self._undrawn is None:
            self._undrawn = list(self._ways((), count))
            self._rng.shuffle(self._undrawn)
        return self._undrawn.pop() if self._undrawn else ()

    def _ways(self, added: tuple[Point, ...], count: int) -> Iterator[tuple[Point, ...]]:
        if len(added) == count:
            yield added
            return
        width, height, taken = *self.position[:2], (*self.given, *added)
        for point in central(width, height, len(taken)):
            if point not in taken:
                yield from self._ways((*added, point), count)

    def fifths(
        self, count: int, nodes: int, least: int | None = None, fourth: tuple[Point, ...] = ()
    ) -> list[tuple[Point, int]]:
        """Black's best fifth moves, none of them the same as another, with their values for Black,
        each found in a search of so many nodes; the best first. No others are searched after one
        that is worth less than `least`. `fourth` is White's move where it is not played yet."""
        found: list[tuple[Point, int]] = []
        width, height, stones = *self.position[:2], (*self.given, *fourth)
        free = {Point(x, y) for y in range(height) for x in range(width)} - {*stones}
        excluded: tuple[Point, ...] = ()
        while len(found) < count and not free.issubset(excluded):
            judged = self.judge(fourth, nodes, excluded=excluded)
            found.append((judged.move, judged.value))
            if least is not None and judged.value < least:
                break
            excluded += tuple(twins(stones, judged.move))
        return found

    def fourth(self) -> tuple[Point, int, int | None]:
        """White's move and number of fifth moves that leave Black no better and no worse: White's
        best move, or another one if no number balances that. And what they are worth to Black; None
        where there was no time to search."""
        nodes = self.part(_FOURTH_SEARCHES)
        point = self.judge((), nodes).move
        best, best_value = (point, MOST_FIFTHS // 2), None
        while (self.left_ms is None or self.left_ms > self.reserved_ms) and (
            self.nodes is None or self.nodes >= nodes
        ):
            found = self.fifths(MOST_FIFTHS, nodes, 0, (point,))
            for fifths, (_, value) in enumerate(found, start=1):
                if best_value is None or abs(value) < abs(best_value):
                    best, best_value = (point, fifths), value
            if best_value is not None and abs(best_value) <= UNCLEAR // 2:
                break
            (point,) = draw(self._rng, self.position, 1)
        return *best, best_value

    def pick(self, offered: tuple[tuple[int, int], ...]) -> tuple[Point, int]:
        """The fifth move that White takes, with its value for White."""
        nodes = self.part(len(offered) + 1)
        points = [Point(*cell) for cell in offered]
        values = {point: self.judge((point,), nodes).value for point in points}
        return max(values.items(), key=lambda item: item[1])

    def part(self, parts: int) -> int:
        """The nodes of a search that is one of so many."""
        least = HASTY_NODES if self.nodes is None else 1
        return max(least, budget_nodes(self) // parts)


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


def _is_near(point: Point, position: Position) -> bool:
    """At most REACH columns and rows from a stone."""
    return any(
        max(abs(point.x - x), abs(point.y - y)) <= REACH
        for x, y, stone in position.stones
        if stone is not Stone.WALL
    )


def _chosen(judged: Judged) -> Answer:
    better = "Black" if judged.value < 0 else "White"
    remark = f"White's value is {judged.value}, so {better} is better"
    return Answer(() if judged.value < 0 else (judged.move,), remark)


def _placed(found: Balanced) -> Answer:
    value = "not searched" if found.value is None else found.value
    return Answer(found.stones, f"White's value with these stones is {value}")


def _remark(side: str, value: int | None) -> str:
    return f"the value for {side} is {'not searched' if value is None else value}"
