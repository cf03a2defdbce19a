"""The transposition table: probe() copies an entry, store() chooses which one to replace.

Within a cluster the entry of the same position is replaced, otherwise the one that is worth least:
an empty one or one of an earlier game, then the shallowest, with a penalty for every search since.
The memory comes from calloc: the system provides zero pages as they are used, without a pause.
"""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from engine.bits cimport prefetch
from engine.types cimport BOUND_EXACT, BOUND_NONE, CELLS, NO_CELL, VALUE_NONE, uint8_t, uint64_t

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
    t.game = 1
    t.age = 0
    return 0


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


cdef inline bint same_key(const Entry* e, uint64_t key) noexcept nogil:
    return e.key_low == <uint32_t>key and e.key_high == <uint16_t>(key >> 32)


cdef inline bint is_of_game(const Entry* e, const Table* t) noexcept nogil:
    return e.game_low == <uint8_t>t.game and e.cell_game >> GAME_SHIFT == t.game >> 8


cdef void prefetch_entry(const Table* t, uint64_t key) noexcept nogil:
    """Loads the position's cache line ahead of its probe."""
    prefetch(cluster_of(t, key))


cdef void probe(const Table* t, uint64_t key, int ply, Found* found) noexcept nogil:
    """Copies what is known about a position; found.hit says whether anything is."""
    cdef const Cluster* cluster = cluster_of(t, key)
    cdef const Entry* e
    cdef int i
    for i in range(ENTRIES):
        e = &cluster.entry[i]
        if is_of_game(e, t) and same_key(e, key):
            found.hit = True
            found.value = value_from_tt(e.value, ply)
            found.static_value = e.static_value
            found.cell = e.cell_game & (CELLS - 1)
            found.was_pv = e.cell_game & WAS_PV != 0
            found.depth = e.depth
            found.bound = e.age_bound & 3
            return
    found.hit = False
    found.cell = NO_CELL
    found.depth = 0
    found.was_pv = False
    found.bound = BOUND_NONE
    found.static_value = VALUE_NONE


cdef inline int worth(const Table* t, const Entry* e) noexcept nogil:
    """What an entry is worth, in hundredths of a ply; the lowest is replaced."""
    if not is_of_game(e, t):
        return -(1 << 20)
    return e.depth - 100 * t.params.table_age_plies * ((t.age - (e.age_bound >> 2)) & AGE_MASK)


cdef void store(Table* t, uint64_t key, int ply, int value, int static_value, int cell,
                int depth, int bound, bint was_pv) noexcept nogil:
    """Stores a result. A known best move is kept when the new result has none."""
    cdef Cluster* cluster = cluster_of(t, key)
    cdef Entry* e
    cdef Entry* target = NULL
    cdef int i, least = 1 << 30, w
    for i in range(ENTRIES):
        e = &cluster.entry[i]
        if is_of_game(e, t) and same_key(e, key):
            # A much shallower bound does not replace the result of a deep search.
            if (bound != BOUND_EXACT and depth < e.depth - 100 * t.params.table_keep_plies
                    and (e.age_bound >> 2) == t.age):
                return
            if cell == NO_CELL:
                cell = e.cell_game & (CELLS - 1)
            target = e
            break
        w = worth(t, e)
        if w < least:
            least = w
            target = e
    target.key_low = <uint32_t>key
    target.key_high = <uint16_t>(key >> 32)
    target.game_low = <uint8_t>t.game
    target.value = value_to_tt(value, ply)
    target.static_value = static_value
    target.cell_game = cell | (WAS_PV if was_pv else 0) | (t.game >> 8) << GAME_SHIFT
    target.depth = depth if depth > 0 else 0
    target.age_bound = (t.age << 2) | bound


cdef int fill_permille(const Table* t) noexcept nogil:
    """How full the table is, in thousandths, estimated from its first clusters."""
    cdef int i, j, used = 0
    cdef int sample = 250 if t.cluster_count >= 250 else <int>t.cluster_count
    if sample == 0:
        return 0
    for i in range(sample):
        for j in range(ENTRIES):
            used += is_of_game(&t.clusters[i].entry[j], t)
    return used * 1000 // (sample * ENTRIES)
