"""The moves of the root: which there are, in which order, and what is played without a search."""

from engine.board cimport Board, count_of, first_with, is_empty
from engine.geometry cimport cell_at, symmetry_count, transformed_cell, x_of, y_of
from engine.movegen cimport MoveList, cell_of_key, generate_far
from engine.ordering cimport (PICK_ALL, PICK_FIVE_DEFENCES, PICK_FOUR_DEFENCES, History, Picker,
                              next_move, start_picker)
from engine.params cimport Params
from engine.patterns cimport THREAT_FIVE, THREAT_OPEN_FOUR
from engine.rules cimport is_forbidden, is_foul, may_be_foul
from engine.types cimport CELLS, NO_CELL, VALUE_INFINITE, int64_t, opponent_of


cdef void sort_root_moves(RootMoves* r) noexcept nogil:
    """Sorts the root moves, best value first; equal ones keep their order."""
    cdef int i, j
    cdef RootMove move
    for i in range(1, r.count):
        move = r.move[i]
        j = i
        while j > 0 and r.move[j - 1].value < move.value:
            r.move[j] = r.move[j - 1]
            j -= 1
        r.move[j] = move


cdef int root_mode(const Board* b) noexcept nogil:
    """The category of the root's moves, as in step 7."""
    cdef int other = opponent_of(b.side)
    if count_of(b, other, THREAT_FIVE):
        return PICK_FIVE_DEFENCES
    if count_of(b, other, THREAT_OPEN_FOUR):
        return PICK_FOUR_DEFENCES
    return PICK_ALL


cdef inline void add_root_move(RootMoves* r, int cell) noexcept nogil:
    r.move[r.count].cell = cell
    r.move[r.count].value = -VALUE_INFINITE
    r.move[r.count].is_lost = False
    r.move[r.count].nodes = 0
    r.count += 1


cdef void list_root_moves(RootMoves* r, Board* b, const History* h, const Params* p, int mode) noexcept nogil:
    """The legal root moves of a category in the picker's order."""
    cdef Picker picker
    cdef int cell
    r.count = 0
    start_picker(&picker, p, b, mode, NO_CELL, 0)
    while True:
        cell = next_move(&picker, b, h)
        if cell == NO_CELL:
            return
        if may_be_foul(b, b.side) and is_foul(b, cell):
            continue
        add_root_move(r, cell)


cdef void add_far_root_moves(RootMoves* r, Board* b) noexcept nogil:
    """Appends the legal cells far from every stone to the root moves."""
    cdef MoveList list
    cdef int i, cell
    generate_far(b, &list)
    for i in range(list.count):
        cell = cell_of_key(list.key[i])
        if may_be_foul(b, b.side) and is_foul(b, cell):
            continue
        add_root_move(r, cell)


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


cdef int any_cell(Board* b) noexcept nogil:
    """A move where all cells near stones are forbidden: the first cell that is allowed, else the
    opponent's five cell, else the first empty cell."""
    cdef int other = opponent_of(b.side), cell
    for cell in range(CELLS):
        if is_empty(b, cell) and not is_forbidden(b, cell, b.side):
            return cell
    if count_of(b, other, THREAT_FIVE):
        return first_with(b, other, THREAT_FIVE)
    for cell in range(CELLS):
        if is_empty(b, cell):
            return cell
    return NO_CELL


cdef int central_cell(const Board* b) noexcept nogil:
    """The empty cell nearest to the middle, of several the one with the lowest number."""
    cdef int cell, best = NO_CELL, least = 1 << 30, dx, dy
    for cell in range(CELLS):
        if is_empty(b, cell):
            # Twice the distance from the middle, so that even sizes need no halves; of the four
            # middle cells of an even board the lower right one is taken.
            dx = 2 * x_of(cell) - b.width
            dy = 2 * y_of(cell) - b.height
            if dx * dx + dy * dy < least:
                least = dx * dx + dy * dy
                best = cell
    return best
