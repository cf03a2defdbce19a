# Cells, directions, the indices of line keys, the 8 symmetries, and the hash keys of cells.
#
# A cell is `(y + PAD) * STRIDE + x + PAD`. The four directions run east, south, south-east and
# north-east; the opposite directions are the same lines walked backwards. Every line of a
# direction has one key (patterns.pxd): `line_of` is its index, `place_on_line` the place of a cell
# on it.
from engine.types cimport CELLS, PAD, STRIDE, uint64_t

cdef enum:
    DIRECTIONS = 4
    LINES = 64        # line keys a direction (a diagonal of a 32 x 32 board: 63)

# Hash keys, one for each stone and cell, from a fixed seed: the same on every machine.
cdef struct ZobristKeys:
    uint64_t stone[4][CELLS]    # by stone (BLACK, WHITE, WALL; row 0 is unused)
    uint64_t white_to_move
    uint64_t rule[8]            # by rule: positions of several rules may share one hash table


cdef inline int cell_at(int x, int y) noexcept nogil:
    return (y + PAD) * STRIDE + x + PAD


cdef inline int x_of(int cell) noexcept nogil:
    return (cell & (STRIDE - 1)) - PAD


cdef inline int y_of(int cell) noexcept nogil:
    return cell // STRIDE - PAD


cdef inline int step_of(int d) noexcept nogil:
    """Distance between neighbours along direction d, in cells."""
    return 1 if d == 0 else (STRIDE if d == 1 else (STRIDE + 1 if d == 2 else 1 - STRIDE))


cdef inline int line_of(int cell, int d) noexcept nogil:
    """Which line of direction d the cell lies on, 0..LINES-1."""
    cdef int column = cell & (STRIDE - 1)
    cdef int row = cell >> 5
    return (row if d == 0 else
            column if d == 1 else
            column - row + STRIDE if d == 2 else
            column + row)


cdef inline int place_on_line(int cell, int d) noexcept nogil:
    """Place of the cell on its line of direction d, counted as the padded column (or row)."""
    return cell >> 5 if d == 1 else cell & (STRIDE - 1)


cdef inline uint64_t mix64(uint64_t seed) noexcept nogil:
    """splitmix64's output function (Vigna, public domain): well mixed bits from any counter."""
    cdef uint64_t z = seed * 0x9E3779B97F4A7C15ULL
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef int transformed_cell(int cell, int symmetry, int width, int height) noexcept nogil
cdef int symmetry_count(int width, int height) noexcept nogil
cdef const ZobristKeys* zobrist_keys() noexcept
