"""Nets of random numbers for tests: as large as a file may hold them, or of the usual size."""

from __future__ import annotations

import zlib
from array import array

import numpy as np

from engine.network import (
    BIAS_LIMIT,
    BODY_OFFSET,
    COUNTS,
    CRC,
    FIRST,
    HEADER,
    HIDDEN,
    PARTS,
    ROW_LIMIT,
    SIGNED,
    SIGNED_LIMIT,
    SUM_LIMIT,
    THREATS,
    Network,
    sets_of,
)
from engine.patterns import numbering

THREE = 2  # THREAT_THREE

# The largest number of each part in a net of the usual size: all layers then work in their range.
USUAL = {
    "rows": 40,
    "pairs": 40,
    "bias": 60,
    "threat_rows": 1500,
    "wr": 40,
    "br": 4000,
    "w1": 40,
    "b1": 4000,
    "w2": 60,
    "b2": 3000,
    "w3": 100,
    "b3": 3000,
    "move_threat_rows": 1500,
    "wm": 40,
    "bm": 4000,
    "wp": 100,
    "bp": 3000,
    "entry": 3000,
}
# Where every number is as large as its bounds allow.
EXTREME = {
    "rows": ROW_LIMIT,
    "pairs": 2 * ROW_LIMIT,
    "bias": SUM_LIMIT - 6 * ROW_LIMIT,
}
BOUNDS = {"h": 32767, "b": 127, "i": BIAS_LIMIT}


def random_net(rule: int, seed: int, extreme: bool = False, shift: int = 5) -> Network:
    """A net of random numbers. With `extreme`, most are at the bounds, and of the others many are
    small, so that the clips are met from both sides."""
    rng = np.random.default_rng([rule, seed, extreme])
    rows, sets = numbering(rule).rows, sets_of(rule)
    parts = []
    for part in PARTS:
        limit = EXTREME.get(part.name, BOUNDS[part.typecode]) if extreme else USUAL[part.name]
        count = sets * part.length(rows)
        numbers = rng.integers(-limit, limit, count, endpoint=True)
        if extreme:
            small = numbers // (limit // 9)
            least = np.full(count, -limit - (part.typecode == "b"))
            kind = rng.integers(0, 5, count)
            numbers = np.choose(kind, [least, np.full(count, limit), small, numbers, 0 * least])
        if part.name in SIGNED:
            columns = numbers.reshape(-1, part.shape[-1])[:, : SIGNED[part.name]]
            columns[:] = np.clip(columns, -SIGNED_LIMIT, SIGNED_LIMIT)
        parts.append(array(part.typecode, numbers.tolist()))
    return Network(rule, seed, f"random {seed}", shift, *parts)


def empty_net() -> Network:
    """A freestyle net without a number but 0."""
    rows = numbering(0).rows
    return Network(0, 1, "zeros", 5, *(array(p.typecode, [0] * p.length(rows)) for p in PARTS))


def counting_net(own: int, other: int) -> Network:
    """A freestyle net made by hand: for each cell where a stone of the side to move would make a
    three its value is 110 * `own` centi-stones, and for each such cell of the opponent
    110 * `other`. It counts at most three of each. Own threes have a policy of two logits, other
    moves none.
    """
    net = empty_net()._replace(name="counts threes")
    for hidden in range(HIDDEN):
        net.b1[hidden] = net.b2[hidden] = 32  # rounds
        net.w2[hidden * FIRST + hidden] = 64
        net.w3[hidden] = 127 if hidden < HIDDEN // 2 else -127
    for side, factor in enumerate((own, other)):
        for count in range(COUNTS):
            for hidden in range(HIDDEN):
                at = ((side * THREATS + THREE - 1) * COUNTS + count) * FIRST + hidden
                # Of two units, one for each sign, the first half adds and the second takes away.
                sign = 1 if hidden < HIDDEN // 2 else -1
                net.threat_rows[at] = 64 * max(0, sign * 2 * factor) * count
    for threat in range(9):
        net.entry[9 * THREE + threat] = 254
    return net


def with_bit_flipped(data: bytes, at: int) -> bytes:
    """A net file with another byte at `at` and the checksum that goes with it."""
    changed = bytearray(data)
    changed[at] ^= 1
    crc = zlib.crc32(changed[BODY_OFFSET:], zlib.crc32(changed[: HEADER.size]))
    changed[HEADER.size : BODY_OFFSET] = CRC.pack(crc)
    return bytes(changed)
