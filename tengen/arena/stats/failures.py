"""Finds programs whose games all ended by a failure, so that no Elo can be given for them.

A program that loses every game before its first move is not infinitely weaker than its opponent:
its games say nothing about strength.
"""

from __future__ import annotations

from collections import Counter, defaultdict


class Failures:
    """Counts the games of each program, and those that ended by a failure of either side."""

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        # By program: how many of its games each loser lost by a failure.
        self._losers: defaultdict[str, Counter[str]] = defaultdict(Counter)
        # By loser: why it lost the first such game.
        self._first: dict[str, str] = {}

    def add(self, names: tuple[str, str], loser: str | None = None, why: str = "") -> None:
        """Counts a game of two programs; `loser` is the one whose failure ended it, for the reason
        `why`, and None for a game that ended otherwise."""
        self._games.update(names)
        if loser is not None:
            self._first.setdefault(loser, why)
            for name in names:
                self._losers[name][loser] += 1

    def reason(self, name: str) -> str | None:
        """Why the games of a program say nothing about its strength, in words: all of them ended
        by a failure. None if one did not, or there are no games."""
        games, losers = self._games[name], self._losers[name]
        if not games or losers.total() < games:
            return None
        lost = "; ".join(
            f"{loser} lost {count} of them, the first by {self._first[loser]}"
            for loser, count in losers.most_common()
        )
        return f"all games ({games}) ended by a failure: {lost}"
