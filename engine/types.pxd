# The vocabulary of the engine: integer types, stones, rules, values and sentinels.
# Everything here is a true constant (`cdef enum`), so it costs nothing to import.
from libc.stdint cimport (int8_t, int16_t, int32_t, int64_t,
                          uint8_t, uint16_t, uint32_t, uint64_t)

# -- stones -----------------------------------------------------------------------------------
# The code relies on the numbers: each is two bits of a line key; BLACK | WHITE == WALL, so the
# union of the stones along a line tells when nothing further can matter to either side; a table
# with one row a colour is indexed by `colour - 1`.
cdef enum:
    EMPTY = 0
    BLACK = 1
    WHITE = 2
    WALL = 3          # off the board, or a blocked cell of the board

# -- rules ------------------------------------------------------------------------------------
# A rule is the index of its row in rulebook.RULES, 0..RULES-1. What differs between rules is asked
# by property (Board.kind), never by the index.
cdef enum:
    RULES = 5

# -- the padded board -------------------------------------------------------------------------
cdef enum:
    MIN_SIZE = 5
    MAX_SIZE = 22
    MAX_STONES = 484  # 22 * 22
    PAD = 5           # walls on every side, as wide as the longest look-ahead along a line
    STRIDE = 32       # a row of padded cells; a power of two
    CELLS = 1024      # STRIDE * (MAX_SIZE + 2 * PAD)
    WORDS = 16        # CELLS / 64: words of a set of cells
    NO_CELL = 0       # a corner of the padding, never playable: "no move"

# -- values -----------------------------------------------------------------------------------
# Centi-stones from the side to move's view. `VALUE_MATE - n` means: the side to move completes
# its five with the n-th stone from the root of the search; the negative: the opponent does.
# Only ordered comparison is meant between plain values; a value beyond +-VALUE_MATE_FLOOR is a
# mate. VALUE_NONE is equal-compared only and never enters arithmetic.
cdef enum:
    VALUE_DRAW = 0
    VALUE_FRACTION = 8           # Board.value counts eighths; division rounds towards zero
    VALUE_EVAL_LIMIT = 20000     # the static value stays within +-this
    VALUE_MATE_FLOOR = 29000     # VALUE_MATE - longer than any game
    VALUE_MATE = 30000
    VALUE_INFINITE = 31000
    VALUE_NONE = 32000

# What a stored value says about the true one; EXACT is the union of the other two (bits).
cdef enum:
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3

cdef enum:
    MAX_PLY = 128     # deepest line of the search; beyond it the static value is returned


cdef inline int opponent_of(int side) noexcept nogil:
    """The other colour: WHITE for BLACK, BLACK for WHITE."""
    return BLACK + WHITE - side


cdef inline bint is_mate(int value) noexcept nogil:
    """True for a won or lost value (a mate distance), False for a plain one."""
    return value >= VALUE_MATE_FLOOR or value <= -VALUE_MATE_FLOOR
