"""The net that a training begins with: read from its file, and refused where it does not fit."""

from __future__ import annotations

import zlib
from pathlib import Path

from engine import network
from engine.network import Network
from tengen.lab.train.carry import carry_over
from tengen.lab.train.model import SHIFT


def read_beginning(path: Path, rule: int) -> Network:
    """The net in a file, to begin the training of a net of this rule with. One of another rule is
    carried over.

    ValueError in one line for a file that network.load() refuses, for a rule that cannot be carried
    over (carry_over()), and for another shift than the trainer's.
    """
    net = network.load(path, network.rule_of(path))
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
