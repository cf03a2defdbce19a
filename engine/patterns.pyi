"""Types of the compiled module engine/patterns.pyx."""

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
def rows_and_crc(rule: int) -> tuple[int, int]: ...
def largest_of(numbers: array[int]) -> int: ...
