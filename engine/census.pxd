# Counters that show where the nodes of a search go; each event adds one. engine.model.Census names
# them for users, in the same order.
from engine.types cimport MAX_PLY, int64_t

cdef enum:
    # -- nodes of the search, by what is expected of them
    COUNT_PV = 0            # searched with an open window
    COUNT_CUT               # a fail-high
    COUNT_ALL               # a fail-low
    COUNT_LEAF              # of all these: leaves
    # -- nodes that ended without a move
    COUNT_WIN               # by a win that the threat counts show
    COUNT_TABLE             # by the transposition table
    COUNT_RAZOR
    COUNT_FUTILITY
    COUNT_MULTI_CUT
    # -- moves
    COUNT_MOVE              # stones made by the search itself
    COUNT_SKIP              # nodes whose late moves were skipped
    COUNT_REDUCED           # moves first searched less deep
    COUNT_AGAIN             # of these: searched again because they failed high
    COUNT_AGAIN_PV          # moves searched again with the full window
    COUNT_FAIL_HIGH         # nodes that failed high by a move
    COUNT_FIRST_MOVE        # of these: by the first one
    # -- VCF searches, four counters by caller: searches, wins, those that met a limit, stones
    COUNT_VCF
    COUNTERS = COUNT_VCF + 12

cdef enum:                  # the callers: what to add to COUNT_VCF
    VCF_AT_LEAF = 0
    VCF_AT_RAZOR = 4
    VCF_AT_ROOT = 8

cdef struct Census:
    int64_t count[COUNTERS]
    int64_t iteration_nodes[MAX_PLY]    # all nodes at the end of each iteration; 0: not finished
