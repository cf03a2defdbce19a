"""What is to be played: games in pairs, each opening once with either colour, and who meets whom.

A schedule hands out its jobs in rounds. A round may depend on the points made in those before it
(Swiss); a round robin and a gauntlet have one round only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Protocol

from tengen.record.game import Job
from tengen.record.openings import SYMMETRIES, Opening, transformed
from tengen.rules.referee import Cell

KINDS = ("roundrobin", "gauntlet", "swiss")
ORDERS = ("random", "sequential")


class OpeningOrder:
    """The openings in the order in which pairs take them, without end.

    No opening comes in the same way twice before all have come in all eight ways. The order, and
    how each is turned and mirrored, is decided by `seed` alone; "sequential" takes them as they
    are listed, all in the same way.
    """

    def __init__(
        self,
        openings: Sequence[Opening],
        width: int,
        height: int,
        seed: int,
        order: str = "random",
    ) -> None:
        self._openings = openings
        self._size = (width, height)
        self._random = random.Random(seed) if order == "random" else None
        self._taken: list[tuple[tuple[Cell, ...], tuple[int, int]]] = []

    def at(self, number: int) -> tuple[tuple[Cell, ...], tuple[int, int]]:
        """The cells of the opening with that number in the order, and its `Job.source`. ValueError
        if it does not fit on the board."""
        while number >= len(self._taken):
            self._taken += self._one_round()
        return self._taken[number]

    def _one_round(self) -> list[tuple[tuple[Cell, ...], tuple[int, int]]]:
        """Every opening in all eight ways: eight blocks, each with every opening once."""
        count = len(self._openings)
        rng = self._random
        every_way = list(range(SYMMETRIES))
        ways = [rng.sample(every_way, SYMMETRIES) if rng else every_way for _ in range(count)]
        placed = []
        for i in range(SYMMETRIES):
            block = list(range(count))
            if rng is not None:
                rng.shuffle(block)
            for number in block:
                way = ways[number][i]
                cells = transformed(self._openings[number], way).place(*self._size)
                placed.append((cells, (number, way)))
        return placed


class Schedule(Protocol):
    """Who plays whom."""

    @property
    def total(self) -> int:
        """How many games the whole run has."""

    def next_round(self, points: Mapping[str, float]) -> list[Job]:
        """The jobs of the next round, given the points of all games so far; empty at the end."""


class OneRound:
    """All games of a round robin or a gauntlet.

    The pairings take turns, pair by pair, each with the same openings, so that a run that ends
    early has looked at all of them alike.
    """

    def __init__(
        self, pairings: Sequence[tuple[str, str]], games: int, openings: OpeningOrder
    ) -> None:
        self._jobs: list[Job] = []
        for pair in range((games + 1) // 2):
            for number, pairing in enumerate(pairings):
                _add_pair(
                    self._jobs,
                    pair * len(pairings) + number,
                    pairing,
                    openings.at(pair),
                    min(2, games - 2 * pair),
                )
        self.total = len(self._jobs)

    def next_round(self, points: Mapping[str, float]) -> list[Job]:
        """All jobs, the first time."""
        jobs, self._jobs = self._jobs, []
        return jobs


class Swiss:
    """Rounds in which entrants with like points meet, and nobody the same opponent twice as long
    as that can be. With an odd number of entrants the last of those who never sat out does."""

    def __init__(
        self, names: Sequence[str], rounds: int, games: int, openings: OpeningOrder
    ) -> None:
        self._names = list(names)
        self._rounds = rounds
        self._games = games
        self._openings = openings
        self._played = 0
        self._met: set[frozenset[str]] = set()
        self._sat_out: list[str] = []
        self._next_index = 0
        self._next_pair = 0
        self.total = rounds * (len(names) // 2) * games

    def next_round(self, points: Mapping[str, float]) -> list[Job]:
        """The next round's jobs."""
        if self._played == self._rounds:
            return []
        self._played += 1
        # Who sat out is treated as if he had won, as everywhere in Swiss tournaments.
        total = {
            name: points[name] + self._games * self._sat_out.count(name) for name in self._names
        }
        ranked = sorted(self._names, key=lambda name: (-total[name], self._names.index(name)))
        if len(ranked) % 2:
            rested = min(reversed(ranked), key=self._sat_out.count)
            self._sat_out.append(rested)
            ranked.remove(rested)
        pairings = self._pairings(ranked)
        jobs: list[Job] = []
        for number, pairing in enumerate(pairings):
            self._met.add(frozenset(pairing))
            for pair in range((self._games + 1) // 2):
                opening = self._openings.at((self._played - 1) * ((self._games + 1) // 2) + pair)
                count = min(2, self._games - 2 * pair)
                _add_pair(
                    jobs, self._next_pair, pairing, opening, count, self._next_index, number % 2
                )
                self._next_pair += 1
        self._next_index += len(jobs)
        return jobs

    def _pairings(self, ranked: Sequence[str]) -> list[tuple[str, str]]:
        """Neighbours in rank who have not met; if that cannot be for all, neighbours."""
        return self._without_rematch(list(ranked)) or list(
            zip(ranked[::2], ranked[1::2], strict=True)
        )

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


def _add_pair(
    jobs: list[Job],
    pair: int,
    names: tuple[str, str],
    opening: tuple[tuple[Cell, ...], tuple[int, int]],
    games: int,
    first_index: int = 0,
    first_is_white: int = 0,
) -> None:
    cells, source = opening
    for number in range(games):
        is_exchanged = (number + first_is_white) % 2
        black, white = names[::-1] if is_exchanged else names
        jobs.append(Job(first_index + len(jobs), pair, black, white, cells, source))


def make_schedule(
    kind: str, names: Sequence[str], games: int, rounds: int, openings: OpeningOrder
) -> Schedule:
    """The schedule of that kind (one of KINDS) for the programs of those names.

    games   for each pairing and round; the last stands alone if the number is odd.
    rounds  of a Swiss tournament.

    In a gauntlet the first name meets all others. ValueError for fewer than two names, or a Swiss
    tournament with more rounds than opponents.
    """
    if len(names) < 2:
        raise ValueError("a match is played by two programs or more")
    if kind == "swiss":
        if rounds >= len(names) + len(names) % 2:
            raise ValueError(f"{rounds} rounds are more than {len(names)} entrants have opponents")
        return Swiss(names, rounds, games, openings)
    if kind == "gauntlet":
        return OneRound([(names[0], other) for other in names[1:]], games, openings)
    return OneRound(list(combinations(names, 2)), games, openings)
