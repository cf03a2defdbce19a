"""The games of a large file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from tengen.game.game import Game


class LazyGames(Sequence[Game]):
    """Games that are made by their numbers, from 0, when they are asked for: a run or a database
    may have a hundred thousand."""

    def __init__(self, numbers: range, make: Callable[[int], Game]) -> None:
        self._numbers, self._make = numbers, make

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, at: int) -> Game: ...
    @overload
    def __getitem__(self, at: slice) -> LazyGames: ...
    def __getitem__(self, at: int | slice) -> Game | LazyGames:
        if isinstance(at, slice):
            return LazyGames(self._numbers[at], self._make)
        return self._make(self._numbers[at])
