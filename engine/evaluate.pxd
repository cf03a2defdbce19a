# The static value of a position and the ordering score of a move.
from engine.board cimport Board
from engine.net cimport Net

cdef int cells_worth(const Board* b) noexcept nogil
cdef int threat_mask(const Board* b, int side) noexcept nogil
cdef int evaluate(Board* b, Net* net) noexcept nogil


cdef inline int threats_worth(const Board* b) noexcept nogil:
    """What the kinds of threats of both sides are worth to the side to move, in centi-stones."""
    return b.values.threat_value[threat_mask(b, b.side)]


cdef inline int tempo_worth(const Board* b) noexcept nogil:
    """What being to move is worth, in centi-stones."""
    return b.values.tempo


cdef inline int cell_worth(const Board* b, int cell, int side) noexcept nogil:
    """What an empty cell is worth to a side, in eighths of a centi-stone."""
    return b.values.worth[side - 1][b.cell[cell].code[side - 1]]


cdef inline int attack_score(const Board* b, int cell, int side) noexcept nogil:
    """What a stone of `side` on the empty cell makes, as an ordering score."""
    return b.values.attack[side - 1][b.cell[cell].code[side - 1]]


cdef inline int move_score(Board* b, int cell, int side) noexcept nogil:
    """How promising the move is before any search, as an ordering score: what it makes for `side`
    and what it takes from the opponent."""
    return (attack_score(b, cell, side)
            + b.values.defend[2 - side][b.cell[cell].code[2 - side]])
