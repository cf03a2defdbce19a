# Forced wins: those that the threat counts show, and victory by continuous fours (VCF).
from engine.board cimport Board, count_of, first_with
from engine.movegen cimport MoveList
from engine.params cimport Params
from engine.patterns cimport (THREAT_DOUBLE_FOUR, THREAT_FIVE, THREAT_FORBIDDEN, THREAT_FOUR,
                              THREAT_FOUR_THREE, THREAT_OPEN_FOUR)
from engine.rules cimport may_be_foul
from engine.types cimport BLACK, MAX_STONES, NO_CELL, WHITE, int16_t, int32_t, int64_t, uint64_t

cdef enum:
    MAX_FOURS = MAX_STONES / 2   # in one line: a four and its block fill two cells
    MAX_BLOCKS = 9           # of one four: the five cell and, under caro rules, the ends of four fives
    # Room for the moves of every position of the longest line: each has at most as many as it has
    # empty cells, two fewer than the one before.
    VCF_ROOM = MAX_FOURS * (MAX_FOURS + 1 + MAX_BLOCKS)
    MEMO_SIZE = 16384        # failed positions remembered; a power of two

cdef struct VcfMemo:         # a position known to have no VCF of any length; with a salt of their
                             # own, those in which a quick search has found none
    uint64_t key

cdef struct Vcf:
    Board* board
    int side                 # the attacker
    int64_t* nodes           # counts every stone made
    int64_t node_limit       # absolute: stop when *nodes reaches it
    int64_t deadline_us      # now_us() when to give up; 0 = no clock
    const int32_t* stop      # set from another thread: give up; NULL = there is no such flag
    const int32_t* hit       # another such flag, for a search that ponders
    int64_t next_poll        # look at the clock again when *nodes reaches it
    bint late                # the deadline has passed, or a flag is set
    bint cut                 # because of a limit, not everything was searched
    int fours_limit          # longest line tried, in own fours
    int won_limit            # most own fours before one that cannot be stopped
    bint is_quick            # skips fours that do not prepare another one (leads_on); may miss a VCF
    const Params* params
    uint64_t salt            # of the game: entries of others do not count; 0: the owner clears the memo
    VcfMemo* memo            # MEMO_SIZE entries
    MoveList list            # of one position, until its moves are copied to `moves`
    int16_t moves[VCF_ROOM]  # of the positions of the line that is searched, one after the other
    int16_t line[MAX_STONES] # the winning line: attacker, defender, attacker ...
    int line_length

cdef inline bint may_have_four(const Board* b, int colour) noexcept nogil:
    """True when the colour may have a move that makes a four (cells that the table marks as fouls
    of Black count: some of them are legal)."""
    return (count_of(b, colour, THREAT_FOUR) or count_of(b, colour, THREAT_FOUR_THREE)
            or count_of(b, colour, THREAT_DOUBLE_FOUR) or count_of(b, colour, THREAT_OPEN_FOUR)
            or (may_be_foul(b, colour) and count_of(b, colour, THREAT_FORBIDDEN)))


cdef inline int won_four_cell(const Board* b, int side) noexcept nogil:
    """A cell where `side` makes a four that no single reply stops: an open four, else two fours;
    NO_CELL (0) if there is none. It wins unless the opponent has a five."""
    if count_of(b, side, THREAT_OPEN_FOUR):
        return first_with(b, side, THREAT_OPEN_FOUR)
    if count_of(b, side, THREAT_DOUBLE_FOUR):
        return first_with(b, side, THREAT_DOUBLE_FOUR)
    return NO_CELL


cdef inline bint has_won_four(const Board* b, int side) noexcept nogil:
    """True when there is such a cell."""
    return count_of(b, side, THREAT_OPEN_FOUR) or count_of(b, side, THREAT_DOUBLE_FOUR)


cdef inline bint is_settled(const Board* b, int side) noexcept nogil:
    """True when a side has a five to make or the side to move an open four: the search needs no
    static value there."""
    return (count_of(b, BLACK, THREAT_FIVE) > 0 or count_of(b, WHITE, THREAT_FIVE) > 0
            or count_of(b, side, THREAT_OPEN_FOUR) > 0)


cdef int static_win(Board* b, int* cell) noexcept nogil
cdef int find_vcf(Vcf* v) noexcept nogil
cdef bint zone_of_vcf(Vcf* v, uint64_t* zone) noexcept nogil
