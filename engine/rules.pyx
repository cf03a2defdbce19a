"""Five, overline and the forbidden points of renju.

The pattern tables decide most cases: a cell whose threat is not FORBIDDEN is never a foul, and an
overline or a double four always is. Only threes have to be tried on the board, because a three
counts only if its straight four could really be made (`three_is_real`), which is the same question
with one more stone on the board.
"""

from engine.board cimport line_at, make, threat_at, undo
from engine.geometry cimport DIRECTIONS, cell_at, step_of
from engine.patterns cimport (ENDS_BLOCK, LINE_DOUBLE_FOUR, LINE_FOUR, LINE_OPEN_FOUR,
                              LINE_OVERLINE, LINE_THREE, LINE_THREE_WIDE, OVERLINE_WINS,
                              THREAT_FIVE, THREAT_FORBIDDEN)
from engine.types cimport BLACK, EMPTY, WHITE, opponent_of


cdef bint three_is_real(Board* b, int cell, int d) noexcept nogil:
    """With Black's stone on `cell` just made: can its three in direction d become a straight
    four by a legal move?

    The completing cell is the first one on either side of the stones joined to `cell` (for a split
    three: its gap). The table says whether it makes an open four, which then contains `cell`.
    """
    cdef int step = step_of(d), side, at, i
    for side in range(2):
        at = cell
        for i in range(1, 4):
            at += step
            if b.stone[at] == BLACK:
                continue
            # The first cell that is not black: only a four through it contains `cell`. Where the
            # stone would make a five, it makes no straight four of this three.
            if (b.stone[at] == EMPTY and line_at(b, at, d, BLACK) == LINE_OPEN_FOUR
                    and threat_at(b, at, BLACK) != THREAT_FIVE and not is_foul(b, at)):
                return True
            break
        step = -step
    return False


cdef bint is_foul(Board* b, int cell) noexcept nogil:
    """True when a black stone on the empty cell loses by overline, double four or double three.

    Renju only. An exact five overrides every foul made by the same stone.
    """
    cdef int d, pattern, fours = 0, threes = 0, real = 0
    cdef int three_lines[4]
    if threat_at(b, cell, BLACK) != THREAT_FORBIDDEN:
        return False
    for d in range(DIRECTIONS):
        pattern = line_at(b, cell, d, BLACK)
        if pattern == LINE_OVERLINE or pattern == LINE_DOUBLE_FOUR:
            return True
        if pattern == LINE_FOUR or pattern == LINE_OPEN_FOUR:
            fours += 1
        elif pattern == LINE_THREE or pattern == LINE_THREE_WIDE:
            three_lines[threes] = d
            threes += 1
    if fours > 1:
        return True
    make(b, cell, BLACK)
    for d in range(threes):
        real += three_is_real(b, cell, three_lines[d])
    undo(b)
    return real > 1


cdef bint is_forbidden(Board* b, int cell, int colour) noexcept nogil:
    """True when the rule forbids this colour the empty cell."""
    return may_be_foul(b, colour) and is_foul(b, cell)


# -- fives already on the board -----------------------------------------------------------------

cdef bint run_wins(const Board* b, int first, int step, int length, int colour) noexcept nogil:
    """True when a run of exactly `length` stones starting at `first` wins for its colour."""
    cdef int other = opponent_of(colour), kind = b.kind[colour - 1]
    if length < 5:
        return False
    if length > 5:
        return kind & OVERLINE_WINS != 0
    if kind & ENDS_BLOCK:
        return not (b.stone[first - step] == other and b.stone[first + length * step] == other)
    return True


cdef int winner_on(const Board* b) noexcept nogil:
    """The colour with a winning run on the board, EMPTY if there is none (Black if both)."""
    cdef int x, y, d, cell, step, length, colour, winner = EMPTY
    for y in range(b.height):
        for x in range(b.width):
            cell = cell_at(x, y)
            colour = b.stone[cell]
            if colour != BLACK and colour != WHITE:
                continue
            for d in range(DIRECTIONS):
                step = step_of(d)
                if b.stone[cell - step] == colour:
                    continue
                length = 1
                while b.stone[cell + length * step] == colour:
                    length += 1
                if run_wins(b, cell, step, length, colour):
                    if colour == BLACK:
                        return BLACK
                    winner = colour
    return winner
