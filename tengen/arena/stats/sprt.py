"""The sequential test: after each pair it accepts H0 or H1, or stays undecided.

A generalized sequential probability ratio test. H0 says that the strength is `elo0`, H1 that it is
`elo1`. The likelihood of each is that of the most likely distribution of pairs with this strength,
so nothing is assumed about draws, openings, or how the two games of a pair depend on each other.
Sources:

* A. Wald, "Sequential Tests of Statistical Hypotheses" (1945): the test and its bounds;
* X. Li, J. Liu and Z. Ying, "Generalized Sequential Probability Ratio Test for Separate Families
  of Hypotheses" (2014): that the bounds still hold, for many games, with likelihoods chosen in this
  way;
* M. Van den Bergh, "Normalized Elo" and "Comments on Normalized Elo": strength in units of the
  noise. How the likelihoods are found, with their sources, is in `tengen.arena.stats.pentanomial`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from enum import Enum, StrEnum

from tengen.arena.stats.elo import score_of_elo, t_of_normalized
from tengen.arena.stats.pentanomial import Pentanomial, support_of_mean, support_of_t
from tengen.game.values import Record

# Bounds may lie this far from zero, in Elo of either kind.
MAX_ELO = 600.0


class Model(Enum):
    """What the strength of a test is measured in.

    LOGISTIC    Elo as in ratings: it fixes the mean score, 1 / (1 + 10^(-elo / 400)).
    NORMALIZED  normalized Elo: it fixes the mean in units of the deviation. How many games a test
                takes then depends on the bounds alone, not on how many pairs are split.
    """

    LOGISTIC = "logistic"
    NORMALIZED = "normalized"


class Verdict(StrEnum):
    """The result of the test so far."""

    H0 = "H0 accepted"
    H1 = "H1 accepted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Sprt:
    """A test with its bounds, chosen before the first game.

    elo0, elo1  the strengths of H0 and H1, in the Elo of the model, from the first program's view.
    alpha       the probability of accepting H1 when the strength is elo0.
    beta        the probability of accepting H0 when the strength is elo1.
    model       what strength is measured in.

    ValueError unless elo0 < elo1, both within MAX_ELO of zero, and alpha and beta lie between 0
    and 0.5.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = Model.LOGISTIC

    def __post_init__(self) -> None:
        if not -MAX_ELO <= self.elo0 < self.elo1 <= MAX_ELO:
            limits = f"between {-MAX_ELO:g} and {MAX_ELO:g}"
            raise ValueError(
                f"a test needs elo0 < elo1, both {limits}, not {self.elo0:g} and {self.elo1:g}"
            )
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise ValueError(f"{name} must lie between 0 and 0.5, not {value:g}")

    @property
    def lower(self) -> float:
        """At this log-likelihood ratio or below it H0 is accepted: ln(beta / (1 - alpha))."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this log-likelihood ratio or above it H1 is accepted: ln((1 - beta) / alpha)."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pentanomial: Pentanomial) -> float:
        """The logarithm of the likelihood of H1 over that of H0; 0 without pairs.

        A count of zero stands for a thousandth of a pair, so that neither H0 nor H1 becomes
        impossible.
        """
        if not pentanomial.pairs:
            return 0.0
        return self._support(pentanomial, self.elo1) - self._support(pentanomial, self.elo0)

    def verdict(self, pentanomial: Pentanomial) -> Verdict:
        """The verdict on these pairs. A test ends with its first verdict of H0 or H1."""
        llr = self.llr(pentanomial)
        if llr >= self.upper:
            return Verdict.H1
        if llr <= self.lower:
            return Verdict.H0
        return Verdict.UNDECIDED

    def as_record(self, pentanomial: Pentanomial) -> Record:
        """The test and its state on these pairs as plain values."""
        return asdict(self) | {
            "model": self.model.value,
            "llr": round(self.llr(pentanomial), 4),
            "lower": round(self.lower, 4),
            "upper": round(self.upper, 4),
            "verdict": self.verdict(pentanomial).value,
        }

    def _support(self, pentanomial: Pentanomial, elo: float) -> float:
        """The log-likelihood of a strength, minus that of the most likely strength."""
        if self.model is Model.NORMALIZED:
            return support_of_t(pentanomial.counts, t_of_normalized(elo))
        return support_of_mean(pentanomial.counts, score_of_elo(elo))
