"""Openings: the first moves of a game, which the programs do not choose.

A file has one opening per line, black first, in one of three notations:

    0,0, 1,-1, -3,2, 2,2    offset: Piskvork's and Gomocup's; `dx,dy` from the centre cell
                            (width // 2, height // 2)
    h8i9e6j6                pos: points as everywhere in Tengen, the rows counted from the bottom;
                            reading them needs the size of the board
    h8i7e10j10              pos-top: the same with rows counted from the top, as c-gomoku-cli
                            writes them; it looks like pos, so it must be named

engine/text.py reads the lines; what may stand between points may stand between offsets. Empty lines
are skipped, and so are lines that begin with `#`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

from engine.files import read_file
from engine.text import (
    RULE_NAMES,
    pair_text,
    point_name,
    quoted,
    read_moves,
    refuse_repeats,
    split_points,
)
from tengen.game.encodings import unicode_text
from tengen.game.referee import BLACK, WHITE, Cell, Referee, in_turns, set_up
from tengen.game.rules import five_points, open_four_points

Notation = Literal["offset", "pos", "pos-top"]
NOTATIONS: tuple[Notation, ...] = ("offset", "pos", "pos-top")
_MAX_OFFSET = 50
# On smaller boards the edge is too near for the openings to be balanced.
_LEAST_SIDE = 13
# The fewest stones, the sides in turn, with five of one colour: no row and no foul needs fewer.
_WITH_FIVE = 9
# Millions of openings.
_MAX_BYTES = 100_000_000


@dataclass(frozen=True)
class Opening:
    """Moves as offsets from the centre cell, black first; `source` says where it comes from."""

    offsets: tuple[Cell, ...]
    source: str = "built in"

    def place(self, width: int, height: int, symmetry: int = 0) -> tuple[Cell, ...]:
        """The moves as cells of a board, turned or mirrored by one of its `symmetries`; ValueError
        if one is off it."""
        cells = tuple((width // 2 + dx, height // 2 + dy) for dx, dy in self.offsets)
        for x, y in cells:
            if not (0 <= x < width and 0 <= y < height):
                raise ValueError(f"opening {self.source}: does not fit on a {width}x{height} board")
        return image(cells, symmetry, width, height)

    def text(self, notation: Notation, width: int, height: int) -> str:
        """The opening as a line of a file; the size of the board does not matter for `offset`."""
        if notation == "offset":
            return ", ".join(f"{dx},{dy}" for dx, dy in self.offsets)
        cells = self.place(width, height)
        if notation == "pos-top":
            cells = tuple((x, height - 1 - y) for x, y in cells)
        return "".join(point_name(cell, height) for cell in cells)


def symmetries(width: int, height: int) -> range:
    """The symmetries of a board by number, 0 being the board as it is: the eight of a square, the
    four of another rectangle."""
    return range(8 if width == height else 4)


def image(cells: Iterable[Cell], symmetry: int, width: int, height: int) -> tuple[Cell, ...]:
    """The cells turned or mirrored about the middle of the board, which on a side of even length
    is between two cells; `symmetry` is one of the board's `symmetries`."""

    def of(x: int, y: int) -> Cell:
        x = width - 1 - x if symmetry & 1 else x
        y = height - 1 - y if symmetry & 2 else y
        return (y, x) if symmetry & 4 else (x, y)

    return tuple(of(x, y) for x, y in cells)


def read_openings(
    text: str,
    source: str,
    kind: Notation | Literal["auto"] = "auto",
    size: tuple[int, int] | None = None,
) -> list[Opening]:
    """Reads a file's text.

    kind  the notation; "auto" is offset or pos, as the first opening shows, and never pos-top.
    size  width and height of the board, which `pos` and `pos-top` need.

    ValueError, naming `source` and the line, for a line that is not a list of cells, or holds a
    cell twice, an offset beyond 50 or a cell off the board; and if there is no opening at all, or
    no size where one is needed.
    """
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), start=1)]
    lines = [(i, line) for i, line in lines if line and not line.startswith("#")]
    if not lines:
        raise ValueError(f"{source}: holds no opening")
    openings = []
    for i, line in lines:
        where = f"{source}, line {i}"
        try:
            points = split_points(line)
            if kind == "auto":
                kind = "pos" if points and isinstance(points[0], str) else "offset"
            _require_kind(points, kind)
            if kind == "offset":
                offsets = _offsets_of(points)
            elif size is None:
                raise ValueError(f"is in {kind} notation, which needs the size of the board")
            else:
                width, height = size
                cells = read_moves(line, width, height, from_top=kind == "pos-top")
                offsets = tuple((x - width // 2, y - height // 2) for x, y in cells)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        openings.append(Opening(offsets, where))
    return openings


def _require_kind(points: Sequence[str | Cell], kind: Notation) -> None:
    """ValueError for an offset in a file of points, or the other way round: pairs in a file are
    never points, as a slip would move the whole opening."""
    is_offset = kind == "offset"
    forms = "offsets from the centre such as 0,0, 1,-1" if is_offset else "points such as h8i9"
    if not points:
        raise ValueError(f"holds no point; expected {forms}")
    for number, point in enumerate(points, 1):
        if isinstance(point, str) == is_offset:
            shown = point if isinstance(point, str) else pair_text(point)
            raise ValueError(f"move {number}: {quoted(shown)}: expected {forms}")


def load_openings(
    path: Path,
    kind: Notation | Literal["auto"] = "auto",
    size: tuple[int, int] | None = None,
) -> list[Opening]:
    """Reads an openings file: see `read_openings`. ValueError in one line if it cannot be read or
    is not one."""
    try:
        text = unicode_text(read_file(path, _MAX_BYTES))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    if text is None:
        raise ValueError(f"{path}: is not an openings file")
    return read_openings(text, str(path), kind, size)


def _offsets_of(points: Sequence[str | Cell]) -> tuple[Cell, ...]:
    offsets = [point for point in points if not isinstance(point, str)]
    for number, pair in enumerate(offsets, 1):
        if max(map(abs, pair)) > _MAX_OFFSET:
            raise ValueError(f"move {number}: {pair_text(pair)} is an offset beyond {_MAX_OFFSET}")
    refuse_repeats(offsets, [pair_text(pair) for pair in offsets])
    return tuple(offsets)


def check_openings(openings: Iterable[Opening], width: int, height: int, rule: int) -> None:
    """ValueError if an opening does not fit on the board, already ends the game, or has a foul in
    it. What holds for an opening holds for its images."""
    for opening in openings:
        cells = opening.place(width, height)
        if len(cells) == width * height:
            raise ValueError(f"opening {opening.source}: leaves no empty cell")
        if len(cells) < _WITH_FIVE:
            continue  # books are large, so only what can be wrong is played
        board = Referee(width, height, rule)
        for number, (x, y, colour) in enumerate(in_turns(cells), 1):
            if colour == BLACK and (foul := board.foul(x, y)) is not None:
                raise ValueError(f"opening {opening.source}: move {number} is a {foul}")
            board.play(x, y, colour)
            if board.winner():
                raise ValueError(f"opening {opening.source}: move {number} wins")


# Stones near the centre that give neither side much of an advantage under any rule. They were drawn
# at random, and kept if a few seconds of search gave a value near zero for all of them.
_BUILT_IN = (
    "1,-2, 2,0, -3,-2, -1,-3, 2,2",
    "1,1, 1,0, -3,-2, -1,3, 2,1",
    "0,-3, 0,3, -2,3, -1,0",
    "-3,3, 1,3, 2,1, 2,-1, 2,0",
    "-3,1, 0,-2, 3,3, 3,-3, 1,-3, -3,-2",
    "-3,3, -1,3, -3,-1, -2,-2, 1,3",
    "-1,3, 3,2, -2,-2, -1,-1, 0,0",
    "-3,1, -2,3, 2,3, -2,1",
    "2,-3, -2,3, 1,3, 0,3",
    "-1,0, 2,0, 3,1, 1,2, 0,0",
)
# For boards too small for those; their balance was judged by eye.
_BUILT_IN_SMALL = ("0,0, 1,-1, -1,-2, -2,1", "0,0, -1,0, 2,1, 1,-2")


def built_in_openings(width: int, height: int) -> list[Opening]:
    """A few openings that fit on the board; on boards with a side under 7 the
    only one is the empty board."""
    side = min(width, height)
    if side < 7:
        return [Opening(())]
    lines = _BUILT_IN if side >= 9 else _BUILT_IN_SMALL
    return [Opening(_offsets_of(split_points(line)), "built in") for line in lines]


def default_openings(width: int, height: int, rule: int) -> list[Opening]:
    """The openings of a run that names no file: the book of the rule, and on small boards a few
    simple openings.

    The books are made by `tengen openings` (docs/MATCH.md says how)."""
    if min(width, height) < _LEAST_SIDE or rule not in RULE_NAMES:
        return built_in_openings(width, height)
    name = f"{RULE_NAMES[rule]}.txt"
    text = files("tengen.game").joinpath("books", name).read_text(encoding="ascii")
    return read_openings(text, f"book {name}")


# ---- openings drawn at random

# The stones lie in a box anywhere on the board, because openings of tournaments lie at edges and in
# corners.

Place = Literal["anywhere", "centre", "edge"]
PLACES: tuple[Place, ...] = get_args(Place)
# The least and the greatest side of a box; the sides of the board limit it.
BOX = (5, 9)
# One opening in so many has a second box elsewhere, which gets about half of the stones.
SECOND_EVERY = 3
# How often a second box is drawn until one is apart from the first; small boards have no room.
_SECOND_DRAWS = 10
# The most draws for one opening: with few cells most draws repeat earlier ones.
_DRAWS = 100
_REACH = 4  # cells along a line that can belong to a five through the one in the middle


@dataclass(frozen=True)
class Drawing:
    """What is drawn.

    stones  the least and the greatest number of stones.
    place   where the boxes lie. anywhere: each cell of the board is as often the middle of a box as
            any other, and a box that would not fit is moved onto the board; edge: the same, but
            only boxes that reach an edge; centre: in the middle of the board.

    ValueError for an impossible board or number of stones.
    """

    width: int
    height: int
    rule: int
    stones: tuple[int, int] = (3, 11)
    place: Place = "anywhere"

    def __post_init__(self) -> None:
        Referee(self.width, self.height, self.rule)
        fewest, most = self.stones
        room = BOX[0] ** 2 - 1
        if not 0 < fewest <= most <= room:
            raise ValueError(f"{fewest}-{most} stones in an opening: expected 1 to {room}")

    def draw(self, rng: random.Random) -> list[Cell] | None:
        """The moves of an opening, Black's first; None if one of them is a foul or wins, or the
        board is full."""
        boxes = [self._box(rng)]
        if self.place != "centre" and rng.randrange(SECOND_EVERY) == 0:
            drawn = (self._box(rng) for _ in range(_SECOND_DRAWS))
            boxes += [box for box in drawn if box.isdisjoint(boxes[0])][:1]
        cells = [sorted(box) for box in boxes]
        board = Referee(self.width, self.height, self.rule)
        moves: list[Cell] = []
        for i in range(rng.randint(*self.stones)):
            x, y = rng.choice([cell for cell in rng.choice(cells) if cell not in moves])
            colour = WHITE if i % 2 else BLACK
            if colour == BLACK and board.foul(x, y) is not None:
                return None
            board.play(x, y, colour)
            if board.winner():
                return None
            moves.append((x, y))
        return None if board.is_full() else moves

    def _box(self, rng: random.Random) -> set[Cell]:
        while True:
            side = rng.randint(*BOX)
            columns, rows = (self._side(rng, side, each) for each in (self.width, self.height))
            is_at_edge = (
                0 in columns or self.width - 1 in columns or 0 in rows or self.height - 1 in rows
            )
            if self.place != "edge" or is_at_edge:
                return {(x, y) for y in rows for x in columns}

    def _side(self, rng: random.Random, side: int, length: int) -> range:
        """The columns or rows of a box, on a side of the board of this length."""
        side = min(side, length)
        middle = length // 2 if self.place == "centre" else rng.randrange(length)
        first = min(max(middle - side // 2, 0), length - side)
        return range(first, first + side)


def draw_openings(drawing: Drawing, seed: int, most: int) -> Iterator[Opening]:
    """Openings in which neither side threatens anything, at most so many; fewer when nearly all
    draws repeat earlier ones. They depend on the drawing and the seed alone."""
    rng = random.Random(f"openings {seed}")
    known: set[Form] = set()
    middle_x, middle_y = drawing.width // 2, drawing.height // 2
    for number in range(most):
        for _ in range(_DRAWS):
            moves = drawing.draw(rng)
            if moves is None or (form := form_of(moves, drawing.width, drawing.height)) in known:
                continue
            known.add(form)
            if is_quiet(moves, drawing):
                offsets = tuple((x - middle_x, y - middle_y) for x, y in moves)
                yield Opening(offsets, f"candidate {number + 1}")
                break
        else:
            return


Form = tuple[tuple[int, ...], tuple[Cell, ...], tuple[Cell, ...]]


def form_of(moves: list[Cell], width: int, height: int) -> Form:
    """The black and the white stones in a form that is the same for all openings that differ only
    by turning, mirroring, the order of their stones, or by moving where no edge is near."""
    forms = []
    for symmetry in symmetries(width, height):
        cells = image(moves, symmetry, width, height)
        left, right = min(x for x, _ in cells), max(x for x, _ in cells)
        top, bottom = min(y for _, y in cells), max(y for _, y in cells)
        # No row of six reaches an edge that is further away.
        room = (left, width - 1 - right, top, height - 1 - bottom)
        moved = [(x - left, y - top) for x, y in cells]
        near = tuple(min(each, _REACH + 1) for each in room)
        forms.append((near, tuple(sorted(moved[::2])), tuple(sorted(moved[1::2]))))
    return min(forms)


def is_quiet(moves: list[Cell], drawing: Drawing) -> bool:
    """Has neither side a four or an open three after these moves?"""
    board = set_up(drawing.width, drawing.height, drawing.rule, in_turns(moves))
    return not any(
        five_points(board, board.empties(), colour) or open_four_points(board, colour)
        for colour in (BLACK, WHITE)
    )
