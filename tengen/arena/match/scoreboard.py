"""The results of a run: wins, losses and draws, pairs, how games ended, and time used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tengen.arena.match.jobs import EndedGame
from tengen.arena.stats.pentanomial import Failures, Pairing, Pentanomial, Repeats, Score
from tengen.game.played import Termination
from tengen.game.referee import BLACK, WHITE, opponent_of


@dataclass
class Standing(Score):
    """One program's results. A game without a winner is a draw, unless it was interrupted."""

    name: str = field(kw_only=True)
    wins_by_colour: Counter[int] = field(default_factory=Counter)
    moves: int = 0
    time_s: float = 0.0
    longest_s: float = 0.0
    peak_bytes: int = 0

    @property
    def mean_s(self) -> float:
        """The mean time of a move, in seconds."""
        return self.time_s / self.moves if self.moves else 0.0


class Scoreboard:
    """Counts games as they end."""

    def __init__(self, names: Sequence[str]) -> None:
        self.standings = {name: Standing(name=name) for name in names}
        # By the names of two programs, in the order in which they were given.
        self.pairings: dict[tuple[str, str], Pairing] = {}
        # The same games seen from Black.
        self.by_black = Pairing()
        self.games = 0
        self.terminations: Counter[Termination] = Counter()
        # Failures in words, in the order they happened: (game number from one, loser, why).
        self.failures: list[tuple[int, str, str]] = []
        # Games that ended by a failure are not compared.
        self.repeats = Repeats()
        self._failures = Failures()
        self._rank = {name: number for number, name in enumerate(names)}

    @property
    def points(self) -> dict[str, float]:
        """The points of every program."""
        return {name: standing.points for name, standing in self.standings.items()}

    @property
    def pentanomials(self) -> dict[tuple[str, str], Pentanomial]:
        """The complete pairs of every two programs that have met, seen from the first of them.
        Programs whose games say nothing about their strength are left out."""
        return {
            names: pairing.pentanomial
            for names, pairing in self.pairings.items()
            if not any(map(self.why_unrated, names))
        }

    def why_unrated(self, name: str) -> str | None:
        """Why the games of a program say nothing about its strength: all of them ended by a
        failure, of which the first is named. None if they do, or there are no games."""
        return self._failures.reason(name)

    def won_by_colour(self, colour: int) -> int:
        """How many games Black or White has won."""
        return sum(standing.wins_by_colour[colour] for standing in self.standings.values())

    def add(self, game: EndedGame) -> bool:
        """Counts one game, unless it was interrupted. True when it completes its pair."""
        if game.termination is Termination.INTERRUPTED:
            return False
        self.games += 1
        self.terminations[game.termination] += 1
        for colour, peak_bytes in zip((BLACK, WHITE), game.peak_bytes, strict=True):
            standing = self.standings[game.job.name_of(colour)]
            standing.add(_points(game, colour))
            standing.peak_bytes = max(standing.peak_bytes, peak_bytes)
            if game.winner == colour:
                standing.wins_by_colour[colour] += 1
            for move in game.moves[len(game.job.opening) :]:
                if move.colour == colour:
                    standing.moves += 1
                    standing.time_s += move.elapsed_s
                    standing.longest_s = max(standing.longest_s, move.elapsed_s)
        names = (game.job.black, game.job.white)
        if game.termination.is_failure:
            loser = game.job.name_of(opponent_of(game.winner))
            why = f"{game.termination.value}: {game.detail}"
            self.failures.append((game.job.index + 1, loser, why))
            self._failures.add(names, loser, why)
        else:
            self._failures.add(names)
            self.repeats.add(names, ((move.x, move.y) for move in game.moves))
        return self._add_to_pairing(game)

    def _add_to_pairing(self, game: EndedGame) -> bool:
        first, second = sorted((game.job.black, game.job.white), key=self._rank.__getitem__)
        first_colour = BLACK if game.job.black == first else WHITE
        points = _points(game, first_colour)
        self.by_black.add_game(game.job.pair, _points(game, BLACK))
        return self.pairings.setdefault((first, second), Pairing()).add_game(game.job.pair, points)


def _points(game: EndedGame, colour: int) -> float:
    """The points that the colour got: 1, 1/2 or 0."""
    return float(game.winner == colour) if game.winner else 0.5
