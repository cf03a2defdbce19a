"""The static value, fitted: what each code is worth, what each set of threats, and the move.

The value in logits is a sum over the empty cells, own codes less the opponent's, plus one number
for the threat mask and one for having the move. It is fitted by logistic regression on a target
between 0 and 1: the mean of how the game ended and of what the program thought of the position
after its search (its value as a probability). The search knows more than the result about one
position; the result knows what the search cannot see.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import expit

from engine.values import CODES, THREAT_MASKS
from tengen.train.ridge import fit
from tengen.train.samples import BLACK, WHITE, Samples
from tengen.train.shapes import MASK_BITS, CodeTables, Floats, bits_of_masks

# Centi-stones of a logit: with the hand-set values, games were told apart best at this scale, and
# the margins of the search are in centi-stones.
CENTI_STONES = 220.0
# The share of the game's result in the target; the rest is the value of the search.
RESULT_SHARE = 0.5
# Penalties on the squares: of the weights of shapes and mask bits, of the corrections of codes,
# and of those of masks. The loss they are added to is a mean over samples.
SHAPE_PENALTY, CODE_PENALTY, MASK_PENALTY = 1e-5, 1e-3, 1e-4


@dataclass(frozen=True)
class Worth:
    """Fitted values in logits: of the codes, (tables, CODES), one table for both colours or one
    each; of the masks; of the move."""

    codes: Floats
    masks: Floats
    tempo: float

    def of(self, samples: Samples) -> Floats:
        """The value of each sample for its mover, in logits."""
        counts = code_counts(samples, len(self.codes))
        return np.asarray(
            counts @ self.codes.ravel() + self.masks[samples.mask] + self.tempo, dtype=np.float64
        )


def worth_rows(samples: Samples) -> NDArray[np.bool_]:
    """Which samples a static value is fitted on: those where the search would ask for one, and
    that were searched."""
    return samples.quiet & (samples.nodes > 0)


def target(samples: Samples) -> Floats:
    """What the value of each sample should say, as a probability."""
    seen = expit(samples.value / CENTI_STONES)
    return np.asarray(RESULT_SHARE * samples.result + (1 - RESULT_SHARE) * seen)


def loss_of(logits: Floats, wanted: Floats) -> float:
    """The mean log loss."""
    return float(np.mean(np.logaddexp(0, logits) - wanted * logits))


def code_counts(samples: Samples, tables: int) -> csr_matrix:
    """How often each code stands on the empty cells, the mover's less the opponent's:
    (samples, tables * CODES)."""
    lengths = np.diff(samples.starts)
    rows = np.repeat(np.arange(len(samples)), lengths)
    mover = np.repeat(samples.mover, lengths)
    total = csr_matrix((len(samples), tables * CODES))
    for column, colour in ((1, BLACK), (2, WHITE)):
        sign = np.where(mover == colour, 1.0, -1.0)
        offset = CODES * (colour - 1) if tables == 2 else 0
        codes = samples.cells[:, column].astype(np.int64) + offset
        total = total + csr_matrix((sign, (rows, codes)), shape=total.shape)
    return total


def fit_worth(samples: Samples, rows: NDArray[np.bool_], is_renju: bool) -> Worth:
    """Fits the value on the samples of `rows`; in renju each colour has a table of its own."""
    tables = CodeTables(is_renju, SHAPE_PENALTY, CODE_PENALTY)
    bits = bits_of_masks()
    counts = code_counts(samples, tables.tables)[rows]
    counts_back = counts.T.tocsr()
    masks, wanted = samples.mask[rows], target(samples)[rows]
    ends = np.cumsum([tables.size, MASK_BITS, THREAT_MASKS])

    def unpacked(parameters: Floats) -> Worth:
        of_codes, of_bits, of_masks, tempo = np.split(parameters, ends)
        return Worth(tables.numbers(of_codes), bits @ of_bits + of_masks, float(tempo[0]))

    def loss(parameters: Floats) -> tuple[float, Floats]:
        worth = unpacked(parameters)
        logits = counts @ worth.codes.ravel() + worth.masks[masks] + worth.tempo
        slope = (expit(logits) - wanted) / len(wanted)
        by_code = (counts_back @ slope).reshape(worth.codes.shape)
        by_mask = np.bincount(masks, slope, THREAT_MASKS)
        parts = tables.gradient(by_code), bits.T @ by_mask, by_mask, np.array([slope.sum()])
        return loss_of(logits, wanted), np.concatenate(parts)

    shares = np.bincount(masks, minlength=THREAT_MASKS) / len(masks)
    squares = np.asarray(counts.power(2).mean(axis=0)).reshape(tables.tables, CODES)
    usual = tables.usual(squares), np.sqrt(shares @ bits), np.sqrt(shares), np.ones(1)
    penalty = (
        tables.penalty,
        np.full(MASK_BITS, SHAPE_PENALTY),
        np.full(THREAT_MASKS, MASK_PENALTY),
        np.zeros(1),
    )
    return unpacked(fit(loss, np.concatenate(usual), np.concatenate(penalty)))
