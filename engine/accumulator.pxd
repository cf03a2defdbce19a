# The part of the evaluation that is kept up to date stone by stone, behind a small interface.
#
#   init     a board without cells
#   begin    nothing has changed yet
#   enter    an empty cell is part of the board      (set-up)
#   leave    a stone is placed on an empty cell      (make)
#   change   a cell's code for one colour changes    (make)
#   push     the changes of a stone are complete     (make; ends a set-up as well)
#   pop      the last stone is taken back            (undo)
#   is_same  two states are equal                    (board_ok)
#
# The board calls these functions and uses nothing else of the evaluation; evaluate.pyx alone reads
# the state. enter, leave and change add to a Delta on the stack, which the compiler keeps in
# registers. The state is one sum. The net has a state of its own, which it brings up to date from the
# list of stones when a value is asked for (net.pyx).
from engine.params cimport Values
from engine.types cimport MAX_STONES, int32_t, uint16_t

cdef struct Accumulator:
    int32_t sum                     # what the empty cells are worth: Black's view, eighths of a
                                    # centi-stone
    int32_t saved[MAX_STONES + 1]   # by stones on the board: the sum before the next stone

cdef struct Delta:                  # what one stone, or a set-up, changes
    int32_t sum


cdef inline void init(Accumulator* a) noexcept nogil:
    a.sum = 0


cdef inline void begin(Delta* d) noexcept nogil:
    d.sum = 0


cdef inline void enter(Delta* d, const Values* v, const uint16_t* code) noexcept nogil:
    """code: Black's and White's code of the cell; the same for leave()."""
    d.sum += v.info[0][code[0]].value - v.info[1][code[1]].value


cdef inline void leave(Delta* d, const Values* v, const uint16_t* code) noexcept nogil:
    d.sum -= v.info[0][code[0]].value - v.info[1][code[1]].value


cdef inline void change(Delta* d, const Values* v, int colour, int before, int after) noexcept nogil:
    """colour: 0 for Black, 1 for White; before and after: the cell's codes for it."""
    cdef int growth = v.info[colour][after].value - v.info[colour][before].value
    d.sum += growth if colour == 0 else -growth


cdef inline void push(Accumulator* a, int stones, const Delta* d) noexcept nogil:
    """stones: how many stood on the board before this one."""
    a.saved[stones] = a.sum
    a.sum += d.sum


cdef inline void pop(Accumulator* a, int stones) noexcept nogil:
    """stones: how many are left on the board."""
    a.sum = a.saved[stones]


cdef inline bint is_same(const Accumulator* a, const Accumulator* other) noexcept nogil:
    """True when both hold the same state: for checking one against one made afresh."""
    return a.sum == other.sum
