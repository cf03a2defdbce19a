"""Makes and takes back stones, and keeps everything that the search reads up to date.

Invariants, all checked by board_ok:
  * key[d] holds exactly the stones of the board, with walls around it;
  * every empty cell's line patterns are those of its windows, its codes those of its patterns;
  * count and threat_set hold exactly the empty cells, by threat;
  * near_row[stones] holds the cells near a stone, empty_row the empty ones.

A stone changes at most `reach` cells on either side along four lines. Each of them lies on only one
of the four, so a stone changes a cell at most once; the whole cell is saved first.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from engine.geometry cimport (DIRECTIONS, cell_at, line_of, mix64, place_on_line, step_of, x_of,
                              y_of, zobrist_keys)
from engine.intrinsics cimport lowest_bit
from engine.params cimport values_of
from engine.patterns cimport HALF, THREATS, RuleTables, code_of, patterns_at, rule_tables, stone_bits
from engine.types cimport (BLACK, CELLS, EMPTY, STRIDE, WALL, WHITE, WORDS, int16_t, opponent_of,
                           uint16_t, uint32_t, uint64_t)


# -- patterns, codes, threats of one cell -------------------------------------------------------

cdef inline void change_threat(Board* b, int cell, int colour, int before, int after) noexcept nogil:
    """Moves a cell from one threat set to another and saves that for undo(). colour: 0 or 1."""
    cdef uint64_t bit = (<uint64_t>1) << (cell & 63)
    cdef int word = cell >> 6
    cdef ThreatChange* saved = &b.threat_change[b.threat_changes]
    b.threat_changes += 1
    saved.cell = cell
    saved.colour = colour
    saved.before = before
    saved.after = after
    b.threat_set[colour][before][word] ^= bit
    b.threat_set[colour][after][word] ^= bit
    b.count[colour][before] -= 1
    b.count[colour][after] += 1


cdef inline void change_code(Board* b, const RuleTables* t, int cell, int colour, int before,
                             int after) noexcept nogil:
    """A cell's code for a colour (0 or 1) has changed."""
    cdef int old = t.threat[colour][before]
    cdef int new = t.threat[colour][after]
    if old != new:
        change_threat(b, cell, colour, old, new)


cdef inline void change_line(Board* b, const RuleTables* t, int cell,
                             uint32_t changed) noexcept nogil:
    """Flips bits of an empty cell's line patterns; saves the cell for undo().

    All four patterns are read and written as one word. After storing a single byte, the processor
    would wait before it could load the word; that took half the time of make().
    """
    cdef CellChange* saved = &b.change[b.changes]
    cdef Cell* c = &b.cell[cell]
    cdef uint32_t lines = c.lines ^ changed
    cdef int code
    b.changes += 1
    saved.before = c[0]
    saved.cell = cell
    c.lines = lines
    if changed & 0x0F0F0F0F:
        code = code_of(t, lines)
        change_code(b, t, cell, 0, c.code[0], code)
        c.code[0] = code
    if changed & 0xF0F0F0F0U:
        code = code_of(t, lines >> 4)
        change_code(b, t, cell, 1, c.code[1], code)
        c.code[1] = code


# -- make and undo ------------------------------------------------------------------------------

cdef void make(Board* b, int cell, int colour) noexcept nogil:
    """Places a stone on an empty cell; the other colour is then to move."""
    cdef Placement* p = &b.placed[b.stones]
    cdef const RuleTables* t = b.tables
    cdef int reach = t.reach
    cdef int d, i, at, step, place, row, side, passed, listed = 0
    cdef int where[2 * HALF * DIRECTIONS + 1]
    cdef uint32_t flips[2 * HALF * DIRECTIONS + 1]
    cdef uint64_t key
    cdef uint32_t near, changed
    cdef uint32_t* rows
    cdef const uint32_t* rows_before
    cdef const uint16_t* code
    cdef int threat
    assert b.stone[cell] == EMPTY and (colour == BLACK or colour == WHITE)

    # Step 1. Save what undo() cannot work out.
    p.cell = cell
    p.side = b.side
    p.hash = b.hash
    p.changes = b.changes
    p.threat_changes = b.threat_changes

    # Step 2. The cell leaves the sets of empty cells.
    code = b.cell[cell].code
    threat = t.threat[0][code[0]]
    if threat:
        change_threat(b, cell, 0, threat, 0)
    threat = t.threat[1][code[1]]
    if threat:
        change_threat(b, cell, 1, threat, 0)
    b.count[0][0] -= 1
    b.count[1][0] -= 1

    # Step 3. The stone itself.
    b.stone[cell] = colour
    b.hash ^= b.zobrist.stone[colour][cell]
    b.side = opponent_of(colour)
    row = cell >> 5
    b.empty_row[row] ^= (<uint32_t>1) << (cell & (STRIDE - 1))

    # Step 4. Candidates: the square of two cells around the stone and the four lines up to four.
    rows_before = b.near_row[b.stones]
    b.stones += 1
    rows = b.near_row[b.stones]
    for i in range(STRIDE):
        rows[i] = rows_before[i]
    place = (cell & (STRIDE - 1)) - 4
    near = (<uint32_t>0x7C) << place            # ..XXXXX..
    rows[row - 1] |= near
    rows[row + 1] |= near
    rows[row - 2] |= near
    rows[row + 2] |= near
    rows[row] |= (<uint32_t>0x1FF) << place     # XXXXXXXXX
    near = (<uint32_t>0x92) << place            # .X..X..X.
    rows[row - 3] |= near
    rows[row + 3] |= near
    near = (<uint32_t>0x111) << place           # X...X...X
    rows[row - 4] |= near
    rows[row + 4] |= near

    # Step 5. The windows along the four lines. Which of them change is all but random, so they are
    # listed without a branch on it first. No walk passes a wall, or stones of both colours: what is
    # beyond them does not matter to either colour.
    for d in range(DIRECTIONS):
        place = place_on_line(cell, d)
        i = line_of(cell, d)
        b.key[d][i] ^= stone_bits(colour, place)
        key = b.key[d][i]
        step = step_of(d)
        for side in range(2):
            at = cell
            passed = EMPTY
            for i in range(1, reach + 1):
                at += step
                passed |= b.stone[at]
                if passed == WALL:
                    break
                changed = patterns_at(t, key, place + i if side == 0 else place - i)
                changed ^= (b.cell[at].lines >> (8 * d)) & 0xFF
                where[listed] = at
                flips[listed] = changed << (8 * d)
                listed += (changed != 0) & (b.stone[at] == EMPTY)
            step = -step
    for i in range(listed):
        change_line(b, t, where[i], flips[i])


cdef void undo(Board* b) noexcept nogil:
    """Takes back the last stone."""
    cdef Placement* p
    cdef ThreatChange* t
    cdef int d, i, cell, colour
    cdef uint64_t bit
    assert b.stones > 0
    b.stones -= 1
    p = &b.placed[b.stones]
    cell = p.cell
    colour = b.stone[cell]
    b.stone[cell] = EMPTY
    for d in range(DIRECTIONS):
        b.key[d][line_of(cell, d)] ^= stone_bits(colour, place_on_line(cell, d))
    b.empty_row[cell >> 5] ^= (<uint32_t>1) << (cell & (STRIDE - 1))
    for i in range(p.changes, b.changes):
        b.cell[b.change[i].cell] = b.change[i].before
    # A cell may have changed sets twice (one that gets a stone moves to THREAT_NONE). Sets are
    # xor-ed and counts added, so the order does not matter.
    for i in range(p.threat_changes, b.threat_changes):
        t = &b.threat_change[i]
        bit = (<uint64_t>1) << (t.cell & 63)
        b.threat_set[t.colour][t.before][t.cell >> 6] ^= bit
        b.threat_set[t.colour][t.after][t.cell >> 6] ^= bit
        b.count[t.colour][t.before] += 1
        b.count[t.colour][t.after] -= 1
    b.count[0][0] += 1
    b.count[1][0] += 1
    b.changes = p.changes
    b.threat_changes = p.threat_changes
    b.hash = p.hash
    b.side = p.side


# -- setting up ---------------------------------------------------------------------------------

cdef void refresh_cell(Board* b, int cell) noexcept nogil:
    """Works out an empty cell's patterns and codes from the line keys alone."""
    cdef Cell* c = &b.cell[cell]
    cdef int d
    c.lines = 0
    for d in range(DIRECTIONS):
        c.lines |= <uint32_t>patterns_at(b.tables, b.key[d][line_of(cell, d)],
                                         place_on_line(cell, d)) << (8 * d)
    c.code[0] = code_of(b.tables, c.lines)
    c.code[1] = code_of(b.tables, c.lines >> 4)


cdef void set_up(Board* b, int rule, int width, int height, const int16_t* walls,
                 int wall_count) except *:
    """An empty board with walls on the given cells, Black to move.

    rule   index of a row of rulebook.RULES; width, height within MIN_SIZE .. MAX_SIZE (the caller
           checks).
    Raises MemoryError, and ValueError for a bad values file.
    """
    cdef int x, y, d, i, cell, colour, threat
    # What can fail comes first, so that a failure leaves the board unchanged.
    cdef const RuleTables* tables = rule_tables(rule)
    cdef const Values* values = values_of(rule)
    memset(b, 0, sizeof(Board))
    b.tables = tables
    b.values = values
    b.zobrist = zobrist_keys()
    b.rule = rule
    b.kind[0] = tables.kind[0]
    b.kind[1] = tables.kind[1]
    b.width = width
    b.height = height
    b.side = BLACK
    b.hash = b.zobrist.rule[rule] ^ mix64(width * STRIDE + height)   # shapes share the table
    memset(b.stone, WALL, sizeof(b.stone))
    memset(b.key, 0xFF, sizeof(b.key))
    for y in range(height):
        for x in range(width):
            b.stone[cell_at(x, y)] = EMPTY
    for i in range(wall_count):
        b.stone[walls[i]] = WALL
        b.hash ^= b.zobrist.stone[WALL][walls[i]]
    for cell in range(CELLS):
        if b.stone[cell] == EMPTY:
            b.area += 1
            b.empty_row[cell >> 5] |= (<uint32_t>1) << (cell & (STRIDE - 1))
            for d in range(DIRECTIONS):
                b.key[d][line_of(cell, d)] ^= stone_bits(WALL, place_on_line(cell, d))
    for cell in range(CELLS):
        if b.stone[cell] == EMPTY:
            refresh_cell(b, cell)
            for colour in range(2):
                threat = tables.threat[colour][b.cell[cell].code[colour]]
                b.count[colour][threat] += 1
                b.threat_set[colour][threat][cell >> 6] |= (<uint64_t>1) << (cell & 63)


cdef int first_cell(const uint64_t* cells) noexcept nogil:
    """The lowest cell of a set, NO_CELL (0) for the empty set."""
    cdef int word
    for word in range(WORDS):
        if cells[word]:
            return word * 64 + lowest_bit(cells[word])
    return 0


# -- checking -----------------------------------------------------------------------------------

cdef int near_ok(const Board* b) except -1:
    """Checks near_row against the definition, stone by stone."""
    cdef int cell, other, dx, dy, row
    cdef bint near
    for cell in range(CELLS):
        if b.stone[cell] == WALL:
            continue
        near = False
        for row in range(b.stones):
            other = b.placed[row].cell
            dx = abs(x_of(cell) - x_of(other))
            dy = abs(y_of(cell) - y_of(other))
            if (dx <= 2 and dy <= 2) or ((dx == 0 or dy == 0 or dx == dy) and dx <= 4 and dy <= 4):
                near = True
                break
        if near != <bint>((b.near_row[b.stones][cell >> 5] >> (cell & (STRIDE - 1))) & 1):
            raise AssertionError(f"candidate set is wrong at cell {cell}")
    return 0


cdef void copy_board(Board* to, const Board* board) noexcept nogil:
    """Makes `to` an equal board, which also takes back the same stones. Of the room for saved changes,
    most of the struct, only what is in use is copied."""
    memcpy(to, board, <size_t>(<const char*>board.change - <const char*>board))
    memcpy(to.change, board.change, board.changes * sizeof(CellChange))
    memcpy(to.threat_change, board.threat_change, board.threat_changes * sizeof(ThreatChange))


cdef int board_ok(const Board* b) except -1:
    """Recomputes everything from the stones and compares. Returns 0; raises AssertionError, which
    names the first difference."""
    cdef Board* fresh = <Board*>calloc(1, sizeof(Board))
    cdef int16_t walls[CELLS]
    cdef int wall_count = 0, x, y, cell, i, colour, threat, d
    cdef int count[2][THREATS]
    if fresh == NULL:
        raise MemoryError("no memory to check a board")
    try:
        for y in range(b.height):
            for x in range(b.width):
                if b.stone[cell_at(x, y)] == WALL:
                    walls[wall_count] = cell_at(x, y)
                    wall_count += 1
        set_up(fresh, b.rule, b.width, b.height, walls, wall_count)
        # Places the stones in the keys only; then works out every cell once.
        for cell in range(CELLS):
            if b.stone[cell] == BLACK or b.stone[cell] == WHITE:
                fresh.stone[cell] = b.stone[cell]
                fresh.hash ^= b.zobrist.stone[b.stone[cell]][cell]
                fresh.empty_row[cell >> 5] ^= (<uint32_t>1) << (cell & (STRIDE - 1))
                for d in range(DIRECTIONS):
                    fresh.key[d][line_of(cell, d)] ^= stone_bits(b.stone[cell],
                                                                 place_on_line(cell, d))
        memset(count, 0, sizeof(count))
        for cell in range(CELLS):
            if fresh.stone[cell] != EMPTY:
                continue
            refresh_cell(fresh, cell)
            for d in range(DIRECTIONS):
                if ((fresh.cell[cell].lines ^ b.cell[cell].lines) >> (8 * d)) & 0xFF:
                    raise AssertionError(f"line pattern {d} is wrong at cell {cell}")
            for colour in range(2):
                if fresh.cell[cell].code[colour] != b.cell[cell].code[colour]:
                    raise AssertionError(f"code is wrong at cell {cell}")
                threat = threat_at(fresh, cell, colour + 1)
                count[colour][threat] += 1
                if not (b.threat_set[colour][threat][cell >> 6] >> (cell & 63)) & 1:
                    raise AssertionError(f"cell {cell} is missing from its threat set")
        for colour in range(2):
            for threat in range(THREATS):
                if count[colour][threat] != b.count[colour][threat]:
                    raise AssertionError(f"count of threat {threat} is wrong")
        if fresh.hash != b.hash:
            raise AssertionError("hash is wrong")
        for i in range(STRIDE):
            if fresh.empty_row[i] != b.empty_row[i]:
                raise AssertionError(f"empty cells of row {i} are wrong")
        near_ok(b)
    finally:
        free(fresh)
    return 0
