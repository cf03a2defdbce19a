# What a search notes besides its result; it changes no node.
#
# Counters show where the nodes go; each event adds one. engine.model.SearchStats names them for users, in
# the same order. Samples are positions inside searches, one in so many of those whose static value is
# asked for, kept as the moves that lead there: self-play takes positions for training from them.
from engine.board cimport Board
from engine.geometry cimport mix64
from engine.types cimport MAX_PLY, int16_t, int64_t, uint64_t

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

cdef struct SearchStats:
    int64_t count[COUNTERS]
    int64_t iteration_nodes[MAX_PLY]    # all nodes at the end of each iteration; 0: not finished

cdef enum:
    MAX_SAMPLES = 64         # of one search; later ones are left out

cdef struct Sample:
    int length
    int16_t cell[MAX_PLY]    # the moves from the root

cdef struct Sampler:
    int every                # static values from one sample to the next, on average
    int left                 # until the next one
    uint64_t seed            # of the distances
    int root                 # stones on the board at the root
    int count
    Sample sample[MAX_SAMPLES]


cdef inline void draw_distance(Sampler* s) noexcept nogil:
    """Draws how many static values are asked for until the next sample."""
    s.seed += 1
    s.left = 1 + <int>(mix64(s.seed) % <uint64_t>(2 * s.every - 1))


cdef inline void take_sample(Sampler* s, const Board* b) noexcept nogil:
    cdef Sample* sample
    cdef int i
    draw_distance(s)
    if s.count < MAX_SAMPLES:
        sample = &s.sample[s.count]
        s.count += 1
        sample.length = b.stones - s.root
        for i in range(sample.length):
            sample.cell[i] = b.placed[s.root + i].cell


cdef inline void count_static_value(Sampler* s, const Board* b) noexcept nogil:
    """The static value of the position on the board has been asked for."""
    s.left -= 1
    if s.left == 0:
        take_sample(s, b)
