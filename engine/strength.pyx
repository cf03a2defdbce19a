"""Overlooking moves, for levels of strength below the highest.

Moves that are overlooked are excluded at the root like those that the limits exclude, so the search
plays the best of the others. Which ones these are depends on the seed and the position only. At least
one move near the stones is always seen.
"""

from engine.board cimport Board, count_of, is_empty, position_key, threat_at
from engine.geometry cimport mix64
from engine.net cimport Net
from engine.ordering cimport PICK_ALL, History
from engine.params cimport Params
from engine.patterns cimport THREAT_FIVE, THREAT_THREE
from engine.root cimport RootMoves, add_far_root_moves, is_allowed, list_root_moves
from engine.types cimport CELLS, opponent_of, uint64_t

cdef enum:
    UNSEEN_OPENING = 700     # permille of the cells of an empty board


cdef inline void exclude_cell(RootMoves* r, int cell) noexcept nogil:
    r.excluded[cell >> 6] |= <uint64_t>1 << (cell & 63)
    r.has_excluded = True


cdef inline int drawn_for(uint64_t seed, int number) noexcept nogil:
    """An even draw of 0 to 999."""
    return <int>(mix64(seed + <uint64_t>number) % 1000)


cdef bint exclude_fives(RootMoves* r, Board* b, int side, uint64_t seed) noexcept nogil:
    """Excludes the cells where `side` would make a five; False if no other cell is left."""
    cdef int cell, left = 0
    for cell in range(CELLS):
        if is_empty(b, cell) and is_allowed(r, cell) and threat_at(b, cell, side) != THREAT_FIVE:
            left += 1
    if not left:
        return False
    for cell in range(CELLS):
        if is_empty(b, cell) and threat_at(b, cell, side) == THREAT_FIVE:
            exclude_cell(r, cell)
    return True


cdef void exclude_unseen(RootMoves* r, Board* b, const History* h, const Params* p, Net* net,
                   const Unseen* unseen, uint64_t seed) noexcept nogil:
    """Excludes what a level does not see, besides what is excluded already; uses the list of moves."""
    cdef int i, cell, share, kept, side = b.side, other = opponent_of(b.side)
    cdef bint is_threat
    seed = mix64(seed ^ position_key(b))
    if count_of(b, side, THREAT_FIVE) or count_of(b, other, THREAT_FIVE):
        # A five in sight is all that is looked at.
        if drawn_for(seed, CELLS) >= unseen.fives:
            return
        if count_of(b, side, THREAT_FIVE) and not exclude_fives(r, b, side, seed):
            return
        if count_of(b, other, THREAT_FIVE) and not exclude_fives(r, b, other, seed):
            return
    if b.stones == 0:
        r.count = 0
        add_far_root_moves(r, b)
    else:
        list_root_moves(r, b, h, p, net, PICK_ALL)
    if not r.count:
        return
    kept = 0                            # the move that is seen in any case
    for i in range(1, r.count):
        if drawn_for(seed, r.move[i].cell) > drawn_for(seed, r.move[kept].cell):
            kept = i
    for i in range(r.count):
        cell = r.move[i].cell
        is_threat = (threat_at(b, cell, side) >= THREAT_THREE
                     or threat_at(b, cell, other) >= THREAT_THREE)
        share = unseen.threats if is_threat else unseen.quiet
        if b.stones == 0:
            share = UNSEEN_OPENING
        if i != kept and drawn_for(seed, cell) < share:
            exclude_cell(r, cell)
