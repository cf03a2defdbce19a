# The moves of the threat solver: those that make a threat, and the replies that could matter.
from engine.board cimport Board
from engine.types cimport int16_t, uint64_t

cdef enum:
    MAX_CHOICES = 240        # moves of one node; the solver counts a longer list as cut by a limit

# Which moves the attacker has; each kind includes those before it.
cdef enum:
    FOURS = 0                # moves that make a four
    THREES = 1               # moves that make a three: they threaten an open four
    QUIET = 2                # moves that threaten a VCF

cdef int list_attacks(Board* b, int side, int kinds, const uint64_t* zone,
                      int16_t* cells) noexcept nogil
cdef int list_replies(Board* b, int side, const uint64_t* zone, int16_t* cells) noexcept nogil
