# Threads that search the same position together: the search of the calling thread and its helpers.
from engine.search cimport Search

cdef enum:
    MAX_THREADS = 64            # the calling thread included

cdef struct Helper              # a thread and what it searches with

cdef struct Pool:
    Search* main                # the search of the calling thread
    int wanted                  # helpers
    int count                   # helpers that there are
    int awake                   # of these: searching
    int process                 # the process that made them; a fork has none of them
    Helper* helper[MAX_THREADS]

cdef void connect_pool(Pool* p, Search* main) noexcept
cdef void set_pool_size(Pool* p, int threads) noexcept
cdef bint is_short(Pool* p) noexcept
cdef size_t stack_bytes() noexcept
cdef void fill_pool(Pool* p) noexcept
cdef void empty_pool(Pool* p) noexcept
cdef void equip_pool(Pool* p)
cdef void forget_pool(Pool* p) noexcept nogil
cdef void age_pool(Pool* p) noexcept nogil
cdef void gather(Pool* p) noexcept nogil
