"""YXBALANCEONE and YXBALANCETWO: one or two moves after which neither side is better.

The moves are found as the openings of SWAP2BOARD are: many are searched, those that look balanced
longer and longer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.model import Info, Limits, Placed, Point, Position, Stone
from protocol.brain import Brain, KnowsForbidden
from protocol.coords import format_point, parse_integer
from protocol.finished import finished_lines
from protocol.messages import quote
from protocol.openings import MOST_VALUE, REACH, Judge, Judged, find_balanced
from protocol.reply import Refusal
from protocol.stones import Stones

MOVE_COUNTS = {"YXBALANCEONE": 1, "YXBALANCETWO": 2}
# So many draws in a row that are known, forbidden or end the game mean that no other is left.
_MOST_DRAWS = 200


class Balance(NamedTuple):
    """The answer.

    moves   in order: the side to move plays the first.
    remark  their value, for people.
    """

    moves: tuple[Point, ...]
    remark: str

    def __str__(self) -> str:
        return " ".join(map(format_point, self.moves))


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

    def think(self, limits: Limits, on_info: Callable[[Info], None] | None = None) -> Balance:
        """Answer within the limits, as Question of protocol.swap2 does. ValueError where all moves
        are forbidden or end the game."""
        around = _Around(self, limits)
        count = MOVE_COUNTS[self.word]
        found = find_balanced(around, (), count)
        if len(found.stones) < count:
            raise ValueError("every move is forbidden or ends the game")
        if found.value is None:
            return Balance(found.stones, "the value is not known, nothing was searched")
        # Seen from the side that moves first again.
        value = self.bias + (found.value if count == 2 else -found.value)
        return Balance(found.stones, f"the value for the side that played first is {value}")


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


def _is_near(point: Point, position: Position) -> bool:
    """At most REACH columns and rows from a stone."""
    return any(
        max(abs(point.x - x), abs(point.y - y)) <= REACH
        for x, y, stone in position.stones
        if stone is not Stone.WALL
    )
