# The transposition table: results of earlier searches by position.
#
# Entries of 16 bytes, four to a cache line. Entries of an earlier game count as empty, so a new
# game takes no time, and the same game gives the same nodes again.
from engine.params cimport Params
from engine.types cimport (VALUE_MATE_FLOOR, int16_t, int32_t, uint8_t, uint16_t, uint32_t,
                           uint64_t)

cdef enum:
    ENTRIES = 4                 # per cluster
    WAS_PV = 1 << 10            # in Entry.cell_game: the position was on a principal variation
    GAME_SHIFT = 11
    GAMES = 1 << 13             # numbers of games; then they start again

cdef struct Entry:
    uint32_t key_low            # 48 bits of the key
    uint16_t key_high
    int16_t value               # mates as distance from this node, see value_to_tt()
    int16_t static_value        # VALUE_NONE where it was not worked out
    int16_t depth               # hundredths of a ply
    uint16_t cell_game          # best move, NO_CELL if unknown (10 bits) | WAS_PV | high bits of
                                # the game it belongs to << GAME_SHIFT
    uint8_t game_low            # its low 8 bits; game 0 = never written
    uint8_t age_bound           # search number (6 bits) << 2 | bound

cdef struct Cluster:
    Entry entry[ENTRIES]

cdef struct Table:
    Cluster* clusters           # aligned to 64 bytes within `memory`
    void* memory
    uint64_t cluster_count      # below 2**32
    uint16_t game
    uint8_t age
    const Params* params        # set by the owner

cdef struct Found:              # a copy of an entry
    bint hit
    int value
    int static_value
    int cell
    int depth                   # hundredths of a ply
    int bound
    bint was_pv


cdef inline int value_to_tt(int value, int ply) noexcept nogil:
    """A value of the search as stored: mates counted from the node instead of the root."""
    if value >= VALUE_MATE_FLOOR:
        return value + ply
    return value - ply if value <= -VALUE_MATE_FLOOR else value


cdef inline int value_from_tt(int value, int ply) noexcept nogil:
    """The inverse of value_to_tt()."""
    if value >= VALUE_MATE_FLOOR:
        return value - ply
    return value + ply if value <= -VALUE_MATE_FLOOR else value


cdef int resize(Table* t, uint64_t size_bytes) except -1
cdef void release(Table* t) noexcept
cdef void new_game(Table* t) noexcept nogil
cdef void new_search(Table* t) noexcept nogil
cdef void prefetch_entry(const Table* t, uint64_t key) noexcept nogil
cdef void probe(const Table* t, uint64_t key, int ply, Found* found) noexcept nogil
cdef void store(Table* t, uint64_t key, int ply, int value, int static_value, int cell,
                int depth, int bound, bint was_pv) noexcept nogil
cdef int fill_permille(const Table* t) noexcept nogil
