"""A position of a game, for people who write Python: the referee's board with names of points.

Points, colours and rules are texts, as people type them: "h8", "black", "renju".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, SupportsIndex

from engine.text import (
    DEFAULT_SIZE,
    RULE_NAMES,
    Cell,
    ParsedPosition,
    column_letter,
    point_name,
    point_names,
    read_moves,
    read_point,
    read_position,
    read_rule,
    read_size,
)
from tengen.game.arguments import of_type, several, shown, whole
from tengen.game.arguments import text as argument
from tengen.game.openings import image, symmetries
from tengen.game.referee import (
    BLACK,
    MAX_SIZE,
    MIN_SIZE,
    WALL,
    WHITE,
    Referee,
    Stone,
    in_turns,
    opponent_of,
    set_up,
)
from tengen.game.values import counted

if TYPE_CHECKING:
    from engine.model import Position as ModelPosition

Colour = Literal["black", "white"]
# A point as callers may write it: "h8", "7,7" or (7, 7); pairs count from zero at the top left.
AnyPoint = str | tuple[int, int]
Size = int | str | tuple[int, int]
BoardSize = tuple[int, int]

COLOURS: dict[int, Colour] = {BLACK: "black", WHITE: "white"}
_SIGNS = {BLACK: "X", WHITE: "O", WALL: "#"}


class Point(str):
    """A point of a board. It is its own name, such as "h8": the column's letter, and the row
    counted from the bottom. `x` and `y` count from zero at the top left. ValueError or TypeError
    for what no board has."""

    __slots__ = ("x", "y")
    x: int
    y: int

    def __new__(cls, x: int, y: int, height: int) -> Point:
        height = whole("height", height, MIN_SIZE, MAX_SIZE)
        x, y = whole("x", x, 0, MAX_SIZE - 1), whole("y", y, 0, height - 1)
        point = super().__new__(cls, point_name((x, y), height))
        point.x, point.y = x, y
        return point

    def __getnewargs__(self) -> tuple[int, int, int]:  # type: ignore[override]
        return self.x, self.y, self.y + int(self[1:])


@lru_cache(maxsize=64)
def _points_of(width: int, height: int) -> dict[object, Point]:
    """The points of all boards of a size, by their cells and by their names."""
    points = [Point(x, y, height) for y in range(height) for x in range(width)]
    return {(point.x, point.y): point for point in points} | {str(each): each for each in points}


class Position:
    """A board with the stones on it, and whose turn it is.

        position = Position()                             # an empty board, 15x15, freestyle
        position = Position("h8 i9 g9", rule="renju")     # after some moves
        position.play("h10")

    text  moves in turn, Black's first, as a text or a list of points; a picture of a board as
          `str(position)` draws it (docs/STUDY.md has the grammar).
    size  a number, "20x15" or (20, 15); 5 to 22. None = what the text says, else 15.
    rule  "freestyle", "standard", "renju", "caro" or "caro-exact", or its number in the protocol.
          None = what the text says, else freestyle.

    Raises ValueError or TypeError, in one line, for anything else and for a move that cannot be
    played.
    """

    def __init__(
        self,
        text: str | Iterable[AnyPoint] = "",
        *,
        size: Size | None = None,
        rule: str | int | None = None,
    ) -> None:
        asked = None if rule is None else rule_of(rule)
        self._take(parse_text(text, size), asked)

    def _take(self, parsed: ParsedPosition, rule: int | None) -> Position:
        if rule is None:
            rule = parsed.rule or 0
        elif parsed.rule not in (None, rule):
            said, wanted = RULE_NAMES[parsed.rule or 0], RULE_NAMES[rule]
            raise ValueError(f"rule: {wanted} was asked for, but the text says {said}")
        size = parsed.width, parsed.height
        if parsed.is_picture:
            return self._begin(size, rule, parsed.stones, parsed.side)
        self._begin(size, rule, (), BLACK)
        self.play_stones(parsed.stones)
        return self

    @classmethod
    def of_parsed(cls, parsed: ParsedPosition, rule: int | None = None) -> Position:
        """The position of a text that was read, by the rule that it says, else by `rule`, else
        freestyle. ValueError where both are given and differ."""
        return cls.__new__(cls)._take(parsed, rule)

    @classmethod
    def begin(
        cls, size: BoardSize, rule: int, setup: Iterable[Stone] = (), side: int = BLACK
    ) -> Position:
        """The position with these stones set up, for the side to move, both as numbers: BLACK or
        WHITE, WALL for walls. ValueError for one that cannot be."""
        return cls.__new__(cls)._begin(size, rule, setup, side)

    def _begin(self, size: BoardSize, rule: int, setup: Iterable[Stone], side: int) -> Position:
        self.setup, self.first_side = tuple(setup), side
        self._board = set_up(*size, rule, self.setup)
        self._side = side
        self._moves: list[Point] = []
        # A picture can show a game that is over.
        self._winner = self._board.winner_anywhere() if self.setup else 0
        self._is_over = bool(self._winner) or self._board.is_full()
        return self

    # -- the board

    @property
    def width(self) -> int:
        """Columns of the board."""
        return self._board.width

    @property
    def height(self) -> int:
        """Rows of the board."""
        return self._board.height

    @property
    def rule(self) -> str:
        """The name of the rule: "freestyle", "standard", "renju", "caro" or "caro-exact"."""
        return RULE_NAMES[self._board.rule]

    @property
    def size(self) -> BoardSize:
        """Columns and rows of the board."""
        return self._board.width, self._board.height

    @property
    def rule_number(self) -> int:
        """The number of the rule, as in the protocol."""
        return self._board.rule

    @property
    def side(self) -> int:
        """Whose turn it is, as a number: BLACK or WHITE."""
        return self._side

    @property
    def turn(self) -> Colour:
        """Whose turn it is."""
        return COLOURS[self._side]

    @property
    def moves(self) -> tuple[Point, ...]:
        """The moves so far, without stones that were set up."""
        return tuple(self._moves)

    @property
    def stones(self) -> Mapping[str, Colour]:
        """The colours by point: `position.stones.get("h8")`."""
        points = self._points
        return MappingProxyType(
            {points[x, y]: COLOURS[colour] for x, y, colour in self._board.stones()}
        )

    @property
    def all_stones(self) -> tuple[Stone, ...]:
        """The walls as stones of the colour WALL, then the stones that were set up, then the moves,
        each as (x, y, colour)."""
        return (*((x, y, WALL) for x, y in self._board.walls()), *self._board.stones())

    def referee(self) -> Referee:
        """A board of its own with these stones, for judging what else may happen."""
        return self._board.copy()

    def __iter__(self) -> Iterator[Point]:
        """The points with a stone, those of the moves last and in their order."""
        points = self._points
        return (points[x, y] for x, y, _ in self._board.stones())

    def __len__(self) -> int:
        """The number of stones."""
        return self._board.stone_count

    def __bool__(self) -> bool:
        return True  # also without a stone

    def __getitem__(self, point: AnyPoint) -> Colour | None:
        """The colour of the stone at a point; None if there is none. ValueError as of `point`."""
        at = self.point(point)
        return COLOURS.get(self._board.cell(at.x, at.y))

    def is_empty(self, x: int, y: int) -> bool:
        """Is (x, y), counted from zero at the top left, an empty point of the board?"""
        return self._board.legal(x, y)

    def __contains__(self, point: AnyPoint) -> bool:
        """Does a stone stand at this point?"""
        return self[point] is not None

    @property
    def walls(self) -> tuple[Point, ...]:
        """The cells where nobody can play; a board has none unless a picture shows them."""
        return self._named(self._board.walls())

    def point(self, point: AnyPoint) -> Point:
        """The point of this board that "h8", "7,7" or (7, 7) names. ValueError if there is none;
        TypeError for what is neither a text nor a pair."""
        if isinstance(point, tuple) and len(point) == 2:
            point = f"{point[0]},{point[1]}"
        if not isinstance(point, str):
            kind = ValueError if isinstance(point, tuple) else TypeError
            raise kind(f"{shown(point)} is not a point; expected 'h8' or (7, 7)")
        return self._points.get(point) or self._points[read_point(point, self.width, self.height)]

    # -- moves

    def play(self, move: AnyPoint) -> None:
        """Plays a move for the side whose turn it is. A point that renju forbids Black can be
        played, and loses the game. ValueError, and nothing is changed, if it is not an empty point
        of the board or the game is over."""
        self._play(self.point(move))

    def _play(self, point: Point) -> None:
        if self._is_over:
            raise ValueError(f"{point} cannot be played: {self._ending()}")
        if here := self._board.cell(point.x, point.y):
            what = "a wall" if here == WALL else f"occupied by {COLOURS[here]}"
            raise ValueError(f"{point} is {what}; expected an empty point")
        board, mover, is_foul = self._board, self._side, False
        if mover == BLACK and board.has_fouls:
            is_foul = board.foul(point.x, point.y) is not None
        board.play(point.x, point.y, mover)
        self._moves.append(point)
        self._side = opponent_of(mover)
        self._winner = self._side if is_foul else board.winner()
        self._is_over = bool(self._winner) or board.is_full()

    def play_stones(self, stones: Iterable[Stone]) -> None:
        """Plays moves of these colours; where one is not in turn, the other side has passed.
        ValueError, naming the move, for one that cannot be played."""
        points = self._points
        for x, y, colour in stones:
            self._side = colour
            try:
                self._play(points.get((x, y)) or self.point((x, y)))
            except ValueError as error:
                raise ValueError(f"move {len(self._moves) + 1}: {error}") from None

    def give_turn(self, side: int) -> None:
        """Says whose turn it is, BLACK's or WHITE's, as after a pass."""
        self._side = side

    def undo(self) -> Point:
        """Takes the last move back and returns it. IndexError if there is none."""
        if not self._moves:
            raise IndexError("there is no move to take back")
        move = self._moves.pop()
        self._side = self._board.cell(move.x, move.y)
        self._board.undo()
        self._winner, self._is_over = 0, False
        return move

    def legal_moves(self) -> list[Point]:
        """The points that can be played without breaking the rule, row by row from the top; none
        when the game is over. Where Black has forbidden points only, these: each of them loses."""
        if self._is_over:
            return []
        allowed = empties = self._board.empties()
        if self._side == BLACK and (forbidden := self._board.forbidden_points()):
            allowed = [cell for cell in empties if cell not in forbidden]
        return [*self._named(allowed or empties)]

    def forbidden(self) -> dict[Point, str]:
        """The points that renju forbids Black, whoever is to move, each with the reason:
        "overline", "double four" or "double three"."""
        cells = sorted(self._board.forbidden_points(), key=lambda cell: cell[::-1])
        return {self._points[cell]: self._board.foul(*cell) or "" for cell in cells}

    # -- the end

    @property
    def is_over(self) -> bool:
        """True when somebody has won, and when the board is full."""
        return self._is_over

    def winner(self) -> Colour | None:
        """Who has won; None while the game goes on, and after a draw."""
        return COLOURS.get(self._winner)

    @property
    def winning_side(self) -> int:
        """Who has won, as a number: BLACK or WHITE; 0 as long as nobody has."""
        return self._winner

    def winning_line(self) -> list[Point]:
        """The points of the row that the last move has won by; empty without one."""
        line = self._board.winning_line() if self._moves and self._winner else []
        return [*self._named(line)]

    # -- other positions

    def copy(self) -> Position:
        """The same position, which can be changed by itself."""
        other = Position.__new__(Position)
        other.__dict__.update(self.__dict__)
        other._board, other._moves = self._board.copy(), self._moves[:]
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Position:
        return self.copy()

    def symmetries(self) -> list[Position]:
        """The positions that turning and mirroring the board makes of this one, each once and this
        one first: up to eight, four on a board that is not square."""
        found: list[Position] = []
        for number in symmetries(self.width, self.height):
            position = self._image(number)
            if position not in found:
                found.append(position)
        return found

    def _image(self, symmetry: int) -> Position:
        def turned(cells: Iterable[Cell]) -> tuple[Cell, ...]:
            return image(cells, symmetry, self.width, self.height)

        places = turned((x, y) for x, y, _ in self.setup)
        setup = [(*cell, stone[2]) for cell, stone in zip(places, self.setup, strict=True)]
        other = Position.begin(self.size, self.rule_number, setup, self.first_side)
        moves = self._board.stones(len(self) - len(self._moves))
        places = turned((x, y) for x, y, _ in moves)
        other.play_stones((*cell, move[2]) for cell, move in zip(places, moves, strict=True))
        other._side = self._side
        return other

    def to_model(self) -> ModelPosition:
        """The position as `engine.api.Engine`, the engine without this library, takes it."""
        from engine.model import Placed, Rule
        from engine.model import Position as ModelPosition
        from engine.model import Stone as ModelStone

        return ModelPosition(
            self.width,
            self.height,
            Rule(self._board.rule),
            [Placed(x, y, ModelStone(colour)) for x, y, colour in self.all_stones],
            ModelStone(self._side),
        )

    # -- showing it

    def __str__(self) -> str:
        """A picture of the board, which `Position` reads: X Black, O White, `!` forbidden, the last
        move in brackets."""
        signs = {(x, y): _SIGNS[colour] for x, y, colour in self._board.stones()}
        signs |= dict.fromkeys(self._board.walls(), "#")
        if self._side == BLACK and not self._is_over:
            signs |= dict.fromkeys(self._board.forbidden_points(), "!")
        last = (self._moves[-1].x, self._moves[-1].y) if self._moves else None
        rows = []
        for y in range(self.height):
            row = "".join(
                ("[" if (x, y) == last else "]" if (x - 1, y) == last else " ")
                + signs.get((x, y), ".")
                for x in range(self.width)
            )
            row += "]" if (self.width - 1, y) == last else ""
            rows.append(f"{self.height - y:2}{row}")
        letters = " ".join(map(column_letter, range(self.width)))
        head = [f"rule: {self.rule}", f"to move: {self.turn}"]
        return "\n".join([*head, *rows, f"   {letters}"])

    def __repr__(self) -> str:
        size = f"{self.width}x{self.height}" if self.width != self.height else str(self.width)
        if self.setup:
            stones = counted(len(self), "stone")
            return f"<Position {size} {self.rule}, {stones}, {self.turn} to move>"
        moves = point_names(((move.x, move.y) for move in self._moves), self.height)
        written = size if size.isdigit() else repr(size)
        return f"Position({moves!r}, size={written}, rule={self.rule!r})"

    def svg(
        self,
        *,
        numbers: bool = True,
        marks: Iterable[str] | Mapping[str, str] = (),
        values: Mapping[str, object] | None = None,
        cell_px: int = 32,
    ) -> str:
        """The board as an SVG picture.

        numbers  the stones have the numbers of their moves; the last move stands out anyway.
        marks    points with a ring, or with the texts that a mapping gives.
        values   what stands on empty points, such as chances to win.
        cell_px  the distance of two lines.
        """
        from tengen.game.picture import Picture

        cell_px = whole("cell_px", cell_px, 1, 10_000)
        on_points = of_type("values", values or {}, Mapping, "a mapping by points")
        texts = {point: str(value) for point, value in on_points.items()}
        marks = several("marks", marks)
        said = marks if isinstance(marks, Mapping) else dict.fromkeys(marks, "")
        texts |= {point: argument("marks", words) for point, words in said.items()}
        places = {self.point(point): text for point, text in texts.items()}
        stones = {(x, y): colour for x, y, colour in self._board.stones()}
        stones |= dict.fromkeys(self._board.walls(), WALL)
        cells = [(move.x, move.y) for move in self._moves]
        return Picture(
            self.width,
            self.height,
            stones,
            cells[-1] if cells else None,
            [(point.x, point.y) for point in self.winning_line()],
            {cell: number for number, cell in enumerate(cells, 1)} if numbers else {},
            {(point.x, point.y): text for point, text in places.items()},
        ).svg(cell_px)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __eq__(self, other: object) -> bool:
        """Do both have the same board, rule and side to move? The order of the moves is ignored."""
        return isinstance(other, Position) and self._key() == other._key()

    def __hash__(self) -> int:
        """As for `==`: it changes with every move, so a position that is a key stays as it is."""
        return hash(self._key())

    def _key(self) -> object:
        board = self._board
        stones, walls = frozenset(board.stones()), frozenset(board.walls())
        return board.width, board.height, board.rule, self._side, stones, walls

    @property
    def _points(self) -> Mapping[object, Point]:
        """The points of the board by their cells and by their names."""
        return _points_of(self._board.width, self._board.height)

    def _named(self, cells: Iterable[Cell]) -> tuple[Point, ...]:
        return tuple(map(self._points.__getitem__, cells))

    def _ending(self) -> str:
        winner = self.winner()
        return f"the game is over, {winner} has won" if winner else "the game is over, it is a draw"


def rule_of(rule: str | int) -> int:
    """The number of a rule as callers write it. ValueError if there
    is none; TypeError for what is neither a text nor a number."""
    if isinstance(rule, bool) or not isinstance(rule, str | SupportsIndex):
        raise TypeError(f"rule={shown(rule)}: expected a name or a number")
    return read_rule(str(rule))


# The beginning of a file of games: sgf, psq, xml, JSON, RenLib, sav, rec.
_FILE = re.compile(
    r"\ufeff?\s*(?:\(\s*;|Piskvorky|<|\{|\xffRenLib|(?:\d+\s*\n\s*){2}\d+\s*\n"
    r"|(?:[^\n]+\n){2}\s*\d+,\d+,-?\d+\s*\n)"
)


def parse_text(text: str | Iterable[AnyPoint], size: Size | None = None) -> ParsedPosition:
    """What a text, or a list of moves, on a board of that size says. Errors as of Position."""
    shape = _size_of(size)
    if isinstance(text, str):
        try:
            return read_position(text, shape)
        except ValueError as error:
            if not _FILE.match(text):
                raise
            raise ValueError(
                "text: expected moves or a picture; tengen.parse_game reads the content of a file,"
                " tengen.read_game a file by its name"
            ) from error
    if isinstance(text, bytes | bytearray | Mapping | Set) or not isinstance(text, Iterable):
        raise TypeError(f"text={shown(text)}: expected a text or a list of points")
    width, height = shape or DEFAULT_SIZE
    return ParsedPosition(width, height, in_turns(read_moves(text, width, height)), False, {})


def _size_of(size: object) -> BoardSize | None:
    if size is None:
        return None
    if isinstance(size, tuple) and len(size) == 2:
        size = f"{size[0]}x{size[1]}"
    if isinstance(size, bool) or not isinstance(size, str | SupportsIndex):
        kind = ValueError if isinstance(size, tuple) else TypeError
        raise kind(f"size={shown(size)}: expected 15, '20x15' or (20, 15)")
    return read_size(str(size))
