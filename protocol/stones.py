"""The stones of a game as the commands place and remove them, and which side has which colour.

Rules are not checked here: the brain knows what is forbidden, the manager decides who has won, and
moves go on after a five. (`finished_lines` finds the lines of a continuous game.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.model import MAX_SIZE, MIN_SIZE, Placed, Point, Position, Rule, Stone
from engine.rulebook import INDEX_OF_NUMBER, RULES
from protocol.commands import OWN, WALL, Block
from protocol.messages import Refusal, format_point


def check_size(width: int, height: int) -> None:
    """Refusal for a size that is not supported."""
    if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE):
        size = str(width) if width == height else f"{width}x{height}"
        # Piskvork looks for the 20 and offers that board to its user.
        raise Refusal(
            f"size {size} is not supported: send a size from {MIN_SIZE} to {MAX_SIZE},"
            " such as 20 or 15"
        )


class Stones:
    """A board during a game.

    placed    stones and walls by square, in the order they came.
    to_move   the colour of the next stone.
    is_regular  the colours have alternated with Black first, so that the numbers of stones decide
              whose turn it is.
    """

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.placed: dict[Point, Stone] = {}
        self.to_move = Stone.BLACK
        self.is_regular = True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stones) and vars(self) == vars(other)

    @classmethod
    def from_entries(cls, width: int, height: int, entries: Sequence[tuple[int, ...]]) -> Stones:
        """The board that BOARD describes, with us to move; Refusal for the first bad entry.

        `entries` are (x, y, field) with field 1 own, 2 the opponent's, 3 a wall. The numbers of
        stones decide our colour: Black with as many of each, White with one more of the
        opponent's. With any other numbers the first stone sent is Black's, as in a list in the
        order of play.
        """
        own_count = sum(1 for entry in entries if entry[2] == OWN)
        opponent_count = sum(1 for entry in entries if entry[2] not in (OWN, WALL))
        is_regular = 0 <= opponent_count - own_count <= 1
        if is_regular:
            own = Stone.BLACK if own_count == opponent_count else Stone.WHITE
        else:
            first = next(entry[2] for entry in entries if entry[2] != WALL)
            own = Stone.BLACK if first == OWN else Stone.WHITE
        stones = cls(width, height)
        for x, y, kind in entries:
            colour = Stone.WALL if kind == WALL else own if kind == OWN else own.opponent
            stones.put(Point(x, y), colour)
        stones.to_move = own
        stones.is_regular = is_regular
        return stones

    @property
    def is_empty(self) -> bool:
        """True when there is nothing on the board, not even a wall."""
        return not self.placed

    @property
    def is_full(self) -> bool:
        """True when no square is left for a move."""
        return self.free_count <= 0

    @property
    def free_count(self) -> int:
        """How many squares are left."""
        return self.width * self.height - len(self.placed)

    def after(self, points: Iterable[Point]) -> Stones:
        """A board of the same size with stones on these squares, in turn and Black's first; Refusal
        where that is not possible."""
        stones = Stones(self.width, self.height)
        for point in points:
            stones.put(point, stones.to_move)
        return stones

    def copy(self) -> Stones:
        """An independent copy."""
        other = Stones(self.width, self.height)
        vars(other).update(vars(self), placed=dict(self.placed))
        return other

    def transposed(self) -> Stones:
        """A copy with columns and rows exchanged."""
        other = self.copy()
        other.width, other.height = self.height, self.width
        other.placed = {Point(y, x): stone for (x, y), stone in self.placed.items()}
        return other

    def has(self, point: Point) -> bool:
        """True when the square is on the board."""
        return 0 <= point.x < self.width and 0 <= point.y < self.height

    def require(self, point: Point) -> None:
        """Refusal when the square is off the board."""
        if not self.has(point):
            raise Refusal(
                f"{format_point(point)} is off the board: the squares are 0,0 to"
                f" {self.width - 1},{self.height - 1}"
            )

    def put(self, point: Point, stone: Stone) -> None:
        """Place a stone or wall; Refusal when it is off the board or the square is taken."""
        self.require(point)
        if point in self.placed:
            raise Refusal(f"{format_point(point)} is occupied: send a free square")
        self.placed[point] = stone
        if stone is not Stone.WALL:
            self.is_regular = self.is_regular and stone is self.to_move
            self.to_move = stone.opponent

    def take_back(self, point: Point) -> None:
        """Remove the stone on a square; Refusal when there is none, and for a wall: nobody could
        say which side a stone of a finished line belonged to.

        It is the turn of that colour then, except where a manager takes stones back in another
        order: in a game of alternating moves the numbers of stones decide.
        """
        stone = self.placed.get(point)
        if stone is None:
            raise Refusal(f"{format_point(point)} is empty: send the square of a stone")
        if stone is Stone.WALL:
            raise Refusal(
                f"{format_point(point)} is of a finished line and stays: send RESTART or BOARD"
            )
        was_last = point == next(reversed(self.placed))
        del self.placed[point]
        black, white = self._count(Stone.BLACK), self._count(Stone.WHITE)
        if black == white == 0:
            self.to_move, self.is_regular = Stone.BLACK, True
        elif self.is_regular and 0 <= black - white <= 1:
            self.to_move = Stone.BLACK if black == white else Stone.WHITE
        elif was_last:
            self.to_move = stone

    def wall_in(self, points: Iterable[Point]) -> None:
        """Turn the stones on these squares, those of a finished line, into walls."""
        for point in points:
            self.placed[point] = Stone.WALL
            # The numbers of stones no longer decide whose turn it is.
            self.is_regular = False

    def free(self) -> Iterator[Point]:
        """The free squares, row by row."""
        for y in range(self.height):
            for x in range(self.width):
                if Point(x, y) not in self.placed:
                    yield Point(x, y)

    def position(self, rule: Rule) -> Position:
        """The board as a Position for the brain."""
        # By way of a list: tuple() of an iterator leaves memory behind until a garbage collection.
        placed = tuple([Placed(point.x, point.y, stone) for point, stone in self.placed.items()])
        return Position(self.width, self.height, rule, placed, self.to_move)

    def _count(self, colour: Stone) -> int:
        return sum(1 for stone in self.placed.values() if stone is colour)


def any_move(
    stones: Stones, excluded: tuple[Point, ...], is_forbidden: Callable[[Point], bool]
) -> Point:
    """A free square near the middle that is not excluded, a forbidden one only if there is no
    other."""
    middle_x, middle_y = stones.width // 2, stones.height // 2
    free = sorted(
        (point for point in stones.free() if point not in excluded),
        key=lambda point: abs(point.x - middle_x) + abs(point.y - middle_y),
    )
    return next((point for point in free if not is_forbidden(point)), free[0])


DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
FIVE = 5


def finished_lines(stones: Stones, point: Point, rule: Rule) -> set[Point]:
    """The squares of all lines that the stone on `point` finishes under the rule.

    A line is a row of one colour that would win a game that is not continuous. What the rule
    forbids is not asked: a manager does not go on after a forbidden stone.
    """
    colour = stones.placed[point]
    finished: set[Point] = set()
    for dx, dy in DIRECTIONS:
        row = [point]
        ends = []
        for step in (1, -1):
            x, y = point.x + step * dx, point.y + step * dy
            while stones.placed.get(Point(x, y)) is colour:
                row.append(Point(x, y))
                x, y = x + step * dx, y + step * dy
            ends.append(stones.placed.get(Point(x, y)))
        is_blocked = all(end is colour.opponent for end in ends)
        if _wins(len(row), rule, colour, is_blocked=is_blocked):
            finished.update(row)
    return finished


def _wins(length: int, rule: Rule, colour: Stone, *, is_blocked: bool) -> bool:
    """Does a row of that length win? `is_blocked`: the opponent's stones are at both ends."""
    row = RULES[INDEX_OF_NUMBER[rule]]
    if length == FIVE:
        return not (row.ends_block and is_blocked)
    return length > FIVE and row.overline_wins[colour is Stone.WHITE]


# -- squares that are not played


# More than a user chooses; Yixin-Board sends 484 paths to block all squares but one.
MAX_PATHS = 20_000

# The stones of a position: Black's and White's.
_Sides = tuple[frozenset[Point], frozenset[Point]]


class Blocked:
    """The blocked squares and paths, with squares as the manager writes them."""

    def __init__(self) -> None:
        self._points: set[Point] = set()
        # The last squares of the paths, by the position that the moves before make.
        self._paths: dict[_Sides, set[Point]] = {}

    def excluded(self, stones: Stones) -> tuple[Point, ...]:
        """The free squares of a board that are not played, row by row."""
        if not self._points and not self._paths:
            return ()
        found = self._points | self._paths.get(_sides_of(stones), set())
        return tuple([point for point in stones.free() if point in found])

    def reset(self) -> None:
        """Yxblockreset: take all squares back. Paths stay."""
        self._points.clear()

    def reset_paths(self) -> None:
        """Yxblockpathreset: take all paths back."""
        self._paths.clear()

    def take(self, block: Block, stones: Stones) -> None:
        """Carry out a body that was read without a fault. Refusal, and nothing done, where a
        square of yxblock is off the board, or too many paths are blocked."""
        match block.word:
            case "YXBLOCK" | "YXBLOCKUNDO":
                for point in block.points:
                    stones.require(point)
                is_undo = block.word == "YXBLOCKUNDO"
                change = self._points.difference_update if is_undo else self._points.update
                change(block.points)
            case "YXBLOCKPATH":
                self._block_path(block.points, stones)
            case _:
                *before, last = block.points or [Point(-1, -1)]
                self._paths.get(_sides_after(before), set()).discard(last)

    def transpose(self) -> None:
        """Exchange columns and rows."""
        self._points = _transposed(self._points)
        self._paths = {
            (frozenset(_transposed(black)), frozenset(_transposed(white))): _transposed(points)
            for (black, white), points in self._paths.items()
        }

    def _block_path(self, points: list[Point], stones: Stones) -> None:
        # Yixin-Board blocks "all but this" on boards of any size with the squares of a 22x22 one.
        if not points or not all(stones.has(point) for point in points):
            return
        if sum(map(len, self._paths.values())) >= MAX_PATHS:
            raise Refusal(f"{MAX_PATHS} paths are blocked already: send YXBLOCKPATHRESET")
        *before, last = points
        self._paths.setdefault(_sides_after(before), set()).add(last)


def _sides_of(stones: Stones) -> _Sides:
    placed = stones.placed.items()
    black = frozenset(point for point, stone in placed if stone is Stone.BLACK)
    return black, frozenset(point for point, stone in placed if stone is Stone.WHITE)


def _sides_after(moves: list[Point]) -> _Sides:
    return frozenset(moves[::2]), frozenset(moves[1::2])


def _transposed(points: set[Point] | frozenset[Point]) -> set[Point]:
    return {Point(y, x) for x, y in points}
