# Forced wins: static ones from the threat counts, and victory by continuous fours (VCF).
from engine.board cimport Board
from engine.types cimport int16_t, int32_t, int64_t, uint8_t, uint64_t

cdef enum:
    MAX_FOURS = 60           # fours in one VCF line, at most
    MEMO_SIZE = 16384        # failed positions remembered; a power of two

cdef struct VcfMemo:         # a position known to have no VCF, however long
    uint64_t key

cdef struct Vcf:
    Board* board
    int side                 # the attacker
    int64_t* nodes           # counts every stone made
    int64_t node_limit       # absolute: stop when *nodes reaches it
    int64_t deadline_us      # now_us() when to give up; 0 = no clock
    const volatile int* stop # set from another thread: give up; NULL = nobody will
    int64_t next_poll        # look at the clock again when *nodes reaches it
    bint late                # the deadline has passed
    bint cut                 # a limit kept something from being searched
    int fours_limit          # longest line tried, in own fours
    uint64_t salt            # of the game: what another game noted does not count
    VcfMemo* memo            # MEMO_SIZE entries
    int16_t line[2 * MAX_FOURS + 4]   # the winning line: attacker, defender, attacker ...
    int line_length

cdef int static_win(Board* b, int* cell) noexcept nogil
cdef int find_vcf(Vcf* v) noexcept nogil
cdef bint zone_of_vcf(Vcf* v, uint64_t* zone) noexcept nogil
