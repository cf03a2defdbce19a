"""A position to be studied, and what is known about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.model import Placed, Position, Rule, Stone
from tengen.rules.referee import BLACK, COLOUR_NAMES, WALL, WHITE, Cell, Referee


@dataclass(frozen=True)
class Puzzle:
    """A position, valid and not over yet, whose side to move is to win.

    stones  in the order they were placed, as (x, y, colour); walls are stones of the colour WALL.
    side    whose turn it is.
    best    the winning move that is known, None = none is.
    mate    stones until the win, both sides', as it is known; None = it is not.
    name    where it comes from, for the user.
    """

    width: int
    height: int
    rule: int
    stones: tuple[tuple[int, int, int], ...]
    side: int
    best: Cell | None = None
    mate: int | None = None
    name: str = "position"

    def __post_init__(self) -> None:
        """ValueError, naming the puzzle, for a board that cannot be or on which nobody plays on."""
        try:
            board = self.referee()
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None
        if winner := board.winner_anywhere():
            raise ValueError(f"{self.name}: the game is over, {COLOUR_NAMES[winner]} has won")
        if board.is_full():
            raise ValueError(f"{self.name}: the board is full")
        if self.best is not None and not board.legal(*self.best):
            raise ValueError(f"{self.name}: best {self.best[0]},{self.best[1]} is not empty")

    def referee(self) -> Referee:
        """A referee's board with the stones on it."""
        walls = [(x, y) for x, y, colour in self.stones if colour == WALL]
        board = Referee(self.width, self.height, self.rule, walls)
        for x, y, colour in self.stones:
            if colour != WALL:
                board.play(x, y, colour)
        return board

    def position(self, moves: Iterable[Cell] = ()) -> Position:
        """The position as the engine wants it, after some more moves in turns."""
        stones = [Placed(x, y, Stone(colour)) for x, y, colour in self.stones]
        side = Stone(self.side)
        for x, y in moves:
            stones.append(Placed(x, y, side))
            side = side.opponent
        return Position(self.width, self.height, Rule(self.rule & ~2), tuple(stones), side)


def in_turns(cells: Iterable[Cell]) -> tuple[tuple[int, int, int], ...]:
    """Moves of a game, Black's first, as stones."""
    return tuple((x, y, WHITE if i % 2 else BLACK) for i, (x, y) in enumerate(cells))


def side_by_count(stones: Iterable[tuple[int, int, int]]) -> int | None:
    """Whose turn it is where Black began and turns alternated; None if they cannot have."""
    colours = [colour for _, _, colour in stones]
    return {0: BLACK, 1: WHITE}.get(colours.count(BLACK) - colours.count(WHITE))
