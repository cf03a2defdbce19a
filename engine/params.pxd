# Every number that can be tuned, of two kinds:
#
#   Values   what evaluation and ordering use: read from the values file (engine/values.py)
#   Params   margins, limits, reductions and times: one table (engine/parameters.py)
#
# Both are plain structs, filled once and passed by pointer.
from engine.patterns cimport CODES
from engine.types cimport int16_t, int32_t

cdef enum:
    THREAT_MASKS = 256

cdef struct Values:
    int16_t worth[2][CODES]         # by colour - 1: of an empty cell, in eighths of a centi-stone
    int16_t attack[2][CODES]        # ordering: what the mover makes
    int16_t defend[2][CODES]        # ordering: what the opponent would have made
    int16_t threat_value[THREAT_MASKS]
    int16_t tempo
    int16_t killer_bonus
    int16_t counter_bonus
    int16_t near_bonus

# cdef struct Params: an int32_t of each name in parameters.PARAMS, in that order; setup.py writes it.
# The owner of an engine holds one; every part of the search has a pointer to it.
include "params.pxi"

cdef const Values* values_of(int rule) except NULL
cdef void default_params(Params* p) noexcept
