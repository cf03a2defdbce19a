"""What a run has come to: wins, losses and draws, pairs, how games ended, and time used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tengen.record.game import Game
from tengen.record.termination import Termination
from tengen.rules.referee import BLACK, WHITE, opponent_of
from tengen.stats.pentanomial import Pentanomial


@dataclass
class Standing:
    """One program's results. Games with winner 0 count as draws unless interrupted."""

    name: str
    wins: int = 0
    losses: int = 0
    draws: int = 0
    wins_by_colour: Counter[int] = field(default_factory=Counter)
    won_by: Counter[Termination] = field(default_factory=Counter)
    lost_by: Counter[Termination] = field(default_factory=Counter)
    moves: int = 0
    time_s: float = 0.0
    longest_s: float = 0.0

    @property
    def games(self) -> int:
        """Games that count."""
        return self.wins + self.losses + self.draws

    @property
    def points(self) -> float:
        """One for a win, half for a draw."""
        return self.wins + self.draws / 2

    @property
    def mean_s(self) -> float:
        """The mean time of a move."""
        return self.time_s / self.moves if self.moves else 0.0


class Pairing:
    """All games of two programs, seen from the first: single ones, and pairs of two that began
    with the same opening."""

    def __init__(self) -> None:
        self.pentanomial = Pentanomial()
        self.wins = 0
        self.draws = 0
        self.losses = 0
        # Of pairs with one game yet: the first program's points.
        self._open_pairs: dict[int, float] = {}

    def add(self, pair: int, points: float) -> bool:
        """Counts a game (1, 1/2 or 0 points); True when it completes its pair."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        before = self._open_pairs.pop(pair, None)
        if before is None:
            self._open_pairs[pair] = points
            return False
        self.pentanomial = self.pentanomial.add(before + points)
        return True


class Tally:
    """Counts games as they end."""

    def __init__(self, names: Sequence[str]) -> None:
        self.standings = {name: Standing(name) for name in names}
        # By the names of two programs, in the order in which they were given.
        self.pairings: dict[tuple[str, str], Pairing] = {}
        # The same games seen from Black.
        self.by_black = Pairing()
        self.games = 0
        self.draws = 0
        self.terminations: Counter[Termination] = Counter()
        # Failures in words, in the order they happened: (game number from one, loser, why).
        self.failures: list[tuple[int, str, str]] = []
        self._rank = {name: number for number, name in enumerate(names)}

    @property
    def points(self) -> dict[str, float]:
        """Everybody's points."""
        return {name: standing.points for name, standing in self.standings.items()}

    @property
    def pentanomials(self) -> dict[tuple[str, str], Pentanomial]:
        """The complete pairs of every two programs that have met, as the first of them saw it."""
        return {names: pairing.pentanomial for names, pairing in self.pairings.items()}

    def won_by_colour(self, colour: int) -> int:
        """How many games Black or White has won."""
        return sum(standing.wins_by_colour[colour] for standing in self.standings.values())

    def add(self, game: Game) -> bool:
        """Counts one game; an interrupted one counts for nobody. True when a pair is complete."""
        if game.termination is Termination.INTERRUPTED:
            return False
        self.games += 1
        self.terminations[game.termination] += 1
        self.draws += game.winner == 0
        for colour in (BLACK, WHITE):
            standing = self.standings[game.job.name_of(colour)]
            if game.winner == 0:
                standing.draws += 1
            elif game.winner == colour:
                standing.wins += 1
                standing.wins_by_colour[colour] += 1
                standing.won_by[game.termination] += 1
            else:
                standing.losses += 1
                standing.lost_by[game.termination] += 1
            for move in game.moves[len(game.job.opening) :]:
                if move.colour == colour:
                    standing.moves += 1
                    standing.time_s += move.elapsed_s
                    standing.longest_s = max(standing.longest_s, move.elapsed_s)
        if game.termination.is_failure:
            loser = game.job.name_of(opponent_of(game.winner))
            why = f"{game.termination.value}: {game.detail}"
            self.failures.append((game.job.index + 1, loser, why))
        return self._add_to_pairing(game)

    def _add_to_pairing(self, game: Game) -> bool:
        first, second = sorted((game.job.black, game.job.white), key=self._rank.__getitem__)
        first_colour = BLACK if game.job.black == first else WHITE
        points = 0.5 if game.winner == 0 else float(game.winner == first_colour)
        self.by_black.add(game.job.pair, points if first_colour == BLACK else 1 - points)
        return self.pairings.setdefault((first, second), Pairing()).add(game.job.pair, points)
