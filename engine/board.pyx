"""Makes and takes back stones, and keeps everything that the search reads up to date.

Invariants, all checked by board_ok:
  * key[d] holds exactly the stones of the board, with walls around it;
  * every empty cell's line patterns are those of its windows, its tallies and threats those of its
    patterns;
  * count and threat_set hold exactly the empty cells, by threat;
  * near_row[stones] holds the cells near a stone, empty_row and is_empty the empty ones.

A stone changes at most `reach` cells on either side along four lines. Their patterns on a line lie side
by side, so they are worked out, saved and taken back as two words a line, without asking which of
them change. Few changes matter to a threat: those are found by their bits, many cells at a time.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from engine.geometry cimport (DIRECTIONS, cell_at, line_of, mix64, place_on_line, step_of, x_of,
                              y_of, zobrist_keys)
from engine.intrinsics cimport load_bytes, lowest_bit, store_bytes
from engine.params cimport values_of
from engine.patterns cimport (HALF_MASK, THREATS, RuleTables,
                              patterns_at, rule_tables, stone_bits, tally_of)
from engine.types cimport (BLACK, CELLS, EMPTY, STRIDE, WALL, WHITE, WORDS, int16_t, opponent_of,
                           uint32_t, uint64_t)


cdef enum:
    ALL_PATTERNS = 0x88     # the highest bit of both patterns of a byte


# -- threats of one cell ------------------------------------------------------------------------

cdef inline void change_threat(Board* b, int cell, int colour, int tally, int after) noexcept nogil:
    """Gives a cell another tally, and moves it to the set of the threat `after`; saves both for
    undo(). colour: 0 or 1."""
    cdef uint64_t bit = (<uint64_t>1) << (cell & 63)
    cdef int word = cell >> 6
    cdef int before = (b.threat[cell] >> (4 * colour)) & 15
    cdef ThreatChange* saved = &b.threat_change[b.threat_changes]
    b.threat_changes += 1
    saved.cell = cell
    saved.tally = b.tally[colour][cell]
    saved.colour = colour
    saved.before = before
    saved.after = after
    b.tally[colour][cell] = tally
    if before != after:
        b.threat[cell] ^= (before ^ after) << (4 * colour)
        b.threat_set[colour][before][word] ^= bit
        b.threat_set[colour][after][word] ^= bit
        b.count[colour][before] -= 1
        b.count[colour][after] += 1


cdef inline int pattern_in(const RuleTables* t, uint64_t window, int away) noexcept nogil:
    """patterns_at() of the cell so many places behind the middle of a window of ten cells to either
    side."""
    return t.both[t.before[(window >> (2 * (away + 5))) & HALF_MASK]
                  + t.after[(window >> (2 * (away + 11))) & HALF_MASK]]


cdef inline uint64_t matters(uint64_t patterns) noexcept nogil:
    """The highest bit of each of 16 patterns that makes a threat, or with others a foul: from LINE_THREE
    on, and LINE_OVERLINE."""
    return (patterns & (patterns << 1 | patterns << 2 | patterns << 3)
            | patterns << 3 & ~(patterns | patterns << 1 | patterns << 2))


cdef inline uint64_t threat_changes(uint64_t before, uint64_t after, uint64_t empty) noexcept nogil:
    """The highest bit of each of 16 patterns that changes what threats its cell has. empty: these bits
    of the empty cells."""
    cdef uint64_t differ = before ^ after
    return ((differ | differ << 1 | differ << 2 | differ << 3)
            & (matters(before) | matters(after)) & empty)


# -- make and undo ------------------------------------------------------------------------------

cdef void make(Board* b, int cell, int colour) noexcept nogil:
    """Places a stone on an empty cell; the other colour is then to move."""
    cdef Placement* p = &b.placed[b.stones]
    cdef const RuleTables* t = b.tables
    cdef int d, i, at, place, row, side, colour_at, tally
    cdef uint64_t changed[2]
    cdef uint64_t arm[DIRECTIONS][2]
    cdef uint64_t window, before, behind
    cdef uint32_t near
    cdef uint32_t* rows
    cdef const uint32_t* rows_before
    cdef uint8_t* pattern
    cdef const uint8_t* empty
    assert b.stone[cell] == EMPTY and (colour == BLACK or colour == WHITE)

    # Step 1. Save what undo() cannot work out.
    p.cell = cell
    p.side = b.side
    p.hash = b.hash
    p.threat_changes = b.threat_changes

    # Step 2. The cell leaves the sets of empty cells.
    for i in range(2):
        if (b.threat[cell] >> (4 * i)) & 15:
            change_threat(b, cell, i, b.tally[i][cell], 0)
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

    # Step 5. The windows along the four lines: those of the cells before the stone and behind it.
    # In `window` the cell ten places before the stone is lowest. Beyond the ends of the line it goes
    # on at the other end, but no window of an empty cell reaches beyond.
    changed[0] = changed[1] = 0
    for d in range(DIRECTIONS):
        place = place_on_line(cell, d)
        i = line_of(cell, d)
        b.key[d][i] ^= stone_bits(colour, place)
        window = rotated(b.key[d][i], 2 * (place - 10))
        i = byte_of(cell, d)
        b.is_empty[d][i] = 0
        pattern = &b.pattern[d][i]
        empty = &b.is_empty[d][i]
        before = load_bytes(pattern - ARM)
        behind = load_bytes(pattern + 1)
        p.pattern[d][0] = before
        p.pattern[d][1] = behind
        if t.reach == 4:
            before &= 0xFFFFFFFFU
            behind &= ~<uint64_t>0xFFFFFFFFU
        else:
            before &= 0xFFFFFFU
            behind &= ~<uint64_t>0xFFFFFFFFFFU
            before |= <uint64_t>pattern_in(t, window, -5) << (8 * (ARM - 5))
            behind |= <uint64_t>pattern_in(t, window, 5) << (8 * 4)
        for i in range(1, 5):
            before |= <uint64_t>pattern_in(t, window, -i) << (8 * (ARM - i))
            behind |= <uint64_t>pattern_in(t, window, i) << (8 * (i - 1))
        store_bytes(pattern - ARM, before)
        store_bytes(pattern + 1, behind)
        arm[d][0] = before
        arm[d][1] = behind
        changed[0] |= threat_changes(p.pattern[d][0], before, load_bytes(empty - ARM)) >> d
        changed[1] |= threat_changes(p.pattern[d][1], behind, load_bytes(empty + 1)) >> d

    # Step 6. The threats. Each pattern has four bits in `changed`, the highest for the first direction.
    for side in range(2):
        while changed[side]:
            i = lowest_bit(changed[side])
            changed[side] &= changed[side] - 1
            d = 3 - (i & 3)
            i &= ~3
            colour_at = (i >> 2) & 1
            at = cell + step_of(d) * ((i >> 3) + 1 if side else (i >> 3) - ARM)
            tally = (b.tally[colour_at][at] + t.tally[colour_at][(arm[d][side] >> i) & 15]
                     - t.tally[colour_at][(p.pattern[d][side] >> i) & 15])
            change_threat(b, at, colour_at, tally, t.threat[colour_at][tally])


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
        i = byte_of(cell, d)
        b.is_empty[d][i] = ALL_PATTERNS
        store_bytes(&b.pattern[d][i] - ARM, p.pattern[d][0])
        store_bytes(&b.pattern[d][i] + 1, p.pattern[d][1])
    b.empty_row[cell >> 5] ^= (<uint32_t>1) << (cell & (STRIDE - 1))
    # No cell has changed twice for a colour. Sets are xor-ed and counts added, so a change that leaves
    # the threat needs no other path.
    for i in range(p.threat_changes, b.threat_changes):
        t = &b.threat_change[i]
        bit = (<uint64_t>1) << (t.cell & 63)
        b.tally[t.colour][t.cell] = t.tally
        b.threat[t.cell] ^= (t.before ^ t.after) << (4 * t.colour)
        b.threat_set[t.colour][t.before][t.cell >> 6] ^= bit
        b.threat_set[t.colour][t.after][t.cell >> 6] ^= bit
        b.count[t.colour][t.before] += 1
        b.count[t.colour][t.after] -= 1
    b.count[0][0] += 1
    b.count[1][0] += 1
    b.threat_changes = p.threat_changes
    b.hash = p.hash
    b.side = p.side


# -- setting up ---------------------------------------------------------------------------------

cdef void refresh_cell(Board* b, int cell) noexcept nogil:
    """Works out an empty cell's patterns, tallies and threats from the line keys alone."""
    cdef int d, colour
    cdef uint32_t lines
    for d in range(DIRECTIONS):
        b.is_empty[d][byte_of(cell, d)] = ALL_PATTERNS
        b.pattern[d][byte_of(cell, d)] = patterns_at(b.tables, b.key[d][line_of(cell, d)],
                                                     place_on_line(cell, d))
    lines = lines_at(b, cell)
    b.threat[cell] = 0
    for colour in range(2):
        b.tally[colour][cell] = tally_of(b.tables, colour, lines)
        b.threat[cell] |= b.tables.threat[colour][b.tally[colour][cell]] << (4 * colour)


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
    for i in range(1 << SCORED_BITS):
        b.scored[i].lines = 0xFFFFFFFF    # nothing yet: no pattern has the number 15
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
                threat = threat_at(b, cell, colour + 1)
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
    memcpy(to, board, <size_t>(<const char*>board.threat_change - <const char*>board))
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
                for d in range(DIRECTIONS):
                    if b.is_empty[d][byte_of(cell, d)]:
                        raise AssertionError(f"cell {cell} is empty in direction {d}")
                continue
            refresh_cell(fresh, cell)
            for d in range(DIRECTIONS):
                if ((lines_at(fresh, cell) ^ lines_at(b, cell)) >> (8 * d)) & 0xFF:
                    raise AssertionError(f"line pattern {d} is wrong at cell {cell}")
                if b.is_empty[d][byte_of(cell, d)] != ALL_PATTERNS:
                    raise AssertionError(f"cell {cell} is not empty in direction {d}")
            for colour in range(2):
                if fresh.tally[colour][cell] != b.tally[colour][cell]:
                    raise AssertionError(f"tally is wrong at cell {cell}")
                if threat_at(fresh, cell, colour + 1) != threat_at(b, cell, colour + 1):
                    raise AssertionError(f"threat is wrong at cell {cell}")
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
