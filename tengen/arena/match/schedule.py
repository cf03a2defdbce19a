"""The games of a run: which programs meet, and with which openings.

Games come in pairs, the same opening with colours exchanged. A schedule gives its jobs in rounds: a
round of a Swiss tournament depends on the points so far; a round robin and a gauntlet have one
round.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from tengen.arena.match.jobs import Job
from tengen.game.game import Game
from tengen.game.openings import Opening, symmetries
from tengen.game.referee import Cell

KINDS = ("roundrobin", "gauntlet", "swiss", "knockout")
# Of these, whose first games are the same with more games of each pairing.
PROLONGED = ("roundrobin", "gauntlet")
# A tie in a knockout is played on so often; then the entrant that was named first goes on.
_MOST_TIE_BREAKS = 3
ORDERS = ("random", "sequential")


class OpeningOrder:
    """An endless sequence of openings, one for each pair of games.

    Every opening is used in all symmetries of the board before any is used again in the same one.
    `seed` alone decides the order and the symmetries. With the order "sequential" the openings come
    as they are listed, first all of them unchanged, then all in the next symmetry. The sequence
    begins with the one at position `start`, counted from one.
    """

    def __init__(
        self,
        openings: Sequence[Opening],
        width: int,
        height: int,
        seed: int,
        order: str = "random",
        start: int = 1,
    ) -> None:
        self._openings = openings
        self._first = start - 1
        self._size = (width, height)
        self._turns = self._in_turn(random.Random(seed) if order == "random" else None)
        self._taken: list[tuple[int, int]] = []

    def at(self, number: int) -> tuple[tuple[Cell, ...], tuple[int, int]]:
        """The cells of the opening at position `number` and its `Job.source`. ValueError if it does
        not fit on the board."""
        while self._first + number >= len(self._taken):
            self._taken += next(self._turns)
        index, way = self._taken[self._first + number]
        return self._openings[index].place(*self._size, way), (index, way)

    def _in_turn(self, rng: random.Random | None) -> Iterator[list[tuple[int, int]]]:
        """Blocks of openings by number, each with its symmetry: every opening once in a block, and
        in all symmetries of the board before any symmetry comes again."""
        numbers = range(len(self._openings))
        every_way = symmetries(*self._size)
        while True:
            ways = [rng.sample(every_way, len(every_way)) if rng else every_way for _ in numbers]
            for i in every_way:
                block = list(numbers)
                if rng is not None:
                    rng.shuffle(block)
                yield [(number, ways[number][i]) for number in block]


class Schedule:
    """Gives the jobs of a run, round by round, numbered on from pair to pair.

    total    how many games the whole run has, as far as is known: see `Knockout`.
    failure  why no more should be played after the game that was counted last; None = go on.
    """

    total: int
    failure: str | None = None

    def __init__(self, openings: OpeningOrder) -> None:
        self._openings = openings
        self._next_index = 0
        self._next_pair = 0

    def next_round(self, points: Mapping[str, float]) -> list[Job]:
        """The jobs of the next round, given the points of all games so far; empty at the end."""
        raise NotImplementedError

    def game_counted(self, game: Game) -> Sequence[Job]:
        """Games to be played after all others, now that this one has been counted. Called for each
        game in the order of the jobs, also for those that were played before."""
        return ()

    def _pair(self, match: tuple[str, str], place: int, games: int, exchanged: int) -> list[Job]:
        """A pair of games, or one of it, with the opening at a place; the first of the two programs
        is Black first, unless colours are exchanged."""
        cells, source = self._openings.at(place)
        jobs = []
        for number in range(games):
            black, white = match[::-1] if (number + exchanged) % 2 else match
            index = self._next_index + number
            jobs.append(Job(index, self._next_pair, black, white, cells, source))
        self._next_index += games
        self._next_pair += 1
        return jobs

    def _jobs(
        self, matches: Sequence[tuple[str, str]], games: int, opening: int | None = None
    ) -> list[Job]:
        """So many games of each match. `opening` is the place of the first opening that all matches
        get; None = every pair has its own."""
        return [
            job
            for number, match in enumerate(matches)
            for pair in range((games + 1) // 2)
            for job in self._pair(
                match,
                self._next_pair if opening is None else opening + pair,
                min(2, games - 2 * pair),
                number % 2,
            )
        ]


class OneRound(Schedule):
    """All games of a round robin or a gauntlet.

    The pairings take turns, one pair of games each, and all get the same openings. A run that ends
    early has therefore played about as many games of each pairing.
    """

    def __init__(
        self, pairings: Sequence[tuple[str, str]], games: int, openings: OpeningOrder
    ) -> None:
        super().__init__(openings)
        self._left = [
            job
            for pair in range((games + 1) // 2)
            for pairing in pairings
            for job in self._pair(pairing, pair, min(2, games - 2 * pair), 0)
        ]
        self.total = len(self._left)

    def next_round(self, points: Mapping[str, float]) -> list[Job]:
        """All jobs at the first call, none later."""
        jobs, self._left = self._left, []
        return jobs


class Swiss(Schedule):
    """Rounds in which entrants with equal or close points meet, without a rematch as long as that
    is possible. With an odd number of entrants one has a bye in each round: the lowest of those
    with the fewest byes."""

    def __init__(
        self, names: Sequence[str], rounds: int, games: int, openings: OpeningOrder
    ) -> None:
        super().__init__(openings)
        self._names = list(names)
        self._rounds = rounds
        self._games = games
        self._played = 0
        self._met: set[frozenset[str]] = set()
        self._sat_out: list[str] = []
        self.total = rounds * (len(names) // 2) * games

    def next_round(self, points: Mapping[str, float]) -> list[Job]:
        """The next round's jobs."""
        if self._played == self._rounds:
            return []
        self._played += 1
        # A bye counts as a win, as usual in Swiss tournaments.
        total = {
            name: points[name] + self._games * self._sat_out.count(name) for name in self._names
        }
        ranked = sorted(self._names, key=lambda name: (-total[name], self._names.index(name)))
        if len(ranked) % 2:
            rested = min(reversed(ranked), key=self._sat_out.count)
            self._sat_out.append(rested)
            ranked.remove(rested)
        # Neighbours in rank that have not met; if that cannot pair all of them, just neighbours.
        neighbours = list(zip(ranked[::2], ranked[1::2], strict=True))
        pairings = self._without_rematch(ranked) or neighbours
        self._met.update(map(frozenset, pairings))
        return self._jobs(pairings, self._games, (self._played - 1) * ((self._games + 1) // 2))

    def _without_rematch(self, ranked: list[str]) -> list[tuple[str, str]] | None:
        if not ranked:
            return []
        first, rest = ranked[0], ranked[1:]
        for other in rest:
            if frozenset((first, other)) not in self._met:
                others = self._without_rematch([name for name in rest if name != other])
                if others is not None:
                    return [(first, other), *others]
        return None


class Knockout(Schedule):
    """Rounds in which the loser of each match is out. Entrants are seeded in the order in which
    they were given: the first meets the last, and where they are not a power of two the first ones
    have a bye. A match that is level is played on, two games at a time; `total` grows by them."""

    def __init__(self, names: Sequence[str], games: int, openings: OpeningOrder) -> None:
        super().__init__(openings)
        self._seeds = {name: number for number, name in enumerate(names)}
        self._games = games
        # In the order of the bracket; None = a bye.
        order = _bracket(len(names))
        self._left = [names[seed] if seed < len(names) else None for seed in order]
        self._matches: list[tuple[str, str]] = []
        self._level: list[tuple[str, str]] = []
        self._tie_breaks = 0
        self._before: dict[str, float] = {}
        self.champion: str | None = None
        self.total = (len(names) - 1) * games

    def next_round(self, points: Mapping[str, float]) -> list[Job]:
        """The games of the next round, or of matches that are level."""
        if self._matches:
            self._level = [
                match for match in self._level if self._gained(match[0], points)
                == self._gained(match[1], points)
            ]  # fmt: skip
            if self._level and self._tie_breaks < _MOST_TIE_BREAKS:
                self._tie_breaks += 1
                jobs = self._jobs(self._level, 2)
                self.total += len(jobs)
                return jobs
            self._settle(points)
        if len(self._left) == 1:
            self.champion = self._left[0]
            return []
        couples = list(zip(self._left[::2], self._left[1::2], strict=True))
        self._matches = [(one, other) for one, other in couples if one and other]
        self._level, self._tie_breaks, self._before = list(self._matches), 0, dict(points)
        return self._jobs(self._matches, self._games)

    def _gained(self, name: str, points: Mapping[str, float]) -> float:
        return points[name] - self._before[name]

    def _settle(self, points: Mapping[str, float]) -> None:
        """Whoever has won a match, or has a bye, goes on."""
        left: list[str | None] = []
        for couple in zip(self._left[::2], self._left[1::2], strict=True):
            there = [name for name in couple if name is not None]
            better = min(there, key=lambda name: (-self._gained(name, points), self._seeds[name]))
            left.append(better)
        self._left, self._matches = left, []


def _bracket(least: int) -> list[int]:
    """The seeds of a bracket, from zero, so that the first two can meet in the last round only:
    `least` or the next power of two."""
    order = [0]
    while len(order) < least:
        count = 2 * len(order)
        order = [seed for each in order for seed in (each, count - 1 - each)]
    return order


def make_schedule(
    kind: str, names: Sequence[str], games: int, rounds: int, openings: OpeningOrder, seeds: int = 1
) -> Schedule:
    """The schedule of that kind (one of KINDS) for the programs of those names.

    games   of each pairing and round; with an odd number the last pair has one game.
    rounds  of a Swiss tournament; how often a round robin or a gauntlet is played (0 = once).

    In a gauntlet the first `seeds` programs meet all others. ValueError for another kind, for fewer
    than two names, a gauntlet of seeds alone, or a Swiss tournament with more rounds than each
    entrant has opponents.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no schedule {kind!r}; there are {', '.join(KINDS)}")
    if len(names) < 2:
        raise ValueError("a match is played by two programs or more")
    if kind == "swiss":
        if rounds >= len(names) + len(names) % 2:
            raise ValueError(f"{rounds} rounds are more than {len(names)} entrants have opponents")
        return Swiss(names, rounds, games, openings)
    if kind == "knockout":
        return Knockout(names, games, openings)
    games *= max(1, rounds)
    if kind == "gauntlet":
        if seeds >= len(names):
            raise ValueError(f"seeds={seeds}: a gauntlet of {len(names)} programs has fewer seeds")
        meetings = [(seed, other) for other in names[seeds:] for seed in names[:seeds]]
        return OneRound(meetings, games, openings)
    return OneRound(list(combinations(names, 2)), games, openings)
