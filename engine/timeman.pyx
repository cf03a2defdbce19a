"""Time: how long a move may take.

maximum = the turn limit or a fifth of what is left of the match, whichever is less, minus the
          reserve for pipes and a busy machine; a few milliseconds at least, which every manager
          tolerates and which a limit of 0 ("at once") means
optimum = what an average move may take: maximum where only the turn counts, else the match
          time shared among the moves still expected
"""

from engine.clock cimport now_us
from engine.types cimport int64_t


cdef enum:
    AT_ONCE_MS = 3


cdef void start_clock(TimeManager* t, const TimeLimits* limits, int64_t start_us, int reserve_ms,
                      int default_turn_ms, int expected_moves) noexcept nogil:
    """Works out the two times of a move. start_us is now_us() of the moment the command came."""
    cdef int64_t turn = limits.turn_ms, left = limits.left_ms, maximum, optimum
    t.start_us = start_us
    t.timed = True
    if turn < 0 and left < 0:
        if limits.other_limit:
            t.timed = False
            t.maximum_us = t.optimum_us = 0
            return
        turn = default_turn_ms
    if left < 0:
        maximum = turn
        optimum = turn
    else:
        maximum = left // 5
        optimum = left // expected_moves
        if 0 <= turn < maximum:
            maximum = turn
        if optimum > maximum:
            optimum = maximum
    maximum -= reserve_ms
    if maximum < AT_ONCE_MS:
        maximum = AT_ONCE_MS
    if optimum > maximum:
        optimum = maximum
    t.maximum_us = maximum * 1000
    t.optimum_us = optimum * 1000


cdef int64_t elapsed_us(const TimeManager* t) noexcept nogil:
    """Microseconds since the command was read."""
    return now_us() - t.start_us


cdef bint may_begin_iteration(const TimeManager* t, int stability) noexcept nogil:
    """True when another iteration is worth beginning.

    stability   iterations in a row with the same best move: a settled choice needs less time.
    An iteration takes about as long as all before it together, so one begun after 60 % of the
    time would hardly end.
    """
    cdef int64_t share
    if not t.timed:
        return True
    if t.optimum_us >= t.maximum_us:
        share = t.maximum_us * 7 // 10
    else:
        share = t.optimum_us * (10 - (stability if stability < 5 else 5)) // 10
    return elapsed_us(t) < share


cdef bint must_stop(const TimeManager* t) noexcept nogil:
    """True when the time for this move is used up."""
    return t.timed and elapsed_us(t) >= t.maximum_us
