# Numbers for windows, finer than patterns: the rows of a learned evaluation's table.
#
# A window is the classes of its two half windows (patterns.pxd), nearest cell first. Read from the
# other end it is the same window, so a row is an unordered pair of classes. Rows are numbered in the
# order (0, 0), (0, 1) ... (0, n-1), (1, 1), (1, 2) ...
from engine.patterns cimport HALF_CLASSES, RuleTables, half_after, half_before
from engine.types cimport uint16_t, uint64_t

cdef enum:
    MAX_ROWS = 15576             # HALF_CLASSES * (HALF_CLASSES + 1) / 2

cdef struct RowTables:
    const RuleTables* tables
    int rows                                         # rows in use
    uint16_t row[HALF_CLASSES * HALF_CLASSES]        # as RuleTables.both is indexed -> row
    uint16_t swapped[MAX_ROWS]                       # row -> row with the colours exchanged


cdef inline int row_at(const RowTables* t, uint64_t key, int place) noexcept nogil:
    """The row of the window around a place on a line."""
    return t.row[t.tables.before[half_before(key, place)] + t.tables.after[half_after(key, place)]]


cdef inline int region_of(int x, int size) noexcept nogil:
    """Which third of a side of the board: 0, 1 or 2. The outer two are equal."""
    cdef int third = (size + 1) // 3
    return 0 if x < third else (2 if x >= size - third else 1)


cdef const RowTables* row_tables(int rule) except NULL
