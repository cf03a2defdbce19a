# The staged move picker, which hands the search one move at a time, the most promising first, and the
# history that it orders by.
from engine.board cimport Board
from engine.movegen cimport MoveList
from engine.net cimport Net
from engine.params cimport Params
from engine.types cimport CELLS, MAX_PLY, MAX_STONES, int16_t, int32_t

cdef enum:
    BOTH_BITS = 14               # of a place for two cells; few pairs of one search share a place

# Mean errors in sixteenths of a centi-stone, by the side to move - 1. A new game clears them.
cdef struct CorrectionHistory:
    int16_t last[2][CELLS]       # by the cell of the last stone, the opponent's
    int16_t own[2][CELLS]    # by that of the stone before
    int16_t both[2][1 << BOTH_BITS]

# History: what earlier nodes have shown, by colour - 1. A new game clears it.
cdef struct History:
    int16_t quiet[2][CELLS]      # points for causing cuts, within +-Params.history_limit
    int16_t reply[2][2][CELLS]   # the same, by the way to the move from the opponent's last stone
                                 # and from the own last one (way_between)
    int16_t counter[2][CELLS]    # by colour of the reply and cell of the move: the reply that cut
    int16_t killer[MAX_PLY][2]   # by ply: the last two moves that caused a cut there
    CorrectionHistory errors     # of static values

# The category of moves that the position asks for.
cdef enum:
    PICK_ALL = 0
    PICK_FIVE_DEFENCES = 1       # the opponent threatens a five: only what stops it
    PICK_FOUR_DEFENCES = 2       # the opponent has an open three: what stops it, and own fours

cdef struct Picker:
    int mode                     # PICK_*
    int stage
    int table_cell               # the table's move, handed out first; NO_CELL if none
    int next                     # place in the list of the move that is handed out next
    int sorted_end               # the list is in order up to here, and no move behind it is better
    int ply
    const Params* params
    Net* net                     # NULL: moves are ordered by the table alone
    bint has_policy              # the moves of the list have a policy
    int surprise                 # of the move handed out last: how far its policy is below the mean of
                                 # the list, in hundredths of a logit; 0 without a policy
    MoveList list
    int16_t surprises[CELLS]     # the same, by cell; set for those of the list only

cdef inline int way_between(int cell, int other) noexcept nogil:
    """The way from `other` to `cell` as an index of History.reply: the same for all pairs of cells
    that lie alike."""
    return (cell - other + CELLS // 2) & (CELLS - 1)


cdef void start_picker(Picker* p, const Params* params, Net* net, const Board* b, int mode,
                       int table_cell, int ply) noexcept nogil
cdef int next_move(Picker* p, Board* b, const History* h) noexcept nogil
cdef void add_far_moves(Picker* p, const Board* b) noexcept nogil
cdef void reward(History* h, const Params* params, const Board* b, int ply, int depth, int best,
                 const int16_t* tried, int tried_count) noexcept nogil
cdef void forget_history(History* h) noexcept nogil
cdef void age_history(History* h, const Params* params) noexcept nogil
cdef int corrected(const CorrectionHistory* e, const Params* p, const Board* b, int value) noexcept nogil
cdef void learn_error(CorrectionHistory* e, const Params* p, const Board* b, int error,
                      int depth_plies) noexcept nogil
