"""Squares that Tengen does not play: `yxblock` and its relatives in the Yixin dialect.

A blocked square is blocked in every position. A blocked path is a list of moves, Black's first: its
last square is blocked in the position that the moves before it make, in whatever order they came.
Both stay until they are taken back, also after START, because front ends send START before every
search.
"""

from __future__ import annotations

from engine.model import Point, Stone
from protocol.blocks import PointsBlock
from protocol.reply import Refusal
from protocol.stones import Stones

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

    def take(self, block: PointsBlock, stones: Stones) -> None:
        """Carry out a body that was read without a fault. Refusal, and nothing done, where a
        square of yxblock is off the board, or too many paths are blocked."""
        match block.word:
            case "YXBLOCK" | "YXBLOCKUNDO":
                for point in block.entries:
                    stones.require(point)
                is_undo = block.word == "YXBLOCKUNDO"
                change = self._points.difference_update if is_undo else self._points.update
                change(block.entries)
            case "YXBLOCKPATH":
                self._block_path(block.entries, stones)
            case _:
                *before, last = block.entries or [Point(-1, -1)]
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
