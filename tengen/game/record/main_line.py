"""The main line of a game: its board, the stones set up, and the moves with their colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tengen.game.record.tree import COLOURS, GameTree, Node, cells_between, point_of, shown
from tengen.game.referee import BLACK, WHITE, Cell, Stone

_MAX_SIZE = 52  # a coordinate is one letter, small or capital
_DEFAULT_SIZE, _DEFAULT_SIZE_OF_GO = "15", "19"
# The largest board on which `tt` is a pass and not a point.
_MAX_SIZE_TT = 19


class MainLine(NamedTuple):
    """A game without its variations.

    setup   stones that stood on the board before the first move.
    passes  for each pass, the number of moves before it; those at the end are left out.
    fault   why the moves end before those of the file; empty where they do not.
    """

    width: int
    height: int
    setup: tuple[Stone, ...]
    moves: tuple[Stone, ...]
    passes: tuple[int, ...]
    fault: str


def main_line(tree: GameTree, has_passes: bool, is_cut: bool) -> MainLine:
    """The main line of a tree. `has_passes`: the rule knows passes; those at the end of a game are
    nothing in any rule. If it `is_cut`, the game ends before the first move that is impossible.
    ValueError in one line otherwise, and for an impossible board."""
    width, height = board_size(tree)
    reading = _Reading(tree.form, width, height, has_passes)
    fault = tree.fault
    try:
        for node in tree.root.main_line():
            reading.add(node)
        if fault and not is_cut:
            raise ValueError(fault)
    except ValueError as error:
        if not (is_cut and reading.moves):
            raise
        fault = str(error)
    moves = tuple(reading.moves)
    passes = tuple(before for before in reading.passes if before < len(moves))
    return MainLine(width, height, tuple(reading.setup.values()), moves, passes, fault)


def board_size(tree: GameTree) -> tuple[int, int]:
    """Width and height of the board; ValueError for one that cannot be."""
    is_go = (tree.root.text("GM") or "").strip() == "1"
    text = tree.root.text("SZ") or (_DEFAULT_SIZE_OF_GO if is_go else _DEFAULT_SIZE)
    size = re.fullmatch(r"\s*(\d{1,3})\s*(?::\s*(\d{1,3})\s*)?", text, re.ASCII)
    if size is not None:
        width, height = int(size[1]), int(size[2] or size[1])
        if 1 <= width <= _MAX_SIZE and 1 <= height <= _MAX_SIZE:
            return width, height
    raise ValueError(f"{tree.form}: SZ[{shown(text)}] is not a board size; try 15 or 15:20")


class _Reading:
    """The nodes that have been read so far."""

    def __init__(self, form: str, width: int, height: int, has_passes: bool) -> None:
        self._form = form
        self._width = width
        self._height = height
        self._has_passes = has_passes
        self._taken: set[Cell] = set()
        self.setup: dict[Cell, Stone] = {}
        self.moves: list[Stone] = []
        self.passes: list[int] = []

    def add(self, node: Node) -> None:
        """Adds the stones of a node. ValueError where they cannot be."""
        for x, y, colour in self._setup_stones(node):
            if self.moves:
                raise ValueError(f"{self._form}: set-up stones after move {self._number - 1}")
            self.setup.pop((x, y), None)
            self._taken.discard((x, y))
            if colour:
                self.setup[x, y] = (x, y, colour)
                self._taken.add((x, y))
        for name, colour in COLOURS.items():
            for value in node.properties.get(name, ())[:1]:
                if is_pass(value, self._width, self._height):
                    self.passes.append(len(self.moves))
                else:
                    self._add_move(*self._point(value), colour)

    @property
    def _number(self) -> int:
        """Of the next move, passes counted."""
        return len(self.moves) + len(self.passes) + 1

    def _add_move(self, x: int, y: int, colour: int) -> None:
        if (x, y) in self._taken:
            raise ValueError(f"{self._form}: move {self._number} is played on a stone")
        if self.passes and not self._has_passes:
            number = self.passes[0] + 1
            raise ValueError(
                f"{self._form}: move {number} is a pass, which only renju has (--rule renju)"
            )
        self._taken.add((x, y))
        self.moves.append((x, y, colour))

    def _setup_stones(self, node: Node) -> Iterator[Stone]:
        for name, colour in (("AE", 0), ("AB", BLACK), ("AW", WHITE)):
            for value in node.properties.get(name, ()):
                # One point, or all of a rectangle written as two corners.
                corners = [self._point(corner) for corner in value.split(":", 1)]
                for x, y in cells_between(corners[0], corners[-1]):
                    yield x, y, colour

    def _point(self, text: str) -> Cell:
        point = point_of(text, self._height)
        if point is None:
            raise ValueError(f"{self._form}: [{shown(text)}] is not a point; try hh or h8")
        if not (0 <= point[0] < self._width and 0 <= point[1] < self._height):
            size = f"{self._width}x{self._height}"
            raise ValueError(f"{self._form}: [{shown(text)}] is outside the {size} board")
        return point


def is_pass(value: str, width: int, height: int) -> bool:
    """Is the value of B or W a pass? `tt` is one where it is no point."""
    word = value.strip().lower()
    return word in ("", "pass") or (word == "tt" and max(width, height) <= _MAX_SIZE_TT)
