# The vocabulary of the engine: integer types, stones, values and sentinels.
# Everything here is a compile-time constant (`cdef enum`), so it costs nothing to import.
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
    WALL = 3          # outside the board, or a blocked cell on it

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
    PAD = 5           # cells of wall on every side, as many as half a window has
    STRIDE = 32       # cells of a padded row; a power of two
    CELLS = 1024      # STRIDE * (MAX_SIZE + 2 * PAD)
    WORDS = 16        # CELLS / 64: 64-bit words of a set of cells
    NO_CELL = 0       # "no move": a corner of the padding, which is never playable

# -- values -----------------------------------------------------------------------------------
# Centi-stones from the side to move's view. `VALUE_MATE - n`: the side to move completes a five
# with the n-th stone from the root of the search; negative: the opponent does. A value beyond
# +-VALUE_MATE_FLOOR is a mate; other values are only compared by order. VALUE_NONE is compared for
# equality only and never enters arithmetic.
cdef enum:
    VALUE_DRAW = 0
    VALUE_FRACTION = 8           # a cell's worth is in eighths of a centi-stone, divided towards zero
    VALUE_EVAL_LIMIT = 20000     # the static value stays within +-this
    VALUE_MATE_FLOOR = 29000     # VALUE_MATE - longer than any game
    VALUE_MATE = 30000
    VALUE_INFINITE = 31000
    VALUE_NONE = 32000

# What a stored value says about the true one. Bits: EXACT is both of the others.
cdef enum:
    BOUND_NONE = 0
    BOUND_UPPER = 1
    BOUND_LOWER = 2
    BOUND_EXACT = 3

cdef extern from *:
    """
    #define TENGEN_NO_LIMIT ((int64_t)1 << 62)
    """
    const int64_t NO_LIMIT "TENGEN_NO_LIMIT"    # of nodes

cdef enum:
    MAX_PLY = 128     # longest line of the search; at its end the static value is returned


cdef inline int opponent_of(int side) noexcept nogil:
    """The other colour: WHITE for BLACK, BLACK for WHITE."""
    return BLACK + WHITE - side


cdef inline bint is_mate(int value) noexcept nogil:
    """True for a mate value, won or lost."""
    return value >= VALUE_MATE_FLOOR or value <= -VALUE_MATE_FLOOR
