# Every number that can be tuned, of two kinds:
#
#   Values   what evaluation and ordering use: read from the values file (engine/values.py)
#   Params   margins, limits, reductions and times: one table in params.pyx
#
# Both are plain structs, filled once and passed by pointer.
from engine.patterns cimport CODES
from engine.types cimport int16_t, int32_t, uint8_t

cdef enum:
    THREAT_MASKS = 256

# What make() needs of a code, in four bytes so that one cache line serves both.
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

# All int32_t, in the order of PARAMS in params.pyx, which says what each means (a test compares the
# names). The owner of an engine holds one; every part of the search has a pointer to it.
cdef struct Params:
    # -- iterations: the window round the last value
    int32_t aspiration_window
    int32_t aspiration_depth_plies
    int32_t aspiration_growth
    int32_t aspiration_limit
    # -- cuts that need no move (step 8), nodes searched less deep (step 9)
    int32_t razor_margin
    int32_t razor_depth
    int32_t futility_margin
    int32_t futility_depth
    int32_t no_move_depth
    int32_t no_move_reduction
    # -- late moves (steps 10 and 12), extensions (step 11)
    int32_t move_count_base
    int32_t move_count_linear
    int32_t move_count_square
    int32_t move_count_flat
    int32_t reduction_scale
    int32_t reduction_base
    int32_t reduction_depth
    int32_t reduction_cut
    int32_t reduction_pv
    int32_t reduction_three
    int32_t root_reduction_depth
    int32_t root_reduction_moves
    int32_t root_reduction_less
    int32_t history_divisor
    int32_t singular_depth
    int32_t singular_entry
    int32_t singular_margin
    # -- history: how often moves have caused cuts
    int32_t history_points
    int32_t history_points_limit
    int32_t history_limit
    int32_t history_shift
    int32_t history_age_divisor
    # -- the net (docs/NET.md)
    int32_t use_net
    int32_t policy_points
    int32_t policy_depth
    int32_t policy_table
    int32_t policy_reduction
    int32_t policy_reduction_base
    # -- transposition table: what is replaced
    int32_t table_age_plies
    int32_t table_keep_plies
    # -- victory by fours (VCF)
    int32_t vcf_leaf_nodes
    int32_t vcf_node_nodes
    int32_t vcf_root_nodes
    int32_t vcf_root_lengths
    int32_t vcf_long_nodes
    int32_t vcf_poll_nodes
    # -- victory by threats (VCT) at the root of an analysis: two looks with the threat solver
    int32_t vct_stones
    int32_t vct_early_share
    int32_t vct_late_after
    int32_t vct_late_share
    int32_t vct_untimed_nodes
    int32_t vct_leaf_nodes
    # -- the threat solver: solve, solve_all, defences (vct.pyx, proofs.pyx)
    int32_t solver_vcf_nodes
    int32_t solver_root_vcf_nodes
    int32_t solver_proof_vcf_nodes
    int32_t solver_threes_nodes
    int32_t solver_quiet_nodes
    int32_t solver_threat_nodes
    int32_t solver_reply_nodes
    int32_t solver_quiet_depth
    int32_t solver_strong_moves
    int32_t solver_three_proof
    int32_t solver_quiet_proof
    int32_t solver_slack
    int32_t solver_poll_nodes
    # -- time
    int32_t reserve_ms
    int32_t default_turn_ms
    int32_t least_turn_ms
    int32_t expected_moves
    int32_t most_of_match
    int32_t plentiful_moves
    int32_t early_stones
    int32_t late_stones
    int32_t middle_share
    int32_t settled_share
    int32_t settled_iterations
    int32_t falling_share
    int32_t falling_limit
    int32_t effort_least
    int32_t effort_share
    int32_t decided_value
    int32_t decided_share
    int32_t cut_share
    int32_t poll_nodes
    int32_t usual_gap_us
    int32_t stopped_gap_us
    int32_t late_limit_us
    int32_t late_share
    int32_t late_forget

cdef const Values* values_of(int rule) except NULL
cdef void default_params(Params* p) noexcept
