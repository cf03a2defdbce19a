# The board: stones, line keys, the patterns of every empty cell, threats, candidates, hash.
#
# make() keeps all of it up to date, undo() restores what make() saved. A stone changes only cells
# within `reach` along its four lines, and make() touches only those whose patterns change.
#
# A board holds no pointer into itself, so a copy is a board of its own (copy_board).
from engine.geometry cimport DIRECTIONS, ZobristKeys
from engine.params cimport Values
from engine.patterns cimport ENDS_BLOCK, THREATS, RuleTables
from engine.types cimport (CELLS, EMPTY, MAX_STONES, STRIDE, WHITE, WORDS, int16_t, int32_t,
                           uint16_t, uint32_t, uint64_t, uint8_t)

cdef enum:
    MAX_CHANGES = 20000      # saved cells: at most 40 a stone, far fewer on a filling board
    MAX_THREAT_CHANGES = 40000   # two a changed cell and colour at most

# The patterns of one empty cell. Eight bytes, saved and restored as a whole. On a cell with a stone
# it stays as it was before the stone, ready for undo().
cdef struct Cell:
    uint32_t lines           # a byte per direction, the first lowest: Black's pattern | White's << 4
    uint16_t code[2]         # by colour - 1

cdef struct CellChange:      # a cell before a change of its patterns
    Cell before
    int32_t cell

cdef struct ThreatChange:    # a cell that moved from one threat set to another
    uint16_t cell
    uint8_t colour           # 0 Black, 1 White
    uint8_t before
    uint8_t after

cdef struct Placement:       # what undo() needs of one stone
    uint64_t hash
    int32_t changes          # fill of `change` before the stone
    int32_t threat_changes   # fill of `threat_change` before the stone
    int16_t cell
    int16_t side             # side to move before the stone

cdef struct Board:
    # -- constant from one set-up to the next
    const RuleTables* tables
    const Values* values
    const ZobristKeys* zobrist
    int rule                             # row of rulebook.RULES; only set_up() looks at it
    int kind[2]                          # by colour - 1: what wins (patterns.pxd)
    int width
    int height
    int area                             # cells of the board that are not walls
    # -- the position
    int side                             # side to move: BLACK or WHITE
    int stones                           # stones on the board, walls not counted
    uint64_t hash                        # of the stones and walls; see position_key()
    uint8_t stone[CELLS]                 # EMPTY, BLACK, WHITE, WALL
    uint64_t key[4][64]                  # line keys by direction and line
    Cell cell[CELLS]
    int32_t count[2][THREATS]            # empty cells by colour - 1 and threat
    uint64_t threat_set[2][THREATS][WORDS]   # the same cells as sets (bit cell & 63 of word cell >> 6)
    uint32_t empty_row[STRIDE]           # bit per column: playable cells, by padded row
    uint32_t near_row[MAX_STONES + 1][STRIDE]  # by stones on the board: cells near a stone
    # -- undo
    Placement placed[MAX_STONES + 1]
    int changes
    int threat_changes
    CellChange change[MAX_CHANGES]
    ThreatChange threat_change[MAX_THREAT_CHANGES]


cdef int first_cell(const uint64_t* cells) noexcept nogil


# -- small, hot: inlined into every caller ------------------------------------------------------

cdef inline bint is_empty(const Board* b, int cell) noexcept nogil:
    return b.stone[cell] == EMPTY


cdef inline bint is_full(const Board* b) noexcept nogil:
    return b.stones >= b.area


cdef inline int empties(const Board* b) noexcept nogil:
    return b.area - b.stones


cdef inline int threat_at(const Board* b, int cell, int colour) noexcept nogil:
    """What a stone of `colour` on the empty cell would do: THREAT_NONE .. THREAT_FIVE."""
    return b.tables.threat[colour - 1][b.cell[cell].code[colour - 1]]


cdef inline int line_at(const Board* b, int cell, int d, int colour) noexcept nogil:
    """The line pattern a stone of `colour` on the empty cell would make in direction d."""
    return (b.cell[cell].lines >> (8 * d + 4 * (colour - 1))) & 15


cdef inline bint makes_line(const Board* b, int cell, int colour, int weakest,
                            int strongest) noexcept nogil:
    """True when a stone of `colour` on the empty cell would make a pattern from `weakest` to
    `strongest` in some direction."""
    cdef int d
    for d in range(DIRECTIONS):
        if weakest <= line_at(b, cell, d, colour) <= strongest:
            return True
    return False


cdef inline int count_of(const Board* b, int colour, int threat) noexcept nogil:
    """How many empty cells carry this threat for the colour."""
    return b.count[colour - 1][threat]


cdef inline const uint64_t* cells_with(const Board* b, int colour, int threat) noexcept nogil:
    """The set of these cells, WORDS words."""
    return b.threat_set[colour - 1][threat]


cdef inline int first_with(const Board* b, int colour, int threat) noexcept nogil:
    """The lowest of these cells, NO_CELL (0) where there is none."""
    return first_cell(b.threat_set[colour - 1][threat])


cdef inline bint ends_block(const Board* b) noexcept nogil:
    """True under caro rules, where a stone beyond an end of a five can keep it from winning."""
    return b.kind[0] & ENDS_BLOCK != 0


cdef inline int beyond_run(const Board* b, int cell, int step, int colour) noexcept nogil:
    """The first cell from `cell` along `step`, `cell` itself apart, without a stone of `colour`."""
    cell += step
    while b.stone[cell] == colour:
        cell += step
    return cell


cdef inline int last_cell(const Board* b, int back) noexcept nogil:
    """The cell of the stone placed `back` stones before the last one, NO_CELL if there is none."""
    return b.placed[b.stones - 1 - back].cell if b.stones > back else 0


cdef inline uint64_t position_key(const Board* b) noexcept nogil:
    """Hash of the position with its side to move."""
    return b.hash ^ (b.zobrist.white_to_move if b.side == WHITE else 0)


cdef inline uint64_t key_after(const Board* b, int cell, int colour) noexcept nogil:
    """What position_key() would be after a stone of the colour on the empty cell."""
    return (b.hash ^ b.zobrist.stone[colour][cell]
            ^ (0 if colour == WHITE else b.zobrist.white_to_move))


# -- large: one call each -----------------------------------------------------------------------

cdef void make(Board* b, int cell, int colour) noexcept nogil
cdef void undo(Board* b) noexcept nogil
cdef void set_up(Board* b, int rule, int width, int height, const int16_t* walls,
                 int wall_count) except *
cdef void copy_board(Board* to, const Board* board) noexcept nogil
cdef int board_ok(const Board* b) except -1
