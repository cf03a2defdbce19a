# Principal variation search over one board: its state, what it notes besides its result, and the search of
# one node.
#
# Counters show where the nodes go; each event adds one. engine.model.SearchStats names them for users, in
# the same order. Samples are positions inside searches, one in so many of those whose static value is
# asked for, kept as the moves that lead there: self-play takes positions for training from them.
from libc.string cimport memcpy

from engine.board cimport Board
from engine.geometry cimport mix64
from engine.intrinsics cimport load_count
from engine.net cimport Net
from engine.ordering cimport History
from engine.params cimport Params
from engine.root cimport RootLine, RootLines, RootMoves
from engine.threats cimport Vcf, VcfMemo
from engine.timeman cimport TimeManager
from engine.tt cimport Table
from engine.types cimport MAX_PLY, MAX_STONES, int16_t, int32_t, int64_t, uint64_t
from engine.vct cimport Vct

cdef enum:
    PLY = 100                # depths are in hundredths of a ply

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

cdef struct Shared:          # what the threads of a search share; all access is by engine.intrinsics
    int32_t stop             # end the search: set by any thread, cleared by the owner
    int32_t decided          # the main thread has its move, or a helper has proven a win
    int64_t nodes            # stones made, as far as the threads have reported them

cdef struct Search
ctypedef void (*Report)(Search* s) noexcept nogil

cdef struct Search:
    # -- given by the owner, kept between searches
    Board* board
    Table* table
    Params params
    History* history
    VcfMemo* memo
    Net* net                 # NULL: the static value is that of the table alone
    Vct* vct                 # the threat solver, for the root
    uint64_t salt            # of the game, mixed into the keys of the memo; the table needs none
    int noise                # centi-stones: the largest error of static values; 0 = they are exact
    uint64_t noise_seed
    Sampler* sampler         # keeps positions of the main search; NULL: none are kept
    Shared* shared           # with the helpers of pool.pyx
    Report report            # called after each finished iteration
    void* owner              # for report
    Report before_iterations # called before the first one: wakes the helpers
    void* pool               # of the helpers
    # -- limits of this search
    TimeManager time
    int64_t node_limit       # stones made by all threads, VCF included
    int threads              # that search, this one included
    int depth_limit          # iterations
    bint is_analysis         # the only move is searched like any other
    int mate_limit           # stones: a longer win does not end the search
    int multipv              # 1 to MAX_LINES: so many of the best moves are searched
    # -- state of this search
    int64_t nodes            # made by this thread
    int64_t reported         # of these: counted in shared.nodes
    int64_t own_limit        # of nodes: this thread's share of the limit, see poll()
    int64_t next_poll        # of nodes
    bint stopped             # a limit was met: values of unfinished nodes are invalid
    int depth                # finished iterations
    int seldepth
    bint only_move           # the move to play was the only one, and was not searched
    RootMoves root
    RootLines lines          # the best moves so far; the first one is the move to play
    RootLines fresh          # where several are wanted: those of the iteration under way
    RootLine proof           # of a win found before, too long to end the search; length 0: none
    SearchStats stats        # where its nodes went
    int static_values[MAX_PLY + 2]
    int pv_length[MAX_PLY + 2]
    int16_t pv[MAX_PLY + 2][MAX_PLY + 2]
    Vcf vcf

# -- small, hot: inlined into every caller
cdef inline void end_pv(Search* s, int ply) noexcept nogil:
    s.pv_length[ply] = 0

cdef inline void set_pv(Search* s, int ply, int cell) noexcept nogil:
    """The principal variation from this ply is `cell` and then that of the next ply."""
    cdef int length = s.pv_length[ply + 1]
    s.pv[ply][0] = cell
    memcpy(&s.pv[ply][1], &s.pv[ply + 1][0], length * sizeof(int16_t))
    s.pv_length[ply] = length + 1

cdef inline int64_t nodes_of_all(const Search* s) noexcept nogil:
    """Stones made by all threads: by this one until now, by the others until they last reported."""
    return load_count(&s.shared.nodes) + s.nodes - s.reported

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

# -- large: one indirect call
cdef void report_nodes(Search* s) noexcept nogil
cdef void clear_counts(Search* s) noexcept nogil
cdef void prepare_vcf(Search* s) noexcept nogil
cdef int limited_vcf(Search* s, int fours_limit, int node_budget, int caller) noexcept nogil
cdef int reduction_of(const Params* p, int depth, int number) noexcept nogil
cdef int search_move(Search* s, int alpha, int beta, int depth, int reduction, int ply,
                     bint is_first, bint pv_node, bint cut_node) noexcept nogil
