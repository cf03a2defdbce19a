"""The rules of all games, written to be read and not to be fast: they decide the games of matches
and the tests of the engine.

Nothing here is shared with the engine. Every answer is computed afresh from the stones on the
board, straight from the wording of the rules, so that the referee cannot have the same mistake as
the engine's tables and counters.

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

from collections.abc import Iterable

EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3
COLOUR_NAMES = {BLACK: "Black", WHITE: "White"}

CONTINUOUS_BIT = 2

MIN_SIZE, MAX_SIZE = 5, 22

OVERLINE, DOUBLE_FOUR, DOUBLE_THREE = "overline", "double four", "double three"

# The four directions of a line as (dx, dy): row, column and the two diagonals.
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))

Cell = tuple[int, int]

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

# The board is kept as one list with a margin of wall cells all round. Nothing below looks further
# than five cells along a line, so a walk never leaves the list and never meets the other side.
_MARGIN = 5


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
        stride = width + 2 * _MARGIN
        self._stride = stride
        self._stone = [WALL] * (stride * (height + 2 * _MARGIN))
        # Steps from a cell to its neighbour: right, down, down-right, down-left.
        self._directions = (1, stride, stride + 1, stride - 1)
        self._cells = [self._index(x, y) for y in range(height) for x in range(width)]
        for cell in self._cells:
            self._stone[cell] = EMPTY
        for x, y in walls:
            self._require_empty(x, y)
            self._stone[self._index(x, y)] = WALL
        self._played: list[int] = []

    # ---- stones

    def play(self, x: int, y: int, colour: int) -> None:
        """Puts a stone of `colour` (BLACK or WHITE) on an empty cell, foul or not."""
        _require_colour(colour)
        self._require_empty(x, y)
        cell = self._index(x, y)
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
        return [(*self._xy(cell), self._stone[cell]) for cell in self._played[begin:]]

    def walls(self) -> list[Cell]:
        """The wall cells of the board, row by row."""
        return [self._xy(cell) for cell in self._cells if self._stone[cell] == WALL]

    def empties(self) -> list[Cell]:
        """All empty cells, row by row from the top left."""
        return [self._xy(cell) for cell in self._cells if self._stone[cell] == EMPTY]

    def is_full(self) -> bool:
        """True when no empty cell is left."""
        return all(self._stone[cell] != EMPTY for cell in self._cells)

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
        self._require_empty(x, y)
        return self._wins(self._index(x, y), colour)

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
        for step in self._directions:
            if self._wins_along(last, colour, step):
                first = last - self._run(last, -step, colour) * step
                length = self._length(last, colour, step)
                return [self._xy(first + i * step) for i in range(length)]
        return []

    def winner_anywhere(self) -> int:
        """The colour that has a winning line anywhere on the board, whatever the last move; 0 if
        there is none, and BLACK if both have one (which cannot happen in a game)."""
        for colour in (BLACK, WHITE):
            for cell in self._cells:
                if self._stone[cell] == colour and self._wins(cell, colour):
                    return colour
        return 0

    def _wins(self, cell: int, colour: int) -> bool:
        """Does a stone of `colour` at `cell`, on the board or imagined there, win?"""
        return any(self._wins_along(cell, colour, step) for step in self._directions)

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
        self._require_empty(x, y)
        return self._foul(self._index(x, y)) if self.has_fouls else None

    def may_be_foul(self, x: int, y: int) -> bool:
        """False where Black has too few stones around (x, y) for a foul, whatever White has."""
        return self._may_be_foul(self._index(x, y))

    def foul_lines(self, x: int, y: int) -> list[list[Cell]]:
        """What makes a stone of Black at the empty cell (x, y) a foul: for each overline, each four
        or each three its black stones with (x, y) among them, from one end to the other. Empty
        where there is no foul; otherwise the lines of the kind that `foul` names."""
        foul = self.foul(x, y)
        if foul is None:
            return []
        cell = self._index(x, y)
        self._stone[cell] = BLACK
        try:
            rows = [row for step in self._directions for row in self._foul_rows(cell, step, foul)]
        finally:
            self._stone[cell] = EMPTY
        return [[self._xy(stone) for stone in row] for row in rows]

    def _foul_rows(self, cell: int, step: int, foul: str) -> list[list[int]]:
        """The stones of every overline, four or three along one line, whichever the foul is made
        of; the black stone stands at `cell`."""
        if foul == OVERLINE:
            row = self._row(cell, step)
            return [row] if len(row) > 5 else []
        if foul == DOUBLE_FOUR:
            ends = self._completions(cell, step)
        else:
            self._stone[cell] = EMPTY  # `_straight_four_point` expects an empty cell
            end = self._straight_four_point(cell, step)
            self._stone[cell] = BLACK
            ends = [] if end is None else [end]
        rows: list[list[int]] = []
        for end in ends:
            # Without the stone that completes it; the two ends of a straight four leave the same.
            self._stone[end] = BLACK
            row = [stone for stone in self._row(cell, step) if stone != end]
            self._stone[end] = EMPTY
            if row not in rows:
                rows.append(row)
        return rows

    def forbidden_points(self) -> set[Cell]:
        """All empty cells where Black would make a foul; empty in every rule but renju."""
        if not self.has_fouls:
            return set()
        return {
            self._xy(cell)
            for cell in self._cells
            if self._stone[cell] == EMPTY and self._foul(cell) is not None
        }

    def _foul(self, cell: int) -> str | None:
        if not self._may_be_foul(cell):
            return None
        if self._makes_exact_five(cell):
            return None
        if any(self._length(cell, BLACK, step) > 5 for step in self._directions):
            return OVERLINE
        if sum(self._fours(cell, step) for step in self._directions) >= 2:
            return DOUBLE_FOUR
        threes = 0
        for step in self._directions:
            threes += self._straight_four_point(cell, step) is not None
            if threes == 2:
                return DOUBLE_THREE
        return None

    def _may_be_foul(self, cell: int) -> bool:
        """A quick test that excludes most cells without the full one.

        A three needs two more black stones within three cells along its line, a four needs three
        within four. So two of them in different lines need two stones in each; a double four in
        one line needs four stones within five cells, and an overline five.
        """
        stone = self._stone
        lines_with_two = 0
        for step in self._directions:
            near = stone[cell - 4 * step : cell + 4 * step + 1 : step].count(BLACK)
            if near >= 2:
                lines_with_two += 1
            if near >= 2 and stone[cell - 5 * step : cell + 5 * step + 1 : step].count(BLACK) >= 4:
                return True
        return lines_with_two >= 2

    def _makes_exact_five(self, cell: int) -> bool:
        return any(self._length(cell, BLACK, step) == 5 for step in self._directions)

    def _fours(self, cell: int, step: int) -> int:
        """How many fours (0, 1 or 2) a black stone at `cell` makes along one line.

        A four is completed by one more black stone to exactly five. That stone must touch the row
        of stones through `cell`, so there are two candidates, one at each end. Both may complete
        it: then it is one straight four if the row already has four stones (_XXXX_), and two fours
        that share the row if it is shorter (X_XXX_X).
        """
        completions = len(self._completions(cell, step))
        if completions == 2 and self._length(cell, BLACK, step) == 4:
            return 1
        return completions

    def _completions(self, cell: int, step: int) -> list[int]:
        """The empty cells where one more black stone makes an exact five with `cell` along the
        line; the black stone at `cell` may be on the board or imagined there."""
        found = []
        for towards in (step, -step):
            end = cell + (self._run(cell, towards, BLACK) + 1) * towards
            if self._stone[end] == EMPTY:
                beyond = self._run(end, towards, BLACK)
                if self._length(cell, BLACK, step) + 1 + beyond == 5:
                    found.append(end)
        return found

    def _straight_four_point(self, cell: int, step: int) -> int | None:
        """Where one more black stone makes a straight four of the one at `cell`, so that this is a
        three; None if nowhere.

        It must be a point where that stone may be played: it makes no five there (in any line) and
        no foul, by these same definitions, with the stone at `cell` on the board. Every such test
        puts one more stone on the board, so the recursion ends.
        """
        stone = self._stone
        stone[cell] = BLACK
        try:
            for towards in (step, -step):
                end = cell + (self._run(cell, towards, BLACK) + 1) * towards
                if (
                    stone[end] == EMPTY
                    and self._length(end, BLACK, step) == 4
                    and len(self._completions(end, step)) == 2
                    and not self._makes_exact_five(end)
                    and self._foul(end) is None
                ):
                    return end
            return None
        finally:
            stone[cell] = EMPTY

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

    def _row(self, cell: int, step: int) -> list[int]:
        """The cells of the row through the black stone at `cell`, from one end to the other."""
        first = cell - self._run(cell, -step, BLACK) * step
        return [first + i * step for i in range(self._length(cell, BLACK, step))]

    def _index(self, x: int, y: int) -> int:
        return (y + _MARGIN) * self._stride + x + _MARGIN

    def _xy(self, cell: int) -> Cell:
        y, x = divmod(cell, self._stride)
        return x - _MARGIN, y - _MARGIN

    def _inside(self, x: int, y: int) -> bool:
        return 0 <= x < self.width and 0 <= y < self.height

    def _require_empty(self, x: int, y: int) -> None:
        if not self._inside(x, y):
            raise ValueError(f"{x},{y} is outside the {self.width}x{self.height} board")
        if self._stone[self._index(x, y)] != EMPTY:
            raise ValueError(f"{x},{y} is not empty")


def _require_colour(colour: int) -> None:
    if colour not in (BLACK, WHITE):
        raise ValueError(f"colour {colour}: must be {BLACK} (black) or {WHITE} (white)")
