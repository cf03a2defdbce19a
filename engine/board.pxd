# The board: stones, line keys, the patterns of every empty cell, threats, candidates, hash.
#
# make() keeps all of it up to date, undo() restores what make() saved. A stone changes only cells
# within `reach` along its four lines.
#
# A board holds no pointer into itself, so a copy is a board of its own (copy_board).
from engine.geometry cimport DIRECTIONS, LINES, ZobristKeys, line_of, place_on_line
from engine.params cimport Values
from engine.patterns cimport ENDS_BLOCK, THREATS, RuleTables
from engine.types cimport (CELLS, EMPTY, MAX_STONES, STRIDE, WHITE, WORDS, int16_t, int32_t,
                           uint16_t, uint32_t, uint64_t, uint8_t)

cdef enum:
    # Two cells on a line can change each other only once, when the first of them gets its stone, and
    # each cell has at most 40 others within reach; a stone's own cell changes too. Of both colours.
    MAX_THREAT_CHANGES = 2 * MAX_STONES * 21
    SCORED_BITS = 10
    ARM = 8                      # cells in a word of patterns, more than `reach`

cdef struct ThreatChange:    # a cell whose tally for a colour changed, or that got a stone
    uint16_t cell
    uint16_t tally           # before
    uint8_t colour           # 0 Black, 1 White
    uint8_t before           # threats
    uint8_t after

cdef struct Scored:          # what evaluate.move_score() made of a cell's line patterns
    uint32_t lines           # all bits set: nothing yet
    int32_t score[2]         # by colour - 1 of the mover

cdef struct Placement:       # what undo() needs of one stone
    uint64_t hash
    uint64_t pattern[DIRECTIONS][2]  # those of the cells before it on the line, and behind it
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
    # By direction, line and place: the line pattern of an empty cell, Black's | White's << 4. Bytes of
    # other cells mean nothing.
    uint8_t pattern[DIRECTIONS][LINES * STRIDE]
    # In the same places: 0x88 for an empty cell, else 0.
    uint8_t is_empty[DIRECTIONS][LINES * STRIDE]
    uint16_t tally[2][CELLS]             # of empty cells, by colour - 1: see patterns.tally_of()
    uint8_t threat[CELLS]                # of empty cells: Black's | White's << 4
    Scored scored[1 << SCORED_BITS]      # by a hash of the lines: few of them make nearly all cells
    int32_t count[2][THREATS]            # empty cells by colour - 1 and threat
    uint64_t threat_set[2][THREATS][WORDS]   # the same cells as sets (bit cell & 63 of word cell >> 6)
    uint32_t empty_row[STRIDE]           # bit per column: playable cells, by padded row
    uint32_t near_row[MAX_STONES + 1][STRIDE]  # by stones on the board: cells near a stone
    # -- undo
    Placement placed[MAX_STONES + 1]
    int threat_changes
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
    return (b.threat[cell] >> (4 * (colour - 1))) & 15


cdef inline int byte_of(int cell, int d) noexcept nogil:
    """Where the cell's byte of the direction is in Board.pattern."""
    return STRIDE * line_of(cell, d) + place_on_line(cell, d)


cdef inline uint32_t lines_at(const Board* b, int cell) noexcept nogil:
    """The line patterns of the empty cell, a byte a direction, the first lowest: Black's | White's << 4."""
    return (b.pattern[0][byte_of(cell, 0)] | <uint32_t>b.pattern[1][byte_of(cell, 1)] << 8
            | <uint32_t>b.pattern[2][byte_of(cell, 2)] << 16
            | <uint32_t>b.pattern[3][byte_of(cell, 3)] << 24)


cdef inline int line_at(const Board* b, int cell, int d, int colour) noexcept nogil:
    """The line pattern a stone of `colour` on the empty cell would make in direction d."""
    return (b.pattern[d][byte_of(cell, d)] >> (4 * (colour - 1))) & 15


cdef inline bint makes_line(const Board* b, int cell, int colour, int weakest,
                            int strongest) noexcept nogil:
    """True when a stone of `colour` on the empty cell would make a pattern from `weakest` to
    `strongest` in some direction."""
    cdef int d
    for d in range(DIRECTIONS):
        if weakest <= line_at(b, cell, d, colour) <= strongest:
            return True
    return False


cdef inline uint64_t hash_after(const Board* b, int stones) noexcept nogil:
    """The hash of the board when it had so many stones."""
    return b.hash if stones == b.stones else b.placed[stones].hash


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


cdef inline uint64_t rotated(uint64_t word, int by) noexcept nogil:
    """The word turned right by so many bits, left where that is negative; an even number."""
    return word >> (by & 63) | word << (-by & 63)


# -- large: one call each -----------------------------------------------------------------------

cdef void make(Board* b, int cell, int colour) noexcept nogil
cdef void undo(Board* b) noexcept nogil
cdef void set_up(Board* b, int rule, int width, int height, const int16_t* walls,
                 int wall_count) except *
cdef void copy_board(Board* to, const Board* board) noexcept nogil
cdef int board_ok(const Board* b) except -1
