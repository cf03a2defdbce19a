"""Fits the move ordering scores: how likely each candidate is to be the move a search chose.

The score of a candidate is the sum of three parts: the pattern that the side to move gets there
(`attack`), the pattern that the opponent would get there (`defend`), and a bonus for a cell beside
the last stone (`near`). The probabilities of the candidates are the softmax of their scores. The
fit makes the chosen moves as likely as possible, in positions where the search had a choice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.values import CODES
from tengen.lab.train.ridge import fit
from tengen.lab.train.samples import BLACK, ROW, Samples
from tengen.lab.train.shapes import CodeTables, Floats

# Ordering points per logit. History and killer scores are in points already (engine/ordering.pyx).
POINTS = 150.0
# A search with fewer nodes than this had a forced or an easy move.
LEAST_NODES = 2000
# Steps of the optimiser; later ones hardly change the order of the candidates.
_STEPS = 60
# How large the `near` feature usually is (root mean square), see ridge.fit().
_USUALLY_NEAR = 0.1
# The bit of the threat mask that says: the opponent could make an open four (evaluate.pyx).
_OTHER_OPEN_FOUR = 128
SHAPE_PENALTY, CODE_PENALTY = 1e-5, 3e-4


@dataclass(frozen=True)
class Order:
    """Fitted ordering scores in logits.

    attack, defend  (tables, CODES), by the colour that gets the code: one table for both colours,
                    or one for each.
    near            for a cell beside the last stone.
    """

    attack: Floats
    defend: Floats
    near: float


@dataclass(frozen=True)
class Choices:
    """The candidates of all samples with a choice, in flat arrays; those of choice i begin at
    `starts[i]`.

    own, other  code of the side to move and of the opponent; plus CODES for the second table.
    near        1 on a line with the last stone within two cells, otherwise 0.
    chosen      index of the chosen move in the flat arrays.
    """

    starts: NDArray[np.int64]
    own: NDArray[np.int64]
    other: NDArray[np.int64]
    near: NDArray[np.float64]
    chosen: NDArray[np.int64]

    def groups(self) -> NDArray[np.int64]:
        """For each candidate, which choice it belongs to."""
        sizes = np.diff(np.append(self.starts, len(self.own)))
        return np.repeat(np.arange(len(self.starts)), sizes)

    def scores(self, order: Order) -> Floats:
        """The score of each candidate, in logits."""
        return np.asarray(
            order.attack.ravel()[self.own]
            + order.defend.ravel()[self.other]
            + order.near * self.near
        )


def order_rows(samples: Samples) -> NDArray[np.bool_]:
    """Which samples had a choice: searched, no forced move, not lost."""
    return np.asarray(
        samples.quiet
        & (samples.nodes >= LEAST_NODES)
        & (samples.mask & _OTHER_OPEN_FOUR == 0)
        & (samples.value > -np.inf)
    )


def choices_of(samples: Samples, rows: NDArray[np.bool_], tables: int) -> Choices:
    """The candidates of the samples in `rows`, without samples whose move is not a candidate."""
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
    """For each choice, how many candidates score higher than the chosen move."""
    group = choices.groups()
    higher = scores > scores[choices.chosen][group]
    return np.bincount(group[higher], minlength=len(choices.starts))


def choice_loss(scores: Floats, choices: Choices, group: NDArray[np.int64]) -> tuple[float, Floats]:
    """The mean cross-entropy of the chosen moves, and its slope by each score. `group` is that of
    Choices.groups()."""
    scores = scores - np.maximum.reduceat(scores, choices.starts)[group]
    chances = np.exp(scores)
    sums = np.add.reduceat(chances, choices.starts)
    value = float(np.mean(np.log(sums) - scores[choices.chosen]))
    slope = chances / sums[group]
    slope[choices.chosen] -= 1
    slope /= len(choices.starts)
    return value, slope


def fit_order(samples: Samples, rows: NDArray[np.bool_], is_renju: bool) -> Order:
    """Fits the scores to the samples in `rows`; in renju each colour has its own tables."""
    return fit_choices(choices_of(samples, rows, 2 if is_renju else 1), is_renju)


def fit_choices(choices: Choices, is_renju: bool) -> Order:
    """The same for choices."""
    tables = CodeTables(is_renju, SHAPE_PENALTY, CODE_PENALTY)
    shape = tables.tables, CODES
    group = choices.groups()

    def unpacked(parameters: Floats) -> Order:
        attack, defend, near = np.split(parameters, [tables.size, 2 * tables.size])
        return Order(tables.numbers(attack), tables.numbers(defend), float(near[0]))

    def by_code(codes: NDArray[np.int64], slope: Floats | None = None) -> Floats:
        counts = np.bincount(codes, slope, tables.tables * CODES)
        return counts.reshape(shape).astype(np.float64)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        value, slope = choice_loss(choices.scores(unpacked(parameters)), choices, group)
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
