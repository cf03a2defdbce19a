"""The 8 symmetries of a square board (4 of a rectangle), as maps of cells, and the hash keys that all
boards share.

The number of a symmetry is three bits: 1 mirrors left and right, 2 mirrors top and bottom, 4
(squares only) then swaps columns and rows. Number 0 is the identity.
"""

from engine.types cimport CELLS, uint64_t

cdef ZobristKeys _keys
cdef bint _made = False


cdef int transformed_cell(int cell, int symmetry, int width, int height) noexcept nogil:
    """The cell to which a symmetry of a width x height board maps `cell`."""
    cdef int x = x_of(cell), y = y_of(cell), swap
    if symmetry & 1:
        x = width - 1 - x
    if symmetry & 2:
        y = height - 1 - y
    if symmetry & 4:
        swap = x
        x = y
        y = swap
    return cell_at(x, y)


cdef int symmetry_count(int width, int height) noexcept nogil:
    """How many symmetries a board of this shape has: 8 for a square, else 4."""
    return 8 if width == height else 4


cdef const ZobristKeys* zobrist_keys() noexcept:
    """The shared keys. The caller holds the interpreter lock, so that they are made only once."""
    global _made
    cdef uint64_t counter = 0x54656E67656E      # "Tengen"
    cdef int stone, cell, rule
    if not _made:
        for stone in range(4):
            for cell in range(CELLS):
                counter += 1
                _keys.stone[stone][cell] = mix64(counter)
        for rule in range(8):
            counter += 1
            _keys.rule[rule] = mix64(counter)
        _keys.white_to_move = mix64(counter + 1)
        _made = True
    return &_keys
