# The static value of a position and the ordering score of a move.
from engine.board cimport SCORED_BITS, Board, Scored, lines_at
from engine.net cimport Net
from engine.patterns cimport code_of
from engine.types cimport BLACK, WHITE, opponent_of, uint32_t

cdef int cells_worth(const Board* b) noexcept nogil
cdef int threat_mask(const Board* b, int side) noexcept nogil
cdef int evaluate(Board* b, Net* net) noexcept nogil


cdef inline int threats_worth(const Board* b) noexcept nogil:
    """What the kinds of threats of both sides are worth to the side to move, in centi-stones."""
    return b.values.threat_value[threat_mask(b, b.side)]


cdef inline int tempo_worth(const Board* b) noexcept nogil:
    """What being to move is worth, in centi-stones."""
    return b.values.tempo


cdef inline int code_for(const Board* b, uint32_t lines, int side) noexcept nogil:
    """The code of a cell with these line patterns for a side."""
    return code_of(b.tables, lines >> (4 * (side - 1)))


cdef inline int cell_worth(const Board* b, int cell, int side) noexcept nogil:
    """What an empty cell is worth to a side, in eighths of a centi-stone."""
    return b.values.worth[side - 1][code_for(b, lines_at(b, cell), side)]


cdef inline int attack_score(const Board* b, int cell, int side) noexcept nogil:
    """What a stone of `side` on the empty cell makes, as an ordering score."""
    return b.values.attack[side - 1][code_for(b, lines_at(b, cell), side)]


cdef inline int score_of(const Board* b, uint32_t lines, int side) noexcept nogil:
    return (b.values.attack[side - 1][code_for(b, lines, side)]
            + b.values.defend[2 - side][code_for(b, lines, opponent_of(side))])


cdef inline int move_score(Board* b, int cell, int side) noexcept nogil:
    """How promising the move is before any search, as an ordering score: what it makes for `side`
    and what it takes from the opponent."""
    cdef uint32_t lines = lines_at(b, cell)
    cdef Scored* s = &b.scored[<uint32_t>(lines * 0x9E3779B1U) >> (32 - SCORED_BITS)]
    if s.lines != lines:
        s.lines = lines
        s.score[0] = score_of(b, lines, BLACK)
        s.score[1] = score_of(b, lines, WHITE)
    return s.score[side - 1]
