"""Wins, losses and draws, counted, pairs of games, and games that are equal."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field

from tengen.arena.stats.pentanomial import Pentanomial


@dataclass
class Score:
    """Wins, losses and draws of one side."""

    wins: int = 0
    losses: int = 0
    draws: int = 0

    @property
    def games(self) -> int:
        """How many games have been counted."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """1 for each win and 0.5 for each draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """Points per game, from 0 to 1; 0 without games."""
        return self.points / self.games if self.games else 0.0

    def add(self, points: float) -> None:
        """Counts a game that gave 1, 0.5 or 0 points."""
        self.wins += points == 1
        self.losses += points == 0
        self.draws += points == 0.5


@dataclass
class Pairing(Score):
    """All games of two programs, seen from the first: single ones, and pairs of two that began
    with the same opening."""

    pentanomial: Pentanomial = field(default_factory=Pentanomial)
    # Of pairs with one game so far: the first program's points.
    _open_pairs: dict[Hashable, float] = field(default_factory=dict)

    @property
    def single_games(self) -> int:
        """The games that have no second one of their pair."""
        return len(self._open_pairs)

    def add_game(self, pair: Hashable, points: float) -> bool:
        """Counts a game (1, 1/2 or 0 points); True when it completes its pair."""
        self.add(points)
        before = self._open_pairs.pop(pair, None)
        if before is None:
            self._open_pairs[pair] = points
            return False
        self.pentanomial = self.pentanomial.add(before + points)
        return True


class Repeats:
    """Counts the games that are equal to an earlier one: programs, colours and moves. They say
    nothing new, so that intervals computed from all games are too narrow."""

    def __init__(self) -> None:
        self.count = self.games = 0
        self._seen: set[int] = set()

    def add(self, names: tuple[str, str], moves: Iterable[tuple[int, int]]) -> None:
        """Counts a game, Black's program first."""
        key = hash((names, *moves))
        self.games += 1
        self.count += key in self._seen
        self._seen.add(key)

    def __str__(self) -> str:
        """One line about them; empty if there are none."""
        if not self.count:
            return ""
        are = "are" if self.count > 1 else "is"
        return (
            f"{self.count:,} of {self.games:,} games {are} equal to an earlier one: intervals are"
            " too narrow, use more openings"
        )
