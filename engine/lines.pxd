# Bit-line keys: a whole line of the board in one 64-bit word, two bits a cell.
#
# Bits 2*place and 2*place+1 hold the stone at `place` (geometry.place_on_line). Everything off
# the board is WALL, and the PAD cells of wall are as wide as half a window, so windows need no
# edge test.
from engine.types cimport uint64_t

cdef enum:
    HALF = 5              # cells of a window on either side of its centre
    HALF_KEYS = 1024      # 4 ** HALF
    HALF_MASK = 1023


cdef inline uint64_t stone_bits(int stone, int place) noexcept nogil:
    """The two bits of a stone at its place: xor places it on an empty cell, and removes it."""
    return (<uint64_t>stone) << (2 * place)


cdef inline int half_before(uint64_t key, int place) noexcept nogil:
    """The HALF cells before `place`, the nearest one in the highest bits."""
    return <int>((key >> (2 * (place - HALF))) & HALF_MASK)


cdef inline int half_after(uint64_t key, int place) noexcept nogil:
    """The HALF cells after `place`, the nearest one in the lowest bits."""
    return <int>((key >> (2 * (place + 1))) & HALF_MASK)
