"""Openings drawn at random: stones in a box that lies anywhere on the board, because openings of
tournaments lie at edges and in corners."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

from tengen.game.openings import Opening, image, symmetries
from tengen.game.referee import BLACK, DIRECTIONS, EMPTY, WHITE, Cell, Referee

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
    board = Referee(drawing.width, drawing.height, drawing.rule)
    for i, (x, y) in enumerate(moves):
        board.play(x, y, WHITE if i % 2 else BLACK)
    return not any(_has_threat(board, colour) for colour in (BLACK, WHITE))


def _has_threat(board: Referee, colour: int) -> bool:
    """True when one more stone of the colour wins, or makes two cells that win."""
    own = [(x, y) for x, y, stone in board.stones() if stone == colour]
    if len(own) < 3:
        return False
    for x, y in board.empties():
        # Only stones at most four cells away can form a line with this cell.
        near = [
            (a, b) for a, b in own if (a, b) != (x, y) and max(abs(a - x), abs(b - y)) <= _REACH
        ]
        if len(near) < 3:
            continue
        if board.makes_win(x, y, colour):
            return True
        board.play(x, y, colour)
        wins = sum(board.makes_win(a, b, colour) for a, b in _lines_through(board, x, y))
        board.undo()
        if wins > 1:
            return True
    return False


def _lines_through(board: Referee, x: int, y: int) -> list[Cell]:
    cells = [
        (x + i * dx, y + i * dy) for dx, dy in DIRECTIONS for i in range(-_REACH, _REACH + 1) if i
    ]
    return [cell for cell in cells if board.cell(*cell) == EMPTY]
