"""The net that a training begins with: read from its file, or one of another rule carried over.

What a window is worth depends little on the rule. The new rule must tell apart all windows that the
net's own rule tells apart; it may tell more apart. Each window of the new rule gets the row that
the net has for the same stones. So the net judges every position as before, except where the two
rules count threats differently.
"""

from __future__ import annotations

import zlib
from array import array
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine import network
from engine.network import ROW, Network, sets_of
from engine.patterns import numbering
from engine.text import RULE_NAMES
from tengen.lab.train.model import SHIFT


def read_warm_start(path: Path, rule: int) -> Network:
    """The net in a file, to begin the training of a net of this rule with. One of another rule is
    carried over.

    ValueError in one line for a file that network.load() refuses, for a rule that cannot be carried
    over (carry_over()), and for another shift than the trainer's.
    """
    net = network.load(path, network.rule_and_version(path)[0])
    if net.rule != rule:
        try:
            net = carry_over(net, rule)
        except ValueError as error:
            raise ValueError(f"{path.name}: {error}") from None
    if net.shift != SHIFT:
        raise ValueError(
            f"{path.name}: divides its sums by two to the power {net.shift}; this program trains"
            f" nets that divide them by two to the power {SHIFT}"
        )
    return net


def describe(net: Network | None) -> str:
    """Which numbers a training begins with, in words; nets with other numbers differ in the
    text."""
    if net is None:
        return "random numbers"
    numbers = zlib.crc32(network.encode(net)[network.BODY_OFFSET :])
    return f"{net.name!r}, version {net.version}, CRC-32 {numbers:08x}"


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
