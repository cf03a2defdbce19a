"""Rows of a learned evaluation: how windows are numbered, under each rule.

`swapped` exchanges the colours, so that a table of rows made for one colour's view serves the other
one as well. In renju the colours are judged differently and classes of half windows do not map onto
each other: there a net has a table for each colour, and `swapped` maps every row onto itself.
"""

from libc.stdlib cimport calloc

import sys
import zlib
from array import array
from collections import namedtuple

from engine.patterns cimport HALF_KEYS, rule_tables, with_colours_swapped
from engine.types cimport RULES, int16_t

from engine.rulebook import INDEX_OF_NUMBER

Numbering = namedtuple("Numbering", "classes rows class_of_half row_of_pair swapped crc")


cdef void make_rows(RowTables* t) noexcept nogil:
    """Numbers the pairs of classes, and finds for each the pair with the colours exchanged."""
    cdef const RuleTables* p = t.tables
    cdef int classes = p.half_classes, i, j
    cdef int swapped_class[HALF_CLASSES]
    cdef bint alike = p.kind[0] == p.kind[1]
    for i in range(HALF_KEYS):
        swapped_class[p.after[i]] = p.after[with_colours_swapped(i)]
    for i in range(classes):
        for j in range(i, classes):
            t.row[i * classes + j] = t.row[j * classes + i] = t.rows
            t.rows += 1
    for i in range(classes):
        for j in range(i, classes):
            t.swapped[t.row[i * classes + j]] = t.row[
                swapped_class[i] * classes + swapped_class[j] if alike else i * classes + j]


cdef RowTables* _tables[RULES]      # made when a rule is first used, then shared and constant


cdef const RowTables* row_tables(int rule) except NULL:
    """The rows of a rule, numbered at the first call for it.

    The caller holds the interpreter lock. Raises MemoryError.
    """
    cdef RowTables* t = _tables[rule]
    cdef const RuleTables* p = rule_tables(rule)
    if t != NULL:
        return t
    t = <RowTables*>calloc(1, sizeof(RowTables))
    if t == NULL:
        raise MemoryError("no memory for the rows of the evaluation")
    t.tables = p
    make_rows(t)
    _tables[rule] = t
    return t


cdef const RowTables* known_tables(int rule) except NULL:
    """row_tables() of a rule given by its number in `INFO rule`; ValueError for what is no rule."""
    if rule not in INDEX_OF_NUMBER:
        raise ValueError(f"there is no rule {rule}; expected one of {list(INDEX_OF_NUMBER)}")
    return row_tables(INDEX_OF_NUMBER[rule])


cdef object _classes(const RowTables* t):
    return array("H", [t.tables.after[i] for i in range(HALF_KEYS)])


cdef object _crc(object of_half):
    if sys.byteorder == "big":
        of_half = array("H", of_half)
        of_half.byteswap()
    return zlib.crc32(of_half.tobytes())


def rows_and_crc(int rule):
    """The fields rows and crc of numbering() alone, which takes no time: for a net that is loaded
    while a manager waits. Raises what numbering() raises."""
    cdef const RowTables* t = known_tables(rule)
    return t.rows, _crc(_classes(t))


def largest_of(const int16_t[::1] numbers):
    """The absolute value of the number farthest from 0; 0 where there are none."""
    cdef int largest = 0, i, number
    for i in range(numbers.shape[0]):
        number = -numbers[i] if numbers[i] < 0 else numbers[i]
        if number > largest:
            largest = number
    return largest


def numbering(int rule):
    """How windows are numbered under a rule, given by its number in `INFO rule`: a Numbering.

    classes        classes of half windows
    rows           pairs of classes, mirror images counted once
    class_of_half  1,024 classes by half window: two bits a cell (0 empty, 1 Black, 2 White, 3 wall),
                   the cell nearest to the centre lowest
    row_of_pair    classes * classes rows, by one class * classes + the other
    swapped        by row, the row with the colours exchanged; in renju the row itself
    crc            CRC-32 of class_of_half as 16-bit numbers, low byte first: equal numberings, equal
                   CRC

    Raises ValueError for a number that is no rule, MemoryError.
    """
    cdef const RowTables* t = known_tables(rule)
    cdef int i, classes = t.tables.half_classes
    of_half = _classes(t)
    return Numbering(classes, t.rows, of_half,
                     array("H", [t.row[i] for i in range(classes * classes)]),
                     array("H", [t.swapped[i] for i in range(t.rows)]),
                     _crc(of_half))
