# Hash keys, one for each stone and cell, from a fixed seed: the same on every machine.
from engine.types cimport CELLS, uint64_t

cdef struct ZobristKeys:
    uint64_t stone[4][CELLS]    # by stone (BLACK, WHITE, WALL; row 0 is unused)
    uint64_t white_to_move
    uint64_t rule[8]            # by rule: positions of several rules may share one hash table


cdef inline uint64_t mix64(uint64_t seed) noexcept nogil:
    """splitmix64's output function (Vigna, public domain): well mixed bits from any counter."""
    cdef uint64_t z = seed * 0x9E3779B97F4A7C15ULL
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef const ZobristKeys* zobrist_keys() noexcept
