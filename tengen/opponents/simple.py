"""A simple opponent: it scores every empty point by the rows that a stone makes or blocks there,
and plays the best. It knows every rule and both attacks and defends. It does not look ahead, so a
program that does should beat it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from engine.model import Point, Score
from tengen.game.referee import BLACK, DIRECTIONS, EMPTY, Referee, opponent_of
from tengen.opponents.brain import Baseline, Choice, Clock, centre, chance

# The value of what a stone makes. Only the order of combinations matters: making a win comes before
# stopping one, making an open four before stopping one, and a four together with an open three
# before either alone.
WIN = 1_000_000
OPEN_FOUR = 20_000
FOUR = 1_500
OPEN_THREE = 1_200
THREE = 150
OPEN_TWO = 100
TWO = 15
# What the opponent would make at the same point counts so many tenths.
STOPPING_TENTHS = 7

_REACH = 4  # cells on either side that a five through the point can contain

# Rows through the middle of a line of nine cells: `x` own, `.` empty; any other cell is blocked.
# A row counts as open if it can become an open four; the rule's conditions for the cells beyond its
# ends are ignored.
_OPEN_THREES = ("..xxx.", ".xxx..", ".xx.x.", ".x.xx.")
_OPEN_TWOS = ("..xx..", ".x.x..", "..x.x.", ".xx...", "...xx.", ".x..x.")


def _through_middle(shapes: Sequence[str]) -> re.Pattern[str]:
    """A pattern for lines of nine cells in which one of `shapes` covers the middle stone."""
    placed = []
    for shape in shapes:
        for i, sign in enumerate(shape):
            before = _REACH - i
            if sign == "x" and 0 <= before and before + len(shape) <= 2 * _REACH + 1:
                placed.append(f".{{{before}}}{re.escape(shape)}")
    return re.compile("|".join(placed))


_OPEN_THREE_LINE = _through_middle(_OPEN_THREES)
_OPEN_TWO_LINE = _through_middle(_OPEN_TWOS)


class Simple(Baseline):
    """The brain: see `protocol.brain.Brain`.

    seed  for random choices between points of equal value; the same seed plays the same games.
          With 0 the point nearest to the centre is played, then the topmost, then the leftmost.
    """

    knows_every_rule = True

    def choose(self, board: Referee, colour: int, clock: Clock) -> Choice:
        """The point of the highest value; the best so far when the manager asks to stop. Other
        limits are not checked, because this takes only milliseconds."""
        ties = self._tie_breaks()
        best: tuple[int, float, Point] | None = None
        for point in self._points_of_interest(colour):
            if best is not None and clock.is_stopped:
                break
            clock.nodes += 1
            candidate = (self._worth(point, colour), ties(point), point)
            if best is None or candidate[:2] > best[:2]:
                best = candidate
        assert best is not None  # there is an empty point
        worth, _, move = best
        return Choice([move], Score(mate_plies=1) if worth >= WIN else Score(worth))

    def _points_of_interest(self, colour: int) -> list[Point]:
        """The empty points within two cells of a stone, or all empty points if there are none.
        Forbidden points only if there are no others."""
        board = self._board
        stones = board.stones()
        if not stones and board.legal(*centre(board)):
            return [Point(*centre(board))]
        near = {
            Point(x + dx, y + dy)
            for x, y, _ in stones
            for dx in range(-2, 3)
            for dy in range(-2, 3)
            if board.legal(x + dx, y + dy)
        }
        everything = [Point(x, y) for x, y in board.empties()]
        for points in (sorted(near), everything):
            allowed = [p for p in points if colour != BLACK or board.foul(*p) is None]
            if allowed:
                return allowed
        return everything

    def _tie_breaks(self) -> Callable[[Point], float]:
        """A number for each point, from position and seed only; the highest is played."""
        if self.seed == 0:
            middle_x = (self._board.width - 1) / 2
            middle_y = (self._board.height - 1) / 2
            return lambda p: -(abs(p.x - middle_x) + abs(p.y - middle_y)) - p.y / 1e3 - p.x / 1e6
        rng = chance(self.seed, self._board)
        numbers = {
            (x, y): rng.random()
            for y in range(self._board.height)
            for x in range(self._board.width)
        }
        return lambda p: numbers[p]

    def _worth(self, point: Point, colour: int) -> int:
        """The value of the point for `colour`: what it makes, and part of what it blocks."""
        opponent = opponent_of(colour)
        made = self._made(point, colour)
        if made >= WIN:
            return made
        # A point that is forbidden to Black need not be blocked.
        if opponent == BLACK and self._board.foul(*point) is not None:
            return made
        return made + self._made(point, opponent) * STOPPING_TENTHS // 10

    def _made(self, point: Point, colour: int) -> int:
        """The value of everything that a stone of `colour` makes at the point."""
        board = self._board
        if board.makes_win(*point, colour):
            return WIN
        total = 0
        completions: set[Point] = set()
        signs = {EMPTY: ".", colour: "x"}
        board.play(*point, colour)
        for dx, dy in DIRECTIONS:
            cells = [Point(point.x + i * dx, point.y + i * dy) for i in range(-_REACH, _REACH + 1)]
            line = "".join(signs.get(board.cell(*cell), "#") for cell in cells)
            if not _has_room(line):
                continue
            own = line.count("x")
            if own >= 4:
                new = {c for c in cells if board.legal(*c) and board.makes_win(*c, colour)}
                completions |= new
                if new:
                    continue
            if own >= 3:
                total += OPEN_THREE if _OPEN_THREE_LINE.match(line) else THREE
            elif own == 2:
                total += OPEN_TWO if _OPEN_TWO_LINE.match(line) else TWO
        board.undo()
        if len(completions) >= 2:
            return total + OPEN_FOUR
        return total + (FOUR if completions else 0)


def _has_room(line: str) -> bool:
    """Is a five through the middle of a line of nine cells still possible?"""
    before, after = line[:_REACH], line[_REACH + 1 :]
    return len(before) - before.rfind("#") - 1 + (after + "#").find("#") >= _REACH
