"""The static value: that of the net (net.pyx), or without a net what the empty cells are worth to
both sides, their threats, and the tempo.

    value = (sum over empty cells: what the side to move would get there, less the opponent) / 8
          + threat_value[mask]                                            the mask below
          + tempo

net.pyx has the learned value. This file has the table's, chooses between the two, and gives moves
their ordering score (move_score). Other modules use only the order of fours and threes
(attack_score), the points of killer moves and the like (ordering.pyx), and the net's policy.
"""

from engine.board cimport Board, count_of
from engine.intrinsics cimport lowest_bit
from engine.net cimport Net, net_value
from engine.patterns cimport (THREAT_DOUBLE_FOUR, THREAT_DOUBLE_THREE, THREAT_FOUR,
                              THREAT_FOUR_THREE, THREAT_OPEN_FOUR, THREAT_THREE)
from engine.types cimport (BLACK, PAD, STRIDE, VALUE_EVAL_LIMIT, VALUE_FRACTION, WHITE, opponent_of,
                           uint32_t)

# Bits of the threat mask; the lowest three for the side to move, the others for the opponent.
cdef enum:
    OWN_THREE = 1
    OWN_FOUR = 2
    OWN_COMBINATION = 4          # double three or four-three (those that are not a static win)
    OTHER_THREE = 8
    OTHER_FOUR = 16
    OTHER_DOUBLE_THREE = 32
    OTHER_FOUR_COMBINATION = 64  # four-three or double four: wins by fours if left alone
    OTHER_OPEN_FOUR = 128        # an open three stands on the board


cdef int cells_worth(const Board* b) noexcept nogil:
    """What the empty cells are worth to Black less what they are worth to White, in eighths of a
    centi-stone."""
    cdef int row, cell, sum = 0
    cdef uint32_t rest
    for row in range(PAD, PAD + b.height):
        rest = b.empty_row[row]
        while rest:
            cell = row * STRIDE + lowest_bit(rest)
            sum += cell_worth(b, cell, BLACK) - cell_worth(b, cell, WHITE)
            rest &= rest - 1
    return sum


cdef int threat_mask(const Board* b, int side) noexcept nogil:
    """Which kinds of threats each side has cells for; an index of Values.threat_value."""
    cdef int other = opponent_of(side), mask = 0
    if count_of(b, side, THREAT_THREE):
        mask |= OWN_THREE
    if count_of(b, side, THREAT_FOUR):
        mask |= OWN_FOUR
    if count_of(b, side, THREAT_DOUBLE_THREE) or count_of(b, side, THREAT_FOUR_THREE):
        mask |= OWN_COMBINATION
    if count_of(b, other, THREAT_THREE):
        mask |= OTHER_THREE
    if count_of(b, other, THREAT_FOUR):
        mask |= OTHER_FOUR
    if count_of(b, other, THREAT_DOUBLE_THREE):
        mask |= OTHER_DOUBLE_THREE
    if count_of(b, other, THREAT_FOUR_THREE) or count_of(b, other, THREAT_DOUBLE_FOUR):
        mask |= OTHER_FOUR_COMBINATION
    if count_of(b, other, THREAT_OPEN_FOUR):
        mask |= OTHER_OPEN_FOUR
    return mask


cdef int evaluate(Board* b, Net* net) noexcept nogil:
    """The static value in centi-stones, from the side to move's view. net: NULL for the table's."""
    cdef int sum, value
    if net != NULL:
        value = net_value(net, b)
    else:
        sum = cells_worth(b)
        value = (sum if b.side == BLACK else -sum) // VALUE_FRACTION
        value += threats_worth(b) + tempo_worth(b)
    return min(max(value, -VALUE_EVAL_LIMIT), VALUE_EVAL_LIMIT)
