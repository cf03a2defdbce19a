# What a stone on an empty cell would make: in one line, in all four, and as a threat.
#
#   line pattern   the strongest thing that one line becomes for a colour   enum below, 4 bits
#   code           the four line patterns of a cell, in any order           0..CODES-1
#   threat         what the code means for play                             enum below
#
# A line pattern depends on the window of 11 cells around the cell. Each half of the window is first
# reduced to a class (a stone beyond an opponent's stone cannot matter), so that the table of both
# colours' patterns has at most HALF_CLASSES ** 2 entries of one byte and stays in the cache.
from engine.types cimport uint8_t, uint16_t, uint32_t, uint64_t

# Weakest to strongest, so `>=` means "at least". `X` own stones, `.` the own stone to be placed,
# `_` empty, `O` blocked. "One more" is one more own stone on this line.
cdef enum:
    LINE_DEAD = 0          # O X . _ O        no five is possible
    LINE_OVERLINE = 1      # X X . X X X      six or more where that is a foul (Black in renju)
    LINE_BLOCKED_ONE = 2   # O . _ _ _ _      one more: a blocked two
    LINE_ONE = 3           # _ _ . _ _ _      one more: a two
    LINE_BLOCKED_TWO = 4   # O X . _ _ _      one more: a blocked three
    LINE_TWO_TIGHT = 5     # O _ X . _ _ _ O  one more: a three, at one or two cells
    LINE_TWO = 6           # _ _ X _ . _ _    one more: a three, at three cells
    LINE_TWO_WIDE = 7      # _ _ X . _ _      one more: a three, at four or more cells
    LINE_BLOCKED_THREE = 8 # O X X . _ _      one more: a four
    LINE_THREE = 9         # _ X _ X . _      one more: an open four, at one cell only
    LINE_THREE_WIDE = 10   # _ _ X X . _ _    one more: an open four, at two or more cells
    LINE_FOUR = 11         # O X X X . _      one more: five; one reply stops it
    LINE_DOUBLE_FOUR = 12  # X _ X X . _ X    two fours in one line where that is a foul
    LINE_OPEN_FOUR = 13    # _ X X X . _      one more: five; no single reply stops it
    LINE_FIVE = 14         # X X . X X        wins
    LINE_PATTERNS = 15

# What a stone of one colour on the cell threatens, weakest to strongest. From THREAT_FOUR on the
# reply is forced; from THREAT_DOUBLE_FOUR on no reply helps, unless the opponent has a five.
cdef enum:
    THREAT_NONE = 0
    THREAT_FORBIDDEN = 1     # Black in renju: a foul by the table, legal if too few threes are real
    THREAT_THREE = 2         # one three
    THREAT_DOUBLE_THREE = 3  # two or more threes
    THREAT_FOUR = 4          # one four
    THREAT_FOUR_THREE = 5    # one four and at least one three
    THREAT_DOUBLE_FOUR = 6   # fours in two directions
    THREAT_OPEN_FOUR = 7
    THREAT_FIVE = 8
    THREATS = 9

# How one colour's windows are judged: the sum of these bits, from the rule's row in rulebook.py.
# A row of exactly five wins, except where ENDS_BLOCK prevents it; 0 is the standard rule.
cdef enum:
    OVERLINE_WINS = 1        # six or more win too: freestyle, caro, White in renju
    ENDS_BLOCK = 2           # five between two opponent stones do not win: caro, caro exact
    HAS_FOULS = 4            # overlines and two fours in a line are marked: Black in renju

cdef enum:
    CODES = 3060             # multisets of 4 out of LINE_PATTERNS: C(18, 4)
    PAIRS = 120              # multisets of 2: C(16, 2)
    HALF_CLASSES = 176       # at most, any rule (caro has 172, freestyle 57)
    TALLIES = 8192           # what four lines have together: see tally_of()

# A whole line of the board in one 64-bit word, two bits a cell: bits 2*place and 2*place+1 hold the
# stone at `place` (geometry.place_on_line). Everything off the board is WALL, and the PAD cells of wall
# are as wide as half a window, so windows need no edge test.
cdef enum:
    HALF = 5              # cells of a window on either side of its centre
    HALF_KEYS = 1024      # 4 ** HALF
    HALF_MASK = 1023

cdef struct RuleTables:
    int reach                                    # how far a stone changes patterns: 4 or 5
    int kind[2]                                  # how Black's and White's windows are judged
    int half_classes                             # classes of half windows in use
    uint16_t before[HALF_KEYS]                   # half window -> row of `both` (pre-multiplied)
    uint16_t after[HALF_KEYS]                    # half window -> column of `both`
    uint8_t both[HALF_CLASSES * HALF_CLASSES]    # Black's pattern | White's pattern << 4
    uint16_t pair_row[256]                       # two patterns (4 bits each) -> row of `combine`
    uint8_t pair[256]                            # two patterns -> column of `combine`
    uint16_t combine[PAIRS * PAIRS]              # -> code
    uint8_t members[CODES][4]                    # code -> its line patterns, strongest first
    uint16_t tally[2][256]                       # colour - 1, two patterns -> their part of a tally
    uint8_t threat[2][TALLIES]                   # colour - 1, tally -> threat


cdef inline uint64_t stone_bits(int stone, int place) noexcept nogil:
    """The two bits of a stone at its place: xor places it on an empty cell, and removes it."""
    return (<uint64_t>stone) << (2 * place)


cdef inline int half_before(uint64_t key, int place) noexcept nogil:
    """The HALF cells before `place`, the nearest one in the highest bits."""
    return <int>((key >> (2 * (place - HALF))) & HALF_MASK)


cdef inline int half_after(uint64_t key, int place) noexcept nogil:
    """The HALF cells after `place`, the nearest one in the lowest bits."""
    return <int>((key >> (2 * (place + 1))) & HALF_MASK)


cdef inline int patterns_at(const RuleTables* t, uint64_t key, int place) noexcept nogil:
    """Both colours' patterns of a place on a line: Black's in bits 0-3, White's in 4-7."""
    return t.both[t.before[half_before(key, place)] + t.after[half_after(key, place)]]


cdef inline uint32_t in_pairs(uint32_t four_lines) noexcept nogil:
    """Four line patterns, given in the low halves of four bytes, as two pairs: bytes 0 and 2."""
    cdef uint32_t folded = (four_lines & 0x0F0F0F0F)
    return (folded | (folded >> 4)) & 0x00FF00FF


cdef inline int code_of(const RuleTables* t, uint32_t four_lines) noexcept nogil:
    """The code of four line patterns, given in the low halves of four bytes (order-free)."""
    cdef uint32_t pairs = in_pairs(four_lines)
    return t.combine[t.pair_row[pairs & 0xFF] + t.pair[pairs >> 16]]


cdef inline int tally_of(const RuleTables* t, int colour, uint32_t lines) noexcept nogil:
    """What four line patterns have together that makes threats: how many threes, fours, open fours
    and fives. It is the sum of what each line has, so a line can be exchanged for another. colour: 0
    or 1; lines: as in board.lines_at()."""
    cdef uint32_t pairs = in_pairs(lines >> (4 * colour))
    return t.tally[colour][pairs & 0xFF] + t.tally[colour][pairs >> 16]


# Rows: numbers for windows, finer than patterns, for the table of a net. A window is the classes of its two
# half windows, nearest cell first. Read from the other end it is the same window, so a row is an unordered
# pair of classes. Rows are numbered in the order (0, 0), (0, 1) ... (0, n-1), (1, 1), (1, 2) ...
cdef enum:
    MAX_ROWS = 15576             # HALF_CLASSES * (HALF_CLASSES + 1) / 2

cdef struct RowTables:
    const RuleTables* tables
    int rows                                         # rows in use
    uint16_t row[HALF_CLASSES * HALF_CLASSES]        # as RuleTables.both is indexed -> row
    uint16_t swapped[MAX_ROWS]                       # row -> row with the colours exchanged


cdef inline int row_at(const RowTables* t, uint64_t key, int place) noexcept nogil:
    """The row of the window around a place on a line."""
    return t.row[t.tables.before[half_before(key, place)] + t.tables.after[half_after(key, place)]]


cdef inline int region_of(int x, int size) noexcept nogil:
    """Which third of a side of the board: 0, 1 or 2. The outer two are equal."""
    cdef int third = (size + 1) // 3
    return 0 if x < third else (2 if x >= size - third else 1)


cdef const RuleTables* rule_tables(int rule) except NULL
cdef int with_colours_swapped(int half) noexcept nogil
cdef const RowTables* row_tables(int rule) except NULL
