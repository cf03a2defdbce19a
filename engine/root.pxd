# The moves of the root, with their values.
from engine.board cimport Board
from engine.ordering cimport History
from engine.params cimport Params
from engine.types cimport MAX_STONES, int64_t

cdef struct RootMove:
    int cell
    int value                # exact or a bound; -VALUE_INFINITE: not searched, or no better move
    bint is_lost             # proved by any iteration so far
    int64_t nodes            # of all iterations so far

cdef struct RootMoves:
    int count
    RootMove move[MAX_STONES]

cdef void sort_root_moves(RootMoves* r) noexcept nogil
cdef int root_mode(const Board* b) noexcept nogil
cdef void list_root_moves(RootMoves* r, Board* b, const History* h, const Params* p,
                          int mode) noexcept nogil
cdef void add_far_root_moves(RootMoves* r, Board* b) noexcept nogil
cdef int effort_of(const RootMoves* r, int cell) noexcept nogil
cdef bint others_are_lost(const RootMoves* r, int cell) noexcept nogil
cdef void drop_symmetric_moves(RootMoves* r, const Board* b) noexcept nogil
cdef int any_cell(Board* b) noexcept nogil
cdef int central_cell(const Board* b) noexcept nogil
