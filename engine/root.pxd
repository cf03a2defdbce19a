# The moves of the root with their values, and the best of them with what follows; what a level of strength
# does not see: moves that it overlooks, and errors of its values.
from engine.board cimport Board
from engine.geometry cimport mix64
from engine.net cimport Net
from engine.ordering cimport History
from engine.params cimport Params
from engine.types cimport MAX_STONES, VALUE_EVAL_LIMIT, WORDS, int16_t, int32_t, int64_t, uint64_t

cdef struct RootMove:
    int cell
    int value                # exact or a bound; -VALUE_INFINITE: not searched, or no better move
    bint is_lost             # proved by any iteration so far
    int64_t nodes            # of all iterations so far

cdef struct RootMoves:
    int count
    int first                # moves before this one have their line already, and are not searched
    bint has_far             # add_far_root_moves() was called
    RootMove move[MAX_STONES]
    # -- a limit of the search: cells that are not played
    bint has_excluded
    uint64_t excluded[WORDS] # bit cell & 63 of word cell >> 6; counts only with has_excluded
    # -- for those who look on in other threads, by engine.intrinsics
    int32_t now              # the cell of the move under search; NO_CELL: none
    int64_t lost[WORDS]      # the cells of moves that are proved to lose, as in `excluded`

cdef enum:
    MAX_LINES = 64

cdef struct RootLine:
    int value                # exact
    int depth                # the finished iteration that it is from; 0: found without a search
    int seldepth
    int length               # at least 1; 0: there is no such line
    int16_t cell[MAX_STONES]     # first the root move

cdef struct RootLines:       # the best first, equal ones in the order in which they were found
    int count
    RootLine line[MAX_LINES]

cdef struct Unseen:          # shares in permille; engine/limits.py says what they mean
    int quiet
    int threats
    int fives

cdef inline bint is_allowed(const RootMoves* r, int cell) noexcept nogil:
    """False for a cell that the limits exclude."""
    return not r.has_excluded or not (r.excluded[cell >> 6] >> (cell & 63)) & 1

cdef inline int with_noise(int value, int noise, uint64_t seed, uint64_t key) noexcept nogil:
    """A static value with an error of at most `noise` centi-stones that depends on the seed and the
    position: the sum of two even draws, so that small errors are more frequent."""
    cdef uint64_t drawn = mix64(key ^ seed)
    cdef int error = <int>(drawn & 0xFFFF) + <int>(drawn >> 16 & 0xFFFF) - 0xFFFF
    return min(max(value + error * noise // 0x10000, -VALUE_EVAL_LIMIT), VALUE_EVAL_LIMIT)


cdef void sort_root_moves(RootMoves* r) noexcept nogil
cdef int root_mode(const Board* b) noexcept nogil
cdef void list_root_moves(RootMoves* r, Board* b, const History* h, const Params* p,
                          Net* net, int mode) noexcept nogil
cdef void add_far_root_moves(RootMoves* r, Board* b) noexcept nogil
cdef void forget_now(RootMoves* r) noexcept nogil
cdef void note_lost(RootMoves* r, RootMove* move) noexcept nogil
cdef int effort_of(const RootMoves* r, int cell) noexcept nogil
cdef bint others_are_lost(const RootMoves* r, int cell) noexcept nogil
cdef void drop_symmetric_moves(RootMoves* r, const Board* b) noexcept nogil
cdef void list_opening_moves(RootMoves* r, Board* b) noexcept nogil
cdef void set_aside(RootMoves* r, int cell) noexcept nogil
cdef void add_line(RootLines* l, const RootLine* line) noexcept nogil
cdef void keep_at_least(RootLines* l, const RootLine* proof) noexcept nogil
cdef void merge_unfinished(RootLines* l, const RootLines* fresh) noexcept nogil
cdef int first_allowed(const RootMoves* r, const Board* b, int colour, int threat) noexcept nogil
cdef int any_cell(const RootMoves* r, Board* b) noexcept nogil
cdef int central_cell(const RootMoves* r, const Board* b) noexcept nogil
cdef void exclude_unseen(RootMoves* r, Board* b, const History* h, const Params* p, Net* net,
                   const Unseen* unseen, uint64_t seed) noexcept nogil
