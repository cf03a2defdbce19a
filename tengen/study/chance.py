"""The chance to win that a value of the engine stands for."""

from __future__ import annotations

from math import exp

from engine.model import Score

# Centi-stones of a logit: the scale at which values and nets are fitted to the results of games.
_CENTI_STONES = 220.0


def win_chance(score: Score) -> float:
    """The chance of the side that the score belongs to, from 0 to 1; a draw counts as half a win.
    A mate is certain."""
    if score.mate_plies is not None:
        return 1.0 if score.mate_plies > 0 else 0.0
    # No value of the engine is large enough for an overflow.
    return 1 / (1 + exp(-score.value / _CENTI_STONES))
