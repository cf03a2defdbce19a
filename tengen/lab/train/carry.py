"""A net of one rule as the beginning of another rule's training.

What a window is worth depends little on the rule. The new rule must tell apart all windows that the
net's own rule tells apart; it may tell more apart. Each window of the new rule gets the row that
the net has for the same stones. So the net judges every position as before, except where the two
rules count threats differently.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from engine import network
from engine.network import ROW, Network, sets_of
from engine.rows import numbering
from engine.text import RULE_NAMES


def carry_over(net: Network, rule: int) -> Network:
    """The net as one of another rule (its number in `INFO rule`), with the same version and name.

    ValueError in one line where the other rule does not tell apart all that the net's rule does,
    and where the net has a set of numbers for each colour but the other rule's nets have one.
    """
    if sets_of(net.rule) > sets_of(rule):
        raise ValueError(_no_way(net.rule, rule, "has numbers for each colour"))
    times = sets_of(rule) // sets_of(net.rule)
    parts = {part.name: getattr(net, part.name) * times for part in network.PARTS}
    source = _rows_of(net.rule, rule)
    sources = [source] * times
    if times == 2:  # White's view has a set of its own, and no longer looks up exchanged colours
        sources[1] = np.array(numbering(net.rule).swapped)[source]
    views = np.array(net.rows).reshape(sets_of(net.rule), -1, ROW)
    rows = np.concatenate([view[some] for view in views for some in sources])
    return net._replace(rule=rule, **{**parts, "rows": array("h", rows.ravel())})


def _rows_of(rule: int, other: int) -> NDArray[np.intp]:
    """For each row of the other rule, the row of the first rule for the same windows."""
    first, second = numbering(rule), numbering(other)
    first_class = np.array(first.class_of_half)
    second_class = np.array(second.class_of_half)
    same = np.zeros(second.classes, np.intp)
    same[second_class] = first_class
    if (same[second_class] != first_class).any():
        raise ValueError(_no_way(rule, other, "tells more windows apart"))
    rows = np.zeros(second.rows, np.intp)
    pairs = np.array(first.row_of_pair).reshape(first.classes, first.classes)
    rows[np.array(second.row_of_pair)] = pairs[same[:, None], same[None, :]].ravel()
    return rows


def _no_way(rule: int, other: int, why: str) -> str:
    return (
        f"a net of {RULE_NAMES[rule]} {why}, so {RULE_NAMES[other]} cannot begin with it; a net of"
        f" {RULE_NAMES[0]} can begin any other"
    )
