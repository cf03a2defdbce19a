"""The rules of all games, written to be read: they decide the games of matches and the tests of the
engine.

Nothing here is shared with the engine. Every answer is read off the stones on the board, straight
from the wording of the rules, so that the referee cannot have the same mistake as the engine's
tables and counters. Only what a black stone makes in eleven neighbouring cells is remembered, since
the same cells come again and again.

The rules, by the number that `INFO rule` carries:

    0  freestyle  five or more in a row win
    1  standard   exactly five win, six or more do not
    4  renju      Black: exactly five win; overline, double four and double three are fouls
                  unless the same stone makes an exact five. White: five or more win, no fouls
    8  caro       six or more win; five win unless opponent stones stand at both ends
    9  caro exact exactly five win unless opponent stones stand at both ends

Bit 2 (continuous game) is accepted and ignored. Coordinates are counted from zero at the top left,
x to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3
COLOUR_NAMES = {BLACK: "Black", WHITE: "White"}

CONTINUOUS_BIT = 2

MIN_SIZE, MAX_SIZE = 5, 22

OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "overline", "double four", "double three"

# The four directions of a line as (dx, dy): row, column and the two diagonals.
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Cell = tuple[int, int]
# A stone that was placed: x, y, colour.
Stone = tuple[int, int, int]

FREESTYLE, STANDARD, RENJU, CARO, CARO_EXACT = 0, 1, 4, 8, 9
# Whose rows of six or more win.
_OVERLINES_WIN: dict[int, tuple[int, ...]] = {
    FREESTYLE: (BLACK, WHITE),
    STANDARD: (),
    RENJU: (WHITE,),
    CARO: (BLACK, WHITE),
    CARO_EXACT: (),
}
RULES = tuple(_OVERLINES_WIN)
# The rules in which a five with opponent stones at both ends does not win.
_ENDS_BLOCK = (CARO, CARO_EXACT)
# The rules in which Black has fouls.
_FOULS = (RENJU,)

# The board is kept as a row of bytes with a margin of wall cells all round. Nothing below looks
# further than five cells along a line, so a walk never leaves it and never meets the other side.
_MARGIN = 5


class _Shape(NamedTuple):
    """What all boards of one size share, so that a copy of a board has it too.

    steps   from a cell to its neighbour: right, down, down-right, down-left.
    places  (x, y) by the index of the cell in the row of bytes, row by row.
    blank   a board without stones; `ones`, a number whose bytes are 1 for each cell.
    """

    width: int
    height: int
    stride: int
    steps: tuple[int, int, int, int]
    places: dict[int, Cell]
    blank: bytes
    ones: int

    def __reduce__(self) -> tuple[Any, ...]:
        return _shape_of, (self.width, self.height)


@lru_cache(maxsize=32)
def _shape_of(width: int, height: int) -> _Shape:
    stride = width + 2 * _MARGIN
    places = {
        (y + _MARGIN) * stride + x + _MARGIN: (x, y) for y in range(height) for x in range(width)
    }
    size = stride * (height + 2 * _MARGIN)
    blank = bytes(EMPTY if cell in places else WALL for cell in range(size))
    ones = int.from_bytes(b"\1" * size, "little")
    steps = 1, stride, stride + 1, stride - 1
    return _Shape(width, height, stride, steps, places, blank, ones)


def _known_rules() -> str:
    *others, last = map(str, RULES)
    return f"{', '.join(others)} or {last}"


def opponent_of(colour: int) -> int:
    """The colour that plays against `colour`: WHITE for BLACK, BLACK for WHITE."""
    return BLACK + WHITE - colour


class Referee:
    """The board of one game, and the rules on it.

    Raises ValueError for a size outside 5..22, an unknown rule, or a stone on a cell that is not
    empty or not on the board. Colours need not alternate: the caller decides
    whose turn it is, so that any position can be set up.
    """

    def __init__(self, width: int, height: int, rule: int, walls: Iterable[Cell] = ()) -> None:
        if not (MIN_SIZE <= width <= MAX_SIZE and MIN_SIZE <= height <= MAX_SIZE):
            raise ValueError(f"board {width}x{height}: sides must be {MIN_SIZE} to {MAX_SIZE}")
        if rule & ~CONTINUOUS_BIT not in RULES:
            raise ValueError(f"rule {rule} does not exist; expected {_known_rules()}")
        self.width = width
        self.height = height
        self.rule = rule & ~CONTINUOUS_BIT
        self.ends_block = self.rule in _ENDS_BLOCK
        self.has_fouls = self.rule in _FOULS
        self._shape = _shape_of(width, height)
        self._stone = bytearray(self._shape.blank)
        for x, y in walls:
            self._stone[self._require_empty(x, y)] = WALL
        self._played: list[int] = []

    def copy(self) -> Referee:
        """A board with the same stones, which can be changed by itself."""
        other = Referee.__new__(Referee)
        other.__dict__.update(self.__dict__)
        other._stone, other._played = self._stone[:], self._played[:]
        return other

    # ---- stones

    def play(self, x: int, y: int, colour: int) -> None:
        """Puts a stone of `colour` (BLACK or WHITE) on an empty cell, foul or not."""
        _require_colour(colour)
        cell = self._require_empty(x, y)
        self._stone[cell] = colour
        self._played.append(cell)

    def undo(self) -> None:
        """Takes the stone played last off the board; IndexError if there is none."""
        self._stone[self._played.pop()] = EMPTY

    def cell(self, x: int, y: int) -> int:
        """What stands at (x, y): EMPTY, BLACK, WHITE or WALL; WALL outside the board."""
        return self._stone[self._index(x, y)] if self._inside(x, y) else WALL

    @property
    def stone_count(self) -> int:
        """How many stones were played."""
        return len(self._played)

    def stones(self, begin: int = 0) -> list[tuple[int, int, int]]:
        """The stones played so far, oldest first, as (x, y, colour), or those from `begin` on, as
        in a slice."""
        return [(*self._shape.places[cell], self._stone[cell]) for cell in self._played[begin:]]

    def walls(self) -> list[Cell]:
        """The wall cells of the board, row by row."""
        return [place for cell, place in self._shape.places.items() if self._stone[cell] == WALL]

    def empties(self) -> list[Cell]:
        """All empty cells, row by row from the top left."""
        return [place for cell, place in self._shape.places.items() if self._stone[cell] == EMPTY]

    def is_full(self) -> bool:
        """True when no empty cell is left."""
        return EMPTY not in self._stone

    def legal(self, x: int, y: int) -> bool:
        """True when (x, y) is an empty cell of the board. A forbidden point is legal in this
        sense: Black may play it, and loses by it (see `foul`)."""
        return self._inside(x, y) and self._stone[self._index(x, y)] == EMPTY

    # ---- winning

    def overline_wins(self, colour: int) -> bool:
        """Does a row of six or more stones of `colour` win?"""
        return colour in _OVERLINES_WIN[self.rule]

    def makes_win(self, x: int, y: int, colour: int) -> bool:
        """Would a stone of `colour` on the empty cell (x, y) win?"""
        _require_colour(colour)
        return self._wins(self._require_empty(x, y), colour)

    def winner(self) -> int:
        """The colour of the stone played last if that stone stands in a winning line, else 0."""
        if not self._played:
            return 0
        last = self._played[-1]
        colour = self._stone[last]
        return colour if self._wins(last, colour) else 0

    def winning_line(self) -> list[Cell]:
        """The cells of the winning line through the stone played last, from one end to the other;
        empty if there is none. Of several lines the first in the order row, column, diagonals."""
        if not self._played:
            return []
        last = self._played[-1]
        colour = self._stone[last]
        for step in self._shape.steps:
            if self._wins_along(last, colour, step):
                return self._row(last, colour, step)
        return []

    def winner_anywhere(self) -> int:
        """The colour that has a winning line anywhere on the board, whatever the last move; 0 if
        there is none, and BLACK if both have one (which cannot happen in a game)."""
        for colour in (BLACK, WHITE):
            for cell in self._shape.places:
                if self._stone[cell] == colour and self._wins(cell, colour):
                    return colour
        return 0

    def _wins(self, cell: int, colour: int) -> bool:
        """Does a stone of `colour` at `cell`, on the board or imagined there, win?"""
        stone = self._stone
        for step in self._shape.steps:
            is_near = stone[cell + step] == colour or stone[cell - step] == colour
            if is_near and self._wins_along(cell, colour, step):
                return True
        return False

    def _wins_along(self, cell: int, colour: int, step: int) -> bool:
        length = self._length(cell, colour, step)
        if length != 5:
            return length > 5 and self.overline_wins(colour)
        if not self.ends_block:
            return True
        # Only stones of the opponent block; the edge and walls do not.
        opponent = opponent_of(colour)
        before = cell - (self._run(cell, -step, colour) + 1) * step
        after = cell + (self._run(cell, step, colour) + 1) * step
        return not (self._stone[before] == opponent and self._stone[after] == opponent)

    # ---- fouls of Black in renju

    def foul(self, x: int, y: int) -> str | None:
        """The foul Black would make at the empty cell (x, y), or None.

        OVERLINE, DOUBLE_FOUR or DOUBLE_THREE (the first that applies, in this order); None in
        every rule but renju, and None when the stone makes an exact five, which overrides all.
        """
        cell = self._require_empty(x, y)
        made = self._makes(cell) if self.has_fouls else None
        return None if made == _FIVE else made

    def may_be_foul(self, x: int, y: int) -> bool:
        """False where Black has too few stones around (x, y) for a foul, whatever White has."""
        return self._crowded()[self._index(x, y)] > 1

    def foul_lines(self, x: int, y: int) -> list[list[Cell]]:
        """What makes a stone of Black at the empty cell (x, y) a foul: for each overline, each four
        or each three its black stones with (x, y) among them, from one end to the other. Empty
        where there is no foul; otherwise the lines of the kind that `foul` names."""
        foul = self.foul(x, y)
        if foul is None:
            return []
        cell = self._index(x, y)
        found: list[list[Cell]] = []
        for step in self._shape.steps:
            if (line := self._line(cell, step)) is None:
                continue
            if foul == OVERLINE:
                found += [self._row(cell, BLACK, step)] if line.length > 5 else []
                continue
            rows = line.fours
            if foul == DOUBLE_THREE:
                rows = [line.threes[at] for at in self._threes(cell, step, line)[:1]]
            found += [[self._shape.places[cell + at * step] for at in row] for row in rows]
        return found

    def forbidden_points(self) -> set[Cell]:
        """All empty cells where Black would make a foul; empty in every rule but renju."""
        if not self.has_fouls:
            return set()
        crowded = self._crowded()
        return {
            place
            for cell, place in self._shape.places.items()
            if crowded[cell] > 1
            and self._stone[cell] == EMPTY
            and self._makes(cell) not in (None, _FIVE)
        }

    def _crowded(self) -> bytes:
        """By cell, 2 or more where Black has enough stones around it for a foul: a quick test that
        excludes most cells without the full one.

        A three needs two more black stones within three cells along its line, a four needs three
        within four. So two of them in different lines need two stones in each; a double four in
        one line needs four stones within five cells, and an overline five. The stones are counted
        for all cells at once, in the bytes of large numbers.
        """
        black = int.from_bytes(self._stone.translate(_ONE_FOR_BLACK), "little")
        ones = self._shape.ones
        lines = 0
        for step in self._shape.steps:
            near = 0
            for away in range(8 * step, 8 * step * _MARGIN, 8 * step):
                near += (black << away) + (black >> away)
            lines += (near + 0x7E * ones) >> 7 & ones  # two or more within four cells
            away = 8 * step * _MARGIN
            near += (black << away) + (black >> away)
            lines += ((near + 0x7C * ones) >> 7 & ones) * 2  # four or more within five
        return lines.to_bytes(len(self._stone), "little")

    def _makes(self, cell: int) -> str | None:
        """What a black stone at the empty `cell` makes: _FIVE for an exact five, which overrides
        all fouls, the first foul that applies, or None."""
        lines = [(step, line) for step in self._shape.steps if (line := self._line(cell, step))]
        longest, fours = 0, 0
        for _, line in lines:
            if line.length == 5:
                return _FIVE
            longest = max(longest, line.length)
            fours += len(line.fours)
        if longest > 5:
            return OVERLINE
        if fours >= 2:
            return DOUBLE_FOUR
        if sum(bool(line.threes) for _, line in lines) < 2:
            return None
        threes = sum(bool(self._threes(cell, step, line)) for step, line in lines)
        return DOUBLE_THREE if threes >= 2 else None

    def _threes(self, cell: int, step: int, line: _Line) -> list[int]:
        """Where, counted from the black stone that is put at `cell`, one more makes a straight
        four, so that this is a three.

        It must be a point where that stone may be played: it makes no five there (in any line) and
        no foul, by these same definitions, with the stone at `cell` on the board. Every such test
        puts one more stone on the board, so the recursion ends.
        """
        self._stone[cell] = BLACK
        try:
            return [at for at in line.threes if self._makes(cell + at * step) is None]
        finally:
            self._stone[cell] = EMPTY

    def _line(self, cell: int, step: int) -> _Line | None:
        """What a black stone at `cell` makes along one line; None if nothing that counts."""
        reach = _MARGIN * step
        return _read_line(bytes(self._stone[cell - reach : cell + reach + 1 : step]))

    # ---- walking along lines

    def _run(self, cell: int, step: int, colour: int) -> int:
        """How many stones of `colour` follow `cell` without a gap along `step`, `cell` itself
        not counted. The margin of walls ends every walk."""
        stone = self._stone
        count = 0
        cell += step
        while stone[cell] == colour:
            count += 1
            cell += step
        return count

    def _length(self, cell: int, colour: int, step: int) -> int:
        """The length of the row of `colour` through `cell`, a stone there taken as given."""
        return 1 + self._run(cell, step, colour) + self._run(cell, -step, colour)

    def _row(self, cell: int, colour: int, step: int) -> list[Cell]:
        """The row of `colour` through `cell`, from one end to the other."""
        first = cell - self._run(cell, -step, colour) * step
        length = self._length(cell, colour, step)
        return [self._shape.places[first + i * step] for i in range(length)]

    def _index(self, x: int, y: int) -> int:
        return (y + _MARGIN) * self._shape.stride + x + _MARGIN

    def _inside(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def _require_empty(self, x: int, y: int) -> int:
        """The index of (x, y)."""
        if not self._inside(x, y):
            raise ValueError(f"{x},{y} is outside the {self.width}x{self.height} board")
        if self._stone[cell := self._index(x, y)] != EMPTY:
            raise ValueError(f"{x},{y} is not empty")
        return cell


def _require_colour(colour: int) -> None:
    if colour not in (BLACK, WHITE):
        raise ValueError(f"colour {colour}: must be {BLACK} (black) or {WHITE} (white)")


# ---- what a black stone makes in the middle of eleven cells of a line

_FIVE = "five"
_ONE_FOR_BLACK = bytes(stone == BLACK for stone in range(256))


class _Line(NamedTuple):
    """What a black stone makes along one line, in cells counted from it.

    length  of the row of black stones, the new one among them; it may be longer than that if it
            is more than five.
    fours   the stones of each four. A four is completed by one more black stone to exactly five.
    threes  by the cell where one more black stone makes a straight four, if it may be played
            there: the three stones that are part of it then.
    """

    length: int
    fours: list[list[int]]
    threes: dict[int, list[int]]


@lru_cache(maxsize=1 << 14)
def _read_line(cells: bytes) -> _Line | None:
    """Reads the cells from five before the new stone to five after it: no row that matters goes on
    beyond them. None where there is no row of five, no four and no three."""
    black = {at for at in range(-_MARGIN, _MARGIN + 1) if cells[at + _MARGIN] == BLACK} | {0}
    empty = {at for at in range(-_MARGIN, _MARGIN + 1) if cells[at + _MARGIN] == EMPTY} - {0}
    row = _row_through(0, black)
    fours: list[list[int]] = []
    threes: dict[int, list[int]] = {}
    # A stone that completes a four, or lengthens a three, touches the row of the new stone.
    for end in (row.stop, row.start - 1):
        if end not in empty:
            continue
        longer = _row_through(end, black)
        stones = [at for at in longer if at != end]
        # The two ends of a straight four leave the same stones.
        if len(longer) == 5 and stones not in fours:
            fours.append(stones)
        if len(longer) == 4 and all(
            at in empty and len(_row_through(at, black | {end})) == 5
            for at in (longer.stop, longer.start - 1)
        ):
            threes[end] = stones
    return _Line(len(row), fours, threes) if len(row) >= 5 or fours or threes else None


def _row_through(cell: int, black: set[int]) -> range:
    """The unbroken row of black stones through `cell`, a stone there taken as given."""
    first = last = cell
    while first - 1 in black:
        first -= 1
    while last + 1 in black:
        last += 1
    return range(first, last + 1)


def in_turns(cells: Iterable[Cell]) -> tuple[Stone, ...]:
    """The moves of a game, Black's first, as stones."""
    return tuple((x, y, WHITE if i % 2 else BLACK) for i, (x, y) in enumerate(cells))


def side_to_move(stones: Iterable[Stone]) -> int | None:
    """Whose turn it is if Black began and turns alternated; None if the numbers of stones say that
    they did not."""
    colours = [colour for _, _, colour in stones]
    return {0: BLACK, 1: WHITE}.get(colours.count(BLACK) - colours.count(WHITE))


def set_up(width: int, height: int, rule: int, stones: Sequence[Stone]) -> Referee:
    """A referee's board with the stones on it; those of the colour WALL are walls, set before the
    first move. ValueError for an impossible board, rule or stone."""
    board = Referee(width, height, rule, ((x, y) for x, y, colour in stones if colour == WALL))
    for x, y, colour in stones:
        if colour != WALL:
            board.play(x, y, colour)
    return board
