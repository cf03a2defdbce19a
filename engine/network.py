"""The net file: the learned static value and policy of one rule.

Format 3, little endian:

    offset  size  meaning
    0       8     b"TGNNET\\0\\0"
    8       2     format (3)
    10      2     rule, its number in `INFO rule`
    12      2     sets of weights: 2 in renju, for Black's and for White's view, else 1
    14      2     shift: sums over the board are divided by two to this power
    16      4     rows (patterns.pyx)
    20      4     CRC-32 of the numbering of half windows that the rows were made for (patterns.pyx)
    24      4     version, less than 2^31, increased with every new net
    28      32    name, printable ASCII, filled up with zeros
    60      4     CRC-32 of the header up to here, then of everything after it
    64            the parts of PARTS in their order, each whole for the first set, then the second;
                  of numbers of two bytes all low bytes, then all high ones, which packs better

The numbers are a static value that needs no table, made from sums by region of the board, and a
policy with layers of its own; what each part means is in docs/NET.md. Every file that load()
accepts keeps the bounds with which no number of the engine can overflow, apart from the sums over
cells, which are meant to wrap.
"""

from __future__ import annotations

import io
import os
import struct
import zlib
from array import array
from math import prod
from typing import NamedTuple

from engine import values
from engine.files import read_file
from engine.patterns import largest_of, rows_and_crc
from engine.rulebook import INDEX_OF_NUMBER, RULES

MAGIC = b"TGNNET\0\0"
FORMAT = 3
WIDTH = 32  # features of a cell in a view for the value,
POLICY = 16  # and for the policy
ROW = WIDTH + POLICY
REGION = 16  # what the net makes of a region
KINDS = 3  # of regions: corners, edges, the centre
FIRST, HIDDEN = 64, 32  # outputs of the hidden layers of the value
INPUTS = 2 * WIDTH + KINDS * REGION
MOVES = 32  # outputs of the hidden layer of the policy, and of its last layer
THREATS = 8  # those above "none", for the side to move and for the opponent
COUNTS = 4  # a count of cells is clipped to 0..3
THREAT_PAIRS = 81  # own threat 0..8 by the opponent's threat 0..8
MIN_SHIFT, MAX_SHIFT = 1, 9
ROW_LIMIT = 2047
SUM_LIMIT = 32767  # of a bias, four rows and that of a pair: what int16 holds
BIAS_LIMIT = 1 << 22  # so that the output, times 220, fits int32
# Inputs with a sign are given to a layer plus 127. With weights within this limit two products
# still fit 16 bits. By the name of a layer's weights, how many of its inputs, from the first on,
# are such.
SIGNED_LIMIT = 64
SIGNED = {"wr": 2 * WIDTH, "w1": 2 * WIDTH, "wm": 2 * POLICY}
# The layers in the order of engine/net_paths.h: weights, biases, how many times, outputs, inputs.
LAYERS = (
    ("wr", "br", KINDS, REGION, 2 * WIDTH),
    ("w1", "b1", 1, FIRST, INPUTS),
    ("w2", "b2", 1, HIDDEN, FIRST),
    ("wm", "bm", 1, MOVES, 2 * POLICY),
    ("wp", "bp", 1, 2 * POLICY, MOVES),
)
NAME_BYTES = 32
LIMIT_BYTES = 64 << 20  # a net has less than 2 MiB
HEADER = struct.Struct("<8sHHHHIII32s")
CRC = struct.Struct("<I")
BODY_OFFSET = HEADER.size + CRC.size


class NetError(ValueError):
    """A net file that cannot be used; the text says why."""


class Part(NamedTuple):
    """One part of the body: its field of Network, the type of its numbers (as in the module array)
    and its shape for one set; -1 stands for the number of rows."""

    name: str
    typecode: str
    shape: tuple[int, ...]

    def length(self, rows: int) -> int:
        """How many numbers one set has."""
        return prod(rows if size == -1 else size for size in self.shape)


PARTS = (
    Part("rows", "h", (-1, ROW)),
    Part("pairs", "h", (THREAT_PAIRS, ROW)),
    Part("bias", "h", (ROW,)),
    Part("threat_rows", "h", (2, THREATS, COUNTS, FIRST)),
    Part("wr", "b", (KINDS, REGION, 2 * WIDTH)),
    Part("br", "i", (KINDS, REGION)),
    Part("w1", "b", (FIRST, INPUTS)),
    Part("b1", "i", (FIRST,)),
    Part("w2", "b", (HIDDEN, FIRST)),
    Part("b2", "i", (HIDDEN,)),
    Part("w3", "b", (HIDDEN,)),
    Part("b3", "i", (1,)),
    Part("move_threat_rows", "h", (2, THREATS, COUNTS, MOVES)),
    Part("wm", "b", (MOVES, 2 * POLICY)),
    Part("bm", "i", (MOVES,)),
    Part("wp", "b", (2 * POLICY, MOVES)),
    Part("bp", "i", (2 * POLICY,)),
    Part("entry", "h", (THREAT_PAIRS,)),
)


class Network(NamedTuple):
    """A net as its file holds it. The fields from `rows` on are the PARTS: flat arrays, the last
    index of the shape fastest, one set after the other."""

    rule: int  # its number in `INFO rule`
    version: int
    name: str
    shift: int
    rows: array[int]
    pairs: array[int]
    bias: array[int]
    threat_rows: array[int]
    wr: array[int]
    br: array[int]
    w1: array[int]
    b1: array[int]
    w2: array[int]
    b2: array[int]
    w3: array[int]
    b3: array[int]
    move_threat_rows: array[int]
    wm: array[int]
    bm: array[int]
    wp: array[int]
    bp: array[int]
    entry: array[int]


def sets_of(rule: int) -> int:
    """Sets of weights of a rule (by number): 2 where the colours are judged differently."""
    row = RULES[INDEX_OF_NUMBER[rule]]
    return 2 if row.black_has_fouls else 1


def default_file(rule: int) -> str:
    """Where the net of a rule is looked for: net-RULE.bin beside the values file."""
    name = RULES[INDEX_OF_NUMBER[rule]].name
    return os.path.join(os.path.dirname(values.DEFAULT_FILE), f"net-{name}.bin")


def _bytes_of(numbers: array[int]) -> bytes:
    """The numbers as the file holds them."""
    data = values.little_endian(numbers).tobytes()
    return data[::2] + data[1::2] if numbers.typecode == "h" else data


def _numbers_of(data: bytes, typecode: str) -> array[int]:
    """The numbers that _bytes_of() made the bytes of."""
    whole = bytearray(data)
    if typecode == "h":
        whole[::2], whole[1::2] = data[: len(data) // 2], data[len(data) // 2 :]
    return values.little_endian(array(typecode, bytes(whole)))


def check(network: Network) -> None:
    """Raises NetError for lengths and numbers that a net file must not have."""
    if network.rule not in INDEX_OF_NUMBER:
        raise NetError(f"there is no rule {network.rule}")
    rows, sets = rows_and_crc(network.rule)[0], sets_of(network.rule)
    if not MIN_SHIFT <= network.shift <= MAX_SHIFT:
        raise NetError(f"a shift of {network.shift}; expected {MIN_SHIFT} to {MAX_SHIFT}")
    _check_version(network.version)
    name = network.name
    if not name.isascii() or not name.isprintable() or len(name) > NAME_BYTES:
        raise NetError(f"the name is not of at most {NAME_BYTES} printable ASCII characters")
    for part in PARTS:
        numbers = getattr(network, part.name)
        if len(numbers) != sets * part.length(rows):
            raise NetError(f"{len(numbers)} numbers of {part.name}, not {sets * part.length(rows)}")
        if numbers.typecode != part.typecode:
            raise NetError(f"{part.name} is not of type {part.typecode}")
        if part.typecode == "i" and not -BIAS_LIMIT <= min(numbers) <= max(numbers) <= BIAS_LIMIT:
            raise NetError(f"{part.name} is not within +-{BIAS_LIMIT}")
        if part.name in SIGNED:
            _check_signed(part, numbers)
    _check_rows(network, sets)


def _check_version(version: int) -> None:
    if not 0 <= version < 1 << 31:
        raise NetError(f"a version of {version}; expected less than 2^31")


def _check_signed(part: Part, weights: array[int]) -> None:
    """Raises NetError for weights of inputs with a sign that are too large."""
    inputs = part.shape[-1]
    for at in range(0, len(weights), inputs):
        row = weights[at : at + SIGNED[part.name]]
        if min(row) < -SIGNED_LIMIT or max(row) > SIGNED_LIMIT:
            raise NetError(f"{part.name} is not within +-{SIGNED_LIMIT}")


def _check_rows(network: Network, sets: int) -> None:
    """Raises NetError for rows, or for sums of a bias, four rows and a pair, that are too large."""
    rows, pairs, bias = network.rows, network.pairs, network.bias
    largest = largest_of(rows)
    if largest > ROW_LIMIT:
        raise NetError(f"rows is not within +-{ROW_LIMIT}")
    if 4 * largest + largest_of(pairs) + largest_of(bias) <= SUM_LIMIT:
        return  # as in most nets: what follows takes longer
    for first in range(sets):
        for k in range(ROW):
            most = 0
            for part, times in ((rows, 4), (pairs, 1), (bias, 1)):
                size = len(part) // sets
                most += times * largest_of(part[first * size + k : (first + 1) * size : ROW])
            if most > SUM_LIMIT:
                raise NetError(f"bias, rows and pairs of channel {k} are beyond {SUM_LIMIT}")


def encode(network: Network) -> bytes:
    """The bytes of a net file, for this program's numbering of windows.

    Raises NetError for numbers that a net file must not have.
    """
    check(network)
    body = b"".join(_bytes_of(getattr(network, part.name)) for part in PARTS)
    head = HEADER.pack(
        MAGIC,
        FORMAT,
        network.rule,
        sets_of(network.rule),
        network.shift,
        *rows_and_crc(network.rule),
        network.version,
        network.name.encode("ascii"),
    )
    return head + CRC.pack(zlib.crc32(body, zlib.crc32(head))) + body


def _check_sum(data: bytes) -> None:
    head = zlib.crc32(data[: HEADER.size])
    whole = zlib.crc32(memoryview(data)[BODY_OFFSET:], head)
    if CRC.pack(whole) != data[HEADER.size : BODY_OFFSET]:
        raise NetError("damaged (checksum differs)")


def decode(data: bytes, rule: int) -> Network:
    """The net in the bytes of a file, for the rule (its number in `INFO rule`). Raises NetError,
    with the reason, where this program cannot use it."""
    if len(data) < BODY_OFFSET:
        raise NetError("too short for a net file")
    magic, form, of_rule, sets, shift, rows, classes_crc, version, name = HEADER.unpack_from(data)
    if magic != MAGIC or form != FORMAT:
        raise NetError(f"not a net file of format {FORMAT}")
    if of_rule != rule:
        raise NetError(f"made for rule {of_rule}, not for rule {rule}")
    if sets != sets_of(rule):
        raise NetError(f"has {sets} sets of numbers, not {sets_of(rule)}")
    if (rows, classes_crc) != rows_and_crc(rule):
        raise NetError("made for other patterns than this program's")
    lengths = [sets * part.length(rows) * array(part.typecode).itemsize for part in PARTS]
    if len(data) != BODY_OFFSET + sum(lengths):
        raise NetError(f"{len(data)} bytes long, not {BODY_OFFSET + sum(lengths)}")
    _check_sum(data)
    body = io.BytesIO(data[BODY_OFFSET:])
    parts = [
        _numbers_of(body.read(n), part.typecode) for part, n in zip(PARTS, lengths, strict=True)
    ]
    text = name.rstrip(b"\0").decode("ascii", "replace")
    network = Network(rule, version, text, shift, *parts)
    check(network)
    return network


def _read(path: str | os.PathLike[str]) -> bytes:
    try:
        return read_file(path, LIMIT_BYTES)
    except OSError as error:
        raise NetError(f"{os.path.basename(path)}: {error.strerror}") from None


def rule_and_version(path: str | os.PathLike[str]) -> tuple[int, int]:
    """The rule that a file's net is for, its number in `INFO rule`, and the net's version.

    A net for other patterns has them too.

    Raises NetError, with the name of the file, for what is not a net file, damaged or of no known
    rule.
    """
    data = _read(path)
    name = os.path.basename(path)
    if len(data) < BODY_OFFSET or HEADER.unpack_from(data)[:2] != (MAGIC, FORMAT):
        raise NetError(f"{name}: not a net file of format {FORMAT}")
    _, _, rule, *_, version, _ = HEADER.unpack_from(data)
    if rule not in INDEX_OF_NUMBER:
        raise NetError(f"{name}: made for rule {rule}, which does not exist")
    try:
        _check_version(version)
        _check_sum(data)
    except NetError as error:
        raise NetError(f"{name}: {error}") from None
    return int(rule), int(version)


def load(path: str | os.PathLike[str], rule: int) -> Network:
    """Reads the net file of a rule (its number in `INFO rule`). Raises as load_with_crc() does."""
    return load_with_crc(path, rule)[0]


def load_with_crc(path: str | os.PathLike[str], rule: int) -> tuple[Network, int]:
    """Reads the net file of a rule (its number in `INFO rule`), and the CRC-32 that the file has.

    Raises NetError with the name of the file and the reason when this program cannot use it.
    """
    data = _read(path)
    try:
        return decode(data, rule), CRC.unpack_from(data, HEADER.size)[0]
    except NetError as error:
        raise NetError(f"{os.path.basename(path)}: {error}") from None
