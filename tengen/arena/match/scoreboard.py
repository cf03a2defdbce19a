"""The results of a run: wins, losses and draws, pairs, how games ended, time used, and what is said
of them in a line."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tengen.arena.stats.elo import Estimate, elo_estimate, los
from tengen.arena.stats.pentanomial import Pairing, Pentanomial, Repeats, Score
from tengen.arena.stats.ratings import Rating, rate
from tengen.arena.stats.sprt import Sprt, Verdict
from tengen.game.game import Game
from tengen.game.played import Termination
from tengen.game.values import counted


def ending_word(game: Game) -> str:
    """How a game ended, for people."""
    return "unknown" if game.termination is None else game.termination.value


@dataclass
class Standing(Score):
    """One program's results; `by_colour` has those as Black and as White, and `spoilt` counts the
    games that a failure ended, by who failed. A game without a winner is a draw, unless it was
    interrupted."""

    name: str = field(kw_only=True)
    by_colour: tuple[Score, Score] = field(default_factory=lambda: (Score(), Score()))
    spoilt: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    time_s: float = 0.0
    longest_s: float = 0.0
    peak_bytes: int = 0

    @property
    def mean_s(self) -> float:
        """The mean time of a move, in seconds."""
        return self.time_s / self.moves if self.moves else 0.0


class Scoreboard:
    """Counts games as they end, or these."""

    def __init__(self, names: Sequence[str], games: Iterable[Game] = ()) -> None:
        self.standings = {name: Standing(name=name) for name in names}
        # By the names of two programs, in the order in which they were given.
        self.pairings: dict[tuple[str, str], Pairing] = {}
        # The same games seen from Black.
        self.by_black = Pairing()
        self.games = 0
        # How often each program has lost in each way; None for draws. Those that were interrupted
        # are here too.
        self.lost: defaultdict[Termination | None, Counter[str | None]] = defaultdict(Counter)
        # Failures in words, in the order they happened: (game number from one, loser, why).
        self.failures: list[tuple[int, str, str]] = []
        # Games that ended by a failure are not compared.
        self.repeats = Repeats()
        self._rank = {name: number for number, name in enumerate(names)}
        for game in games:
            self.add(game)

    @property
    def pentanomials(self) -> dict[tuple[str, str], Pentanomial]:
        """The complete pairs of every two programs that have met, seen from the first of them.
        Programs whose games say nothing about their strength are left out."""
        return {
            names: pairing.pentanomial
            for names, pairing in self.pairings.items()
            if not any(map(self.why_unrated, names))
        }

    @property
    def first_move(self) -> Estimate | None:
        """What playing first is worth, from pairs; None with too few of them, or when all games
        ended by a failure."""
        estimate = elo_estimate(self.by_black.pentanomial)
        return estimate if estimate.is_known and len(self.failures) < self.games else None

    def why_unrated(self, name: str) -> str | None:
        """Why the games of a program say nothing about its strength: all of them ended by a
        failure, of which the first is named. None if they do, or there are no games."""
        own = self.standings[name]
        if not own.games or own.spoilt.total() < own.games:
            return None
        lost = "; ".join(
            f"{loser} lost {count} of them, the first by"
            f" {next(why for _, other, why in self.failures if other == loser)}"
            for loser, count in own.spoilt.most_common()
        )
        return f"all games ({own.games}) ended by a failure: {lost}"

    def score_of(self, name: str, other: str) -> Score | None:
        """The score of a program against another one; None if they have not met."""
        if (score := self.pairings.get((name, other))) is not None:
            return score
        score = self.pairings.get((other, name))
        return None if score is None else Score(score.losses, score.wins, score.draws)

    def add(self, game: Game) -> bool:
        """Counts one game, unless it was interrupted. True when it completes its pair."""
        self.lost[game.termination][game.loser_name] += 1
        if game.termination is Termination.INTERRUPTED:
            return False
        self.games += 1
        both = [self.standings[name] for name in game.names]
        peaks = game.match.peak_bytes if game.match else (None, None)
        for colour, (standing, peak_bytes) in enumerate(zip(both, peaks, strict=True)):
            points = game.points_of(standing.name)
            standing.add(points)
            standing.by_colour[colour].add(points)
            standing.peak_bytes = max(standing.peak_bytes, peak_bytes or 0)
        for number, node in enumerate(game):
            if number >= game.opening_moves:
                standing, time_s = both[number % 2], node.time_s or 0.0
                standing.moves += 1
                standing.time_s += time_s
                standing.longest_s = max(standing.longest_s, time_s)
        if game.is_failure and game.loser_name is not None:
            why = ending_word(game) + (f": {game.detail}" if game.detail else "")
            self.failures.append((game.number, game.loser_name, why))
            for standing in both:
                standing.spoilt[game.loser_name] += 1
        else:
            self.repeats.add(game.names, (stone[:2] for stone in game.stones))
        return self._add_to_pairing(game)

    def _add_to_pairing(self, game: Game) -> bool:
        first, second = sorted(game.names, key=self._rank.__getitem__)
        pair = None if game.pair is None else (game.pair, first, second)
        self.by_black.add_game(pair, game.points_of(game.black))
        pairing = self.pairings.setdefault((first, second), Pairing())
        return pairing.add_game(pair, game.points_of(first))


@dataclass(frozen=True)
class MatchResult:
    """What has come of a match or a tournament.

    scores   of all games that were counted.
    sprt     the sequential test, and `verdict`, what it has decided: "H0 accepted" or "H1
             accepted"; else "undecided".
    signal   the number of the signal that stopped the run.
    failure  the game that ended a run with `is_fatal`.
    games    in order, if they were kept, as `tengen.Match` does.
    """

    scores: Scoreboard
    sprt: Sprt | None = None
    verdict: Verdict = Verdict.UNDECIDED
    signal: int | None = None
    failure: Game | None = None
    games: tuple[Game, ...] = field(default=(), repr=False)

    @property
    def status(self) -> int:
        """The exit status of a command: 0, or 1 after a failure that ended the run, or what a shell
        returns for a command that a signal has ended."""
        if self.signal is not None:
            return 128 + self.signal
        return 1 if self.failure is not None else 0

    @property
    def standings(self) -> Mapping[str, Standing]:
        """Of each program: wins, losses, draws, points, mean_s and longest_s of its moves."""
        return self.scores.standings

    @property
    def failures(self) -> tuple[tuple[int, str, str], ...]:
        """The games lost by a failure: (number of the game, program, why)."""
        return tuple(self.scores.failures)

    @property
    def repeated_games(self) -> int:
        """How many games are equal to an earlier one: the more, the less `elo` can be trusted."""
        return self.scores.repeats.count

    @property
    def pairs(self) -> Pentanomial:
        """How many pairs of games, one opening with both colours, gave the first of two programs
        how many points. ValueError for a tournament, which has ratings."""
        if len(self.standings) != 2:
            raise ValueError("a tournament of three programs or more has ratings")
        first, second = self.standings
        return self.scores.pairings.get((first, second), Pairing()).pentanomial

    @property
    def elo(self) -> Estimate:
        """The strength of the first program against the second in Elo, with the interval that holds
        it in 95 of 100 matches: `elo`, `low`, `high`, and `is_known`, False after too few games."""
        return elo_estimate(self.pairs)

    @property
    def los(self) -> float:
        """The likelihood that the first program is the stronger one, 0 to 1."""
        return los(self.pairs)

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The ratings of all programs, the best first, with intervals; their mean is 0. ValueError
        if no games connect them."""
        return tuple(rate(self.scores.pentanomials))

    def __str__(self) -> str:
        return state_line(self.scores, self.sprt)


def game_line(game: Game, total: int, scores: Scoreboard) -> str:
    """A game in one line, with the score of its two programs so far."""
    result = f"{game.winner_name} wins" if game.winner_name is not None else "draw"
    how = ending_word(game) + (f" ({game.detail})" if game.detail else "")
    score = pairing_score(scores, *sorted(game.names, key=list(scores.standings).index))
    return (
        f"game {game.number}/{total}  {game.black} (black) - {game.white} (white):"
        f" {result}, {how}, {counted(len(game), 'stone')}   [{score}]"
    )


def pairing_score(scores: Scoreboard, first: str, second: str) -> str:
    """The points of two programs against each other: `A 3 - 1.5 B`."""
    pairing = scores.pairings.get((first, second), Pairing())
    return f"{first} {pairing.points:g} - {pairing.games - pairing.points:g} {second}"


def state_line(scores: Scoreboard, sprt: Sprt | None) -> str:
    """The state of a run: the score of two programs with Elo and the test, or the leaders."""
    names = list(scores.standings)
    if len(names) > 2:
        ranked = sorted(scores.standings.values(), key=lambda s: -s.points)
        return ", ".join(f"{s.name} {s.points:g}/{s.games}" for s in ranked[:4])
    parts = [pairing_score(scores, names[0], names[1])]
    if scores.why_unrated(names[0]):
        return "   ".join([*parts, "no Elo: all games ended by a failure"])
    pentanomial = scores.pairings.get((names[0], names[1]), Pairing()).pentanomial
    if pentanomial.pairs:
        estimate = elo_estimate(pentanomial)
        if estimate.is_known:
            parts.append(f"Elo {estimate}")
        if sprt is not None:
            llr = sprt.llr(pentanomial)
            parts.append(f"LLR {llr:z.2f} ({sprt.lower:.2f} to {sprt.upper:.2f})")
    return "   ".join(parts)
