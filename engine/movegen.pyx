"""Moves by category:

    fours            every move that makes a four (or an open four, double four, four-three)
    five defences    every move that stops the five which the opponent threatens
    four defences    every move that keeps the opponent from making an open four; own fours only
                     where they do so too
    all              every empty cell near a stone
    far              every other empty cell, for positions where all of those lose

The two defence generators are exact: a move they leave out loses by force (docs/PATTERNS.md).
Moves may be forbidden to Black in renju; that is checked just before a move is searched.
"""

from engine.board cimport (Board, beyond_run, cells_with, count_of, ends_block, first_with, line_at,
                           makes_line)
from engine.evaluate cimport attack_score
from engine.geometry cimport DIRECTIONS, line_of, place_on_line, step_of
from engine.intrinsics cimport lowest_bit
from engine.patterns cimport (LINE_FIVE, LINE_FOUR, LINE_OPEN_FOUR, THREAT_FIVE, THREAT_FORBIDDEN,
                              THREAT_FOUR, THREAT_OPEN_FOUR, patterns_at, stone_bits)
from engine.rules cimport is_foul, may_be_foul
from engine.types cimport EMPTY, PAD, STRIDE, WORDS, opponent_of, uint32_t, uint64_t


cdef void add_cells(MoveList* list, const uint64_t* cells) noexcept nogil:
    """Appends every cell of a set, in the order of cells."""
    cdef int word
    cdef uint64_t rest
    for word in range(WORDS):
        rest = cells[word]
        while rest:
            add_move(list, word * 64 + lowest_bit(rest))
            rest &= rest - 1


cdef void generate_all(const Board* b, MoveList* list) noexcept nogil:
    """Every empty cell near a stone; every empty cell of the board where there is none."""
    cdef const uint32_t* near = b.near_row[b.stones]
    cdef int row, fallback
    cdef uint64_t rest
    list.count = 0
    for fallback in range(2):
        for row in range(PAD, PAD + b.height):
            rest = b.empty_row[row] & (0xFFFFFFFFU if fallback else near[row])
            while rest:
                add_move(list, row * STRIDE + lowest_bit(rest))
                rest &= rest - 1
        if list.count:
            return


cdef void generate_far(const Board* b, MoveList* list) noexcept nogil:
    """Every empty cell that generate_all leaves out."""
    cdef const uint32_t* near = b.near_row[b.stones]
    cdef int row
    cdef uint64_t rest
    list.count = 0
    for row in range(PAD, PAD + b.height):
        rest = b.empty_row[row] & ~near[row]
        while rest:
            add_move(list, row * STRIDE + lowest_bit(rest))
            rest &= rest - 1


cdef void add_legal_fouls(Board* b, int side, int weakest, int strongest,
                          MoveList* list) noexcept nogil:
    """Appends the cells that the table marks as fouls of `side` but that are legal after all (not
    enough of their threes are real), and where a stone makes a line pattern from `weakest` to
    `strongest`."""
    cdef MoveList marked
    cdef int i, cell
    if not may_be_foul(b, side) or not count_of(b, side, THREAT_FORBIDDEN):
        return
    marked.count = 0
    add_cells(&marked, cells_with(b, side, THREAT_FORBIDDEN))
    for i in range(marked.count):
        cell = cell_of_key(marked.key[i])
        if makes_line(b, cell, side, weakest, strongest) and not is_foul(b, cell):
            add_move(list, cell)


cdef void drop_forbidden(Board* b, int side, MoveList* list) noexcept nogil:
    """Removes the moves that are forbidden to `side`."""
    cdef int i, kept = 0
    if not may_be_foul(b, side):
        return
    for i in range(list.count):
        if not is_foul(b, cell_of_key(list.key[i])):
            list.key[kept] = list.key[i]
            kept += 1
    list.count = kept


cdef void sort_by_attack(const Board* b, int side, MoveList* list) noexcept nogil:
    """Scores the moves by what they make for `side` and sorts them, best first."""
    cdef int i, cell
    for i in range(list.count):
        cell = cell_of_key(list.key[i])
        insert_key(list, i, move_key(attack_score(b, cell, side), cell))


cdef void generate_fours(Board* b, int side, MoveList* list) noexcept nogil:
    """Every move of `side` that makes a four, fives excepted; appends to the list.

    Includes Black's points in renju that the table marks as fouls but that are legal, so every
    move of the list is legal there.
    """
    cdef int threat
    for threat in range(THREAT_FOUR, THREAT_FIVE):
        if count_of(b, side, threat):
            add_cells(list, cells_with(b, side, threat))
    add_legal_fouls(b, side, LINE_FOUR, LINE_OPEN_FOUR, list)


cdef bint still_makes(const Board* b, int pattern, int cell, int other, int side,
                      int defence) noexcept nogil:
    """True when `other` could still make the pattern (LINE_FIVE, LINE_OPEN_FOUR) on the cell, which
    makes it now, after `side` on `defence`.

    Worked out from the line keys, without making the move. A stone of one side never makes a five
    of the other possible, so only the lines that make the pattern now have to be checked.
    """
    cdef int d, line
    cdef uint64_t key
    if defence == cell:
        return False
    for d in range(DIRECTIONS):
        if line_at(b, cell, d, other) != pattern:
            continue
        line = line_of(cell, d)
        if line_of(defence, d) != line:
            return True
        key = b.key[d][line] ^ stone_bits(side, place_on_line(defence, d))
        if (patterns_at(b.tables, key, place_on_line(cell, d)) >> (4 * (other - 1))) & 15 == pattern:
            return True
    return False


cdef void add_if_it_stops_fives(const Board* b, int side, int cell, const MoveList* five_cells,
                                MoveList* list) noexcept nogil:
    """Appends the cell if it is empty, not listed yet and leaves the opponent no five."""
    cdef int i
    if b.stone[cell] != EMPTY:
        return
    for i in range(list.count):
        if list.key[i] == move_key(0, cell):
            return
    for i in range(five_cells.count):
        if still_makes(b, LINE_FIVE, cell_of_key(five_cells.key[i]), opponent_of(side), side, cell):
            return
    add_move(list, cell)


cdef void generate_five_defences(Board* b, int side, MoveList* list) noexcept nogil:
    """Every move of `side` after which the opponent, who has a five cell now, has none.

    The list is empty if there is none. Under caro rules a stone beyond an end of the five also
    stops it where the other end is blocked; under the others only a stone on the five cell does.
    """
    cdef int other = opponent_of(side), cell, d, step, i
    cdef MoveList five_cells
    list.count = 0
    if not ends_block(b):
        if count_of(b, other, THREAT_FIVE) == 1:
            add_cells(list, cells_with(b, other, THREAT_FIVE))
        return
    five_cells.count = 0
    add_cells(&five_cells, cells_with(b, other, THREAT_FIVE))
    for i in range(five_cells.count):
        cell = cell_of_key(five_cells.key[i])
        add_if_it_stops_fives(b, side, cell, &five_cells, list)
        for d in range(DIRECTIONS):
            if line_at(b, cell, d, other) != LINE_FIVE:
                continue
            step = step_of(d)
            add_if_it_stops_fives(b, side, beyond_run(b, cell, step, other), &five_cells, list)
            add_if_it_stops_fives(b, side, beyond_run(b, cell, -step, other), &five_cells, list)


cdef void generate_four_defences(Board* b, int side, MoveList* list) noexcept nogil:
    """The moves of `side` after which the opponent, who could make an open four now, cannot.

    Own fours, which only delay the threat, are listed only if they stop it. A defence must spoil
    the open four at every cell that makes one. All defences lie on the line of the first such cell,
    in its window, so these are the candidates.
    """
    cdef int other = opponent_of(side), first, d, step, i, j, at
    cdef MoveList four_cells
    cdef bint stands
    list.count = 0
    four_cells.count = 0
    add_cells(&four_cells, cells_with(b, other, THREAT_OPEN_FOUR))
    first = first_with(b, other, THREAT_OPEN_FOUR)
    for d in range(DIRECTIONS):
        if line_at(b, first, d, other) != LINE_OPEN_FOUR:
            continue
        step = step_of(d)
        for i in range(-b.tables.reach, b.tables.reach + 1):
            at = first + i * step
            if b.stone[at] != EMPTY:
                continue
            stands = False
            for j in range(four_cells.count):
                if still_makes(b, LINE_OPEN_FOUR, cell_of_key(four_cells.key[j]), other, side, at):
                    stands = True
                    break
            if not stands:
                add_move(list, at)
        return              # one line through the first cell: every defence lies on it
