# The static value of a position, from the side to move's view.
from engine.board cimport Board

cdef int threat_mask(const Board* b, int side) noexcept nogil
cdef int evaluate(const Board* b) noexcept nogil
