"""Time: how long a move may take.

maximum = the turn limit or a fifth of the remaining match time (most_of_match), whichever is less,
          minus a reserve for pipes and a busy machine; at least a few milliseconds, which every
          manager tolerates and which a limit of 0 means
optimum = the time of an average move: the maximum where only the turn is limited, otherwise the
          match time divided among the moves still expected

On a busy machine the system suspends the search now and then; if that happens just before the end
of its time, the move is late. Such a pause shows as a long gap between two looks at the clock. The
longest recent gap is kept back as well, and decays from move to move.
"""

from engine.clock cimport now_us
from engine.types cimport int64_t


cdef void start_clock(TimeManager* t, const TimeLimits* limits, int64_t start_us,
                      const Params* params) noexcept nogil:
    """Works out the two times of a move. start_us: now_us() when the command was read."""
    cdef int64_t turn = limits.turn_ms, left = limits.left_ms, maximum, optimum
    t.params = params
    t.start_us = start_us
    t.timed = True
    t.polled_us = now_us()          # the time between two searches is no gap
    t.late_us -= t.late_us * params.late_forget // 100
    if turn < 0 and left < 0:
        if limits.other_limit:
            t.timed = False
            t.maximum_us = t.optimum_us = 0
            return
        turn = params.default_turn_ms
    if left < 0:
        maximum = turn
        optimum = turn
    else:
        maximum = left * params.most_of_match // 100
        optimum = left // params.expected_moves
        if 0 <= turn < maximum:
            maximum = turn
        if optimum > maximum:
            optimum = maximum
    maximum -= params.reserve_ms
    if maximum < params.least_turn_ms:
        maximum = params.least_turn_ms
    if optimum < params.least_turn_ms:
        optimum = params.least_turn_ms
    if optimum > maximum:
        optimum = maximum
    t.maximum_us = maximum * 1000
    t.optimum_us = optimum * 1000


cdef int64_t elapsed_us(const TimeManager* t) noexcept nogil:
    """Microseconds since the command was read."""
    return now_us() - t.start_us


cdef int64_t last_begin_us(const TimeManager* t, int stability) noexcept nogil:
    """How long after the start another iteration may begin, where there is a clock.

    stability   iterations in a row with the same best move: a settled choice needs less time.
    An iteration takes about as long as all before it together, so one that begins late in the time
    of the move would hardly end.
    """
    cdef const Params* p = t.params
    if t.optimum_us >= t.maximum_us:
        return t.maximum_us * p.last_iteration // 100
    if stability > p.settled_iterations:
        stability = p.settled_iterations
    return t.optimum_us * (100 - p.settled_share * stability) // 100


cdef bint may_begin_iteration(const TimeManager* t, int stability) noexcept nogil:
    """True when another iteration is worth beginning; stability as in last_begin_us()."""
    return not t.timed or elapsed_us(t) < last_begin_us(t, stability)


cdef void note_poll(TimeManager* t, int64_t now) noexcept nogil:
    """Records how late this look at the clock comes."""
    cdef const Params* p = t.params
    cdef int64_t late = now - t.polled_us - p.usual_gap_us
    t.polled_us = now
    if t.late_us < late < p.stopped_gap_us:
        t.late_us = late if late < p.late_limit_us else p.late_limit_us


cdef bint is_used_up(const TimeManager* t, int64_t now) noexcept nogil:
    """True when it is time to stop: before the end where looks at the clock come late, but never
    before a part of the time (late_share) has passed."""
    cdef int64_t kept_back = t.late_us, most = t.maximum_us * t.params.late_share // 100
    if kept_back > most:
        kept_back = most
    return t.timed and now - t.start_us >= t.maximum_us - kept_back


cdef bint must_stop(TimeManager* t) noexcept nogil:
    """True when the time for this move is used up. The search asks at short intervals."""
    cdef int64_t now = now_us()
    note_poll(t, now)
    return is_used_up(t, now)
