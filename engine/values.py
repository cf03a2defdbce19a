"""The values file: every number that evaluation and move ordering use, in one place.

Format 2, little endian:

    offset  size  meaning
    0       8     b"TGNVALUE"
    8       2     format (2)
    10      2     codes per table (3060, see patterns.pxd)
    12      2     threat masks (256, see evaluate.pyx)
    14      2     scalars per rule (len(SCALARS))
    16      2     rules (5: freestyle, standard, renju, caro, caro exact)
    18      2     reserved, 0
    20      4     version of the values, less than 2^31, increased with every new file
    24      4     CRC-32 of everything after the header
    28            per rule, all int16:
                    for Black, then for White: value[codes], attack[codes], defend[codes]
                    threat_value[masks], scalars[...]

value    what an empty cell is worth to the colour that would get this code there, in eighths of a
         centi-stone (VALUE_FRACTION), because some 400 of them are added up with their roundings
attack   ordering score of playing on a cell where the mover gets this code
defend   ordering score of playing on a cell where the opponent would get this code
threat_value   added to the static value, by which kinds of threats each side has
scalars        the other numbers, by name (SCALARS)
"""

from __future__ import annotations

import os
import struct
import sys
import zlib
from array import array

from engine.files import read_file
from engine.rulebook import RULES

MAGIC = b"TGNVALUE"
FORMAT = 2
RULE_COUNT = 1 + max(row.values for row in RULES)
CODES = 3060
VALUE_FRACTION = 8
THREAT_MASKS = 256
SCALARS = (
    "tempo",  # centi-stones for having the move
    "killer_bonus",  # ordering: a quiet move that caused a cut at the same ply
    "counter_bonus",  # ordering: a quiet move that answered the same move with a cut before
    "near_bonus",  # ordering: a move within two cells of the opponent's last one, on a line with it
)
HEADER = struct.Struct("<8sHHHHHHII")
LIMIT_BYTES = 1 << 20  # five times what there is
DEFAULT_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "values.bin")


def load_body(path: str | os.PathLike[str] = DEFAULT_FILE) -> tuple[int, array[int]]:
    """Reads a values file: its version and all its numbers in file order.

    Raises ValueError with the reason when the file is not one this program can use.
    """
    name = os.path.basename(path)
    try:
        data = read_file(path, LIMIT_BYTES)
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror}") from None
    if len(data) < HEADER.size:
        raise ValueError(f"{name}: too short for a values file")
    magic, form, codes, masks, scalars, rules, zero, version, crc = HEADER.unpack_from(data)
    body = data[HEADER.size :]
    if magic != MAGIC or form != FORMAT:
        raise ValueError(f"{name}: not a values file of format {FORMAT}")
    if (codes, masks, scalars, rules) != (CODES, THREAT_MASKS, len(SCALARS), RULE_COUNT):
        raise ValueError(f"{name}: made for other patterns than this program's")
    if zero or version >= 1 << 31:
        raise ValueError(f"{name}: has numbers that no values file has")
    if zlib.crc32(body) != crc:
        raise ValueError(f"{name}: damaged (checksum differs)")
    if len(body) != 2 * RULE_COUNT * (6 * CODES + THREAT_MASKS + len(SCALARS)):
        raise ValueError(f"{name}: wrong length")
    return version, little_endian(array("h", body))


def little_endian(numbers: array[int]) -> array[int]:
    """The numbers with their bytes from the lowest to the highest; turns them back as well."""
    if sys.byteorder == "big":
        numbers = array(numbers.typecode, numbers)
        numbers.byteswap()
    return numbers
