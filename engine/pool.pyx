"""Lazy SMP: helpers search the position of the main search at the same time, at varied depths and
with varied windows. They help it through the transposition table, where it finds their results.

    fill_pool      makes the threads that are wanted and missing
    wake_helpers   gives every helper a copy of the position and lets it search
    gather         ends their search, and takes a better result from them
    empty_pool     ends the threads

A helper is a native thread that never takes the GIL (in debug builds it does, to check its board).
It has a board, a history and a memo of its own, and shares with the other threads only

  * the transposition table (tt.pyx says why that is safe),
  * Search.shared: flags and a counter, read and written by engine.intrinsics only,
  * tables and parameters that nobody changes while a search runs.

Everything else passes from thread to thread through two locks of each helper, which order the
accesses on both sides: `wake` is released when there is work, `done` when the work is finished. While
a helper waits for `wake` it touches nothing, and whoever has called gather() may use all its data.

A helper that cannot be made is missing: the others search without it.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.intrinsics cimport store_flag
from engine.board cimport Board, copy_board
from engine.iterative_deepening cimport help_think
from engine.net cimport Net, free_net, new_net, path_of, use_tables
from engine.ordering cimport History, age_history, forget_history
from engine.root cimport RootLine
from engine.search cimport COUNTERS, Search
from engine.threats cimport MEMO_SIZE, VcfMemo
from engine.types cimport VALUE_MATE_FLOOR

ctypedef void (*Work)(void* argument) noexcept nogil

cdef extern from * nogil:
    """
    #include "pythread.h"
    #if defined(_WIN32)
    #define tengen_process() 0              /* there is no fork */
    /* Windows counts the whole stack as used memory at once. */
    #define TENGEN_STACK_MIB 2
    #else
    #include <unistd.h>
    #define tengen_process() ((int)getpid())
    #define TENGEN_STACK_MIB 16
    #endif
    #define tengen_start(work, argument) \
        (PyThread_start_new_thread((work), (argument)) != PYTHREAD_INVALID_THREAD_ID)
    """
    ctypedef void* Lock "PyThread_type_lock"
    enum: STACK_MIB "TENGEN_STACK_MIB"      # a search takes less than 1 MiB in release builds
    enum: WAIT "WAIT_LOCK"
    Lock new_lock "PyThread_allocate_lock" () noexcept
    void free_lock "PyThread_free_lock" (Lock lock) noexcept
    int take "PyThread_acquire_lock" (Lock lock, int mode) noexcept
    void give "PyThread_release_lock" (Lock lock) noexcept
    int process_id "tengen_process" () noexcept
    bint start_thread "tengen_start" (Work work, void* argument) noexcept

cdef struct Helper:
    int number                  # from 1
    bint leave                  # the thread shall end
    Lock wake                   # held by nobody in particular, taken while the helper has no work
    Lock done                   # taken while it has
    Search search
    History history
    VcfMemo* memo
    Net* net                    # made when the main search first has one
    Board board


# -- one helper ---------------------------------------------------------------------------------

cdef void serve(void* argument) noexcept nogil:
    """The thread of a helper. The release of `done` is the last that it does with its data."""
    cdef Helper* h = <Helper*>argument
    while True:
        take(h.wake, WAIT)
        if h.leave:
            give(h.done)
            return
        help_think(&h.search, h.number)
        give(h.done)


cdef void report_nothing(Search* s) noexcept nogil:
    """Only the main search reports."""


cdef void free_helper(Helper* h) noexcept:
    """Frees a helper without a thread; NULL is allowed."""
    if h == NULL:
        return
    if h.wake != NULL:
        free_lock(h.wake)
    if h.done != NULL:
        free_lock(h.done)
    free(h.memo)
    free_net(h.net)
    free(h)


cdef Helper* new_helper(int number) noexcept:
    """A helper with its thread, which waits; NULL if the system cannot make one."""
    cdef Helper* h = <Helper*>calloc(1, sizeof(Helper))
    if h == NULL:
        return NULL
    h.number = number
    h.wake = new_lock()
    h.done = new_lock()
    h.memo = <VcfMemo*>calloc(MEMO_SIZE, sizeof(VcfMemo))
    if h.wake == NULL or h.done == NULL or h.memo == NULL:
        free_helper(h)
        return NULL
    h.search.board = &h.board
    h.search.history = &h.history
    h.search.memo = h.memo
    h.search.report = h.search.before_iterations = &report_nothing
    forget_history(&h.history)
    take(h.wake, WAIT)
    take(h.done, WAIT)
    if not start_thread(&serve, h):
        free_helper(h)
        return NULL
    return h


# -- the pool -----------------------------------------------------------------------------------

cdef void connect_pool(Pool* p, Search* main) noexcept:
    """Prepares a pool without helpers for a search, which will wake them."""
    memset(p, 0, sizeof(Pool))
    p.main = main
    p.process = process_id()
    main.pool = p
    main.before_iterations = &wake_helpers
    main.threads = 1


cdef void end_helpers(Pool* p, int kept) noexcept:
    """Ends the threads of all helpers but the first `kept`, which must not be searching. All are told
    before the first is waited for: on a busy machine each takes a while to run again."""
    cdef int i
    for i in range(kept, p.count):
        p.helper[i].leave = True
        give(p.helper[i].wake)
    while p.count > kept:
        p.count -= 1
        take(p.helper[p.count].done, WAIT)
        free_helper(p.helper[p.count])


cdef void set_pool_size(Pool* p, int threads) noexcept:
    """Changes how many threads search, the calling one included; fill_pool() makes them."""
    p.wanted = min(max(1, threads), MAX_THREADS) - 1
    if p.process != process_id():
        empty_pool(p)
    end_helpers(p, p.wanted)


cdef void fill_pool(Pool* p) noexcept:
    """Makes the helpers that are missing, as far as the system can. The stack of new threads must
    have been set to stack_bytes()."""
    cdef Helper* h
    while p.count < p.wanted:
        h = new_helper(p.count + 1)
        if h == NULL:
            break
        p.helper[p.count] = h
        p.count += 1


cdef bint is_short(Pool* p) noexcept:
    """True when fewer helpers are there than wanted."""
    if p.process != process_id():
        empty_pool(p)
    return p.count < p.wanted


cdef size_t stack_bytes() noexcept:
    """The stack that a helper needs."""
    return STACK_MIB * 1024 * 1024


cdef void empty_pool(Pool* p) noexcept:
    """Ends all helpers; they must not be searching.

    After a fork the new process has the helpers' memory, but not their threads. The locks are lost
    then: nobody knows their state.
    """
    if p.process == process_id():
        end_helpers(p, 0)
    while p.count:
        p.count -= 1
        free(p.helper[p.count].memo)
        free_net(p.helper[p.count].net)
        free(p.helper[p.count])
    p.process = process_id()


cdef void equip_pool(Pool* p):
    """Gives every helper a net if the main search has one."""
    cdef Helper* h
    cdef int i
    for i in range(p.count):
        h = p.helper[i]
        h.search.net = NULL
        if p.main.net != NULL:
            try:
                if h.net == NULL:
                    h.net = new_net(path_of(p.main.net))
            except MemoryError:
                break
            use_tables(h.net, p.main.net.tables)
            h.search.net = h.net
    else:
        return
    end_helpers(p, i)                   # the others search without them


cdef void forget_pool(Pool* p) noexcept nogil:
    """Discards what the helpers have learned, for a new game."""
    cdef int i
    for i in range(p.count):
        forget_history(&p.helper[i].history)


cdef void age_pool(Pool* p) noexcept nogil:
    """Prepares the helpers' histories for a new search."""
    cdef int i
    for i in range(p.count):
        age_history(&p.helper[i].history, &p.main.params)


cdef void brief(Search* h, const Search* m, int number) noexcept nogil:
    """Gives a helper's search the position, the limits and the root moves of the main search."""
    copy_board(h.board, m.board)
    h.table = m.table
    h.params = m.params
    h.params.aspiration_window += h.params.aspiration_window * (number % 3)
    h.salt = m.salt
    h.shared = m.shared
    h.time = m.time
    h.time.timed = h.time.is_pondering = False
    h.node_limit = m.node_limit
    h.threads = m.threads
    h.depth_limit = m.depth_limit
    # Where several lines are wanted, a win ends no search, and the lines are the main search's.
    h.mate_limit = m.mate_limit if m.multipv == 1 else 0
    h.multipv = 1
    h.root = m.root
    h.lines.line[0].length = 0
    h.only_move = False


cdef void wake_helpers(Search* s) noexcept nogil:
    """Lets the helpers of the main search `s` search its position. Its limits and root moves must be
    set, and its board must not change before this returns."""
    cdef Pool* p = <Pool*>s.pool
    cdef int i
    s.threads = 1 + p.count
    s.next_poll = 0                          # its share of the nodes is smaller from now on
    for i in range(p.count):
        brief(&p.helper[i].search, s, i + 1)
    for i in range(p.count):
        give(p.helper[i].wake)
    p.awake = p.count


cdef bint is_better(const Search* h, const Search* m) noexcept nogil:
    """True when a helper's result replaces the main search's: a shorter win, or a deeper iteration
    where neither side has a forced win. A win is a proof, whoever has found it. In a lost position
    the main search looks for the longest resistance."""
    cdef const RootLine* its = &h.lines.line[0]
    cdef const RootLine* mine = &m.lines.line[0]
    if h.depth == 0 or its.length == 0 or m.multipv > 1:
        return False
    if its.value >= VALUE_MATE_FLOOR:
        return its.value > mine.value
    return (h.depth > m.depth and its.value > -VALUE_MATE_FLOOR
            and -VALUE_MATE_FLOOR < mine.value < VALUE_MATE_FLOOR)


cdef void gather(Pool* p) noexcept nogil:
    """Ends the helpers' search and waits for them; then the main search has the result of all, and
    their counts."""
    cdef Search* m = p.main
    cdef const Search* h
    cdef int i, j
    if p.awake == 0:
        return
    store_flag(&m.shared.decided, 1)
    for i in range(p.awake):
        take(p.helper[i].done, WAIT)
    for i in range(p.awake):
        h = &p.helper[i].search
        for j in range(COUNTERS):
            m.stats.count[j] += h.stats.count[j]
        m.seldepth = max(m.seldepth, h.seldepth)
        if is_better(h, m):
            m.lines.line[0] = h.lines.line[0]
            m.depth = h.depth
    p.awake = 0
    m.threads = 1
