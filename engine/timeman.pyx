"""Time: how long a move may take.

maximum = the turn limit or a fifth of what is left of the match, whichever is less, minus the
          reserve for pipes and a busy machine; a few milliseconds at least, which every manager
          tolerates and which a limit of 0 ("at once") means
optimum = what an average move may take: maximum where only the turn counts, else the match
          time shared among the moves still expected

On a busy machine the search is put aside for a while now and then, and if that happens just
before the end of its time the move is late. It shows: two looks at the clock are far apart. The
longest such gap of late is kept back as well, and slowly forgotten.
"""

from engine.clock cimport now_us
from engine.types cimport int64_t


cdef enum:
    AT_ONCE_MS = 2
    USUAL_GAP_US = 2000         # between two looks at the clock, where nothing else runs
    MOST_LATE_US = 100000       # more is not kept back for it
    STOPPED_US = 500000         # so long a gap is no busy machine: the process was stopped
    FORGET_PERCENT = 25         # of the lateness, at each move


cdef void start_clock(TimeManager* t, const TimeLimits* limits, int64_t start_us, int reserve_ms,
                      int default_turn_ms, int expected_moves) noexcept nogil:
    """Works out the two times of a move. start_us is now_us() of the moment the command came."""
    cdef int64_t turn = limits.turn_ms, left = limits.left_ms, maximum, optimum
    t.start_us = start_us
    t.timed = True
    t.polled_us = now_us()          # what went on between two searches says nothing
    t.late_us -= t.late_us * FORGET_PERCENT // 100
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
    if optimum < AT_ONCE_MS:
        optimum = AT_ONCE_MS
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
    An iteration takes about as long as all before it together, so one begun after 70 % of the
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


cdef void note_poll(TimeManager* t, int64_t now) noexcept nogil:
    """Notes how late this look at the clock comes."""
    cdef int64_t late = now - t.polled_us - USUAL_GAP_US
    t.polled_us = now
    if t.late_us < late < STOPPED_US:
        t.late_us = late if late < MOST_LATE_US else MOST_LATE_US


cdef bint is_used_up(const TimeManager* t, int64_t now) noexcept nogil:
    """True when it is time to stop: a little before the end where looks at the clock come late,
    but never before half of the time."""
    cdef int64_t kept_back = t.late_us
    if kept_back > t.maximum_us // 2:
        kept_back = t.maximum_us // 2
    return t.timed and now - t.start_us >= t.maximum_us - kept_back


cdef bint must_stop(TimeManager* t) noexcept nogil:
    """True when the time for this move is used up. The search asks at short intervals."""
    cdef int64_t now = now_us()
    note_poll(t, now)
    return is_used_up(t, now)
