"""Types of the compiled module engine/rows.pyx."""

from array import array
from typing import NamedTuple

class Numbering(NamedTuple):
    classes: int
    rows: int
    class_of_half: array[int]
    row_of_pair: array[int]
    swapped: array[int]
    crc: int

def numbering(rule: int) -> Numbering: ...
