# Every number that can be tuned. Two kinds:
#
#   Values   what evaluation and ordering use: read from the values file (engine/values.py)
#   Params   the margins, limits and reductions of the search: one table in params.pyx
#
# Both are plain structs, filled once and passed by pointer.
from engine.patterns cimport CODES
from engine.types cimport int16_t, int32_t, uint8_t

cdef enum:
    THREAT_MASKS = 256

# What make() needs of a code, together so that one load brings both.
cdef struct CodeInfo:
    int16_t value           # eighths of a centi-stone
    uint8_t threat          # THREAT_NONE .. THREAT_FIVE
    uint8_t spare

cdef struct Values:
    CodeInfo info[2][CODES]         # by colour - 1
    int16_t attack[2][CODES]        # ordering: what the mover makes
    int16_t defend[2][CODES]        # ordering: what the opponent would have made
    int16_t threat_value[THREAT_MASKS]
    int16_t tempo
    int16_t killer_bonus
    int16_t counter_bonus
    int16_t near_bonus

# All int32_t, in the order of PARAMS in params.pyx (a test compares the names).
cdef struct Params:
    int32_t aspiration_window
    int32_t razor_margin
    int32_t futility_margin
    int32_t futility_depth_plies
    int32_t move_count_base
    int32_t move_count_depth_plies
    int32_t reduction_scale
    int32_t reduction_base
    int32_t history_divisor
    int32_t vcf_leaf_nodes
    int32_t vcf_node_nodes
    int32_t vcf_root_nodes
    int32_t singular_depth_plies
    int32_t singular_margin
    int32_t reserve_ms
    int32_t default_turn_ms
    int32_t expected_moves
    int32_t poll_nodes

cdef const Values* values_of(int rule) except NULL
cdef void default_params(Params* p) noexcept
