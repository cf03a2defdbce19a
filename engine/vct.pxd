# The threat solver: is there a win by continuous threes and fours? A proof-number search.
from engine.board cimport Board
from engine.forcing cimport MAX_CHOICES
from engine.params cimport Params
from engine.threats cimport Vcf, VcfMemo
from engine.types cimport MAX_STONES, int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef enum:
    PROOF_SETS = 16384       # of the table of positions at first, a power of two
    PROOF_WAYS = 4           # entries a set: 1.5 MiB in all
    MAX_ATTACKS = MAX_STONES / 2     # own stones in one line: as many as a board has room for
    # Room for the moves of every position of the longest line: of each at most MAX_CHOICES, and at
    # most its empty cells, of which each stone takes one.
    VCT_ROOM = MAX_CHOICES * (MAX_STONES - MAX_CHOICES) + MAX_CHOICES * (MAX_CHOICES + 1) / 2
    INFINITE = 1 << 28       # a proof number that cannot be reached: the other side has won

# Why a refutation may not be the last word: Standing.cut is a sum of these.
cdef enum:
    CUT_MOVES = 1            # the limit of moves was met below it
    CUT_SEEN = 2             # a search for a VCF met its budget of nodes, or a list was too long

# What is known about a position. proof: at least so many leaves are still to be won; 0 = the
# attacker wins. disproof: so many are still to be refuted; 0 = the attacker has no win by threats.
cdef struct Standing:
    uint32_t proof
    uint32_t disproof
    int16_t cell             # the move that wins or refutes, NO_CELL where none is needed
    uint16_t plies           # won: stones until the five, at most
    int cut                  # refuted: 0 for good, else what was left out

cdef struct ProofEntry:
    uint64_t key
    uint32_t proof
    uint32_t disproof
    uint32_t work            # nodes searched below it: the cost of losing the entry
    int16_t cell
    uint16_t plies           # won: as above; else `cut` + 4 * the level that it was searched at

cdef struct Vct:
    # -- given by the owner
    Board* board
    ProofEntry* table        # sets * PROOF_WAYS entries
    uint64_t sets            # a power of two
    uint64_t most_bytes      # that the table may grow to
    VcfMemo* memo            # for Vcf; not shared with the search
    const Params* params
    uint64_t salt            # of the game that the tables are of
    const int32_t* stop      # set from another thread: give up; NULL = there is no such flag
    # -- limits
    int64_t node_limit       # stones made, VCF included
    int64_t deadline_us      # now_us() when to give up; 0 = no clock
    int moves_limit          # the attacker's stones, the five included; at most MAX_ATTACKS
    int kinds                # of moves the attacker has: FOURS, THREES or QUIET (forcing.pxd)
    int64_t threes_nodes     # with QUIET: budget of the search without quiet threats before it
    int64_t vcf_nodes        # budget of the VCF search at each position with the attacker to move
    int64_t threat_nodes     # budget to find the VCF that a quiet move threatens
    int64_t root_vcf_nodes   # budget of the VCF search at the root
    int level                # grows with the budgets: what a smaller one left out is searched again
    # -- state
    int side                 # the attacker
    int64_t nodes
    int64_t next_poll
    bint stopped             # by a limit of nodes or time or by the stop flag
    uint64_t salt_now        # attacker, kinds of moves and limit of moves in one
    int threat_plies         # stones until the five if the defender passes
    int root_stones          # on the board when the solve began
    Vcf vcf
    # -- the moves of the positions of the line that is searched, one after the other
    int16_t cell[VCT_ROOM]
    uint32_t proof[VCT_ROOM]
    uint32_t disproof[VCT_ROOM]

cdef ProofEntry* place_for(const Vct* v, uint64_t key) noexcept nogil
cdef void start_vct(Vct* v, int side) noexcept nogil
cdef void find_vct(Vct* v, Standing* found) noexcept nogil
cdef void attack(Vct* v, int at, uint32_t proof_limit, uint32_t disproof_limit,
                 Standing* s) noexcept nogil
cdef void defend(Vct* v, int at, uint32_t proof_limit, uint32_t disproof_limit,
                 Standing* s) noexcept nogil
cdef int find_threat(Vct* v) noexcept nogil
