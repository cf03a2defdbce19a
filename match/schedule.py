"""What is to be played: games in pairs, each opening once with either colour."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from match.openings import SYMMETRIES, Opening, transformed
from match.referee import BLACK, WHITE, Cell


@dataclass(frozen=True)
class Job:
    """One game to play.

    index    its number in the run, from zero; records are written in this order.
    pair     the number of its pair: two games from one opening with colours exchanged.
    black, white   names of programs.
    opening  the first moves, black first, as cells of the board.
    """

    index: int
    pair: int
    black: str
    white: str
    opening: tuple[Cell, ...]

    def name_of(self, colour: int) -> str:
        """The program that plays a colour."""
        return {BLACK: self.black, WHITE: self.white}[colour]


def pair_schedule(
    first: str,
    second: str,
    games: int,
    openings: Sequence[Opening],
    width: int,
    height: int,
    seed: int,
) -> list[Job]:
    """`games` games of two programs, in pairs; the last stands alone if the number is odd.

    The openings come in an order, and turned and mirrored in ways, that only `seed` decides; no
    opening comes in the same way twice before all have come in every way. ValueError if an
    opening does not fit on the board.
    """
    rng = random.Random(seed)
    order: list[tuple[Cell, ...]] = []
    jobs = []
    for index in range(games):
        pair, is_second = divmod(index, 2)
        if pair == len(order):
            order += _one_round(openings, width, height, rng)
        black, white = (second, first) if is_second else (first, second)
        jobs.append(Job(index, pair, black, white, order[pair]))
    return jobs


def _one_round(
    openings: Sequence[Opening], width: int, height: int, rng: random.Random
) -> list[tuple[Cell, ...]]:
    """Every opening in all eight ways: eight blocks, each with every opening once, shuffled."""
    ways = [rng.sample(range(SYMMETRIES), SYMMETRIES) for _ in openings]
    placed = []
    for i in range(SYMMETRIES):
        block = [
            transformed(opening, way[i]).place(width, height)
            for opening, way in zip(openings, ways, strict=True)
        ]
        rng.shuffle(block)
        placed += block
    return placed
