"""What a match has to play: what all games have in common, which programs meet, and with which
openings.

Games come in pairs, the same opening with colours exchanged.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tengen.game.game import Game
from tengen.game.openings import Opening, symmetries
from tengen.game.referee import BLACK, WHITE, Cell

KINDS = ("roundrobin", "gauntlet")
ORDERS = ("random", "sequential")


@dataclass(frozen=True)
class Setting:
    """What all games of a run have in common: the board, the rule and how they are played.

    draw_after          a game with this many stones on the board is a draw; None = only a
                        full board is.
    opening_rule        how the first stones are placed: None = by the opening of the job, "swap2" =
                        by the programs.
    is_suspending       the program that is not to move is suspended.
    keeps_transcripts   all lines to and from the programs are kept with the game.
    resign_moves        a game is won when both programs have valued it so for so many moves of
                        each, by `resign_value` or more; 0 = never.
    draw_moves          a game with `draw_from` stones or more is drawn when both programs have
                        valued it within `draw_value` of even for so many moves of each; 0 = never.
    resign_sides, draw_sides   2 = both programs have to say so; 1 = the one that has just moved,
                        which gives the game up, or calls it even.
    judge               the command of a program that ends games by proofs of wins; None = none.
    event, site         what records say of the occasion; empty = nothing.
    """

    width: int
    height: int
    rule: int
    draw_after: int | None = None
    opening_rule: str | None = None
    is_suspending: bool = False
    keeps_transcripts: bool = False
    resign_moves: int = 0
    resign_value: int = 0
    draw_moves: int = 0
    draw_value: int = 0
    draw_from: int = 0
    resign_sides: int = 2
    draw_sides: int = 2
    judge: str | None = None
    event: str = ""
    site: str = ""


@dataclass(frozen=True)
class Job:
    """One game to play.

    index    its number in the run, from zero; records are written in this order.
    pair     the number of its pair: two games from one opening with colours exchanged.
    black, white   names of programs.
    opening  the first moves, Black's first, as cells of the board.
    source   the number of the opening in the run's list, and the symmetry applied to it.
    options  INFO keys and values for this game alone, by the name of the program; they are sent
             after the program's own. A record of the game does not have them.
    """

    index: int
    pair: int
    black: str
    white: str
    opening: tuple[Cell, ...]
    source: tuple[int, int] = (0, 0)
    options: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()

    def name_of(self, colour: int) -> str:
        """The program that plays a colour."""
        return {BLACK: self.black, WHITE: self.white}[colour]


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
    """The jobs of a run, numbered in the order in which their games are counted.

    jobs     what can be played before there is any result.
    total    how many games the whole run has.
    failure  why no more should be played after the game that was counted last; None = go on.
    """

    failure: str | None = None

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.jobs = jobs
        self.total = len(jobs)

    def game_counted(self, game: Game) -> Sequence[Job]:
        """Games to be played after all others, now that this one has been counted. Called for each
        game in the order of the jobs, also for those that were played before."""
        return ()


def meetings_of(kind: str, names: Sequence[str], seeds: int = 1) -> list[tuple[str, str]]:
    """Which programs meet, by kind, one of KINDS: in a round robin all others, in a gauntlet the
    first `seeds` programs all others. ValueError for another kind, for fewer than two names, and
    for a gauntlet of seeds alone."""
    if kind not in KINDS:
        raise ValueError(f"there is no schedule {kind!r}; there are {', '.join(KINDS)}")
    if len(names) < 2:
        raise ValueError("a match is played by two programs or more")
    if kind == "roundrobin":
        return list(combinations(names, 2))
    if seeds >= len(names):
        raise ValueError(f"seeds={seeds}: a gauntlet of {len(names)} programs has fewer seeds")
    return [(seed, other) for other in names[seeds:] for seed in names[:seeds]]


def jobs_of(meetings: Sequence[tuple[str, str]], games: int, openings: OpeningOrder) -> list[Job]:
    """So many games of each meeting; with an odd number the last pair has one game.

    The meetings take turns, one pair of games each, and all get the same openings. A run that ends
    early has therefore played about as many games of each. The first program of a meeting is Black
    first.
    """
    jobs: list[Job] = []
    for place in range((games + 1) // 2):
        cells, source = openings.at(place)
        for number, meeting in enumerate(meetings):
            pair = place * len(meetings) + number
            for black, white in (meeting, meeting[::-1])[: games - 2 * place]:
                jobs.append(Job(len(jobs), pair, black, white, cells, source))
    return jobs
