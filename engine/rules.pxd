# Who has won, and where Black may not play in renju. The answers are exact and not stored.
from engine.board cimport Board
from engine.patterns cimport HAS_FOULS

cdef bint is_foul(Board* b, int cell) noexcept nogil
cdef int winner_on(const Board* b) noexcept nogil

cdef inline bint may_be_foul(const Board* b, int colour) noexcept nogil:
    """True where moves of the colour have to be checked with is_forbidden()."""
    return b.kind[colour - 1] & HAS_FOULS != 0

cdef bint is_forbidden(Board* b, int cell, int colour) noexcept nogil
