"""Fits the static evaluation: a value for each code, for each set of threats, and for the move.

The evaluation, in logits, is a sum over the empty cells (own codes minus the opponent's) plus a
value for the threat mask and a value for having the move. It is fitted by logistic regression. The
target, between 0 and 1, is the mean of two numbers: the result of the game, and the value that the
program's search gave the position, as a probability. The search is more exact about the single
position; the result contains what lies beyond the search's horizon.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.special import expit

from engine.values import CODES, THREAT_MASKS
from tengen.lab.train.ridge import fit
from tengen.lab.train.samples import BLACK, WHITE, Samples
from tengen.lab.train.shapes import MASK_BITS, CodeTables, Floats, bits_of_masks

# Centi-stones per logit. At this scale the values set by hand predicted results best, and the
# margins of the search are in centi-stones.
CENTI_STONES = 220.0
# The weight of the game's result in the target; the rest is the value of the search. A net may be
# trained with another one (`tengen lab train --share`), but losses on held-out positions are always
# measured with this one, so that they can be compared.
RESULT_SHARE = 0.5
# Ridge penalties: on the weights of shapes and of mask bits, on the corrections of codes, and on
# those of masks. They are added to the mean loss of the samples.
SHAPE_PENALTY, CODE_PENALTY, MASK_PENALTY = 1e-5, 1e-3, 1e-4


@dataclass(frozen=True)
class Worth:
    """Fitted values in logits.

    codes  (tables, CODES): one table for both colours, or one for each.
    masks  for each threat mask.
    tempo  for having the move.
    """

    codes: Floats
    masks: Floats
    tempo: float

    def of(self, samples: Samples) -> Floats:
        """The evaluation of each sample for the side to move, in logits."""
        counts = code_counts(samples, len(self.codes))
        return np.asarray(
            counts @ self.codes.ravel() + self.masks[samples.mask] + self.tempo, dtype=np.float64
        )


def worth_rows(samples: Samples) -> NDArray[np.bool_]:
    """Which samples the evaluation is fitted to: those that were searched and where the engine
    evaluates."""
    return samples.quiet & (samples.nodes > 0)


def target(samples: Samples) -> Floats:
    """The target of each sample, a probability."""
    seen = expit(samples.value / CENTI_STONES)
    return np.asarray(RESULT_SHARE * samples.result + (1 - RESULT_SHARE) * seen)


def cross_entropy(logits: Floats, wanted: Floats) -> float:
    """Mean cross-entropy of sigmoid(logits) to the targets, also called log loss."""
    return float(np.mean(np.logaddexp(0, logits) - wanted * logits))


def code_counts(samples: Samples, tables: int) -> csr_matrix:
    """How often each code occurs on the empty cells, for the side to move minus for the opponent:
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
    """Fits the evaluation to the samples in `rows`; in renju each colour has its own table."""
    counts = code_counts(samples, 2 if is_renju else 1)[rows]
    return fit_counts(counts, samples.mask[rows], target(samples)[rows], is_renju)


def fit_counts(
    counts: csr_matrix, masks: NDArray[np.integer], wanted: Floats, is_renju: bool
) -> Worth:
    """The same for positions given by their counts of codes (see `code_counts`), threat masks and
    targets."""
    tables = CodeTables(is_renju, SHAPE_PENALTY, CODE_PENALTY)
    bits = bits_of_masks()
    counts_back = counts.T.tocsr()
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
        return cross_entropy(logits, wanted), np.concatenate(parts)

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
