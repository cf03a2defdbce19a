"""Corrects static values by what the search has learned of their errors.

A net that thinks too much or too little of a stone does so in thousands of nodes of a search. So the
search keeps the mean error of static values by the last stone, by the stone before, and by both.
Chess engines keep it by what changes seldom, such as the pawns, and call it correction history.
"""

from engine.board cimport Board, last_cell
from engine.params cimport Params
from engine.types cimport CELLS, VALUE_EVAL_LIMIT, int16_t, uint64_t

cdef enum:
    FRACTION = 16            # of a centi-stone, in which errors are kept
    MAX_PLIES = 16           # deeper searches count as much as such a one
    RATE_ONE = 1024


cdef inline int place_of_both(int last, int own) noexcept nogil:
    """Where the error after these two stones is kept; the golden ratio spreads the pairs."""
    cdef uint64_t pair = <uint64_t>(last * CELLS + own)
    return <int>((pair * <uint64_t>0x9E3779B97F4A7C15) >> (64 - BOTH_BITS))


cdef int corrected(const Errors* e, const Params* p, const Board* b, int value) noexcept nogil:
    """A static value of this position, with a share of the mean errors added."""
    cdef int side = b.side - 1, last = last_cell(b, 0), own = last_cell(b, 1)
    cdef int error = e.last[side][last] + e.own[side][own] + e.both[side][place_of_both(last, own)]
    value += error * p.error_share // (100 * FRACTION)
    return min(max(value, -VALUE_EVAL_LIMIT), VALUE_EVAL_LIMIT)


cdef inline void approach(int16_t* mean, int error, int rate) noexcept nogil:
    mean[0] += <int16_t>((error - mean[0]) * rate // RATE_ONE)


cdef void learn_error(Errors* e, const Params* p, const Board* b, int error,
                      int depth_plies) noexcept nogil:
    """A search of this position has shown by how much its static value is too low, in centi-stones.
    The deeper it was, the more it counts."""
    cdef int side = b.side - 1, last = last_cell(b, 0), own = last_cell(b, 1)
    cdef int rate = min(max(depth_plies, 0) + 1, MAX_PLIES) * p.error_rate
    error = min(max(error, -p.error_limit), p.error_limit) * FRACTION
    approach(&e.last[side][last], error, rate)
    approach(&e.own[side][own], error, rate)
    approach(&e.both[side][place_of_both(last, own)], error, rate)
