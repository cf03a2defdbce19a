# Principal variation search over one board: its state, and the search of one node.
from libc.string cimport memcpy

from engine.board cimport Board
from engine.intrinsics cimport load_count
from engine.net cimport Net
from engine.ordering cimport History
from engine.params cimport Params
from engine.root cimport RootLine, RootLines, RootMoves
from engine.search_stats cimport Sampler, SearchStats
from engine.threats cimport Vcf, VcfMemo
from engine.timeman cimport TimeManager
from engine.tt cimport Table
from engine.types cimport MAX_PLY, MAX_STONES, int16_t, int32_t, int64_t, uint64_t
from engine.vct cimport Vct

cdef enum:
    PLY = 100                # depths are in hundredths of a ply

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

# -- large: one indirect call
cdef void report_nodes(Search* s) noexcept nogil
cdef void clear_counts(Search* s) noexcept nogil
cdef void prepare_vcf(Search* s) noexcept nogil
cdef int limited_vcf(Search* s, int fours_limit, int node_budget, int caller) noexcept nogil
cdef int reduction_of(const Params* p, int depth, int number) noexcept nogil
cdef int search_move(Search* s, int alpha, int beta, int depth, int reduction, int ply,
                     bint is_first, bint pv_node, bint cut_node) noexcept nogil
