"""Wins, losses and draws, counted."""

from __future__ import annotations

from dataclasses import dataclass


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
