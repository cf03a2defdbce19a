"""Time: how long a move may take.

maximum = the turn limit or a fifth of the remaining match time (most_of_match), whichever is less,
          minus a reserve for pipes and a busy machine; at least a few milliseconds, which every
          manager tolerates and which a limit of 0 means
optimum = the time of a usual move: the match time divided among the moves still expected, more of it
          while the game is decided, and what the match time grows by after each move

Where only the turn is limited, or the match time is plentiful, time that is not used is lost: the
search begins iterations until the maximum, and uses what the last one has found when it is broken
off. Otherwise the optimum is scaled by what the iterations have found (worth_us): less where the
best move is settled, most nodes go to it or the game is decided, more where its value falls. No
iteration begins after that time, and one that takes much longer is broken off.

Pondering, in the opponent's time, has no clock. It begins to run at the hit, when the opponent has
played the expected move. The maximum counts from there. The time before is time well spent: where time
is saved for later moves it counts for the optimum, except where the process was stopped meanwhile.

On a busy machine the system suspends the search now and then; if that happens just before the end
of its time, the move is late. Such a pause shows as a long gap between two looks at the clock. The
longest recent gap is kept back as well, and decays from move to move.
"""

from engine.intrinsics cimport load_flag
from engine.clock cimport now_us
from engine.types cimport int64_t


cdef void start_clock(TimeManager* t, const TimeLimits* limits, int64_t start_us,
                      const Params* params) noexcept nogil:
    """Works out the times of a move. start_us: now_us() when the command was read."""
    cdef int64_t turn = limits.turn_ms, left = limits.left_ms, maximum, optimum
    t.params = params
    t.start_us = start_us
    t.gift_us = 0
    t.is_pondering = False
    t.timed = True
    t.is_shared = False
    t.polled_us = now_us()          # the time between searches is no gap
    t.late_us -= t.late_us * params.late_forget // 100
    if turn < 0 and left < 0:
        if limits.other_limit:
            t.timed = False
            t.maximum_us = t.optimum_us = t.cut_us = 0
            return
        turn = params.default_turn_ms
    if left < 0:
        maximum = optimum = turn
    else:
        maximum = left * params.most_of_match // 100
        optimum = left // params.expected_moves
        if params.early_stones <= limits.stones < params.late_stones:
            optimum = optimum * params.middle_share // 100
        optimum += limits.increment_ms
        if optimum > maximum:
            optimum = maximum
        t.is_shared = turn < 0 or left // params.plentiful_moves + limits.increment_ms < turn
        if 0 <= turn < maximum:
            maximum = turn
    maximum -= params.reserve_ms
    if maximum < params.least_turn_ms:
        maximum = params.least_turn_ms
    if not t.is_shared:
        optimum = maximum
    t.maximum_us = t.cut_us = maximum * 1000
    t.optimum_us = optimum * 1000


cdef void ponder(TimeManager* t, int64_t start_us, const Params* params) noexcept nogil:
    """Begins to ponder: there is no clock until take_hit calls start_clock_at_hit()."""
    cdef TimeLimits none
    cdef int64_t late_us = t.late_us
    none.turn_ms = none.left_ms = -1
    none.increment_ms = 0
    none.stones = 0
    none.other_limit = True
    start_clock(t, &none, start_us, params)
    t.late_us = late_us             # forgotten once a move, when its clock begins to run
    t.is_pondering = True


cdef void start_clock_at_hit(TimeManager* t, const TimeLimits* limits, int64_t hit_us) noexcept nogil:
    """The clock of a search that has pondered begins to run at hit_us. If the time of a usual move
    has passed before, and time is saved for later moves, the search stops at once."""
    cdef int64_t begin_us = t.start_us
    start_clock(t, limits, begin_us if begin_us < hit_us else hit_us, t.params)
    t.gift_us = hit_us - t.start_us
    if t.timed and t.is_shared and t.gift_us >= t.optimum_us:
        t.cut_us = 0


cdef void note_iteration(Progress* p, int value, bint is_same_move, int effort) noexcept nogil:
    """Adds a finished iteration. effort as in Progress."""
    p.stability = p.stability + 1 if is_same_move else 0
    p.average = (2 * p.average + value) // 3 if p.iterations else value
    p.value = value
    p.effort = effort
    p.iterations += 1


cdef int64_t worth_us(const TimeManager* t, const Progress* p) noexcept nogil:
    """How long after the start another iteration is worth beginning, where there is a clock."""
    cdef const Params* params = t.params
    cdef int64_t share = 100, fall
    if not t.is_shared:
        return t.maximum_us
    share -= params.settled_share * (p.stability if p.stability < params.settled_iterations
                                     else params.settled_iterations)
    fall = params.falling_share * <int64_t>(p.average - p.value) // 100
    if fall > params.falling_limit:
        fall = params.falling_limit
    if fall > 0:
        share += fall
    if p.effort > params.effort_least:
        share -= share * params.effort_share * (p.effort - params.effort_least) // (
            100 * (100 - params.effort_least))
    if p.value >= params.decided_value or p.value <= -params.decided_value:
        share = share * params.decided_share // 100
    share = t.optimum_us * share // 100
    return share if share < t.maximum_us else t.maximum_us


cdef bint begin_iteration(TimeManager* t, const Progress* p) noexcept nogil:
    """True when another iteration is worth beginning. Sets when it will be broken off."""
    cdef int64_t worth
    look_for_hit(t)
    if not t.timed:
        return True
    worth = worth_us(t, p)
    t.cut_us = t.maximum_us
    if t.is_shared and worth * t.params.cut_share // 100 - t.gift_us < t.maximum_us:
        t.cut_us = worth * t.params.cut_share // 100 - t.gift_us
    return elapsed_us(t) - (0 if t.is_shared else t.gift_us) < worth


cdef void allow_maximum(TimeManager* t) noexcept nogil:
    """The value of the best move falls in this iteration: it is broken off at the maximum only."""
    t.cut_us = t.maximum_us


cdef void note_poll(TimeManager* t, int64_t now) noexcept nogil:
    """Records how late this look at the clock comes."""
    cdef const Params* p = t.params
    cdef int64_t late = now - t.polled_us - p.usual_gap_us
    t.polled_us = now
    if t.late_us < late < p.stopped_gap_us:
        t.late_us = late if late < p.late_limit_us else p.late_limit_us
    elif late >= p.stopped_gap_us and t.is_pondering:
        # The process was stopped, and nothing was pondered meanwhile.
        t.start_us += late


cdef void note_look(TimeManager* t, int64_t now) noexcept nogil:
    """A search for a win by threats has ended. It looked at the clock itself, so its time is no gap
    between two looks."""
    t.polled_us = now


cdef bint is_used_up(const TimeManager* t, int64_t now) noexcept nogil:
    """True when it is time to stop: before the maximum where looks at the clock come late, but
    never before a part of it (late_share) has passed."""
    cdef int64_t kept_back = t.late_us, most = t.maximum_us * t.params.late_share // 100, end
    if kept_back > most:
        kept_back = most
    end = t.maximum_us - kept_back
    if t.cut_us < end:
        end = t.cut_us
    return t.timed and now - t.start_us - t.gift_us >= end


cdef void look_for_hit(TimeManager* t) noexcept nogil:
    """Starts the clock of a search that ponders where the opponent has played the expected move."""
    if t.is_pondering and load_flag(t.hit):
        note_poll(t, now_us())
        t.take_hit(t)


cdef bint must_stop(TimeManager* t) noexcept nogil:
    """True when the time for this move is used up. The search asks at short intervals."""
    cdef int64_t now
    look_for_hit(t)
    now = now_us()
    note_poll(t, now)
    return is_used_up(t, now)
