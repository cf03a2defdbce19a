# Turns limits into times: when to begin no further iteration, when to break one off, when to stop.
from engine.clock cimport now_us
from engine.params cimport Params
from engine.types cimport int32_t, int64_t

cdef struct TimeManager
ctypedef void (*TakeHit)(TimeManager* t) noexcept nogil

cdef struct TimeManager:
    int64_t start_us             # when the command was read; while pondering, when that began
    int64_t gift_us              # after start: when the clock began to run; 0 but after pondering
    int64_t optimum_us           # of the clock: the time of a usual move
    int64_t maximum_us           # of the clock: stop wherever the search is
    int64_t cut_us               # of the clock: break this iteration off, see begin_iteration()
    bint timed                   # False: no clock, only depth or nodes are limited
    bint is_shared               # time saved on this move is there for later ones
    const Params* params
    # -- pondering, see Engine.ponder_hit()
    bint is_pondering            # there is no clock yet
    const int32_t* hit           # not 0: take_hit shall be called, which starts the clock
    TakeHit take_hit
    void* owner                  # for take_hit
    # -- kept from search to search, see note_poll()
    int64_t polled_us            # when the search last looked at the clock
    int64_t late_us              # the longest delay of such a look, decaying from move to move

cdef struct TimeLimits:          # -1 = no limit of this kind, milliseconds
    int64_t turn_ms
    int64_t left_ms
    int64_t increment_ms         # of the match time after each own move; 0 = none
    bint other_limit             # nodes or depth are limited
    int stones                   # on the board

cdef struct Progress:            # what the iterations of a search have found so far
    int iterations
    int stability                # iterations in a row with the same best move
    int value                    # of the last one, centi-stones
    int average                  # of their values, the later ones counting more
    int effort                   # per cent of the nodes of all root moves, spent on the best

# -- small, hot: inlined into every caller
cdef inline int64_t elapsed_us(const TimeManager* t) noexcept nogil:
    """Microseconds since the command was read, or since pondering began."""
    return now_us() - t.start_us

# -- large: one indirect call
cdef void start_clock(TimeManager* t, const TimeLimits* limits, int64_t start_us,
                      const Params* params) noexcept nogil
cdef void ponder(TimeManager* t, int64_t start_us, const Params* params) noexcept nogil
cdef void start_clock_at_hit(TimeManager* t, const TimeLimits* limits, int64_t hit_us) noexcept nogil
cdef void note_iteration(Progress* p, int value, bint is_same_move, int effort) noexcept nogil
cdef int64_t worth_us(const TimeManager* t, const Progress* p) noexcept nogil
cdef bint begin_iteration(TimeManager* t, const Progress* p) noexcept nogil
cdef void allow_maximum(TimeManager* t) noexcept nogil
cdef bint must_stop(TimeManager* t) noexcept nogil
cdef void note_poll(TimeManager* t, int64_t now) noexcept nogil
cdef void note_look(TimeManager* t, int64_t now) noexcept nogil
cdef bint is_used_up(const TimeManager* t, int64_t now) noexcept nogil
