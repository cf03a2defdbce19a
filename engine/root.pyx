"""The moves of the root: which there are, in which order, and what is played without a search.

Where several lines are wanted, the best moves so far stand before `first`, one for each line that
is known, and only the rest are searched.

Cells that the limits exclude (RootMoves.excluded) are on no list and never played. Below the root
they are cells like any other. Moves that a level of strength overlooks are excluded too, so the search
plays the best of the others. Which ones these are depends on the seed and the position only. At least
one move near the stones is always seen.
"""

from engine.board cimport Board, count_of, first_with, is_empty, position_key, threat_at
from engine.geometry cimport cell_at, mix64, symmetry_count, transformed_cell, x_of, y_of
from engine.intrinsics cimport load_count, store_count, store_flag
from engine.movegen cimport MoveList, cell_of_key, generate_far
from engine.net cimport Net
from engine.ordering cimport (PICK_ALL, PICK_FIVE_DEFENCES, PICK_FOUR_DEFENCES, History, Picker,
                              next_move, start_picker)
from engine.params cimport Params
from engine.patterns cimport THREAT_FIVE, THREAT_OPEN_FOUR, THREAT_THREE
from engine.rules cimport is_forbidden
from engine.types cimport (CELLS, NO_CELL, VALUE_INFINITE, VALUE_MATE_FLOOR, WORDS, int64_t,
                           opponent_of, uint64_t)

cdef enum:
    UNSEEN_OPENING = 700     # permille of the cells of an empty board that a level overlooks


cdef void sort_root_moves(RootMoves* r) noexcept nogil:
    """Sorts the moves that are searched, best value first; equal ones keep their order."""
    cdef int i, j
    cdef RootMove move
    for i in range(r.first + 1, r.count):
        move = r.move[i]
        j = i
        while j > r.first and r.move[j - 1].value < move.value:
            r.move[j] = r.move[j - 1]
            j -= 1
        r.move[j] = move


cdef int root_mode(const Board* b) noexcept nogil:
    """The category of the root's moves, as in step 7. A five of the side to move, which step 2 plays
    at once, is a threat that the opponent has to answer first."""
    cdef int other = opponent_of(b.side)
    if count_of(b, other, THREAT_FIVE):
        return PICK_FIVE_DEFENCES
    if count_of(b, b.side, THREAT_FIVE):
        return PICK_ALL
    if count_of(b, other, THREAT_OPEN_FOUR):
        return PICK_FOUR_DEFENCES
    return PICK_ALL


cdef inline void add_root_move(RootMoves* r, int cell) noexcept nogil:
    r.move[r.count].cell = cell
    r.move[r.count].value = -VALUE_INFINITE
    r.move[r.count].is_lost = False
    r.move[r.count].nodes = 0
    r.count += 1


cdef void list_root_moves(RootMoves* r, Board* b, const History* h, const Params* p,
                          Net* net, int mode) noexcept nogil:
    """The root moves of a category that are legal and not excluded, in the picker's order."""
    cdef Picker picker
    cdef int cell
    r.count = 0
    r.first = 0
    r.has_far = False
    start_picker(&picker, p, net, b, mode, NO_CELL, 0)
    while True:
        cell = next_move(&picker, b, h)
        if cell == NO_CELL:
            return
        if not is_allowed(r, cell) or is_forbidden(b, cell, b.side):
            continue
        add_root_move(r, cell)


cdef void add_far_root_moves(RootMoves* r, Board* b) noexcept nogil:
    """Appends the cells far from every stone to the root moves, except excluded and illegal ones."""
    cdef MoveList list
    cdef int i, cell
    r.has_far = True
    generate_far(b, &list)
    for i in range(list.count):
        cell = cell_of_key(list.key[i])
        if not is_allowed(r, cell) or is_forbidden(b, cell, b.side):
            continue
        add_root_move(r, cell)


cdef void forget_now(RootMoves* r) noexcept nogil:
    """No move is searched, and none is known to lose."""
    cdef int i
    store_flag(&r.now, NO_CELL)
    for i in range(WORDS):
        store_count(&r.lost[i], 0)


cdef void note_lost(RootMoves* r, RootMove* move) noexcept nogil:
    """The move is proved to lose."""
    cdef int64_t* word = &r.lost[move.cell >> 6]
    move.is_lost = True
    store_count(word, load_count(word) | <int64_t>(<uint64_t>1 << (move.cell & 63)))


cdef int effort_of(const RootMoves* r, int cell) noexcept nogil:
    """The share of this move in the nodes of all root moves so far, in per cent."""
    cdef int64_t own = 0, total = 0
    cdef int i
    for i in range(r.count):
        total += r.move[i].nodes
        if r.move[i].cell == cell:
            own = r.move[i].nodes
    return <int>(own * 100 // total) if total else 0


cdef bint others_are_lost(const RootMoves* r, int cell) noexcept nogil:
    """True when every root move but this one is proved to lose."""
    cdef int i
    for i in range(r.count):
        if r.move[i].cell != cell and not r.move[i].is_lost:
            return False
    return True


cdef bint same_under(const Board* b, int symmetry) noexcept nogil:
    """True when the symmetry maps the position onto itself."""
    cdef int x, y, cell
    for y in range(b.height):
        for x in range(b.width):
            cell = cell_at(x, y)
            if b.stone[cell] != b.stone[transformed_cell(cell, symmetry, b.width, b.height)]:
                return False
    return True


cdef void drop_symmetric_moves(RootMoves* r, const Board* b) noexcept nogil:
    """Of root moves that a symmetry of the position maps onto each other, keeps only the first."""
    cdef int symmetry, i, j, kept, image
    for symmetry in range(1, symmetry_count(b.width, b.height)):
        if not same_under(b, symmetry):
            continue
        kept = 0
        for i in range(r.count):
            image = transformed_cell(r.move[i].cell, symmetry, b.width, b.height)
            for j in range(kept):
                if r.move[j].cell == image:
                    break
            else:
                r.move[kept] = r.move[i]
                kept += 1
        r.count = kept


cdef void list_opening_moves(RootMoves* r, Board* b) noexcept nogil:
    """The root moves on a board without stones, the most central first."""
    r.count = 0
    r.first = 0
    add_far_root_moves(r, b)
    set_aside(r, central_cell(r, b))
    r.first = 0


# -- the best moves with what follows -----------------------------------------------------------

cdef void set_aside(RootMoves* r, int cell) noexcept nogil:
    """Puts the move to this cell, which may be missing from the list, before those to search."""
    cdef int i = r.first, j
    cdef RootMove move
    while i < r.count and r.move[i].cell != cell:
        i += 1
    if i == r.count:
        add_root_move(r, cell)
    move = r.move[i]
    for j in range(i, r.first, -1):
        r.move[j] = r.move[j - 1]
    r.move[r.first] = move
    r.first += 1


cdef void add_line(RootLines* l, const RootLine* line) noexcept nogil:
    """Inserts a line behind those that are as good; the last one is lost where there are too many."""
    cdef int i = l.count
    if i == MAX_LINES:
        i -= 1
        if l.line[i].value >= line.value:
            return
    else:
        l.count += 1
    while i > 0 and l.line[i - 1].value < line.value:
        l.line[i] = l.line[i - 1]
        i -= 1
    l.line[i] = line[0]


cdef int place_of(const RootLines* l, int cell) noexcept nogil:
    """The place of the line that begins with this cell, l.count if there is none."""
    cdef int i = 0
    while i < l.count and l.line[i].cell[0] != cell:
        i += 1
    return i


cdef void keep_at_least(RootLines* l, const RootLine* proof) noexcept nogil:
    """Makes the line of a proven win one of the lines, in the place of a worse one of its move."""
    cdef int i = place_of(l, proof.cell[0]), j
    if i < l.count:
        if l.line[i].value >= proof.value:
            return
        l.count -= 1
        for j in range(i, l.count):
            l.line[j] = l.line[j + 1]
    add_line(l, proof)


cdef void merge_unfinished(RootLines* l, const RootLines* fresh) noexcept nogil:
    """Adds the lines that an interrupted iteration has found to those of the iteration before.

    An earlier line stays unless there is a new one of its move. Where one is better than the best
    new line, its value no longer holds, and the new one is not known: then the new lines are
    dropped. But if all moves lose now, so does that one, and it is dropped instead.
    """
    cdef RootLines merged = fresh[0]
    cdef int i, best
    if fresh.count == 0:
        return
    best = fresh.line[0].value
    for i in range(l.count):
        if not l.line[i].depth and l.line[i].value < VALUE_MATE_FLOOR:
            continue                    # what is played if no iteration is finished
        if place_of(fresh, l.line[i].cell[0]) < fresh.count:
            continue
        if l.line[i].value <= best:
            add_line(&merged, &l.line[i])
        elif best > -VALUE_MATE_FLOOR:
            return
    l[0] = merged


# -- moves without a search ---------------------------------------------------------------------

cdef int first_allowed(const RootMoves* r, const Board* b, int colour, int threat) noexcept nogil:
    """The first empty cell with this threat that is not excluded, NO_CELL if there is none."""
    cdef int cell
    if not count_of(b, colour, threat):
        return NO_CELL
    cell = first_with(b, colour, threat)
    if is_allowed(r, cell):
        return cell
    for cell in range(CELLS):
        if is_empty(b, cell) and is_allowed(r, cell) and threat_at(b, cell, colour) == threat:
            return cell
    return NO_CELL


cdef int any_cell(const RootMoves* r, Board* b) noexcept nogil:
    """A move where the rule forbids all cells near stones: the first cell that it does not forbid,
    else the opponent's five cell, else the first empty cell. None is excluded."""
    cdef int other = opponent_of(b.side), cell
    for cell in range(CELLS):
        if is_empty(b, cell) and is_allowed(r, cell) and not is_forbidden(b, cell, b.side):
            return cell
    cell = first_allowed(r, b, other, THREAT_FIVE)
    if cell != NO_CELL:
        return cell
    for cell in range(CELLS):
        if is_empty(b, cell) and is_allowed(r, cell):
            return cell
    return NO_CELL


cdef int central_cell(const RootMoves* r, const Board* b) noexcept nogil:
    """The empty cell nearest to the middle that is not excluded, of several the one with the lowest
    number."""
    cdef int cell, best = NO_CELL, least = 1 << 30, dx, dy
    for cell in range(CELLS):
        if is_empty(b, cell) and is_allowed(r, cell):
            # Twice the distance from the middle, so that even sizes need no halves; of the four
            # middle cells of an even board the lower right one is taken.
            dx = 2 * x_of(cell) - b.width
            dy = 2 * y_of(cell) - b.height
            if dx * dx + dy * dy < least:
                least = dx * dx + dy * dy
                best = cell
    return best


# -- levels of strength -------------------------------------------------------------------------

cdef inline void exclude_cell(RootMoves* r, int cell) noexcept nogil:
    r.excluded[cell >> 6] |= <uint64_t>1 << (cell & 63)
    r.has_excluded = True


cdef inline int drawn_for(uint64_t seed, int number) noexcept nogil:
    """An even draw of 0 to 999."""
    return <int>(mix64(seed + <uint64_t>number) % 1000)


cdef bint exclude_fives(RootMoves* r, Board* b, int side) noexcept nogil:
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
        if count_of(b, side, THREAT_FIVE) and not exclude_fives(r, b, side):
            return
        if count_of(b, other, THREAT_FIVE) and not exclude_fives(r, b, other):
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
