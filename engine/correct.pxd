# How wrong static values have been: what the search has shown, against what the net said.
from engine.board cimport Board
from engine.params cimport Params
from engine.types cimport CELLS, int16_t

cdef enum:
    BOTH_BITS = 14           # of a place for two cells; few pairs of one search share a place

# Mean errors in sixteenths of a centi-stone, by the side to move - 1. A new game clears them.
cdef struct Errors:
    int16_t last[2][CELLS]   # by the cell of the last stone, the opponent's
    int16_t own[2][CELLS]    # by that of the stone before
    int16_t both[2][1 << BOTH_BITS]

cdef int corrected(const Errors* e, const Params* p, const Board* b, int value) noexcept nogil
cdef void learn_error(Errors* e, const Params* p, const Board* b, int error,
                      int depth_plies) noexcept nogil
