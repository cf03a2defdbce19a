"""Converts fitted numbers, in logits, to the integers of the values file, and back."""

from __future__ import annotations

import numpy as np

from engine.values import VALUE_FRACTION, ColourValues, RuleValues
from tengen.lab.train.order import POINTS, Order
from tengen.lab.train.shapes import Floats, threats_of_codes
from tengen.lab.train.worth import CENTI_STONES, Worth

# The search plays these threats before it orders moves, or never, so games contain no choices to
# fit their scores to. VCF and VCT order by them, so they keep the scores of --base.
_KEPT = ("five", "open_four", "double_four", "forbidden")
_HIGHEST_ORDER = 5500  # below the score of an open four
_LOWEST_ORDER = -500
_HIGHEST_VALUE = 500 * VALUE_FRACTION


def rule_values(before: RuleValues, worth: Worth, order: Order, is_renju: bool) -> RuleValues:
    """The values of a rule: the fitted numbers, and those of `before` for the rest."""
    colours = []
    for colour in range(2):
        table = min(colour, len(worth.codes) - 1)
        kept = [threat in _KEPT for threat in threats_of_codes(is_renju and colour == 0)]
        old = before.colours[colour]
        value = _rounded(worth.codes[table] * CENTI_STONES * VALUE_FRACTION, _HIGHEST_VALUE)
        colours.append(
            ColourValues(
                value,
                _order(order.attack[table], old.attack, kept),
                _order(order.defend[table], old.defend, kept),
            )
        )
    scalars = dict(before.scalars)
    scalars["tempo"] = round(worth.tempo * CENTI_STONES)
    scalars["near_bonus"] = round(order.near * POINTS)
    masks = _rounded(worth.masks * CENTI_STONES, 10_000)
    return RuleValues((colours[0], colours[1]), masks, scalars)


def worth_of(values: RuleValues) -> Worth:
    """Values of a file, converted to logits."""
    codes = np.array([colour.value for colour in values.colours]) / VALUE_FRACTION
    return Worth(
        codes / CENTI_STONES,
        np.array(values.threat_value) / CENTI_STONES,
        values.scalars["tempo"] / CENTI_STONES,
    )


def _order(logits: Floats, before: list[int], kept: list[bool]) -> list[int]:
    # A softmax does not change when a constant is added: a cell that makes nothing gets 0.
    points = np.clip((logits - logits[0]) * POINTS, _LOWEST_ORDER, _HIGHEST_ORDER)
    return [
        old if keep else round(new) for old, new, keep in zip(before, points, kept, strict=True)
    ]


def _rounded(numbers: Floats, limit: int) -> list[int]:
    return [round(number) for number in np.clip(numbers, -limit, limit)]
