# What the trainer of a net reads of a position: rows of windows, candidates and threats.
#
# A position is the first stones of a game, Black and White in turn. It is read from the line keys
# alone, without a board, because the trainer reads positions in random order.
from engine.geometry cimport DIRECTIONS, LINES
from engine.patterns cimport RowTables
from engine.types cimport MAX_STONES, uint8_t, uint16_t, uint64_t

cdef enum:
    STONE_ROW = 32       # a stone of a game is y * STONE_ROW + x

cdef struct Reader:      # one for each thread
    const RowTables* tables
    int sets             # tables of rows: 2 in renju, for Black's and for White's view
    int width            # of `empty_key`; 0 before the first position
    int height
    uint64_t empty_key[DIRECTIONS][LINES]
    uint64_t key[DIRECTIONS][LINES]
    uint16_t base[MAX_STONES][DIRECTIONS]   # rows of the empty board, by y * width + x

# The empty cells that differ from those of the empty board, and the candidates.
cdef struct Features:
    int cells
    uint16_t cell[MAX_STONES]            # y * width + x
    uint8_t region[MAX_STONES]           # patterns.region_of() of x, plus 3 times that of y
    uint16_t row[MAX_STONES][2][4]       # by view (0 side to move, 1 opponent) and direction;
                                         # plus the number of rows where the second set applies
    uint8_t pair[MAX_STONES][2]          # by view: its own threat * 9 + the other one's; plus 81
                                         # where the second set applies
    int candidates                       # 0 unless they were asked for
    int chosen                           # index of the move that was played, -1 if it is none
    uint16_t candidate[MAX_STONES]       # index of the candidate among the cells


cdef void start_reader(Reader* r, const RowTables* tables) noexcept nogil
cdef void read_features(Reader* r, const uint16_t* stones, int count, int width, int height,
                        bint with_candidates, int played, Features* f) noexcept nogil
