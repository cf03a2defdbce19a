"""The static value: what the empty cells are worth to both sides, their threats, and the tempo.

    value = (sum over empty cells of what each colour would get there) / 8    kept by make()
          + threat_value[mask]                                            the mask below
          + tempo
          + what the net adds                                              net.pyx, if there is one

The evaluation is three files: accumulator.pxd holds what the board keeps up to date for it, net.pyx
the learned part, and this file turns both into a value and gives moves their ordering score
(move_score). Of the values file the rest of the engine reads which threat a code means, how fours and
threes are ordered (attack_score), and the points of killer moves and the like (ordering.pyx). Of the
net it reads the policy.
"""

from engine.board cimport Board, count_of
from engine.net cimport Net, net_value
from engine.patterns cimport (THREAT_DOUBLE_FOUR, THREAT_DOUBLE_THREE, THREAT_FOUR,
                              THREAT_FOUR_THREE, THREAT_OPEN_FOUR, THREAT_THREE)
from engine.types cimport (BLACK, CELLS, EMPTY, VALUE_EVAL_LIMIT, VALUE_FRACTION,
                           WHITE, opponent_of)

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

# By bit of the mask.
MASK_NAMES = (
    "own three", "own four", "own combination", "three", "four", "double three",
    "combination with a four", "open four",
)


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
    """The static value in centi-stones, from the side to move's view. net: NULL for the table alone."""
    cdef int sum = b.accumulator.sum
    cdef int value = (sum if b.side == BLACK else -sum) // VALUE_FRACTION
    value += b.values.threat_value[threat_mask(b, b.side)] + b.values.tempo
    if net != NULL:
        value += net_value(net, b)
    if value > VALUE_EVAL_LIMIT:
        return VALUE_EVAL_LIMIT
    return -VALUE_EVAL_LIMIT if value < -VALUE_EVAL_LIMIT else value


cdef int worth(const Board* b, int cell, int side) noexcept nogil:
    """What an empty cell is worth to a side, in eighths of a centi-stone."""
    return b.values.info[side - 1][b.cell[cell].code[side - 1]].value


cdef tuple other_parts(const Board* b):
    """What the table adds to the cells, in centi-stones, for the side to move: (names of the kinds
    of threats in the mask, their value, tempo)."""
    cdef int mask = threat_mask(b, b.side)
    names = tuple([MASK_NAMES[i] for i in range(len(MASK_NAMES)) if mask >> i & 1])
    return names, b.values.threat_value[mask], b.values.tempo


cdef list explanation(Board* b, Net* net):
    """The parts of the static value, one line of text each."""
    cdef int mask = threat_mask(b, b.side), black = 0, white = 0, cell
    for cell in range(CELLS):
        if b.stone[cell] == EMPTY:
            black += worth(b, cell, BLACK)
            white += worth(b, cell, WHITE)
    lines = [
        f"  cells: black {black / VALUE_FRACTION}, white {white / VALUE_FRACTION}",
        f"  threats: mask {mask:08b} adds {b.values.threat_value[mask]}",
        f"  tempo: {b.values.tempo}",
    ]
    if net != NULL:
        lines.append(f"  net: {net_value(net, b)}")
    return lines
