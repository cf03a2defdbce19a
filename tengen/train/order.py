"""The order of moves, fitted: how likely each candidate is the move that a search chose.

A candidate's score is what the mover gets there (`attack`) plus what the opponent would have got
(`defend`), plus a little beside the last stone; the chances of the candidates are the softmax of
their scores. So the ordering scores become those that name the chosen move best, for positions in
which the search had a choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.values import CODES
from tengen.train.ridge import fit
from tengen.train.samples import BLACK, ROW, Samples
from tengen.train.shapes import CodeTables, Floats

# Ordering points of a logit: history and killers are in points already (engine/ordering.pyx).
POINTS = 150.0
# A move found with fewer stones than this was forced or easy.
LEAST_NODES = 2000
# Of the optimiser; after that the order of the candidates hardly changes any more.
_STEPS = 60
_USUALLY_NEAR = 0.1
# What an own five, an open four of the opponent's or the like adds to the mask (evaluate.pyx).
_OTHER_OPEN_FOUR = 128
SHAPE_PENALTY, CODE_PENALTY = 1e-5, 3e-4


@dataclass(frozen=True)
class Order:
    """Fitted ordering scores in logits. attack, defend: (tables, CODES), by the colour that gets
    the code, one table for both colours or one each; near: for a cell beside the last stone."""

    attack: Floats
    defend: Floats
    near: float


@dataclass(frozen=True)
class Choices:
    """The candidates of the samples that have a choice, flat; those of choice i from `starts[i]`.

    own, other  code of the mover and of the opponent, with CODES added where the colour has the
                second table.
    near        on a line with the last stone, within two cells.
    chosen      index of the move into the flat arrays.
    """

    starts: NDArray[np.int64]
    own: NDArray[np.int64]
    other: NDArray[np.int64]
    near: NDArray[np.float64]
    chosen: NDArray[np.int64]

    def scores(self, order: Order) -> Floats:
        """The score of each candidate, logits."""
        return np.asarray(
            order.attack.ravel()[self.own]
            + order.defend.ravel()[self.other]
            + order.near * self.near
        )


def order_rows(samples: Samples) -> NDArray[np.bool_]:
    """Which samples are choices: searched, nothing forced, not lost."""
    return np.asarray(
        samples.quiet
        & (samples.nodes >= LEAST_NODES)
        & (samples.mask & _OTHER_OPEN_FOUR == 0)
        & (samples.value > -np.inf)
    )


def choices_of(samples: Samples, rows: NDArray[np.bool_], tables: int) -> Choices:
    """The candidates of the samples of `rows`; a sample whose move is no candidate is left out."""
    lengths = np.diff(samples.starts)
    sample = np.repeat(np.arange(len(samples)), lengths)
    where = samples.cells[:, 0].astype(np.int64)
    is_chosen = where == samples.chosen[sample]
    is_candidate = samples.cells[:, 3] == 1
    has_choice = rows & (np.bincount(sample[is_candidate & is_chosen], minlength=len(rows)) == 1)
    kept = is_candidate & has_choice[sample]
    sample, where = sample[kept], where[kept]
    mover = samples.mover[sample]
    codes = samples.cells[kept, 1:3].astype(np.int64) + [0, CODES if tables == 2 else 0]
    is_black = mover == BLACK
    last = samples.last[sample]
    dx = np.abs(where % ROW - last % ROW)
    dy = np.abs(where // ROW - last // ROW)
    near = (last >= 0) & (dx <= 2) & (dy <= 2) & ((dx == 0) | (dy == 0) | (dx == dy))
    starts = np.flatnonzero(np.diff(sample, prepend=-1))
    return Choices(
        starts,
        np.where(is_black, codes[:, 0], codes[:, 1]),
        np.where(is_black, codes[:, 1], codes[:, 0]),
        near.astype(np.float64),
        np.flatnonzero(is_chosen[kept]),
    )


def ranks(scores: Floats, choices: Choices) -> NDArray[np.int64]:
    """How many candidates score higher than the chosen one, per choice."""
    group = np.repeat(np.arange(len(choices.starts)), _sizes(choices))
    higher = scores > scores[choices.chosen][group]
    return np.bincount(group[higher], minlength=len(choices.starts))


def fit_order(samples: Samples, rows: NDArray[np.bool_], is_renju: bool) -> Order:
    """Fits the scores on the samples of `rows`; in renju each colour has tables of its own."""
    tables = CodeTables(is_renju, SHAPE_PENALTY, CODE_PENALTY)
    shape = tables.tables, CODES
    choices = choices_of(samples, rows, tables.tables)
    group = np.repeat(np.arange(len(choices.starts)), _sizes(choices))

    def unpacked(parameters: Floats) -> Order:
        attack, defend, near = np.split(parameters, [tables.size, 2 * tables.size])
        return Order(tables.numbers(attack), tables.numbers(defend), float(near[0]))

    def by_code(codes: NDArray[np.int64], slope: Floats | None = None) -> Floats:
        counts = np.bincount(codes, slope, tables.tables * CODES)
        return counts.reshape(shape).astype(np.float64)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        scores = choices.scores(unpacked(parameters))
        scores -= np.maximum.reduceat(scores, choices.starts)[group]
        chances = np.exp(scores)
        sums = np.add.reduceat(chances, choices.starts)
        value = float(np.mean(np.log(sums) - scores[choices.chosen]))
        slope = chances / sums[group]
        slope[choices.chosen] -= 1
        slope /= len(choices.starts)
        parts = [tables.gradient(by_code(codes, slope)) for codes in (choices.own, choices.other)]
        return value, np.concatenate([*parts, np.array([choices.near @ slope])])

    usual = [tables.usual(by_code(codes) / len(codes)) for codes in (choices.own, choices.other)]
    penalty = tables.penalty, tables.penalty, np.zeros(1)
    return unpacked(
        fit(
            loss,
            np.concatenate([*usual, np.array([_USUALLY_NEAR])]),
            np.concatenate(penalty),
            _STEPS,
        )
    )


def _sizes(choices: Choices) -> NDArray[np.int64]:
    return np.diff(np.append(choices.starts, len(choices.own)))
