"""Openings drawn at random: stones near the centre, without threats.

The candidates depend only on the `Wish`, which has the seed. No two of them are the same position
after turning, mirroring or moving, in whatever order the stones are played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tengen.game.record.openings import Opening, check_openings, image, symmetries
from tengen.game.rules.referee import BLACK, DIRECTIONS, EMPTY, WHITE, Cell, Referee

# The most draws for one candidate: with few cells most draws repeat earlier ones.
_DRAWS = 100
_REACH = 4  # cells along a line that can belong to a five through the one in the middle


@dataclass(frozen=True)
class Wish:
    """The openings that are wanted.

    count       the number of openings.
    balance     the greatest distance of the value from zero, in the unit of the program.
    stones      the least and the greatest number of stones.
    spread      the greatest distance of a stone from the centre, in columns and in rows.
    seed        decides what is drawn.
    candidates  the most openings to try.

    ValueError for an impossible board, or when no such opening can be drawn.
    """

    width: int
    height: int
    rule: int
    count: int
    balance: int
    stones: tuple[int, int] = (3, 6)
    spread: int = 3
    seed: int = 1
    candidates: int = 10_000

    def __post_init__(self) -> None:
        Referee(self.width, self.height, self.rule)
        room = (min(self.width, self.height) - 1) // 2
        if not 0 < self.spread <= room:
            raise ValueError(
                f"a spread of {self.spread} does not fit on a {self.width}x{self.height} board;"
                f" expected 1 to {room}"
            )
        fewest, most = self.stones
        cells = (2 * self.spread + 1) ** 2
        if not 0 < fewest <= most < cells:
            raise ValueError(
                f"--stones {fewest}-{most}: expected 1 to {cells - 1} stones on the {cells} cells"
                f" within --spread {self.spread}"
            )


def draw_candidates(wish: Wish) -> Iterator[Opening]:
    """The candidates in order, at most `wish.candidates`; fewer when nearly all draws repeat
    earlier ones."""
    rng = random.Random(f"openings {wish.seed}")
    side = range(-wish.spread, wish.spread + 1)
    cells = [(dx, dy) for dy in side for dx in side]
    known: set[tuple[tuple[Cell, ...], ...]] = set()
    for number in range(wish.candidates):
        for _ in range(_DRAWS):
            stones = rng.sample(cells, rng.randint(*wish.stones))
            opening = Opening(tuple(stones), f"candidate {number + 1}")
            form = canonical_form(opening)
            if form in known:
                continue
            known.add(form)
            if is_quiet(opening, wish):
                yield opening
                break
        else:
            return


def canonical_form(opening: Opening) -> tuple[tuple[Cell, ...], ...]:
    """The black and the white stones in a form that is the same for all openings that differ only
    by turning, mirroring, moving, or the order of their stones."""
    forms = []
    # The forms are moved to the top left, so that any square will do.
    for symmetry in symmetries(1, 1):
        cells = image(opening.offsets, symmetry, 1, 1)
        left = min((dx for dx, _ in cells), default=0)
        top = min((dy for _, dy in cells), default=0)
        moved = [(dx - left, dy - top) for dx, dy in cells]
        forms.append((tuple(sorted(moved[::2])), tuple(sorted(moved[1::2]))))
    return min(forms)


def is_quiet(opening: Opening, wish: Wish) -> bool:
    """True when the opening fits on the board, has no foul and no winning
    line, and no four or open three of either side."""
    try:
        check_openings([opening], wish.width, wish.height, wish.rule)
    except ValueError:
        return False
    board = Referee(wish.width, wish.height, wish.rule)
    for i, (x, y) in enumerate(opening.place(wish.width, wish.height)):
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
