"""The trainer's model of a net: its parameters, the weights made of them, and the net file's
integers.

*Weights* are what the kernels use: the parts of the net file (engine/network.py) one after the
other, as floats in the units of the file. *Parameters* are what is trained, 1.0 being the real 1.0.
The two differ in their units and in the rows: the row of a window is the sum of a part of its own,
a part for each of its two half windows, and a part for the pair of line patterns that the two
colours have there. A window that is rare in the data gets a sensible row from what it shares.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from engine import network
from engine.features import patterns_of_rows
from engine.network import ROW, Network, sets_of
from engine.patterns import numbering

Weights = NDArray[np.float32]

# 1.0 of an activation and of a weight, in the integers of the file.
ACTIVATION, WEIGHT = 127, 64
# The sums over the board are divided by two to this power.
SHIFT = 5
_PATTERN_PAIRS = 225  # 15 patterns of one colour by 15 of the other
# The units of each part: what 1.0 is in its integers.
_UNITS = {
    part.name: WEIGHT
    if part.typecode == "b"
    else ACTIVATION
    if part.name in ("rows", "pairs", "bias", "entry")
    else ACTIVATION * WEIGHT
    for part in network.PARTS
}
# The parts that hold the rounding of a shift by 6 as well, in the file only.
_ROUNDED = ("br", "b1", "b2", "bm", "bp")
_HALF = 32
# The largest numbers of the file, by the type of a part.
_LIMITS = {"b": 127, "h": 32767, "i": network.BIAS_LIMIT}
# The layers, with the inputs of each.
_INPUTS = {part.name: part.shape[-1] for part in network.PARTS if part.typecode == "b"}
# Standard deviation of a part of a row at the start.
_ROW_START = 0.05


@dataclass(frozen=True)
class Form:
    """The sizes of a net and where its parts are.

    rule  its number in the protocol.
    """

    rule: int

    @cached_property
    def sets(self) -> int:
        """Sets of weights: 2 in renju, for Black's and for White's view, else 1."""
        return sets_of(self.rule)

    @cached_property
    def rows(self) -> int:
        """Rows of one set."""
        return numbering(self.rule).rows

    @cached_property
    def lengths(self) -> dict[str, int]:
        """Numbers in each part of the weights, by its name, all sets together."""
        one = {part.name: part.length(self.rows) for part in network.PARTS}
        return {name: length * self.sets for name, length in one.items()}

    @cached_property
    def offsets(self) -> list[int]:
        """Where each part begins."""
        return [int(end) for end in np.cumsum([0, *self.lengths.values()])[:-1]]

    @cached_property
    def size(self) -> int:
        """Numbers in the weights."""
        return sum(self.lengths.values())

    def part(self, weights: Weights, name: str) -> Weights:
        """One part of the weights, as a view."""
        at = list(self.lengths).index(name)
        return weights[self.offsets[at] : self.offsets[at] + self.lengths[name]]

    @cached_property
    def units(self) -> Weights:
        """The units of all weights."""
        return np.repeat(np.array(list(_UNITS.values()), np.float32), list(self.lengths.values()))


class Model:
    """Parameters of a form: how many, how they become weights, and gradients back.

    The parameters are: the rows' own parts, the rest of the weights in their order, then what rows
    share.
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self._shared = _sharing(form.rule)
        self.shared_rows = self._shared.shape[1]
        self.size = form.size + form.sets * self.shared_rows * ROW
        self._back = self._shared.T.tocsr()

    def start(self, seed: int) -> Weights:
        """Parameters to begin with. The net's value is near 0."""
        form = self.form
        rng = np.random.default_rng([seed, 1])
        parameters = np.zeros(self.size, np.float32)

        def draw(name: str, spread: float) -> None:
            part = form.part(parameters, name)
            part[:] = rng.normal(0, spread, len(part))

        for name, inputs in _INPUTS.items():
            draw(name, (0.1 if name == "w3" else 1) / np.sqrt(inputs))
        for name in ("bias", "br", "b1", "b2", "bm"):
            form.part(parameters, name)[:] = _ROW_START
        parameters[form.size :] = rng.normal(0, _ROW_START, self.size - form.size)
        self.clip(parameters)
        return parameters

    def begin(self, net: Network) -> Weights:
        """The parameters of a net of this form. Its rows become the own parts, and what rows share
        is 0. Another division would change nothing: the decay pulls every parameter to where it
        began, so only sums count."""
        parameters = np.zeros(self.size, np.float32)
        parameters[: self.form.size] = from_network(net) / self.form.units
        self.clip(parameters)
        return parameters

    def decay(self, own: float, other: float) -> Weights:
        """The weight decay of each parameter: `own` for the rows' own parts."""
        rates = np.full(self.size, other, np.float32)
        self.form.part(rates, "rows")[:] = own
        return rates

    def clip(self, parameters: Weights) -> None:
        """Moves weights into what their type in the file holds. The rows are sums of parameters and
        are left as they are: network.check() refuses those that are too large."""
        for each in network.PARTS:
            if each.name != "rows":
                part = self.form.part(parameters, each.name)
                limit = _LIMITS[each.typecode] - _HALF * (each.name in _ROUNDED)
                np.clip(part, -limit / _UNITS[each.name], limit / _UNITS[each.name], out=part)
        for name, columns in network.SIGNED.items():
            part = self.form.part(parameters, name).reshape(-1, _INPUTS[name])[:, :columns]
            np.clip(part, -network.SIGNED_LIMIT / WEIGHT, network.SIGNED_LIMIT / WEIGHT, out=part)

    def weights(self, parameters: Weights, rounding: bool = False) -> Weights:
        """The weights; whole numbers with `rounding`."""
        form = self.form
        weights = parameters[: form.size].copy()
        rows = self._by_set(form.part(weights, "rows"))
        for own, shared in zip(rows, self._by_set(parameters[form.size :]), strict=True):
            own += self._shared @ shared
        weights *= form.units
        return np.rint(weights) if rounding else weights

    def gradient(self, by_weight: Weights) -> Weights:
        """The gradient by parameter, from the one by weight."""
        form = self.form
        scaled = by_weight * form.units
        rows = self._by_set(form.part(scaled, "rows"))
        return np.concatenate([scaled, *((self._back @ own).ravel() for own in rows)])

    def _by_set(self, numbers: Weights) -> Weights:
        return numbers.reshape(self.form.sets, -1, ROW)


def _sharing(rule: int) -> csr_matrix:
    """How often each row has each shared part, (rows, half windows + pairs of patterns)."""
    count = numbering(rule)
    pair = np.arange(count.classes**2)
    first, second = pair // count.classes, pair % count.classes
    row_of_pair = np.array(count.row_of_pair)
    is_first = first <= second
    rows = row_of_pair[is_first]
    patterns = np.frombuffer(patterns_of_rows(rule), np.uint8).astype(np.int64)
    columns = np.concatenate(
        [
            first[is_first],
            second[is_first],
            count.classes + (patterns[rows] & 15) * 15 + (patterns[rows] >> 4),
        ]
    )
    ones = np.ones(len(columns), np.float32)
    shape = count.rows, count.classes + _PATTERN_PAIRS
    return csr_matrix((ones, (np.tile(rows, 3), columns)), shape=shape)


def to_network(form: Form, weights: Weights, version: int, name: str) -> Network:
    """The net of whole-numbered weights. network.NetError if they break a bound of the file."""
    parts = {}
    for part in network.PARTS:
        numbers = form.part(weights, part.name)
        if part.name in _ROUNDED:
            numbers = numbers + _HALF
        limit = _LIMITS[part.typecode]
        if np.abs(numbers).max() > limit:
            raise network.NetError(f"{part.name} does not fit: a number is beyond +-{limit}")
        parts[part.name] = array(part.typecode, numbers.astype(np.int64).tolist())
    made = Network(form.rule, version, name, SHIFT, **parts)
    network.check(made)
    return made


def from_network(made: Network) -> Weights:
    """The weights of a net."""
    parts = []
    for part in network.PARTS:
        numbers = np.array(getattr(made, part.name), np.float32)
        parts.append(numbers - _HALF if part.name in _ROUNDED else numbers)
    return np.concatenate(parts)
