"""The transposition table: probe() copies an entry, store() chooses which one to replace.

Within a cluster the entry of the same position is replaced, otherwise the one that is worth least:
an empty one or one of an earlier game, then the shallowest, with a penalty for every search since.
The memory comes from calloc: the system provides zero pages as they are used, without a pause. On
Linux take_huge_pages() has it provide huge ones ahead: a probe in a small page waits twice, for the
address of the page and for its contents (ledger 87).

Threads call probe() and store() at the same time; everything else is called while no thread
searches. What two threads may do to each other:

  * A reader gets a word of one result and a word of another: seal_of() makes the key differ.
  * Two writers choose the same entry, and each leaves one word: the entry matches no position.
  * Two writers store the same position in two entries of a cluster: the first is found.
  * A writer decides by what another has just replaced: a less valuable entry may survive.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.atomic cimport load_word, store_word
from engine.bits cimport prefetch
from engine.clock cimport now_us
from engine.machine cimport HUGE_PAGE_BYTES, take_huge_page
from engine.types cimport BOUND_EXACT, BOUND_NONE, CELLS, NO_CELL, VALUE_NONE, int16_t, int64_t, uint16_t, uint64_t

cdef enum:
    AGE_MASK = 63               # the age of an entry has 6 bits


cdef int resize(Table* t, uint64_t size_bytes) except -1:
    """Gives the table at most size_bytes (at least one cluster) and empties it.

    Raises MemoryError, after which there is no table; the caller may try a smaller one.
    """
    cdef uint64_t count = size_bytes // sizeof(Cluster)
    release(t)
    if count < 1:
        count = 1
    if count > 0xFFFFFFFFU:
        count = 0xFFFFFFFFU
    t.memory = calloc(count + 1, sizeof(Cluster))
    if t.memory == NULL:
        raise MemoryError(f"no memory for a hash table of {size_bytes} bytes")
    t.clusters = <Cluster*>((<uintptr_t>t.memory + 63) & ~<uintptr_t>63)
    t.cluster_count = count
    t.huge_page = (<uintptr_t>t.memory + HUGE_PAGE_BYTES - 1) // HUGE_PAGE_BYTES * HUGE_PAGE_BYTES
    t.game = 1
    t.age = 0
    return 0


cdef void take_huge_pages(Table* t, bint is_new, int64_t until_us) noexcept nogil:
    """Has the system provide huge pages for the table from its beginning on until the time until_us;
    the next call goes on there. Where there are none, it does nothing.

    Ahead, because in a search a page that the system has to fetch may take longer than the clock is
    left unread.
    """
    cdef uintptr_t end = <uintptr_t>t.clusters + t.cluster_count * sizeof(Cluster)
    while t.huge_page + HUGE_PAGE_BYTES <= end and now_us() < until_us:
        if not take_huge_page(<char*>t.huge_page, is_new):
            t.huge_page = end
            return
        t.huge_page += HUGE_PAGE_BYTES


cdef void release(Table* t) noexcept:
    """Frees the memory."""
    free(t.memory)
    t.memory = NULL
    t.clusters = NULL
    t.cluster_count = 0


cdef void new_game(Table* t) noexcept nogil:
    """Empties the table at once: entries of other games count as empty."""
    t.game += 1
    t.age = 0
    if t.game == GAMES:             # the numbers start again
        t.game = 1
        if t.clusters != NULL:
            memset(t.clusters, 0, t.cluster_count * sizeof(Cluster))


cdef void new_search(Table* t) noexcept nogil:
    """Begins a new search: what is stored from now on is worth more than older entries."""
    t.age = (t.age + 1) & AGE_MASK


cdef inline Cluster* cluster_of(const Table* t, uint64_t key) noexcept nogil:
    return &t.clusters[((key >> 32) * t.cluster_count) >> 32]


cdef inline bint is_of_game(uint64_t data, const Table* t) noexcept nogil:
    return data >> GAME_SHIFT == t.game


cdef inline bint is_of_key(uint64_t word, uint64_t key) noexcept nogil:
    """True when the first word of an entry, without its seal, belongs to the key."""
    return word >> KEY_SHIFT == key & ((<uint64_t>1 << 48) - 1)


cdef inline int depth_in(uint64_t data) noexcept nogil:
    return <int16_t>(data >> DEPTH_SHIFT)


cdef inline int cell_in(uint64_t data) noexcept nogil:
    return (data >> CELL_SHIFT) & (CELLS - 1)


cdef inline int age_in(uint64_t data) noexcept nogil:
    return (data >> AGE_SHIFT) & AGE_MASK


cdef void prefetch_entry(const Table* t, uint64_t key) noexcept nogil:
    """Loads the position's cache line ahead of its probe."""
    prefetch(cluster_of(t, key))


cdef void probe(const Table* t, uint64_t key, int ply, Found* found) noexcept nogil:
    """Copies what is known about a position; found.hit says whether anything is."""
    cdef const Cluster* cluster = cluster_of(t, key)
    cdef uint64_t data, word
    cdef int i
    for i in range(ENTRIES):
        data = load_word(&cluster.entry[i].data)
        if not is_of_game(data, t):
            continue
        word = load_word(&cluster.entry[i].sealed) ^ seal_of(data)
        if is_of_key(word, key):
            found.hit = True
            found.value = value_from_tt(<int16_t>word, ply)
            found.static_value = <int16_t>data
            found.cell = cell_in(data)
            found.was_pv = (data >> WAS_PV_SHIFT) & 1
            found.depth = depth_in(data)
            found.bound = (data >> BOUND_SHIFT) & 3
            return
    found.hit = False
    found.cell = NO_CELL
    found.depth = 0
    found.was_pv = False
    found.bound = BOUND_NONE
    found.static_value = VALUE_NONE


cdef inline int worth(const Table* t, uint64_t data) noexcept nogil:
    """What an entry is worth, in hundredths of a ply; the lowest is replaced."""
    if not is_of_game(data, t):
        return -(1 << 20)
    return depth_in(data) - 100 * t.params.table_age_plies * ((t.age - age_in(data)) & AGE_MASK)


cdef void store(Table* t, uint64_t key, int ply, int value, int static_value, int cell,
                int depth, int bound, bint was_pv) noexcept nogil:
    """Stores a result. A known best move is kept when the new result has none."""
    cdef Cluster* cluster = cluster_of(t, key)
    cdef Entry* target = NULL
    cdef uint64_t data
    cdef int i, least = 1 << 30, w
    for i in range(ENTRIES):
        data = load_word(&cluster.entry[i].data)
        if is_of_game(data, t) and is_of_key(
                load_word(&cluster.entry[i].sealed) ^ seal_of(data), key):
            # A much shallower bound does not replace the result of a deep search.
            if (bound != BOUND_EXACT and depth < depth_in(data) - 100 * t.params.table_keep_plies
                    and age_in(data) == t.age):
                return
            if cell == NO_CELL:
                cell = cell_in(data)
            target = &cluster.entry[i]
            break
        w = worth(t, data)
        if w < least:
            least = w
            target = &cluster.entry[i]
    data = (<uint64_t><uint16_t>static_value
            | <uint64_t>(depth if depth > 0 else 0) << DEPTH_SHIFT
            | <uint64_t>cell << CELL_SHIFT
            | <uint64_t>was_pv << WAS_PV_SHIFT
            | <uint64_t>bound << BOUND_SHIFT
            | <uint64_t>t.age << AGE_SHIFT
            | <uint64_t>t.game << GAME_SHIFT)
    store_word(&target.sealed, (key << KEY_SHIFT | <uint16_t>value_to_tt(value, ply)) ^ seal_of(data))
    store_word(&target.data, data)
