# The transposition table: results of earlier searches by position.
#
# Entries of 16 bytes, four to a cache line. Entries of an earlier game count as empty, so a new
# game takes no time, and the same game gives the same nodes again.
#
# Several threads share the table without a lock. An entry is two words, each read and written as a
# whole. The first is combined with a hash of the second: if a reader gets words of two different
# results, the key does not match, so it finds nothing.
from engine.params cimport Params
from engine.types cimport VALUE_MATE_FLOOR, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t
from libc.stdint cimport uintptr_t

cdef enum:
    ENTRIES = 4                 # per cluster
    GAMES = 1 << 13             # numbers of games; then they start again
    # Where the fields of Entry.data begin, and the key in the first word.
    DEPTH_SHIFT = 16
    CELL_SHIFT = 32
    WAS_PV_SHIFT = 42
    BOUND_SHIFT = 43
    AGE_SHIFT = 45
    GAME_SHIFT = 51
    KEY_SHIFT = 16

# The fields of the two words, from the lowest bit:
#   sealed   16 value, mates as distance from this node (value_to_tt); 48 of the key;
#            all of it combined with seal_of(data)
#   data     16 static value, VALUE_NONE where it was not worked out; 16 depth, hundredths of a ply;
#            10 best move, NO_CELL if unknown; 1 was the position on a principal variation?;
#            2 bound; 6 number of the search; 13 number of the game, 0 = never written
cdef struct Entry:
    uint64_t sealed
    uint64_t data

cdef struct Cluster:
    Entry entry[ENTRIES]

cdef struct Table:
    Cluster* clusters           # aligned to 64 bytes within `memory`
    void* memory
    uint64_t cluster_count      # below 2**32
    uintptr_t huge_page         # where the next huge page begins that the table has not got yet
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


cdef inline uint64_t seal_of(uint64_t data) noexcept nogil:
    """A hash of the second word. No two words have the same, and two hashes that differ only below
    KEY_SHIFT, where a mixture of two results could pass for one, are as rare as chance allows."""
    cdef uint64_t product = data * <uint64_t>0x9E3779B97F4A7C15
    return product ^ (product >> 32)


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
cdef void take_huge_pages(Table* t, bint is_new, int64_t until_us) noexcept nogil
cdef void release(Table* t) noexcept
cdef void new_game(Table* t) noexcept nogil
cdef void new_search(Table* t) noexcept nogil
cdef void prefetch_entry(const Table* t, uint64_t key) noexcept nogil
cdef void probe(const Table* t, uint64_t key, int ply, Found* found) noexcept nogil
cdef void store(Table* t, uint64_t key, int ply, int value, int static_value, int cell,
                int depth, int bound, bint was_pv) noexcept nogil
cdef object save(const Table* t, object path, int width, int height, object evaluation,
                 const int32_t* stop)
cdef object load(Table* t, object path, int width, int height, object evaluation,
                 const int32_t* stop)
