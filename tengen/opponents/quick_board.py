"""A cheap board for programs whose moves need not be good: it knows which cells are empty, and asks
the referee about fouls in renju only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tengen.game.rules.referee import Referee

Cell = tuple[int, int]

EMPTY, BLACK, WHITE, WALL = 0, 1, 2, 3
RENJU = 4


class Board:
    """The stones, and legal moves."""

    def __init__(self, width: int, height: int, rule: int, is_instant: bool) -> None:
        self.width = width
        self.height = height
        self.stone_count = 0
        self._stones = bytearray(width * height)
        self._first_empty = 0
        self._referee: Referee | None = None
        if rule & RENJU and not is_instant:
            from tengen.game.rules.referee import Referee

            self._referee = Referee(width, height, rule)

    @property
    def has_fouls(self) -> bool:
        """True when Black can make fouls, and this board knows them."""
        return self._referee is not None

    @property
    def colour_to_move(self) -> int:
        """Black after an even number of stones, else White."""
        return WHITE if self.stone_count % 2 else BLACK

    def play(self, x: int, y: int, colour: int) -> None:
        """Puts a stone, or a wall, on a cell."""
        self._stones[y * self.width + x] = colour
        if colour == WALL:
            self._referee = None  # walls must be given to it first; no manager has them in renju
            return
        self.stone_count += 1
        if self._referee is not None:
            self._referee.play(x, y, colour)

    def is_empty(self, x: int, y: int) -> bool:
        """True for an empty cell of the board."""
        on_board = 0 <= x < self.width and 0 <= y < self.height
        return on_board and self._stones[y * self.width + x] == EMPTY

    def first_empty(self) -> Cell:
        """The topmost empty cell, the leftmost of them; 0,0 on a full board."""
        self._first_empty = max(0, self._stones.find(EMPTY, self._first_empty))
        y, x = divmod(self._first_empty, self.width)
        return x, y

    def first_occupied(self) -> Cell | None:
        """The topmost cell with a stone, the leftmost of them."""
        for index, stone in enumerate(self._stones):
            if stone:
                return index % self.width, index // self.width
        return None

    def quiet_move(self, colour: int) -> Cell:
        """The first empty cell that a pattern without fives gives to this colour, else the first of
        all; no foul unless every empty cell is one."""
        empties = [(i % self.width, i // self.width) for i in range(len(self._stones))]
        empties = [cell for cell in empties if self.is_empty(*cell)]
        own = [(x, y) for x, y in empties if ((x + 2 * y) % 4 < 2) == (colour == BLACK)]
        for x, y in own + empties:
            if colour == WHITE or self._referee is None or self._referee.foul(x, y) is None:
                return x, y
        return self.first_empty()

    def foul(self) -> Cell | None:
        """A cell where Black would make a foul, if there is one."""
        return min(self._referee.forbidden_points(), default=None) if self._referee else None

    def towards_foul(self) -> Cell | None:
        """Black's next stone of a cross whose middle becomes a double three; None if there is no
        room for one. No stone of it makes a three that an opponent would answer."""
        best: tuple[int, int, Cell] | None = None
        for y in range(4, self.height - 4):
            for x in range(4, self.width - 4):
                arms = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
                lines = [(x + i, y) for i in range(-4, 5)] + [(x, y + i) for i in range(-4, 5)]
                free = [cell for cell in arms if self.is_empty(*cell)]
                others = [cell for cell in lines if cell not in arms]
                own = sum(self._stones[b * self.width + a] == BLACK for a, b in arms)
                if not free or own + len(free) < 4 or not all(self.is_empty(*c) for c in others):
                    continue
                from_middle = abs(x - self.width // 2) + abs(y - self.height // 2)
                best = max(best or (-1, 0, free[0]), (own, -from_middle, free[0]))
        return best[2] if best else None
