# Turns limits into two times: when to begin no further iteration, and when to stop at once.
from engine.params cimport Params
from engine.types cimport int64_t

cdef struct TimeManager:
    int64_t start_us             # when the command was read
    int64_t optimum_us           # after start: no new iteration beyond this
    int64_t maximum_us           # after start: stop wherever the search is
    bint timed                   # False: no clock, only depth or nodes are limited
    const Params* params
    # -- kept from search to search, see note_poll()
    int64_t polled_us            # when the search last looked at the clock
    int64_t late_us              # the longest delay of such a look, decaying from move to move

cdef struct TimeLimits:          # -1 = no limit of this kind, milliseconds
    int64_t turn_ms
    int64_t left_ms
    bint other_limit             # nodes or depth are limited

cdef void start_clock(TimeManager* t, const TimeLimits* limits, int64_t start_us,
                      const Params* params) noexcept nogil
cdef int64_t elapsed_us(const TimeManager* t) noexcept nogil
cdef int64_t last_begin_us(const TimeManager* t, int stability) noexcept nogil
cdef bint may_begin_iteration(const TimeManager* t, int stability) noexcept nogil
cdef bint must_stop(TimeManager* t) noexcept nogil
cdef void note_poll(TimeManager* t, int64_t now) noexcept nogil
cdef bint is_used_up(const TimeManager* t, int64_t now) noexcept nogil
