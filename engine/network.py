"""The net file: a learned addition to the static value, and its policy, for one rule.

Format 1, little endian:

    offset  size  meaning
    0       8     b"TGNNET\\0\\0"
    8       2     format (1)
    10      2     rule, its number in `INFO rule`
    12      2     kind of net: 1, rows for windows
    14      2     width of a row (32)
    16      2     outputs of the first hidden layer (32)
    18      2     outputs of the second hidden layer (32)
    20      2     shift: the sums over the board are divided by two to this power
    22      2     sets of weights: 2 in renju, for Black's and for White's view, else 1
    24      4     rows (rows.pyx)
    28      4     CRC-32 of the numbering of half windows that the rows were made for (rows.pyx)
    32      4     CRC-32 of the body of the values file whose table the net adds to (values.py)
    36      4     version, less than 2^31, increased with every new net
    40      32    name, printable ASCII, filled up with zeros
    72      4     CRC-32 of the header up to here, then of everything after it
    76            the parts of PARTS in their order, each whole for the first set, then the second

What the numbers mean is in docs/NET.md. Every file that load() accepts keeps the bounds with which
no sum of the engine can overflow.
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from array import array
from typing import NamedTuple

from engine import values
from engine.files import read_file
from engine.rows import largest_of, rows_and_crc
from engine.rulebook import INDEX_OF_NUMBER, RULES

MAGIC = b"TGNNET\0\0"
FORMAT = 1
KIND = 1
WIDTH = 32
HIDDEN = 32
THREATS = 8  # those above "none", for the side to move and for the opponent
COUNTS = 4  # a count of cells is clipped to 0..3
THREAT_PAIRS = 81  # own threat 0..8 by the opponent's threat 0..8
MAX_SHIFT = 9
ROW_LIMIT = 2047
SUM_LIMIT = 32767  # of a bias and four rows: what int16 holds
BIAS_LIMIT = 1 << 22  # so that the output, times 220, fits int32
NAME_BYTES = 32
LIMIT_BYTES = 64 << 20  # a net has less than 1 MiB
HEADER = struct.Struct("<8sHHHHHHHHIIII32s")
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
        product = 1
        for size in self.shape:
            product *= rows if size == -1 else size
        return product


PARTS = (
    Part("rows", "h", (-1, WIDTH)),
    Part("bias", "h", (WIDTH,)),
    Part("threat_rows", "h", (2, THREATS, COUNTS, HIDDEN)),
    Part("w1", "b", (HIDDEN, 2 * WIDTH)),
    Part("b1", "i", (HIDDEN,)),
    Part("w2", "b", (HIDDEN, HIDDEN)),
    Part("b2", "i", (HIDDEN,)),
    Part("w3", "b", (HIDDEN,)),
    Part("b3", "i", (1,)),
    Part("wp", "b", (WIDTH, HIDDEN)),
    Part("bp", "i", (WIDTH,)),
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
    bias: array[int]
    threat_rows: array[int]
    w1: array[int]
    b1: array[int]
    w2: array[int]
    b2: array[int]
    w3: array[int]
    b3: array[int]
    wp: array[int]
    bp: array[int]
    entry: array[int]


def sets_of(rule: int) -> int:
    """Sets of weights of a rule (by number): 2 where the colours are judged differently."""
    row = RULES[INDEX_OF_NUMBER[rule]]
    return 2 if row.black_has_fouls else 1


def has_policy(network: Network) -> bool:
    """Whether a net has learned moves. Training moves the numbers for pairs of threats away from
    zero in its first steps; without a policy (`--no-policy`) all of them stay zero."""
    return any(network.entry)


def serves(of_rule: int, rule: int) -> bool:
    """Whether a net that was made for a rule may play under another one, both by number."""
    return of_rule in (rule, RULES[INDEX_OF_NUMBER[rule]].net_number)


def default_file(rule: int) -> str:
    """Where the net of a rule is looked for: net-RULE.bin beside the values file. Caro exact has
    that of caro, which is worth more there than no net (ledger 61)."""
    number = RULES[INDEX_OF_NUMBER[rule]].net_number
    name = RULES[INDEX_OF_NUMBER[number]].name
    return os.path.join(os.path.dirname(values.DEFAULT_FILE), f"net-{name}.bin")


def _little_endian(numbers: array[int]) -> array[int]:
    """The numbers with their bytes in the order of the file; turns them back as well."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers


def check(network: Network) -> None:
    """Raises NetError for lengths and numbers that a net file must not have."""
    if network.rule not in INDEX_OF_NUMBER:
        raise NetError(f"there is no rule {network.rule}")
    rows, sets = rows_and_crc(network.rule)[0], sets_of(network.rule)
    if not 0 <= network.shift <= MAX_SHIFT:
        raise NetError(f"a shift of {network.shift}; expected 0 to {MAX_SHIFT}")
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
    _check_rows(network, sets)


def _check_version(version: int) -> None:
    if not 0 <= version < 1 << 31:
        raise NetError(f"a version of {version}; expected less than 2^31")


def _check_rows(network: Network, sets: int) -> None:
    """Raises NetError for rows, or for sums of a bias and four rows, that are too large."""
    rows, bias = network.rows, network.bias
    largest = largest_of(rows)
    if largest > ROW_LIMIT:
        raise NetError(f"rows is not within +-{ROW_LIMIT}")
    if 4 * largest + largest_of(bias) <= SUM_LIMIT:
        return  # as in most nets: what follows takes longer
    length = len(rows) // sets
    for first in range(sets):
        for k in range(WIDTH):
            column = rows[first * length + k : (first + 1) * length : WIDTH]
            if abs(bias[first * WIDTH + k]) + 4 * largest_of(column) > SUM_LIMIT:
                raise NetError(f"bias and rows of channel {k} add up to more than {SUM_LIMIT}")


def encode(network: Network) -> bytes:
    """The bytes of a net file, for this program's numbering of windows and its values file.

    Raises NetError for numbers that a net file must not have, and ValueError if the values file
    cannot be read.
    """
    check(network)
    parts = [_little_endian(getattr(network, part.name)).tobytes() for part in PARTS]
    body = b"".join(parts)
    rows, classes_crc = rows_and_crc(network.rule)
    head = HEADER.pack(
        MAGIC,
        FORMAT,
        network.rule,
        KIND,
        WIDTH,
        HIDDEN,
        HIDDEN,
        network.shift,
        sets_of(network.rule),
        rows,
        classes_crc,
        values.body_crc(),
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
    """The net in the bytes of a file, as one of the rule (its number in `INFO rule`), though it may
    have been made for another one (serves()). Raises NetError, with the reason, where this program
    cannot use it for the rule, and ValueError if the values file cannot be read."""
    if len(data) < BODY_OFFSET:
        raise NetError("too short for a net file")
    magic, form, of_rule, kind, *sizes, rows, classes_crc, values_crc, version, name = (
        HEADER.unpack_from(data)
    )
    if magic != MAGIC or form != FORMAT:
        raise NetError(f"not a net file of format {FORMAT}")
    if not serves(of_rule, rule):
        raise NetError(f"made for rule {of_rule}, not for rule {rule}")
    *widths, shift, sets = sizes
    if kind != KIND or widths != [WIDTH, HIDDEN, HIDDEN] or sets != sets_of(rule):
        raise NetError("made for another kind of net than this program's")
    if (rows, classes_crc) != rows_and_crc(rule):
        raise NetError("made for other patterns than this program's")
    if values_crc != values.body_crc():
        raise NetError("made for another values file than this program's")
    body = memoryview(data)[BODY_OFFSET:]
    lengths = [sets * part.length(rows) * array(part.typecode).itemsize for part in PARTS]
    if len(body) != sum(lengths):
        raise NetError(f"{len(data)} bytes long, not {BODY_OFFSET + sum(lengths)}")
    _check_sum(data)
    parts: list[array[int]] = []
    at = 0
    for part, length in zip(PARTS, lengths, strict=True):
        numbers = array(part.typecode)
        numbers.frombytes(body[at : at + length])
        parts.append(_little_endian(numbers))
        at += length
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

    A net for another values file or other patterns has them too.

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


def rule_of(path: str | os.PathLike[str]) -> int:
    """The rule of rule_and_version()."""
    return rule_and_version(path)[0]


def load(path: str | os.PathLike[str], rule: int) -> Network:
    """Reads the net file of a rule (its number in `INFO rule`). Raises as load_with_crc() does."""
    return load_with_crc(path, rule)[0]


def load_with_crc(path: str | os.PathLike[str], rule: int) -> tuple[Network, int]:
    """Reads the net file of a rule (its number in `INFO rule`), and the CRC-32 that the file has.

    Raises NetError with the name of the file and the reason when this program cannot use it, and
    ValueError if the values file cannot be read.
    """
    data = _read(path)
    try:
        return decode(data, rule), CRC.unpack_from(data, HEADER.size)[0]
    except NetError as error:
        raise NetError(f"{os.path.basename(path)}: {error}") from None
